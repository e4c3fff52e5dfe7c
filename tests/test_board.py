"""Boards: playing, taking back, steps of a chain, repetition, ends of the game."""

import copy
import pickle
import random
from collections.abc import Hashable

import pytest
from random_positions import random_positions

from fanorona_core import (
    PROFILES,
    Board,
    IllegalTurnError,
    LegalTurns,
    NotationError,
    Outcome,
    OutcomeError,
    Position,
    Reason,
    RuleSet,
    Side,
    Turn,
)

LONE = "8b/9/9/9/w8 w"
MANY = "bb2bbbbb/b1b4bb/bw3b1bw/4b2ww/wwww1w1ww w"
# One way there and one way back for each side.
SHUFFLE = ["a1-a2", "i5-i4", "a2-a1", "i4-i5"]


def board_of(text, rules=None):
    return Board.parse(text, None if rules is None else RuleSet.parse(rules))


def step(board, text):
    return board.push_step(next(s for s in board.steps() if str(s) == text))


def play(board, *texts):
    for text in texts:
        board.push_text(text)
    return board


# Starts


def test_what_a_board_starts_from():
    assert Board().position == Position.start()
    assert Board(PROFILES["telo"]).position == Position.start(PROFILES["telo"])
    position = Position.parse(LONE)
    assert Board(position).root is position
    assert Board.parse(LONE, PROFILES["theory"]).rules == PROFILES["theory"]


# Playing and taking back


def test_push_and_pop():
    board = play(Board(), "f2-e3A", "d5 d4")
    turns = board.turns
    assert [str(turn) for turn in turns] == ["f2-e3A", "d5-d4A"]
    assert board.side is Side.WHITE and board.position.turn_number == 3
    assert board.position_before(0) == board.root == Position.start()
    assert board.position_before(2) == board.position
    with pytest.raises(IndexError, match="turn 3: expected 0 to 2"):
        board.position_before(3)
    assert board.pop() == turns[1] and board.pop() == turns[0]
    assert board == Board()
    with pytest.raises(IndexError, match="no turn to take back"):
        board.pop()


def test_illegal_turns_change_nothing():
    board = play(Board(), "d2-e3A")
    before = board.copy()
    with pytest.raises(IllegalTurnError):
        board.push(Turn.from_text("a1-a2"))
    with pytest.raises(IllegalTurnError):
        board.push_text("a1-a2")
    with pytest.raises(NotationError):
        board.push_text("hello")
    assert board == before and board._counts == before._counts


def test_parse_turn_does_not_play():
    board = Board()
    assert str(board.parse_turn("d2e3")) == "d2-e3A"
    assert board == Board()


def test_a_copy_goes_its_own_way():
    board = play(Board(), "d2-e3A")
    other = board.copy()
    other.push(other.legal_turns[0])
    assert len(board.turns) == 1 and len(other.turns) == 2 and board != other
    other.pop()
    assert board == other == copy.copy(board) == copy.deepcopy(board)


# Legal turns as a view


def test_the_view_of_legal_turns():
    board = Board()
    turns = board.legal_turns
    assert len(turns) == 5 and turns
    assert Turn.from_text("d2-e3A") in turns and Turn.from_text("a1-a2") not in turns
    assert "d2-e3A" not in turns and None not in turns
    assert list(turns) == board.position.legal_turns()
    assert turns[0] == next(iter(turns)) and turns[-1] == list(turns)[-1]
    assert turns[1:3] == list(turns)[1:3]
    assert turns.index(turns[2]) == 2 and len(list(reversed(turns))) == 5
    assert str(turns) == ", ".join(map(str, turns))
    again = eval(repr(turns), {"LegalTurns": LegalTurns, "Position": Position})
    assert again == turns and again == Board(board.position).legal_turns
    assert turns != Board.parse("9/9/4bw3/9/9 w").legal_turns
    assert turns != list(turns) and not isinstance(turns, Hashable)
    board.push(turns[0])
    assert len(turns) == 5, "the view is of the position it was made for"
    assert not board_of("9/9/9/bb7/wb7 w").legal_turns


@pytest.mark.parametrize("seed", range(3))
def test_the_view_agrees_with_itself(seed):
    for position in random_positions(seed + 50, 30):
        turns = Board(position).legal_turns
        assert len(turns) == len(list(turns)) == position.count_turns()
        assert bool(turns) == (len(turns) > 0)
        assert all(turn in turns for turn in list(turns)[:50])


def test_a_position_with_very_many_turns():
    turns = board_of("2w1b2bb/1bbb1bb2/ww3b2b/b3b2bb/bbbbb1bbb w").legal_turns
    assert len(turns) == 14213 == len(set(turns))


