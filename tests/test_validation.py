"""Records and positions checked against the slow rules: what is right and what is found wrong."""

import io

import pytest
from perft_data import DATA
from random_positions import random_positions

from fanorona_core import Board, Position, Reason
from fanorona_core.formats import read_games
from fanorona_core.game import Game
from fanorona_core.validation import Fault, validate_game, validate_position

LONE = "8b/9/9/9/w8 w"
SHUFFLE = ["a1-a2", "i5-i4", "a2-a1", "i4-i5"]


def reasons(game):
    return [str(fault) for fault in validate_game(game).faults]


def record(text):
    return next(read_games(io.StringIO(text), "fgn")).unwrap()


def test_a_real_game():
    path = DATA / "games" / "boardspace-robot-2008.sgf"
    result = validate_game(next(read_games(path)).unwrap())
    assert result.is_valid
    assert (result.positions, result.turns, result.legal_turns) == (39, 38, 445)


def test_variations_are_replayed():
    game = record("1. f2-e3A ( 1. d3-e3W c4-c3A-d3W ) 1... d5-d4A ( 1... f3-f2A ) *")
    result = validate_game(game)
    assert result.is_valid and (result.turns, result.positions) == (5, 6)


def test_progress_counts_positions():
    seen = []
    validate_game(record("1. f2-e3A d5-d4A *"), seen.append)
    assert seen == [1, 1, 1]


@pytest.mark.parametrize("seed", range(3))
def test_positions(seed):
    for position in random_positions(seed + 900, 25):
        result = validate_position(position)
        assert result.is_valid and result.legal_turns == position.count_turns()


def test_a_generator_that_errs_is_found(monkeypatch):
    """Both ways to differ: a turn too few and a turn too many."""
    position = Position.start()
    turns = position.legal_turns()
    other = Position.parse(LONE).legal_turns()[0]

    class Wrong(Position):
        __slots__ = ()

        def legal_turns(self):
            return [*turns[1:], other]

        def captured(self, turn):
            return (0,) * len(turn)

    wrong = Wrong(position.white, position.black, position.side)
    found = [str(fault) for fault in validate_position(wrong).faults]
    assert f"turn 1: {turns[0]} is legal by the slow rules only" in found
    assert f"turn 1: {other} is not legal by the slow rules" in found
    assert sum("takes other stones" in fault for fault in found) == 4


# Results


@pytest.mark.parametrize("result", ["1-0", "0-1", "1/2-1/2", "*"])
def test_the_board_decides(result):
    game = Game(Position.parse("9/9/4bw3/9/9 w"), result=result)
    game.root.add_variation("f3-g3W")
    expected = f"result {result}, but the board says 1-0: White wins: Black has no stones left"
    assert reasons(game) == ([] if result == "1-0" else [expected])


@pytest.mark.parametrize("result", ["1-0", "0-1", "1/2-1/2", "*"])
def test_an_open_game_may_have_any_result(result):
    game = record("1. f2-e3A d5-d4A *")
    game.result = result
    assert reasons(game) == []


def test_no_turn_is_a_loss_or_a_draw():
    text = "9/9/9/bb7/wb7 w"
    assert reasons(Game(Position.parse(text), result="0-1")) == []
    drawn = Game(Position.parse(f"{text} - 0 1 tsivy,no-move=draw"), result="1/2-1/2")
    assert reasons(drawn) == []
    drawn.result = "0-1"
    assert reasons(drawn) == ["result 0-1, but the board says 1/2-1/2: Draw: no legal turn"]


def test_draws_by_repetition():
    game = Game(Position.parse(LONE), result="1/2-1/2", termination="repetition")
    end = game.root.add_line(SHUFFLE * 2)
    assert reasons(game) == []
    game.result = "1-0"
    assert reasons(game) == [
        "result 1-0, but the board says 1/2-1/2: Draw: the position was repeated"
    ]
    game.termination = "resignation"
    assert reasons(game) == []
    end.remove()
    game.termination = "repetition"
    assert reasons(game) == [
        "termination 'repetition', but the game is not over by that; stones: White 1, Black 1"
    ]


def test_another_reason_than_the_board_has():
    game = Game(Position.parse("9/4w4/9/9/9 b"), result="1-0", termination="no turn")
    assert reasons(game) == [
        "termination 'no turn', but the board says White wins: Black has no stones left"
    ]


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        ("1-0", Reason.RESIGNATION),
        ("0-1", Reason.TIME),
        ("1/2-1/2", Reason.AGREEMENT),
        ("1/2-1/2", Reason.ADJUDICATION),
        ("1-0", "walked off"),
        ("*", Reason.AGREEMENT),
    ],
)
def test_what_players_declare_is_believed(result, reason):
    game = record("1. f2-e3A d5-d4A *")
    game.result, game.termination = result, reason
    assert reasons(game) == []


@pytest.mark.parametrize(
    ("result", "reason"),
    [("1/2-1/2", Reason.RESIGNATION), ("1/2-1/2", Reason.TIME), ("1-0", Reason.AGREEMENT)],
)
def test_what_cannot_be_declared_is_a_fault(result, reason):
    game = record("1. f2-e3A d5-d4A *")
    game.result, game.termination = result, reason
    assert reasons(game) == [f"result {result} does not fit the termination {str(reason)!r}"]


def test_records_of_random_games(tmp_path):
    import random

    rng = random.Random(4)
    for position in random_positions(44, 12, chains=False):
        board = Board(position)
        while board.outcome() is None and len(board.turns) < 30:
            board.push(rng.choice(board.legal_turns))
        assert reasons(Game.from_board(board)) == []


def test_faults_say_where():
    assert str(Fault("something", 3)) == "turn 3: something"
    assert str(Fault("something")) == "something"
