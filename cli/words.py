"""Turns, scores and positions in words."""

from __future__ import annotations

from fanorona_core import Board, Outcome, Position, RuleSet, Score, Side, Turn

from .render import stone_signs
from .terminal import Look

__all__ = [
    "counted",
    "hint_text",
    "most_taken",
    "outcome_text",
    "played_text",
    "rules_name",
    "status_text",
    "taken_text",
]

_BY = {"A": "approach", "W": "withdrawal"}


def counted(count: int, noun: str) -> str:
    """A number and its noun.

    Examples:
        >>> counted(1, "turn"), counted(5, "turn")
        ('1 turn', '5 turns')
    """
    return f"{count} {noun}{'' if count == 1 else 's'}"


def taken_text(position: Position, turn: Turn) -> str:
    """What a turn takes, and how.

    Examples:
        >>> taken_text(Position.start(), Turn.from_text("d3-e3W"))
        'takes 1 by withdrawal'
    """
    if not turn.is_capture:
        return "takes nothing"
    counts = {"A": 0, "W": 0}
    for kind, mask in zip(turn.kinds, position.captured(turn), strict=True):
        counts[kind] += mask.bit_count()
    used = [kind for kind in "AW" if kind in turn.kinds]
    total = sum(counts.values())
    if len(used) == 1:
        return f"takes {total} by {_BY[used[0]]}"
    parts = " and ".join(f"{counts[kind]} by {_BY[kind]}" for kind in used)
    return f"takes {total}, {parts}"


def most_taken(position: Position) -> int:
    """How many stones the side to move can take at most in one turn."""
    if not position.must_capture:
        return 0
    return max(
        sum(mask.bit_count() for mask in position.captured(turn)) for turn in position.legal_turns()
    )


def played_text(position: Position, turn: Turn) -> str:
    """One line on a turn that was played in a position.

    Examples:
        >>> played_text(Position.start(), Turn.from_text("d3-e3W"))
        'White plays d3-e3W (takes 1)'
    """
    count = sum(mask.bit_count() for mask in position.captured(turn))
    takes = f"takes {count}" if turn.is_capture else "takes nothing"
    return f"{position.side} plays {turn} ({takes})"


def hint_text(position: Position, turn: Turn, score: Score) -> str:
    """What a turn does and what the other side can do about it, in one line."""
    after = position.play(turn)
    other = after.side
    begun = "go on with" if position.chain is not None else "play"
    if not after.stones(other):
        answer = f"{other} has no stones left"
    elif not after.has_turn():
        answer = f"{other} has no legal turn left"
    else:
        count = most_taken(after)
        answer = f"{other} can take back {f'up to {count}' if count else 'nothing'}"
    judged = _judged(position.side, score)
    return f"Hint: {begun} {turn}. It {taken_text(position, turn)}; {answer}. {judged}"


def _judged(side: Side, score: Score) -> str:
    if score.is_decided:
        better = side if score.is_winning else side.other
        return (
            f"{better} then wins in {counted(score.end_in or 0, 'turn')} at most, if nobody errs."
        )
    expected = score.expected
    if 0.45 <= expected <= 0.55:
        return f"The game looks even ({score})."
    better, chance = (side, expected) if expected > 0.5 else (side.other, 1 - expected)
    how = "a little" if chance < 0.65 else "clearly" if chance < 0.85 else "far"
    return f"{better} stands {how} better ({score} for {side})."


def outcome_text(board: Board, outcome: Outcome) -> str:
    """Who won and why, the result and the length of the game."""
    return f"{outcome}. ({outcome.result}, {counted(len(board.turns), 'turn')})"


def rules_name(rules: RuleSet) -> str:
    """A short name of the rules and the board."""
    return f"{rules.name or 'own'} rules on {rules.columns}x{rules.rows}"


def status_text(position: Position, look: Look) -> str:
    """Whose turn it is, what the turn must be, and the stones of both sides."""
    white, black = (position.stones(side).bit_count() for side in Side)
    signs = stone_signs(look)
    what = "to move, and must capture" if position.must_capture else "to move"
    if position.chain is not None:
        what = f"goes on from {position.geometry.name(position.chain.end)}"
        what += " or stops" if position.can_stop else ""
    return (
        f"Turn {position.turn_number}: {position.side} {signs[position.side]} {what}. "
        f"Stones: White {signs[0]} {white}, Black {signs[1]} {black}."
    )
