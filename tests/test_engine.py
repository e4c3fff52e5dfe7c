"""The engine: known values, limits, draw rules, determinism, and a stop from outside."""

import random
import re
import subprocess
import sys
import threading
import time
from collections import Counter

import pytest
from perft_data import DATA, read_perft

from fanorona_core import (
    PROFILES,
    Board,
    Engine,
    EngineError,
    Limit,
    Position,
    RuleSet,
    Score,
    Side,
    Tables,
)
from fanorona_core._search import Search
from fanorona_core._transposition import HashTable
from fanorona_core.tablebuild import Builder, pairs_up_to

MANY_TURNS = read_perft(DATA / "many_turns.perft")


def search(text, rules="theory", **limit):
    return Engine(hash_mib=8).best(Board.parse(text, RuleSet.parse(rules)), Limit(**limit))


@pytest.mark.parametrize(
    ("board", "turns"),
    [("3x3", 11), ("5x3", 11), ("3x5", 13), ("3x7", 17), ("7x3", 17)],
)
def test_small_boards_have_their_known_values(board, turns):
    rules = RuleSet.parse(f"theory,board={board}")
    info = Engine(hash_mib=32).best(Board(rules), Limit(depth_plies=40))
    assert info.score == Score.win(turns)
    assert len(info.line) == turns
    end = Board(rules)
    for turn in info.line:
        end.push(turn)
    assert end.outcome().winner == 0


def test_same_search_twice_gives_the_same_nodes_and_line():
    def run():
        infos = list(Engine(hash_mib=4).analyse(Board(), Limit(nodes=30_000)))
        return [(info.nodes, info.score, info.line) for info in infos]

    assert run() == run()


def test_nodes_limit_is_kept():
    info = Engine(hash_mib=4).best(Board(), Limit(nodes=5000))
    assert info.nodes <= 5000


def test_depth_limit_is_kept_and_every_depth_reported():
    infos = list(Engine(hash_mib=4).analyse(Board(), Limit(depth_plies=5)))
    assert [info.depth_plies for info in infos] == [1, 2, 3, 4, 5]


def test_several_ranks_are_different_and_in_order():
    infos = list(Engine(hash_mib=4).analyse(Board(), Limit(depth_plies=6), multipv=3))[-3:]
    assert [info.rank for info in infos] == [1, 2, 3]
    assert len({info.turn for info in infos}) == 3
    scores = [info.score for info in infos]
    assert scores == sorted(scores, reverse=True)
    every = list(Engine(hash_mib=4).analyse(Board(), Limit(depth_plies=2), multipv=99))
    assert {str(info.turn) for info in every if info.depth_plies == 2} == {
        "d2-e3A", "e2-e3A", "f2-e3A", "d3-e3A", "d3-e3W"
    }  # fmt: skip


def test_the_shortest_win_and_the_longest_loss_are_found():
    assert search("9/9/4bw3/9/9 w", depth_plies=6).score == Score.win(1)
    # White can only move its one stone next to the black ones.
    lost = search("9/9/9/b1b6/1w1b5 b", depth_plies=8)
    assert lost.score == Score.win(1)


def test_searched_distances_are_those_of_the_tables():
    chance, tables, engine = random.Random(3), Tables(), Engine(hash_mib=8)
    seen = Counter()
    while len(seen) < 2 or min(seen.values()) < 15:
        points = [1 << point for point in chance.sample(range(45), 4)]
        split = chance.randrange(1, 4)
        white, black = sum(points[:split]), sum(points[split:])
        position = Position(white, black, chance.choice(list(Side)), PROFILES["theory"])
        value = tables.probe(position)
        if not value.wdl or not 4 <= value.distance <= 9:
            continue
        engine.new_game()
        score = engine.best(position, Limit(depth_plies=14)).score
        expected = Score.win if value.wdl > 0 else Score.loss
        assert score == expected(value.distance), position.text()
        seen[value.wdl] += 1


