"""Checking records and positions against the slow reference of the rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from fanorona_core._checks import check_kind
from fanorona_core._reference import ReferenceGame, ReferencePosition, Turn
from fanorona_core.game import Game
from fanorona_core.node import Node
from fanorona_core.outcome import Reason
from fanorona_core.position import Position
from fanorona_core.types import Side

__all__ = ["Fault", "Validation", "validate_game", "validate_position"]

# Ends that players declare: the board has no say in them.
_DECLARED: Final = (Reason.RESIGNATION, Reason.AGREEMENT, Reason.TIME, Reason.ADJUDICATION)
_BY_BOARD: Final = tuple(reason for reason in Reason if reason not in _DECLARED)


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is wrong with a record or position.

    ``turn`` is the number of the turn that was to be played, both sides counted, from 1; None if
    the fault is not one of a turn.

    Examples:
        >>> str(Fault("a2 is occupied.", 3))
        'turn 3: a2 is occupied.'
    """

    reason: str
    turn: int | None = None

    def __str__(self) -> str:
        return self.reason if self.turn is None else f"turn {self.turn}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Validation:
    """What was compared, and what was found wrong: no fault, all is well.

    ``turns`` are those of the record with its variations, ``legal_turns`` those that both
    generators listed, over all ``positions``.

    Examples:
        >>> found = validate_position(Position.start())
        >>> found.is_valid, found.positions, found.legal_turns
        (True, 1, 5)
    """

    positions: int
    turns: int
    legal_turns: int
    faults: tuple[Fault, ...]

    @property
    def is_valid(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


def validate_position(position: Position) -> Validation:
    """Compare what both sets of rules say about a position: slow, milliseconds a position.

    Examples:
        >>> validate_position(Position.start())
        Validation(positions=1, turns=0, legal_turns=5, faults=())
    """
    check_kind("position", position, Position)
    faults: list[Fault] = []
    results = _compared(position, _slow(position, faults), faults)
    return Validation(1, 0, len(results), tuple(faults))


def validate_game(game: Game, progress: Callable[[int], object] | None = None) -> Validation:
    """Replay a game with the slow rules, variations and all, and compare every position.

    Both sets of rules must list the same turns and reach the same positions, and the result must
    be one that the final position of the main line and the termination allow. ``progress`` is
    called after each position with 1.

    Examples:
        >>> game = Game(result="1-0", termination="no stones")
        >>> _ = game.root.add_line(["f2-e3A", "d5-d4A"])
        >>> for fault in validate_game(game).faults:
        ...     print(fault)
        termination 'no stones', but the game is not over by that; stones: White 19, Black 20
    """
    check_kind("game", game, Game)
    faults: list[Fault] = []
    slow = {id(game.root): _slow(game.initial, faults)}
    main: list[ReferencePosition] = []
    legal = positions = 0
    stack: list[tuple[Node, bool]] = [(game.root, True)]
    while stack:
        node, is_main = stack.pop()
        here = slow.pop(id(node))
        if is_main:
            main.append(here)
        results = _compared(node.position, here, faults)
        positions += 1
        legal += len(results)
        for child in reversed(node.variations):
            after = results.get(str(child.turn))
            if after is None:
                reason = f"{child.turn} is not a legal turn in {node.position.text()}"
                faults.append(Fault(reason, node.position.turn_number))
                continue
            slow[id(child)] = after
            stack.append((child, is_main and child is node.next))
        if progress is not None:
            progress(1)
    if len(main) == len(game) + 1:
        faults.extend(_end_faults(game, main))
    return Validation(positions, positions - 1, legal, tuple(faults))


def _slow(position: Position, faults: list[Fault]) -> ReferencePosition:
    text = position.text()
    slow = ReferencePosition.parse(text)
    if slow.text() != text:
        faults.append(Fault(f"position {text} is {slow.text()} for the slow rules"))
    return slow


def _compared(
    position: Position, slow: ReferencePosition, faults: list[Fault]
) -> dict[str, ReferencePosition]:
    """The position after each turn that the slow rules allow, once compared with the fast ones."""
    number = position.turn_number
    if position.text() != slow.text():
        faults.append(Fault(f"{position.text()} here, {slow.text()} by the slow rules", number))
    results: dict[str, ReferencePosition] = {}
    taken: dict[str, tuple[int, ...]] = {}
    for turn, after in slow.results():
        results[str(turn)] = after
        taken[str(turn)] = _masks(turn, position.columns)
    fast = {str(turn): position.captured(turn) for turn in position.legal_turns()}
    played = 0 if position.chain is None else len(position.chain)
    for name in sorted(fast.keys() | results.keys()):
        if name not in results:
            faults.append(Fault(f"{name} is not legal by the slow rules", number))
        elif name not in fast:
            faults.append(Fault(f"{name} is legal by the slow rules only", number))
        elif fast[name][played:] != taken[name][played:]:
            faults.append(Fault(f"{name} takes other stones by the slow rules", number))
    return results


def _masks(turn: Turn, columns: int) -> tuple[int, ...]:
    if not turn.kinds:
        return (0,)
    return tuple(
        sum(1 << (row - 1) * columns + column - 1 for column, row in taken)
        for taken in turn.captured
    )


def _end_faults(game: Game, main: list[ReferencePosition]) -> list[Fault]:
    """What is wrong with the result and the termination of a record."""
    reference = ReferenceGame(main[0])
    reference.positions = main
    slow = reference.ending()
    outcome = game.board_at().outcome()
    by_rules = None if outcome is None else (outcome.winner, outcome.reason.value)
    by_slow = None if slow is None else (slow.winner, slow.reason.replace("-", " "))
    if by_rules != by_slow:
        return [Fault(f"the end is {by_rules} here, {by_slow} by the slow rules")]
    termination = game.termination
    if termination in _DECLARED and game.result != "*" and game.outcome is None:
        return [Fault(f"result {game.result} does not fit the termination {str(termination)!r}")]
    if outcome is None or (outcome.winner is None and termination in _DECLARED):
        if termination in _BY_BOARD:
            final = game.end().position
            white, black = (final.stones(side).bit_count() for side in Side)
            reason = f"termination {str(termination)!r}, but the game is not over by that"
            return [Fault(f"{reason}; stones: White {white}, Black {black}")]
        return []
    if game.result != outcome.result:
        return [Fault(f"result {game.result}, but the board says {outcome.result}: {outcome}")]
    if termination in _BY_BOARD and termination != outcome.reason:
        return [Fault(f"termination {str(termination)!r}, but the board says {outcome}")]
    return []
