"""Make the opening book from the engine's own analysis.

    python tools/opening_book.py --out fanorona_core/data/openings.txt

From the start on, the best turns of each position are searched to a fixed number of nodes on one
thread. Those within a margin of the best one are kept, and what they lead to is searched next. The
same arguments give the same file.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from fanorona_core import PROFILES, Engine, Limit, Position, parse_turn
from fanorona_core.openingbook import OpeningBook


def ranked(position: Position, nodes: int, width: int) -> list[tuple[str, int]]:
    """The best turns and their centipawns, the best one first; decided ones are left out."""
    found: dict[int, tuple[str, int]] = {}
    for info in Engine(hash_mib=64).analyse(position, Limit(nodes=nodes), multipv=width):
        if info.score.centipawns is None:
            found.pop(info.rank, None)
        else:
            found[info.rank] = (str(info.turn), info.score.centipawns)
    return sorted(found.values(), key=lambda known: -known[1])


def main() -> int:
    """Search, and write the book."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--plies", type=int, default=8, help="how deep the book is")
    parser.add_argument("--nodes", type=int, default=1_000_000, help="what each position may cost")
    parser.add_argument("--width", type=int, default=4, help="the most turns of a position")
    parser.add_argument("--margin", type=int, default=80, help="centipawns below the best turn")
    options = parser.parse_args()
    lines: dict[str, tuple[tuple[str, int], ...]] = {}
    front = [Position.start(PROFILES["tsivy"])]
    for ply in range(options.plies):
        after: dict[str, Position] = {}
        for position in front:
            turns = ranked(position, options.nodes, options.width)
            if not turns:
                continue
            turns = [known for known in turns if known[1] >= turns[0][1] - options.margin]
            lines[position.stones_text()] = tuple(turns)
            for text, _ in turns:
                child = position.play(parse_turn(position, text))
                after.setdefault(child.stones_text(), child)
        print(f"{ply + 1} plies: {len(lines)} positions", file=sys.stderr, flush=True)
        front = [child for key, child in after.items() if key not in lines]
    options.out.write_text(str(OpeningBook(lines)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