def test_no_legal_turn_is_an_error():
    with pytest.raises(EngineError, match="no legal turn"):
        search("9/9/9/bb7/wb7 w", depth_plies=1)
    with pytest.raises(EngineError):
        search("9/4w4/9/9/9 b", depth_plies=1)


def test_limits_near_their_end_are_draws():
    won = "b8/9/9/9/w1w1w4 w"
    assert search(f"{won} - 0 1 youzai", depth_plies=9).score.centipawns != 0
    # One more quiet turn ends the game, and no capture is possible.
    assert search(f"{won} - 49 90 youzai", depth_plies=5).score == Score(0)
    assert search(f"{won} - 0 400 tsivy", depth_plies=5).score == Score(0)
    # A capture that wins at once goes before the limit.
    win = "9/9/4bw3/9/9 w"
    assert search(f"{win} - 49 90 youzai", depth_plies=5).score == Score.win(1)
    assert search(f"{win} - 0 400 tsivy", depth_plies=5).score == Score.win(1)


def test_a_side_without_a_turn_loses_or_draws_as_the_rules_say():
    shuts_in = "bwb/2b/3 b"  # by c2-b2
    info = search(shuts_in, "board=3x3", depth_plies=4)
    assert (str(info.turn), info.score) == ("c2-b2", Score.win(1))
    drawn = search(shuts_in, "board=3x3,no-move=draw", depth_plies=1)
    assert drawn.score != Score.win(1)


def test_a_winning_side_does_not_repeat():
    board = Board.parse("8b/9/9/2www4/9 w", PROFILES["tsivy"])
    engine = Engine(hash_mib=8)
    while board.outcome() is None and len(board.turns) < 120:
        board.push(engine.best(board, Limit(nodes=20_000)).turn)
    assert board.outcome().winner == 0


def test_tables_give_exact_values_at_once():
    # Two stones against one win in the end; the search alone does not see it at this depth.
    text = "8b/9/4w4/9/w8 w"
    tables = Tables()
    value = tables.probe(Position.parse(text))
    board = Board.parse(text, PROFILES["theory"])
    engine = Engine(hash_mib=1, tables=tables)
    info = engine.best(board, Limit(depth_plies=2))
    expected = {1: Score.win, -1: Score.loss, 0: lambda _: Score(0)}[value.wdl](value.distance)
    assert info.score == expected
    while board.outcome() is None and len(board.turns) < 100:
        board.push(engine.best(board, Limit(depth_plies=2)).turn)
    if value.wdl:
        assert len(board.turns) == value.distance


def test_tables_do_not_promise_wins_beyond_a_limit():
    tables = Tables()
    won = "9/6w2/9/5b3/1w7 w"  # in eleven turns
    distance = tables.probe(Position.parse(won)).distance
    assert distance is not None and distance > 2
    for quiet in (0, 49):
        board = Board.parse(f"{won} - {quiet} 90 youzai")
        info = Engine(hash_mib=1, tables=tables).best(board, Limit(depth_plies=6))
        assert (info.score == Score.win(distance)) == (quiet == 0)


