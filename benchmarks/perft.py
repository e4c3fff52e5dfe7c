"""Measure how many turns the move generator makes a second: perft, every turn counted.

Policy distinct: every chain by its path and letters. The last ply is counted as perft counts it,
without storing turns. Each count is checked, so that a faster wrong answer is no progress.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import sys
import time
from dataclasses import dataclass

from fanorona_core import Position, RuleSet, __version__


@dataclass(frozen=True)
class Case:
    """A position, a depth and the number of sequences that there are."""

    name: str
    position: str
    rules: str
    depth: int
    nodes: int


START = "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w"
MIDDLE = "1bbb1bbbb/b1b5b/b2bw2b1/w1w2w1ww/1w1w1www1 w"
LATE = "9/1b6w/4w3w/9/1w7 w"
# Counts of tests/data, which three programs agree on.
CASES = [
    Case("start, optional", START, "tsivy", 6, 9_205_774),
    Case("start, compulsory", START, "tsivy-compulsory", 8, 20_579_045),
    Case("middle, optional", MIDDLE, "tsivy", 7, 7_610_918),
    Case("middle, compulsory", MIDDLE, "tsivy-compulsory", 8, 4_716_335),
    Case("few stones, optional", LATE, "tsivy", 8, 15_660_401),
    Case("few stones, compulsory", LATE, "tsivy-compulsory", 8, 15_626_426),
    Case("5x5 start, optional", "bbbbb/bbbbb/bw1bw/wwwww/wwwww w", "dimy", 8, 11_258_568),
]


def measure(case: Case, runs: int) -> list[float]:
    """Turns a second in each run; the program ends if a count is wrong."""
    position = Position.parse(case.position, RuleSet.parse(case.rules))
    speeds = []
    for _ in range(runs):
        began = time.process_time()
        nodes = position.perft(case.depth)
        seconds = time.process_time() - began
        if nodes != case.nodes:
            sys.exit(f"{case.name}: perft {case.depth} is {nodes}, expected {case.nodes}")
        speeds.append(nodes / seconds)
    return speeds


def main() -> None:
    """Run every case and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="runs of each case (default 5)")
    parser.add_argument("--first", action="store_true", help="only the start at depth 6")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    options = parser.parse_args()
    if options.runs < 1:
        parser.error("--runs must be 1 or more")
    results = []
    for case in CASES[:1] if options.first else CASES:
        speeds = measure(case, options.runs)
        best, median = max(speeds), statistics.median(speeds)
        results.append(
            {
                "name": case.name,
                "position": case.position,
                "rules": case.rules,
                "depth": case.depth,
                "nodes": case.nodes,
                "turns_per_second": [round(speed) for speed in speeds],
                "best": round(best),
                "median": round(median),
            }
        )
        if not options.json:
            each = " ".join(f"{speed / 1e6:6.2f}" for speed in speeds)
            print(f"{case.name:23} depth {case.depth} {case.nodes:>11,} turns  M/s {each}", end="")
            print(f"  best {best / 1e6:6.2f}  median {median / 1e6:6.2f}", flush=True)
    if options.json:
        python, machine = platform.python_version(), platform.machine()
        about = {"benchmark": "perft", "version": __version__, "python": python}
        print(json.dumps({**about, "machine": machine, "policy": "distinct", "cases": results}))


if __name__ == "__main__":
    main()