# Step by step


def test_a_turn_step_by_step():
    whole, board = board_of(MANY), board_of(MANY)
    whole.push_text("b3-c3W-b4A")
    assert not board.can_stop
    assert step(board, "b3-c3W") is None
    assert board.can_stop and board.side is Side.WHITE and board.turns == ()
    assert step(board, "c3-b4A") is None or board.turns
    if board.position.chain is not None:
        assert str(board.stop()) == "b3-c3W-b4A"
    assert board == whole
    assert board.pop() == Turn.from_text("b3-c3W-b4A")
    assert board == board_of(MANY)


def test_stopping_early():
    board = board_of(MANY)
    step(board, "b3-c3W")
    assert str(board.stop()) == "b3-c3W"
    assert board == play(board_of(MANY), "b3-c3W")
    with pytest.raises(IllegalTurnError, match="no chain to stop"):
        board.stop()


def test_a_compulsory_chain_does_not_stop():
    board = board_of(MANY, "tsivy-compulsory")
    step(board, "b3-c3W")
    assert not board.can_stop
    with pytest.raises(IllegalTurnError, match="must go on"):
        board.stop()
    assert str(board.position.chain) == "b3-c3W"
    while board.position.chain is not None:
        board.push_step(board.steps()[0])
    assert len(board.turns) == 1 and len(board.turns[0]) > 1


def test_a_step_that_ends_its_turn():
    board = Board()
    assert str(step(board, "d2-e3A")) == "d2-e3A"
    assert board.side is Side.BLACK
    board = board_of(LONE)
    assert str(step(board, "a1-a2")) == "a1-a2"


def test_taking_back_steps():
    board = board_of(MANY)
    states = []
    for text in ("f1-f2A", "f2-g3A", "g3-f3W"):
        states.append(board.copy())
        step(board, text)
    for state in reversed(states):
        board.pop_step()
        assert board == state
    with pytest.raises(IndexError, match="no step of this turn"):
        board.pop_step()


def test_pop_takes_back_a_whole_chain_in_progress():
    board = board_of(MANY)
    step(board, "f1-f2A")
    step(board, "f2-g3A")
    assert board.pop() == Turn.from_text("f1-f2A-g3A")
    assert board == board_of(MANY)


def test_a_whole_turn_may_finish_a_chain():
    board = board_of(MANY)
    step(board, "f1-f2A")
    assert board.repetitions() == 0
    with pytest.raises(IllegalTurnError, match="chain f1-f2A is in progress"):
        board.push_text("b3-c3W")
    board.push_text("f2-g3A")
    assert str(board.turns[-1]) == "f1-f2A-g3A"
    assert board.repetitions() == 1
    board.pop()
    assert board == board_of(MANY)


def test_a_board_that_starts_within_a_chain():
    position = Board.parse(MANY)
    step(position, "f1-f2A")
    board = Board(position.position)
    assert board.repetitions() == 0 and board.root.chain is not None
    board.push_text("f2-g3A")
    assert str(board.turns[0]) == "f1-f2A-g3A" and board.repetitions() == 1
    board.pop()
    assert board == Board(position.position)
    with pytest.raises(IndexError):
        board.pop_step()


# Wins


@pytest.mark.parametrize("side", "wb")
def test_a_side_without_stones_has_lost(side):
    board = board_of(f"9/4w4/9/9/9 {side}")
    assert board.outcome() == Outcome(Side.WHITE, Reason.NO_STONES)
    assert board_of(f"9/4b4/9/9/9 {side}").outcome() == Outcome(Side.BLACK, Reason.NO_STONES)


def test_no_turn_is_a_loss_or_a_draw():
    text = "9/9/9/bb7/wb7 w"
    assert board_of(text).outcome() == Outcome(Side.BLACK, Reason.NO_TURN)
    assert board_of(text, "no-move=draw").outcome() == Outcome(None, Reason.NO_TURN)
    assert board_of("9/9/9/ww7/bw7 b").outcome() == Outcome(Side.WHITE, Reason.NO_TURN)


def test_the_last_stone_taken_in_a_chain_wins():
    board = play(board_of("9/9/4bw3/9/9 w"), "f3-g3W")
    assert board.outcome().winner is Side.WHITE


# Draws by the rules


def test_the_first_position_is_the_first_occurrence():
    board = board_of(LONE)
    assert board.repetitions() == 1
    play(board, *SHUFFLE)
    assert board.repetitions() == 2 and board.outcome() is None
    play(board, *SHUFFLE[:3])
    assert board.outcome() is None
    play(board, SHUFFLE[3])
    assert board.repetitions() == 3
    assert board.outcome() == Outcome(None, Reason.REPETITION)
    board.pop()
    assert board.outcome() is None and board.repetitions() == 2