def random_captures(chance, stones):
    """A position of so many stones in which every turn captures."""
    while True:
        points = chance.sample(range(45), stones)
        own = chance.randrange(1, stones)
        cells = ["w" if i in points[:own] else "b" if i in points else " " for i in range(45)]
        rows = ("".join(cells[i : i + 9]) for i in range(0, 45, 9))
        text = "/".join(re.sub(" +", lambda gap: str(len(gap[0])), row) for row in rows)
        position = Position.parse(f"{text} w")
        if position.must_capture:
            return position


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Tables of up to 4 stones that hold no distances."""
    folder = tmp_path_factory.mktemp("results")
    Builder(9, 5, directory=folder).build(pairs_up_to(9, 5, 4))
    return Tables(folder, instant_slots=0)


def test_tables_without_distances_tell_results(results):
    chance = random.Random(1)
    engine = Engine(hash_mib=1, tables=results)
    seen = Counter()
    for _ in range(200):
        position = random_captures(chance, 5)
        best = max(-results.probe(position.play(turn)).wdl for turn in position.legal_turns())
        score = engine.best(position, Limit(depth_plies=1)).score
        found = 0
        if score.is_decided:
            found = 1 if score.is_winning else -1
        elif score.is_by_tables:
            found = 1 if score.centipawns > 0 else -1
        else:
            assert score.centipawns == 0
        assert found == best, position.text()
        seen[best, score.is_decided] += 1
    assert len(seen) >= 4, seen


def test_results_count_only_while_a_win_still_fits(results):
    rules = RuleSet.parse("theory,turns=200")
    engine = Engine(hash_mib=1, tables=results)
    start = next(
        position
        for position in (random_captures(random.Random(seed), 5) for seed in range(100))
        if engine.best(position, Limit(depth_plies=1)).score > Score(15000)
    )
    for number, told in ((1, True), (62, True), (63, False), (190, False)):
        position = Position(start.white, start.black, start.side, rules, turn_number=number)
        score = engine.best(position, Limit(depth_plies=1)).score
        assert (not score.is_decided and score > Score(15000)) is told, number


def test_results_win_the_game(results):
    chance = random.Random(5)
    engine = Engine(hash_mib=8, tables=results)
    won = 0
    while won < 5:
        position = random_captures(chance, 5)
        if engine.best(position, Limit(depth_plies=1)).score < Score(15000):
            continue
        board = Board.parse(position.text(), PROFILES["theory"])
        while board.outcome() is None and len(board.turns) < 200:
            board.push(engine.best(board, Limit(nodes=20_000)).turn)
        assert board.outcome() is not None and board.outcome().winner == 0, position.text()
        won += 1


def quiet_draws(chance, tables, own, enemy, count):
    """Positions in which no turn captures and which tables know as draws, and their good turns."""
    while count:
        points = chance.sample(range(45), own + enemy)
        white, black = (sum(1 << point for point in part) for part in (points[:own], points[own:]))
        position = Position(white, black, Side.WHITE, PROFILES["theory"])
        if position.must_capture or tables.probe(position).wdl != 0:
            continue
        kept = [
            turn for turn in position.legal_turns() if tables.probe(position.play(turn)).wdl == 0
        ]
        yield position, kept
        count -= 1


def test_in_a_draw_that_tables_know_stones_are_not_given_away():
    # Every turn that keeps the draw has the same score; a person would win against some of them.
    tables, engine = Tables(), Engine(hash_mib=1, tables=Tables())
    tempted = careless = 0
    for position, kept in quiet_draws(random.Random(4), tables, 2, 1, 400):
        info = engine.best(position, Limit(depth_plies=5))
        assert info.score == Score(0) and info.turn in kept, position.text()
        safe = [turn for turn in kept if not position.play(turn).must_capture]
        if 0 < len(safe) < len(kept):
            tempted += 1
            careless += info.turn not in safe
    assert tempted > 50 and careless < tempted // 10, (tempted, careless)


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("9/6w2/9/7b1/1w7 w", "b1-a1 h2-h3 a1-b1 h3-h2 b1-a1 h2-h3"),
        ("8w/9/5w3/9/2b6 w", "f3-g3 c1-b1 g3-f3 b1-c1 f3-g3 c1-b1"),
        ("9/9/9/3b3ww/9 w", "h2-i1 d2-c1 i1-h2 c1-d2 h2-i1 d2-c1"),
    ],
)
def test_a_win_that_tables_know_is_not_repeated_into_a_draw(text, turns):
    # By the tables going back wins, too; but Black would repeat the position for the third time.
    board = Board.parse(text, PROFILES["tsivy"])
    for turn in turns.split():
        board.push_text(turn)
    info = Engine(hash_mib=1, tables=Tables()).best(board, Limit(nodes=100_000))
    assert info.score.is_winning
    board.push(info.turn)
    for answer in board.legal_turns:
        board.push(answer)
        assert board.outcome() is None, f"{info.turn} {answer}"
        board.pop()


def test_many_ranks_keep_a_limit_from_the_first_depth_on():
    board = Board.parse("2w1b2bb/1bbb1bb2/ww3b2b/b3b2bb/bbbbb1bbb w")
    infos = list(Engine(hash_mib=1).analyse(board, Limit(nodes=20_000), multipv=100))
    assert 1 <= len(infos) < 100
    assert infos[-1].nodes <= 20_000


def test_a_depth_that_was_hardly_begun_is_not_told():
    nodes = Engine(hash_mib=4).best(Board(), Limit(depth_plies=6)).nodes
    *_, last = Engine(hash_mib=4).analyse(Board(), Limit(nodes=nodes + 5))
    assert (last.depth_plies, last.nodes) == (6, nodes + 5)


@pytest.mark.parametrize("started", [0, 2])
def test_threads_that_the_system_has_not(monkeypatch, started):
    begin, count = threading.Thread.start, []

    def start(thread):
        if len(count) == started:
            raise RuntimeError("can't start new thread")
        count.append(thread)
        begin(thread)

    monkeypatch.setattr(threading.Thread, "start", start)
    info = Engine(hash_mib=1, threads=5).best(Board(), Limit(depth_plies=5))
    assert info.depth_plies == 5
    assert not any(thread.is_alive() for thread in count)


def test_results_keep_a_draw_with_all_stones(results):
    engine = Engine(hash_mib=1, tables=results)
    for position, kept in quiet_draws(random.Random(7), results, 2, 2, 100):
        info = engine.best(position, Limit(depth_plies=2))
        assert info.score == Score(0) and info.turn in kept, position.text()


@pytest.mark.parametrize("contempt", [-70, 0, 70])
def test_contempt_is_the_price_of_a_draw(contempt):
    engine = Engine(hash_mib=1, tables=Tables(), contempt=contempt)
    drawn = Position.parse("8b/9/9/9/wb7 w")
    for position in (drawn, drawn.swapped()):
        assert Tables().probe(position).wdl == 0
        assert engine.best(position, Limit(depth_plies=3)).score == Score(-contempt)


def test_contempt_out_of_range_is_refused():
    with pytest.raises(ValueError, match="contempt 1001: expected -1000 to 1000 centipawns"):
        Engine(contempt=1001)


def test_a_turn_that_repeats_for_the_last_time_is_worth_a_draw():
    # Black is behind by far; moving to and fro has brought the position twice already.
    board = Board.parse("b8/9/9/9/6www b", PROFILES["tsivy"])
    for text in ("a5-b5", "g1-g2", "b5-a5", "g2-g1") * 2:
        last = board.push_text(text)
        if board.outcome() is not None:
            break
    assert last is not None and board.outcome().reason == "repetition"
    board.pop()
    assert Engine(hash_mib=4).best(board, Limit(depth_plies=1)).score is not None


@pytest.mark.parametrize("entry", MANY_TURNS, ids=str)
def test_positions_with_thousands_of_turns_are_searched_within_the_time(entry):
    board = Board.parse(entry.position, RuleSet.parse(entry.rules))
    started = time.monotonic()
    info = Engine(hash_mib=8).best(board, Limit(time_ms=300))
    assert info.turn in board.legal_turns
    # Only against running on and on: the machine may be busy.
    assert time.monotonic() - started < 20


def test_a_chain_in_progress_is_gone_on_with():
    board = Board()
    for text in ("f2-e3A", "d5-d4A"):
        board.push_text(text)
    step = next(step for step in board.steps() if step.kind == "A")
    while board.push_step(step) is not None:
        board.pop()
        step = board.steps()[0]
    info = Engine(hash_mib=4).best(board, Limit(depth_plies=4))
    assert info.turn.starts_with(board.position.chain)
    board.push(info.turn)


@pytest.mark.parametrize("continuation", ["optional", "compulsory"])
@pytest.mark.parametrize("size", ["3x3", "5x5", "3x9", "9x3", "5x7", "7x5", "9x5", "15x3"])
def test_every_board_is_played_to_the_end(size, continuation):
    rules = RuleSet.parse(f"board={size},continuation={continuation},first-turn=both-single")
    board = Board(rules)
    engine = Engine(hash_mib=1)
    while board.outcome() is None:
        board.push(engine.best(board, Limit(nodes=400)).turn)


@pytest.mark.parametrize("level", range(1, 11))
def test_every_level_plays_and_its_choices_can_be_repeated(level):
    def play():
        board, engine = Board(PROFILES["telo"]), Engine(hash_mib=1, level=level, seed=5)
        while board.outcome() is None and len(board.turns) < 12:
            board.push(engine.best(board, Limit(nodes=2000)).turn)
        return board.turns

    assert play() == play()


def test_stop_from_another_thread_keeps_what_was_found():
    engine = Engine(hash_mib=8)
    threading.Timer(0.3, engine.stop).start()
    info = engine.best(Board(), Limit())
    assert info.depth_plies > 3
    assert info.line


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_all_threads_together_keep_the_limit_in_nodes(threads):
    info = Engine(hash_mib=8, threads=threads).best(Board(), Limit(nodes=60_000))
    assert 10_000 < info.nodes < 66_000


def test_a_level_ends_at_a_proved_end():
    board = Board.parse("9/9/3bbw3/9/3w5 w")
    limit = Limit(depth_plies=5, end_in=1)
    told = Engine(hash_mib=1, level=10, seed=1).best(board, limit)
    assert (told.depth_plies, told.score) == (1, Score.win(1))


def test_threads_share_the_table_and_end_together():
    before = threading.active_count()
    info = Engine(hash_mib=8, threads=3).best(Board(), Limit(depth_plies=9))
    assert info.turn in Board().legal_turns
    assert threading.active_count() == before


def test_closing_the_iterator_ends_the_search():
    before = threading.active_count()
    infos = Engine(hash_mib=8, threads=2).analyse(Board(), Limit())
    next(infos)
    infos.close()
    assert threading.active_count() == before


def test_positions_can_be_searched_without_a_board():
    assert Engine(hash_mib=1).best(Position.start(), Limit(depth_plies=1)).line


def test_bad_numbers_are_refused():
    for make in (
        lambda: Engine(hash_mib=0),
        lambda: Engine(level=11),
        lambda: Engine(threads=0),
        lambda: Engine(table_stones=-1),
        lambda: Engine(result_stones=46),
        lambda: next(Engine().analyse(Board(), Limit(nodes=1), multipv=0)),
        lambda: Limit(nodes=0),
        lambda: Engine().best(Board()),
    ):
        with pytest.raises(ValueError):
            make()


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_an_interrupt_ends_a_search_at_once():
    code = (
        "import signal, threading, time, os\n"
        "from fanorona_core import Board, Engine, Limit\n"
        "threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "try:\n"
        "    Engine(hash_mib=8).best(Board(), Limit())\n"
        "except KeyboardInterrupt:\n"
        "    raise SystemExit(7)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], timeout=60)
    assert done.returncode == 7


def test_limits_may_be_as_large_as_numbers_are():
    most = 10**30
    info = search("9/9/4bw3/9/9 w", time_ms=most, depth_plies=most, nodes=most, end_in=1)
    assert str(info.score) == "win in 1"


def test_a_search_that_is_stopped_at_once_has_a_turn_for_every_rank():
    search = Search(Position.start(), HashTable(1), [], (False, 3, 0, 400), ranks=5)
    search.stop()
    assert not search.deepen(1, 0, 0, 0, False)
    lines = [search.line(rank) for rank in range(5)]
    assert all(len(line) == 1 for line in lines)
    assert len({line[0] for line in lines}) == 5


def test_lines_stay_with_their_turns_when_a_search_is_cut():
    for limit in range(50, 4000, 150):
        search = Search(Position.start(), HashTable(1), [], (False, 3, 0, 400), ranks=3)
        for depth in range(1, 8):
            if not all(search.deepen(depth, rank, limit, 0, False) for rank in range(3)):
                break
            search.sort_ranks()
        assert len({search.line(rank)[0] for rank in range(3)}) == 3, limit
