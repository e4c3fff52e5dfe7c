"""The fast rules against the slow reference, on random positions under all kinds of rules."""

import random

import pytest
from random_positions import random_positions

from fanorona_core import Board, Position, Side, Turn
from fanorona_core._reference import Point, ReferencePosition

SYMMETRIES = (0, 1, 2, 3)


def mask(points: frozenset[Point], columns: int) -> int:
    return sum(1 << (row - 1) * columns + column - 1 for column, row in points)


def check_same_rules(position: Position) -> None:
    """Everything that both generators can say about a position must be the same."""
    slow = ReferencePosition.parse(position.text())
    columns = position.columns
    played = 0 if position.chain is None else len(position.chain)
    results = {str(turn): (turn, after) for turn, after in slow.results()}

    legal = position.legal_turns()
    assert len(legal) == len(set(legal)) == position.count_turns(), "a turn is listed twice"
    assert {str(turn) for turn in legal} == results.keys()
    assert position.has_turn() == bool(results)
    assert position.can_stop == slow.can_stop

    steps = {str(step): step.captured for step in position.steps()}
    assert len(steps) == len(position.steps())
    assert steps == {str(step): mask(step.captured, columns) for step in slow.steps()}
    assert position.must_capture == any(step.kind for step in slow.steps())

    for turn in legal:
        expected, after = results[str(turn)]
        taken = [mask(points, columns) for points in expected.captured]
        assert position.is_legal(turn)
        assert position.captured(turn) == (*[0] * played, *taken[played:])
        assert position.play(turn).text() == after.text()
    for step in slow.steps():
        fast = next(s for s in position.steps() if str(s) == str(step))
        assert position.play_step(fast).text() == slow.play_step(step).text()
    if slow.can_stop:
        assert position.stop().text() == slow.stop().text()


def check_keys(position: Position) -> None:
    """A key built turn by turn is the key of the same position read from its text."""
    for turn in position.legal_turns()[:20]:
        after = position.play(turn)
        again = Position.parse(after.text())
        assert again == after and hash(again) == hash(after)
        assert again.key == after.key
        assert after.key == after.white | after.black << 45 | after.side << 90


def mirrored(turn: Turn, columns: int, rows: int, symmetry: int) -> str:
    parts = []
    for point, kind in zip(turn.points, ("", *(turn.kinds or " ")), strict=True):
        row, column = divmod(point, columns)
        column = columns - 1 - column if symmetry & 1 else column
        row = rows - 1 - row if symmetry & 2 else row
        parts.append(f"{'abcdefghijklmno'[column]}{row + 1}{kind.strip()}")
    return "-".join(parts)


def check_symmetries(position: Position) -> None:
    size = position.columns, position.rows
    for symmetry in SYMMETRIES:
        turned = position.transformed(symmetry)
        assert turned.transformed(symmetry) == position
        assert {str(turn) for turn in turned.legal_turns()} == {
            mirrored(turn, *size, symmetry) for turn in position.legal_turns()
        }
    if position.rules.first_turn == "none":  # which looks at the colour
        swapped = position.swapped()
        assert swapped.swapped() == position
        assert {str(turn) for turn in swapped.legal_turns()} == {
            mirrored(turn, *size, 3) for turn in position.legal_turns()
        }


@pytest.mark.parametrize("seed", range(8))
def test_fast_rules_equal_the_reference(seed):
    for position in random_positions(seed, 50):
        check_same_rules(position)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 140))
def test_fast_rules_equal_the_reference_on_many_positions(seed):
    for position in random_positions(seed, 500):
        check_same_rules(position)


def test_the_random_positions_are_of_all_kinds():
    """Of the 400 positions of the normal run: no kind of rule may be missing."""
    positions = [position for seed in range(8) for position in random_positions(seed, 50)]
    rules = [position.rules for position in positions]
    assert {rule.compulsory for rule in rules} == {False, True}
    assert {rule.first_turn for rule in rules} == {"none", "white-single", "both-single"}
    assert len({(rule.columns, rule.rows) for rule in rules}) >= 15
    assert {position.side for position in positions} == set(Side)
    chains = [position for position in positions if position.chain is not None]
    assert len(chains) >= 40 and {position.can_stop for position in chains} == {False, True}
    assert any(not position.has_turn() for position in positions)
    assert any(position.legal_turns() and not position.must_capture for position in positions)


@pytest.mark.parametrize("seed", range(8, 12))
def test_keys_do_not_depend_on_the_way(seed):
    for position in random_positions(seed, 50):
        check_keys(position)


@pytest.mark.parametrize("seed", range(12, 16))
def test_symmetric_positions_have_symmetric_turns(seed):
    for position in random_positions(seed, 40, chains=False):
        check_symmetries(position)


@pytest.mark.parametrize("policy", ["distinct", "merged", "steps"])
def test_symmetric_positions_have_equal_counts(policy):
    for position in random_positions(99, 25, chains=False):
        if position.count_turns() > 200:
            continue
        counts = {position.transformed(symmetry).perft(2, policy) for symmetry in SYMMETRIES}
        assert len(counts) == 1


@pytest.mark.parametrize("policy", ["merged", "steps"])
def test_other_policies_equal_the_reference(policy):
    for position in random_positions(77, 60):
        if position.count_turns() > 60:
            continue
        slow = ReferencePosition.parse(position.text())
        assert [position.perft(depth, policy) for depth in (0, 1, 2)] == [
            slow.perft(depth, policy) for depth in (0, 1, 2)
        ]


@pytest.mark.parametrize("seed", range(16, 20))
def test_taking_back_restores_everything(seed):
    rng = random.Random(seed)
    for position in random_positions(seed, 15):
        board = Board(position)
        states = []
        for _ in range(30):
            if not board.legal_turns:
                break
            states.append((board.copy(), board.repetitions(), board.outcome(), board.position.key))
            if rng.random() < 0.5:
                board.push(rng.choice(board.legal_turns))
            else:  # step by step; a chain left open is finished by the next turn
                board.push_step(rng.choice(board.steps())) if board.steps() else board.stop()
        while states:
            earlier, repetitions, outcome, key = states.pop()
            if len(board.turns) > len(earlier.turns):
                while len(board.turns) > len(earlier.turns):
                    board.pop()
                board = board if board == earlier else replayed(board, earlier)
            elif board != earlier:
                board.pop_step()
            assert board == earlier and board._counts == earlier._counts
            assert (board.repetitions(), board.outcome()) == (repetitions, outcome)
            assert board.position.key == key


def replayed(board: Board, wanted: Board) -> Board:
    """Play the steps of the chain in progress that taking back a whole turn has taken back."""
    chain = wanted.position.chain
    assert chain is not None
    board._push_chain(chain)
    return board
