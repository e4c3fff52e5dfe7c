"""Make training positions: the engine plays itself and notes what it thinks.

    python tools/selfplay.py OUT.npy --games 10000 --depth 6 --seed 1 --jobs 2
    python tools/selfplay.py OUT.npy --endings --games 30000 --depth 6 --seed 2
    python tools/selfplay.py OUT.npy --tables --games 30000 --depth 6 --seed 3

Each game begins with a few random turns, and now and then another random turn
is thrown in, so that positions differ and also odd ones are seen. For every
searched position one row is kept: the stones seen from the side to move, the
score in centipawns, and the result of the game for that side (-1, 0, 1). The
same arguments give the same file.

With --tables the games end where tables of up to 7 stones know the result, those
in FANORONA_TABLES_DIR, and the search sees them too; the last position is kept.
With --endings they do, and begin with 7 to 16 stones on random points.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
from functools import cache

import numpy as np

from fanorona_core import PROFILES, Board, Position, Side
from fanorona_core._search import DECIDED_SCORE, Search
from fanorona_core._tablebase import LoadedTables
from fanorona_core._transposition import HashTable
from fanorona_core.tablebase import Tables
from fanorona_core.weights import evaluation_network

ROW = np.dtype([("own", "<u8"), ("enemy", "<u8"), ("score", "<i2"), ("result", "i1")])
# Long games teach little: they are cut short as draws.
RULES = PROFILES["tsivy"].replace(turn_limit=150, quiet_limit=30)
ENDING_STARTS = range(7, 17)  # stones with which a game of endings begins
TABLE_STONES = 7
LARGEST_SCORE = 3000  # what is kept of a won position


def opening(chance: random.Random) -> Board:
    """The start, and a few random turns."""
    board = Board(RULES)
    for _ in range(chance.randrange(2, 9)):
        if board.outcome() is None:
            board.push(chance.choice(board.legal_turns))
    return board


def ending(chance: random.Random) -> Board:
    """Some stones on random points, about as many of both sides."""
    stones = chance.choice(ENDING_STARTS)
    points = [1 << point for point in chance.sample(range(45), stones)]
    white = stones // 2 + chance.choice((-1, 0, 0, 1))
    side = chance.choice((Side.WHITE, Side.BLACK))
    return Board(Position(sum(points[:white]), sum(points[white:]), side, RULES))


def play(
    seed: int, depth: int, table: HashTable, few: bool, endings: LoadedTables | None
) -> np.ndarray:
    """The rows of one game, which may begin with few stones and end in tables."""
    chance = random.Random(seed)
    board = ending(chance) if few else opening(chance)
    rows: list[tuple[int, int, int, int]] = []
    result: int | None = None  # for White, if it is known before the end
    while board.outcome() is None and result is None:
        position = board.position
        own, enemy = position.stones(position.side), position.stones(position.side.other)
        sign = 1 - 2 * position.side
        known = None if endings is None else endings.result(own, enemy)
        if known is not None:
            rows.append((own, enemy, LARGEST_SCORE * known, sign))
            result = known * sign
            break
        if chance.random() < 0.08:
            board.push(chance.choice(board.legal_turns))
            continue
        table.new_search()
        search = Search(
            position,
            table,
            board.keys_since_capture(),
            (False, 3, 30, 150),
            evaluation_network(),
            endings,
            result_stones=TABLE_STONES,
        )
        for plies in range(1, depth + 1):
            search.deepen(plies, 0, 0, 0, False)
        score = search.score(0)
        rows.append((own, enemy, max(-LARGEST_SCORE, min(LARGEST_SCORE, score)), sign))
        if abs(score) > DECIDED_SCORE:
            result = sign if score > 0 else -sign
        else:
            board.push(position.turn_with_result(*search.line(0)[0]))
    if result is None:
        outcome = board.outcome()
        result = 0 if outcome is None or outcome.winner is None else 1 - 2 * outcome.winner
    made = np.zeros(len(rows), ROW)
    for index, (own, enemy, score, sign) in enumerate(rows):
        made[index] = (own, enemy, score, result * sign)
    return made


def play_many(arguments: tuple[list[int], int, bool, bool]) -> np.ndarray:
    """The rows of several games, one process's share."""
    seeds, depth, few, to_tables = arguments
    table = HashTable(4)
    games = []
    for seed in seeds:
        table.clear()
        games.append(play(seed, depth, table, few, loaded_tables() if to_tables else None))
    return np.concatenate(games)


@cache
def loaded_tables() -> LoadedTables:
    """The tables that end games, read once in each process."""
    return Tables().load(RULES, TABLE_STONES)


def main() -> None:
    """Read the arguments, play, write the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--depth", type=int, default=6, help="plies searched for each turn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--tables", action="store_true", help="end where tables know the result")
    parser.add_argument("--endings", action="store_true", help="... and begin with few stones")
    options = parser.parse_args()
    seeds = [options.seed * 1_000_000_007 + game for game in range(options.games)]
    batches = [
        (
            seeds[at : at + 50],
            options.depth,
            options.endings,
            options.endings or options.tables,
        )
        for at in range(0, len(seeds), 50)
    ]
    with multiprocessing.Pool(options.jobs) as pool:
        rows = list(pool.imap(play_many, batches))
    np.save(options.out, np.concatenate(rows))


if __name__ == "__main__":
    main()
