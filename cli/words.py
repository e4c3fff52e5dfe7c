"""The lines of the line mode: turns, positions and ends in words."""

from __future__ import annotations

from fanorona_core import Board, Outcome, Position, RuleSet, Score, Side, Turn
from fanorona_core.findings import Findings

from . import sentences
from .game_clock import Clock, clock_text
from .i18n import _, ngettext
from .marks import points_in
from .render import stone_signs
from .sentences import profile_name, side_name
from .terminal import Look

__all__ = [
    "clocks_text",
    "counted",
    "example_turn",
    "hint_text",
    "outcome_text",
    "played_text",
    "proved_text",
    "rules_name",
    "status_text",
    "taken_points_text",
    "turns_text",
]


def counted(count: int, noun: str) -> str:
    """A number and its noun, for what is English only.

    Examples:
        >>> counted(1, "turn"), counted(5, "turn")
        ('1 turn', '5 turns')
    """
    return f"{count} {noun}{'' if count == 1 else 's'}"


def turns_text(count: int) -> str:
    """A number of turns."""
    return ngettext("{count} turn", "{count} turns", count)


def clocks_text(clock: Clock) -> str:
    """What both sides have left."""
    times = ", ".join(f"{side_name(side)} {clock_text(clock.left_ms(side))}" for side in Side)
    return _("Clocks: {times}.").format(times=times)


def taken_points_text(position: Position, turn: Turn) -> str:
    """How many stones a turn takes, and which.

    Examples:
        >>> taken_points_text(Position.start(), Turn.from_text("f2-e3A"))
        'takes 2 by approach: d4 c5'
    """
    if turn == position.chain:
        return _("end the turn here")
    masks = {"A": 0, "W": 0}
    # A paika has no kinds, and a chain in progress has taken its first stones already.
    for kind, mask in zip(turn.kinds, position.captured(turn), strict=False):
        masks[kind] |= mask
    groups = []
    for kind, mask in masks.items():
        if mask:
            names = " ".join(position.geometry.name(point) for point in points_in(mask))
            by = _("{count} by approach: {points}")
            if kind == "W":
                by = _("{count} by withdrawal: {points}")
            groups.append(by.format(count=mask.bit_count(), points=names))
    if not groups:
        return _("takes nothing")
    return _("takes {groups}").format(groups=", ".join(groups))


def example_turn(position: Position) -> str:
    """A turn to show how turns are written, one that is legal now if there is any."""
    turns = position.legal_turns()
    # Of captures the shortest to read; the position without any has its usual example.
    return str(min(turns, key=len)) if turns else "d3-e3A"


def played_text(position: Position, turn: Turn) -> str:
    """One line on a turn that was played in a position.

    Examples:
        >>> played_text(Position.start(), Turn.from_text("d3-e3W"))
        'White plays d3-e3W (takes 1)'
    """
    side = side_name(position.side)
    if not turn.is_capture:
        return _("{side} plays {turn} (takes nothing)").format(side=side, turn=turn)
    count = sum(mask.bit_count() for mask in position.captured(turn))
    return _("{side} plays {turn} (takes {count})").format(side=side, turn=turn, count=count)


def hint_text(
    position: Position, turn: Turn, score: Score, findings: Findings | None = None
) -> str:
    """What a turn does and what the other side can do about it, in one line."""
    return _("Hint: {text}").format(text=sentences.hint_text(position, turn, score, findings))


def proved_text(findings: Findings) -> str:
    """What is proved, and that it is, for what is English only; empty where nothing is.

    Examples:
        >>> proved_text(Findings(True, True)), proved_text(Findings(True, None))
        ('drawn (proved)', 'White at least draws (proved)')
    """
    text = str(findings).removeprefix("not settled").removeprefix(": ")
    return text and f"{text} (proved)"


def outcome_text(board: Board, outcome: Outcome) -> str:
    """Who won and why, the result and the length of the game."""
    said = sentences.outcome_text(outcome)
    return f"{said} ({outcome.result}, {turns_text(len(board.turns))})"


def rules_name(rules: RuleSet) -> str:
    """A short name of the rules and the board.

    Examples:
        >>> rules_name(RuleSet.parse("dimy")), rules_name(RuleSet.parse("quiet=7"))
        ('dimy rules on 5x5', 'own rules on 9x5')
    """
    board, name = f"{rules.columns}x{rules.rows}", profile_name(rules)
    if name is None:
        return _("own rules on {board}").format(board=board)
    return _("{name} rules on {board}").format(name=name, board=board)


def status_text(position: Position, look: Look) -> str:
    """Whose turn it is, what the turn must be, and the stones of both sides."""
    # Letters would only repeat the words; circles tell which stones are whose.
    signs = [f" {sign}" if look.unicode else "" for sign in stone_signs(look)]
    counts = [position.stones(side).bit_count() for side in Side]
    stones = ", ".join(f"{side_name(side)}{signs[side]} {counts[side]}" for side in Side)
    point = ""
    if position.chain is not None:
        point = position.geometry.name(position.chain.end)
        text = _("Turn {number}: {side} goes on from {point}. Stones: {stones}.")
        if position.can_stop:
            text = _("Turn {number}: {side} goes on from {point} or stops. Stones: {stones}.")
    elif position.must_capture:
        text = _("Turn {number}: {side} to move, and must capture. Stones: {stones}.")
    else:
        text = _("Turn {number}: {side} to move. Stones: {stones}.")
    mover = f"{side_name(position.side)}{signs[position.side]}"
    return text.format(number=position.turn_number, side=mover, point=point, stones=stones)
