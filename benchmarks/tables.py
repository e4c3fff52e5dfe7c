"""Measure endgame tables: how long they take to build, how small they are, how fast they answer.

Usage: python benchmarks/tables.py [--stones N] [--threads N] [--distance] [--dir DIR]

Builds all tables of up to N stones (5) on 9x5 into an empty folder, then looks random positions
up, in memory and in the compressed files. Times are wall clock and processor seconds; on a machine
that has other work only the second means something. The results that are looked up are counted
and compared, so that a faster wrong answer is not taken for progress.
"""

import argparse
import random
import resource
import sys
import tempfile
import time
from array import array
from pathlib import Path

from fanorona_core import PROFILES, Position, Side
from fanorona_core.tablebase import Tables
from fanorona_core.tablebuild import Builder, pairs_up_to

RULES = PROFILES["theory"]
PROBES = 200_000
FILE_PROBES = 5_000
# Won, drawn and lost among the positions of `random_positions`, by the number of stones.
EXPECTED = {
    4: (106477, 30503, 63020),
    5: (107519, 28647, 63834),
    6: (108847, 26003, 65150),
}


def random_positions(stones: int, count: int) -> tuple[array, array]:
    """Stones on random points, every split between the sides as likely as another."""
    chance = random.Random(stones)
    own, enemy = array("Q"), array("Q")
    for _ in range(count):
        points = chance.sample(range(45), stones)
        split = chance.randint(1, stones - 1)
        own.append(sum(1 << point for point in points[:split]))
        enemy.append(sum(1 << point for point in points[split:]))
    return own, enemy


def measured(work):
    """Return a result, and the wall clock and processor seconds that it took."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    return result, time.perf_counter() - wall, time.process_time() - cpu


def report_build(folder: Path, stones: int, threads: int, distance: bool) -> None:
    """Build, one number of stones after the other."""
    wall = cpu = 0.0
    for total in range(2, stones + 1):
        builder = Builder(9, 5, directory=folder, distance=distance, threads=threads)
        pairs = pairs_up_to(9, 5, total)
        _, more_wall, more_cpu = measured(lambda b=builder, p=pairs: b.build(p))
        wall, cpu = wall + more_wall, cpu + more_cpu
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(
            f"up to {total} stones: {wall:8.2f} s wall, {cpu:8.2f} s processor, "
            f"at most {memory:.2f} GB of memory",
            flush=True,
        )
    for suffix in (".wdl", ".dtw"):
        files = list(folder.glob(f"9x5-optional-*{suffix}"))
        size = sum(path.stat().st_size for path in files)
        print(f"{len(files)} files {suffix}: {size / 1e6:.2f} MB")


def report_probes(folder: Path, stones: int) -> None:
    """Look up in memory, as a search does."""
    tables = Tables(folder)
    loaded, wall, _ = measured(lambda: tables.load(RULES, stones))
    print(f"loaded into memory in {wall:.2f} s")
    for total in range(4, stones + 1):
        own, enemy = random_positions(total, PROBES)
        best = 1e9
        for _ in range(3):
            found, _, cpu = measured(lambda o=own, e=enemy: loaded.count_results(o, e))
            best = min(best, cpu)
        print(f"{total} stones, in memory: {best / PROBES * 1e9:6.0f} ns a probe; {found[:3]}")
        assert found[:3] == EXPECTED.get(total, found[:3]), "other results than before"
    for total in range(5, stones + 1):
        own, enemy = positions_in_order(total, PROBES)
        runs = [measured(lambda o=own, e=enemy: loaded.count_results(o, e))[2] for _ in range(3)]
        print(f"up to {total} stones, as a search asks: {min(runs) / PROBES * 1e9:6.0f} ns a probe")


def positions_in_order(stones: int, count: int) -> tuple[array, array]:
    """Positions as a search comes to them: in trees above them, down to where tables end it."""
    chance = random.Random(stones)
    own, enemy = array("Q"), array("Q")

    def descend(position: Position, plies: int) -> None:
        seen = set()
        for turn in position.legal_turns():
            child = position.play(turn)
            mine, other = child.stones(child.side), child.stones(child.side.other)
            if not mine or child.key in seen or len(own) >= count:
                continue
            seen.add(child.key)
            if (mine | other).bit_count() <= stones:
                own.append(mine)
                enemy.append(other)
            elif plies > 1:
                descend(child, plies - 1)

    while len(own) < count:
        points = [1 << point for point in chance.sample(range(45), stones + 2)]
        half = len(points) // 2
        descend(Position(sum(points[:half]), sum(points[half:]), Side.WHITE, RULES), 4)
    return own, enemy


def report_file_probes(folder: Path, stones: int) -> None:
    """Through the facade, from files that the system has in its cache."""
    for total in range(4, stones + 1):
        tables = Tables(folder)
        own, enemy = random_positions(total, FILE_PROBES)
        positions = [Position(o, e, Side.WHITE, RULES) for o, e in zip(own, enemy, strict=True)]
        for position in positions[: FILE_PROBES // 2]:
            tables.probe(position)
        rest = positions[FILE_PROBES // 2 :]
        _, _, cpu = measured(lambda t=tables, r=rest: [t.probe(position) for position in r])
        print(f"{total} stones, from files: {cpu / len(rest) * 1e6:6.1f} us a probe")


def main() -> None:
    """Build and probe, in a folder that is removed again unless it was named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stones", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--distance", action="store_true")
    parser.add_argument("--dir", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.dir or Path(scratch)
        report_build(folder, options.stones, options.threads, options.distance)
        report_probes(folder, options.stones)
        report_file_probes(folder, options.stones)


if __name__ == "__main__":
    sys.exit(main())
