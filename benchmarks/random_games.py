"""Measure how many games of random turns are played a second, on one thread.

Two ways through the public API: "positions" plays with immutable positions and ends a game where
no turn is left or the turn limit is reached; "boards" plays on a board, with its history, and asks
it after each turn whether the game is over by any rule. Each way's number of turns is checked.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable

from fanorona_core import Board, Position, __version__

SEED = 2026
GAMES = 1000
START = Position.start()
TURN_LIMIT = START.rules.turn_limit or 0


def positions(games: int, seed: int) -> int:
    """Play on positions; return the number of turns."""
    choice = random.Random(seed).choice
    turns = 0
    for _ in range(games):
        position = START
        while position.turn_number <= TURN_LIMIT and (legal := position.legal_turns()):
            position = position.play(choice(legal))
        turns += position.turn_number - 1
    return turns


def boards(games: int, seed: int) -> int:
    """Play on boards; return the number of turns."""
    choice = random.Random(seed).choice
    turns = 0
    for _ in range(games):
        board = Board(START)
        while board.outcome() is None:
            board.push(choice(board.legal_turns))
        turns += len(board.turns)
    return turns


# The turns of GAMES games with SEED, which any correct generator in the same order gives.
WAYS: dict[str, tuple[Callable[[int, int], int], int]] = {
    "positions": (positions, 40_298),
    "boards": (boards, 40_834),
}


def main() -> None:
    """Run both ways and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="runs of each way (default 5)")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    options = parser.parse_args()
    if options.runs < 1:
        parser.error("--runs must be 1 or more")
    results = []
    for name, (play, expected) in WAYS.items():
        speeds = []
        for _ in range(options.runs):
            began = time.process_time()
            turns = play(GAMES, SEED)
            seconds = time.process_time() - began
            if turns != expected:
                sys.exit(f"{name}: {GAMES} games have {turns} turns, expected {expected}")
            speeds.append(GAMES / seconds)
        best, median = max(speeds), statistics.median(speeds)
        results.append(
            {
                "name": name,
                "games": GAMES,
                "seed": SEED,
                "turns": expected,
                "games_per_second": [round(speed) for speed in speeds],
                "best": round(best),
                "median": round(median),
            }
        )
        if not options.json:
            each = " ".join(f"{speed:7,.0f}" for speed in speeds)
            print(f"{name:10} {GAMES} games, {expected} turns  games/s {each}", end="")
            print(f"  best {best:,.0f}  median {median:,.0f}", flush=True)
    if options.json:
        python, machine = platform.python_version(), platform.machine()
        about = {"benchmark": "random games", "version": __version__, "python": python}
        print(json.dumps({**about, "machine": machine, "ways": results}))


if __name__ == "__main__":
    main()
