"""Count the results that the engine throws away in endings.

    python benchmarks/endings.py --dir FOLDER [--positions N] [--ms N] [--with-tables]

In random won and drawn positions of up to 6 stones the engine chooses a turn; tables of 6 stones,
those of FOLDER, say whether the position after it is as good. With --with-tables the engine may
use them too, and must then never be wrong: the exit status is 1 if it is.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter

from fanorona_core import PROFILES, Engine, Limit, Position, Side
from fanorona_core.tablebase import Tables, Wdl

RULES = PROFILES["theory"]
STONES = range(3, 7)


def positions(tables: Tables, count: int, seed: int) -> list[tuple[Position, Wdl]]:
    """Return positions that are not lost, with more than one turn, and their results."""
    chance = random.Random(seed)
    found: list[tuple[Position, Wdl]] = []
    while len(found) < count:
        points = [1 << point for point in chance.sample(range(45), chance.choice(STONES))]
        split = chance.randrange(1, len(points))
        side = chance.choice(list(Side))
        position = Position(sum(points[:split]), sum(points[split:]), side, RULES)
        wdl = tables.probe(position).wdl
        if wdl >= 0 and position.count_turns() > 1:
            found.append((position, wdl))
    return found


def main() -> int:
    """Ask the engine and count."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--dir", required=True, help="folder of tables up to 6 stones")
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--ms", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--with-tables", action="store_true", help="the engine has them too")
    options = parser.parse_args()
    tables = Tables(options.dir)
    engine = Engine(tables=tables if options.with_tables else None, table_stones=6)
    asked: Counter[str] = Counter()
    thrown: Counter[str] = Counter()
    for position, wdl in positions(tables, options.positions, options.seed):
        engine.new_game()
        turn = engine.best(position, Limit(time_ms=options.ms)).turn
        asked[wdl.name.lower()] += 1
        if -tables.probe(position.play(turn)).wdl < wdl:
            thrown[wdl.name.lower()] += 1
            print(f"{position.text()}: {turn} throws a {wdl.name.lower()} away")
    for name, count in sorted(asked.items()):
        print(f"{name}: {count} positions, {thrown[name]} thrown away")
    return 1 if options.with_tables and thrown else 0


if __name__ == "__main__":
    sys.exit(main())
