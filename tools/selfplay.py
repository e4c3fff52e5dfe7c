"""Make training positions: the engine plays itself and notes what it thinks.

    python tools/selfplay.py OUT.npy --games 10000 --depth 6 --seed 1 --jobs 2

Each game begins with a few random turns, and now and then another random turn
is thrown in, so that positions differ and also odd ones are seen. For every
searched position one row is kept: the stones seen from the side to move, the
score in centipawns, and the result of the game for that side (-1, 0, 1). The
same arguments give the same file.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random

import numpy as np

from fanorona_core import PROFILES, Board
from fanorona_core._search import DECIDED_SCORE, Search
from fanorona_core._transposition import HashTable
from fanorona_core.weights import evaluation_network

ROW = np.dtype([("own", "<u8"), ("enemy", "<u8"), ("score", "<i2"), ("result", "i1")])
# Long endings teach little: they are cut short as draws, and few of their positions are kept.
RULES = PROFILES["tsivy"].replace(turn_limit=150, quiet_limit=30)
ENDING_STONES = 9
ENDING_KEPT = 0.2


def play(seed: int, depth: int, table: HashTable) -> np.ndarray:
    """The rows of one game."""
    chance = random.Random(seed)
    board = Board(RULES)
    for _ in range(chance.randrange(2, 9)):
        if board.outcome() is None:
            board.push(chance.choice(board.legal_turns))
    rows: list[tuple[int, int, int, int]] = []
    adjudicated = 0
    while board.outcome() is None and not adjudicated:
        position = board.position
        if chance.random() < 0.08:
            board.push(chance.choice(board.legal_turns))
            continue
        table.new_search()
        search = Search(
            position, table, board.keys_since_capture(), (False, 3, 30, 150), evaluation_network()
        )
        for plies in range(1, depth + 1):
            search.deepen(plies, 0, 0, 0, False)
        score = search.score(0)
        rows.append(
            (
                position.stones(position.side),
                position.stones(position.side.other),
                score,
                position.side,
            )
        )
        if abs(score) > DECIDED_SCORE:
            adjudicated = 1 if (score > 0) == (position.side == 0) else -1
        else:
            turn = position.turn_with_result(*search.line(0)[0])
            board.push(turn)
    outcome = board.outcome()
    if adjudicated:
        white = adjudicated
    else:
        white = 0 if outcome is None or outcome.winner is None else 1 - 2 * outcome.winner
    made = np.zeros(len(rows), ROW)
    for index, (own, enemy, score, side) in enumerate(rows):
        made[index] = (own, enemy, max(-3000, min(3000, score)), white if side == 0 else -white)
    return made


def play_many(arguments: tuple[list[int], int]) -> np.ndarray:
    """The rows of several games, one process's share."""
    seeds, depth = arguments
    table = HashTable(4)
    games = []
    for seed in seeds:
        table.clear()
        games.append(play(seed, depth, table))
    return np.concatenate(games)


def main() -> None:
    """Read the arguments, play, write the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--depth", type=int, default=6, help="plies searched for each turn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    seeds = [options.seed * 1_000_000_007 + game for game in range(options.games)]
    batches = [(seeds[at : at + 50], options.depth) for at in range(0, len(seeds), 50)]
    with multiprocessing.Pool(options.jobs) as pool:
        rows = list(pool.imap(play_many, batches))
    np.save(options.out, np.concatenate(rows))


if __name__ == "__main__":
    main()
