"""Measure the search: nodes a second on one thread and on two, and the time to depth 14.

    python benchmarks/search.py [--json]

A node is a position that the search function is called for, leaves included. The nodes of the
fixed positions are compared with tests/data/signature.txt first: figures of a search that gives
other answers are not figures of this one.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from fanorona_cli.bench import bench
from fanorona_core import Board, Position
from fanorona_core.engine import Engine, Limit

SIGNATURE = Path(__file__).parent.parent / "tests" / "data" / "signature.txt"
HASH_MIB = 256
SECONDS = 3
DEPTH = 14
# The start, and the middle game and endgame of a game between strong players.
POSITIONS = (
    Position.start().text(),
    "3b1bbbb/2w2b1bb/3w2bbw/w3w3w/3w3w1 w - 0 9 tsivy",
    "6b1b/3w3b1/9/1w7/w5w2 w - 5 31 tsivy",
)


def speed(threads: int) -> int:
    """Nodes a second over all positions."""
    nodes, seconds = 0, 0.0
    for text in POSITIONS:
        engine = Engine(hash_mib=HASH_MIB, threads=threads)
        begun = time.perf_counter()
        *_, last = engine.analyse(Position.parse(text), Limit(time_ms=SECONDS * 1000))
        seconds += time.perf_counter() - begun
        nodes += last.nodes
    return round(nodes / seconds)


def time_to_depth(depth: int) -> float:
    """Seconds to a depth from the start, the best of three with an empty table."""
    times = []
    for _ in range(3):
        engine = Engine(hash_mib=HASH_MIB)
        begun = time.perf_counter()
        list(engine.analyse(Board(), Limit(depth_plies=depth)))
        times.append(time.perf_counter() - begun)
    return min(times)


def main() -> int:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="report in JSON")
    arguments = parser.parse_args()
    results = list(bench())
    nodes = sum(result.nodes for result in results)
    expected = int(SIGNATURE.read_text(encoding="utf-8"))
    figures = {
        "signature": nodes,
        "bench_nps": round(nodes / sum(result.time_ms for result in results) * 1000),
        "nps_1_thread": speed(1),
        "nps_2_threads": speed(2),
        f"seconds_to_depth_{DEPTH}": round(time_to_depth(DEPTH), 3),
    }
    figures["scaling_2_threads"] = round(figures["nps_2_threads"] / figures["nps_1_thread"], 2)
    if arguments.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:>20}  {value:,}")
    if nodes != expected:
        print(f"the signature is {nodes}, expected {expected}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
