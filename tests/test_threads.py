"""Many threads at once: a board for each, the tables, the hash table and the numbering shared.

On an interpreter with the GIL the threads meet where the core releases it; on a free-threaded
one they meet everywhere.
"""

import random
import sys
import sysconfig
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from fanorona_core import Board, Engine, Limit, Position, perft
from fanorona_core._index import SetIndex
from fanorona_core._search import Search
from fanorona_core._transposition import HashTable
from fanorona_core.tablebase import Tables

THREADS = 16
T = TypeVar("T")


def together(work: Callable[[int], T]) -> list[T]:
    """Run the work in many threads that begin at the same moment."""
    barrier = threading.Barrier(THREADS)

    def begin(number: int) -> T:
        barrier.wait()
        return work(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(begin, range(THREADS)))


def game(seed: int) -> tuple[str, list[int]]:
    """Play random turns; return the end of it and what was counted on the way."""
    choose, board, counts = random.Random(seed), Board(), []
    while board.outcome() is None and len(board.turns) < 60:
        turns = list(board.legal_turns)
        assert board.position.count_turns() == len(turns)
        counts.append(len(turns))
        board.push(choose.choice(turns))
    return board.position.text(), counts


def test_a_board_for_each_thread() -> None:
    expected = [game(number % 4) for number in range(THREADS)]
    assert together(lambda number: game(number % 4)) == expected


def test_counting_shares_the_geometry() -> None:
    position = Position.start()
    assert set(together(lambda _: perft(position, 4))) == {perft(position, 4)}


def test_one_index_grows_under_all_threads() -> None:
    index = SetIndex(5, 5)
    alone = SetIndex(5, 5)
    pairs = [(own, enemy) for own in range(1, 7) for enemy in range(1, 7)]
    expected = [(alone.size(*pair), alone.position(*pair, 3)) for pair in pairs]

    def grow(seed: int) -> list[object]:
        order = pairs.copy()
        random.Random(seed).shuffle(order)
        found = {pair: (index.size(*pair), index.position(*pair, 3)) for pair in order}
        return [found[pair] for pair in pairs]

    assert together(grow) == [expected] * THREADS


def test_tables_are_made_and_probed_by_all_threads() -> None:
    texts = ["8b/9/9/9/wb7 w", "9/9/9/9/w1b6 w", "8b/9/4w4/9/9 b", "9/3b5/9/2w6/w8 w"]
    positions = [Position.parse(text) for text in texts]
    alone, shared = Tables(), Tables()
    expected = [alone.probe(position) for position in positions]
    found = together(lambda _: [shared.probe(position) for position in positions])
    assert found == [expected] * THREADS


def test_searches_share_a_hash_table() -> None:
    """Every line that comes out is legal, whatever the other threads write meanwhile."""
    table, position = HashTable(1), Position.start()

    def search(number: int) -> None:
        search = Search(position, table, [], (False, 3, 0, 400))
        for depth in range(1, 5 + number % 3):
            if number == 0:
                table.clear()
                table.new_search()
            assert search.deepen(depth, 0, 0, 0, False)
            assert 0 <= table.permille_used() <= 1000
        after = position
        for result in search.line(0):
            turn = after.turn_with_result(*result)
            assert turn is not None
            after = after.play(turn)

    together(search)


def test_an_engine_is_stopped_from_many_threads() -> None:
    engine = Engine(hash_mib=1, threads=4)
    threads = [threading.Timer(0.05, engine.stop) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    info = engine.best(Board(), Limit(time_ms=20_000))
    for thread in threads:
        thread.join()
    assert info.time_ms < 15_000


def test_the_interpreter_keeps_its_threads_free() -> None:
    """Importing the compiled modules does not turn the GIL on again."""
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        assert not sys._is_gil_enabled()  # type: ignore[attr-defined, unused-ignore]