def test_repetition_may_be_two_or_never():
    assert play(board_of(LONE, "repetition=2"), *SHUFFLE).outcome().reason is Reason.REPETITION
    board = board_of(LONE, "theory")
    for _ in range(5):
        play(board, *SHUFFLE)
    assert board.repetitions() == 6 and board.outcome() is None


def test_the_side_to_move_is_part_of_the_repetition():
    """The same stones with the other side to move: White loses a tempo by the triangle a1 a2 b2."""
    board = board_of(LONE, "repetition=2")
    play(board, "a1-a2", "i5-i4", "a2-b2", "i4-i5", "b2-a1")
    assert board.position.stones_text() == LONE.replace(" w", " b")
    assert board.repetitions() == 1 and board.outcome() is None


def test_the_middle_of_a_chain_does_not_count():
    board = board_of(MANY)
    for _ in range(4):
        step(board, "b3-c3W")
        assert board.repetitions() == 0 and board.draw_reason() is None
        board.pop_step()
    assert board.repetitions() == 1


def test_the_quiet_limit():
    board = play(board_of(LONE, "repetition=none,quiet=4"), *SHUFFLE[:3])
    assert board.outcome() is None and board.position.quiet == 3
    play(board, SHUFFLE[3])
    assert board.outcome() == Outcome(None, Reason.QUIET_LIMIT)


def test_a_capture_begins_the_quiet_count_again():
    board = board_of("9/3b5/9/1w7/8b w - 49 60 youzai")
    play(board, "b2-c3A")
    assert board.position.quiet == 0 and board.outcome() is None


def test_the_turn_limit():
    board = board_of("8b/9/9/9/w8 w - 0 399 tsivy")
    play(board, "a1-a2")
    assert board.outcome() is None
    play(board, "i5-i4")
    assert board.outcome() == Outcome(None, Reason.TURN_LIMIT)
    board.pop()
    assert board.outcome() is None


@pytest.mark.parametrize(
    "counters", ["- 0 400 tsivy", "- 49 400 youzai", "- 49 400 tsivy,quiet=50"]
)
def test_a_win_goes_before_a_draw(counters):
    board = play(board_of(f"9/9/4bw3/9/9 w {counters}"), "f3-g3W")
    assert board.outcome() == Outcome(Side.WHITE, Reason.NO_STONES)
    board = board_of("9/9/9/bb7/wb7 w - 50 401 tsivy,quiet=50")
    assert board.outcome() == Outcome(Side.BLACK, Reason.NO_TURN)


def test_repetition_goes_before_the_other_draws():
    board = play(board_of("8b/9/9/9/w8 w - 0 1 tsivy,repetition=2,quiet=4,turns=4"), *SHUFFLE)
    assert board.outcome().reason is Reason.REPETITION


# Claims and declared ends


def test_draws_may_wait_for_a_claim():
    board = play(board_of(LONE), *SHUFFLE, *SHUFFLE)
    assert board.outcome(draws=False) is None
    assert board.draw_reason() is Reason.REPETITION
    assert board.claim_draw() == Outcome(None, Reason.REPETITION)
    assert board.outcome(draws=False) == Outcome(None, Reason.REPETITION)


def test_there_may_be_nothing_to_claim():
    with pytest.raises(OutcomeError, match="no draw to claim"):
        Board().claim_draw()


@pytest.mark.parametrize("end", [Board.resign, Board.agree_draw, Board.lose_on_time])
def test_a_draw_by_the_rules_ends_the_game(end):
    board = play(board_of(LONE), *SHUFFLE, *SHUFFLE)
    with pytest.raises(OutcomeError, match="the game is over: Draw: the position was repeated"):
        end(board)
    assert board.outcome() == Outcome(None, Reason.REPETITION)


def test_playing_on_after_a_draw_by_the_rules_is_allowed():
    board = play(board_of(LONE), *SHUFFLE, *SHUFFLE)
    assert board.legal_turns
    play(board, SHUFFLE[0])
    assert len(board.turns) == 9


@pytest.mark.parametrize(
    ("end", "outcome"),
    [
        (lambda board: board.resign(), Outcome(Side.BLACK, Reason.RESIGNATION)),
        (lambda board: board.resign(Side.BLACK), Outcome(Side.WHITE, Reason.RESIGNATION)),
        (lambda board: board.agree_draw(), Outcome(None, Reason.AGREEMENT)),
        (lambda board: board.lose_on_time(), Outcome(Side.BLACK, Reason.TIME)),
        (lambda board: board.lose_on_time(Side.BLACK), Outcome(Side.WHITE, Reason.TIME)),
    ],
)
def test_declared_ends(end, outcome):
    board = Board()
    assert end(board) == outcome == board.outcome()
    with pytest.raises(OutcomeError, match="the game is over"):
        board.push_text("d2-e3A")
    with pytest.raises(OutcomeError, match="the game is over"):
        board.push(Turn.from_text("d2-e3A"))
    with pytest.raises(OutcomeError, match="the game is over"):
        board.push_step(board.steps()[0])
    with pytest.raises(OutcomeError, match="the game is over"):
        board.resign()
    assert board != Board()


def test_nobody_resigns_after_the_end():
    board = board_of("9/4w4/9/9/9 b")
    for end in (board.resign, board.agree_draw, board.lose_on_time):
        with pytest.raises(OutcomeError, match="the game is over: White wins"):
            end()


def test_taking_back_opens_the_game_again():
    board = play(Board(), "d2-e3A")
    board.resign()
    board.pop()
    assert board.outcome() is None and board == Board()


@pytest.mark.parametrize("take_back", [Board.pop, Board.pop_step])
def test_taking_back_a_step_opens_the_game_again(take_back):
    board = board_of(MANY)
    step(board, "b3-c3W")
    board.resign()
    take_back(board)
    assert board.outcome() is None and board == board_of(MANY)


# Values


def boards():
    rng = random.Random(5)
    for position in random_positions(5, 25):
        board = Board(position)
        for _ in range(rng.randint(0, 12)):
            if board.legal_turns:
                board.push(rng.choice(board.legal_turns))
        if board.steps() and rng.random() < 0.5:
            board.push_step(rng.choice(board.steps()))
        if board.outcome(draws=False) is None and rng.random() < 0.5:
            board.resign()
        yield board


def test_pickle_copy_and_repr():
    names = {"Board": Board, "Position": Position, "Outcome": Outcome, "Reason": Reason}
    for board in boards():
        for again in (
            pickle.loads(pickle.dumps(board)),
            copy.deepcopy(board),
            eval(repr(board), {**names, "Side": Side}),
        ):
            assert again == board and again._counts == board._counts
            assert again.outcome() == board.outcome()
            if board.turns:
                assert again.pop() == board.copy().pop()


def test_boards_have_no_hash():
    with pytest.raises(TypeError):
        hash(Board())


def test_equality_takes_in_the_way():
    direct = board_of(LONE)
    assert play(board_of(LONE), *SHUFFLE) != direct
    assert board_of(LONE) == direct != LONE


@pytest.mark.parametrize("outcome", [Outcome(Side.WHITE, Reason.TIME), Outcome(None, "agreement")])
def test_outcomes_are_values(outcome):
    outcome = Outcome(outcome.winner, Reason(outcome.reason))
    assert eval(repr(outcome)) == outcome
    assert pickle.loads(pickle.dumps(outcome)) == outcome


DRAWS = [*(r for r in Reason if r.value.endswith("limit")), Reason.REPETITION, Reason.AGREEMENT]
WINS = [Reason.NO_STONES, Reason.RESIGNATION, Reason.TIME]


@pytest.mark.parametrize("reason", Reason)
def test_every_outcome_has_words(reason):
    if reason in WINS:
        with pytest.raises(ValueError, match="expected a winner"):
            Outcome(None, reason)
    else:
        assert str(Outcome(None, reason)).startswith("Draw: ")
    for winner in Side:
        if reason in DRAWS:
            with pytest.raises(ValueError, match="expected a draw"):
                Outcome(winner, reason)
        else:
            text = str(Outcome(winner, reason))
            assert text.startswith(f"{winner} wins: ") and "{" not in text


def test_replay_checks_what_it_plays():
    assert Board.replay(Position.start(), ["d2e3"]) == play(Board(), "d2-e3A")
    with pytest.raises(IllegalTurnError):
        Board.replay(Position.start(), ["a1-a2"])
    with pytest.raises(IllegalTurnError):
        Board.replay(Position.parse(MANY), [], chain="b3-c3A")
    with pytest.raises(NotationError):
        Board.replay(Position.start(), [], chain="garbage")


@pytest.mark.parametrize("chain", ["d3-e3W", "f1-f2A", "f1-f2A-g3W"])
def test_replay_refuses_another_chain_than_that_in_progress(chain):
    root = Board.replay(Position.parse(MANY), [], chain="f1-f2A-g3A").position
    assert Board.replay(root, [], chain="f1-f2A-g3A").position == root
    with pytest.raises(IllegalTurnError):
        Board.replay(root, [], chain=chain)
