"""Turns, scores and positions in words."""

from __future__ import annotations

from fanorona_core import PROFILES, Board, Outcome, Position, RuleSet, Score, Side, Turn
from fanorona_core.findings import NOTHING, Findings

from .game_clock import Clock, clock_text
from .marks import points_in
from .render import stone_signs
from .terminal import Look

__all__ = [
    "clocks_text",
    "counted",
    "example_turn",
    "hint_text",
    "most_taken",
    "outcome_text",
    "played_text",
    "profile_name",
    "proved_text",
    "rules_name",
    "status_text",
    "taken_points_text",
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


def clocks_text(clock: Clock) -> str:
    """What both sides have left."""
    times = ", ".join(f"{side} {clock_text(clock.left_ms(side))}" for side in Side)
    return f"Clocks: {times}."


def taken_text(position: Position, turn: Turn) -> str:
    """How many stones a turn takes, and how.

    Examples:
        >>> taken_text(Position.start(), Turn.from_text("d3-e3W"))
        'takes 1 by withdrawal'
    """
    counts = _counts(position, turn)
    if not counts:
        return "takes nothing"
    if len(counts) == 1:
        ((kind, mask),) = counts.items()
        return f"takes {mask.bit_count()} by {_BY[kind]}"
    parts = " and ".join(f"{mask.bit_count()} by {_BY[kind]}" for kind, mask in counts.items())
    return f"takes {sum(mask.bit_count() for mask in counts.values())}, {parts}"


def taken_points_text(position: Position, turn: Turn) -> str:
    """How many stones a turn takes, and which.

    Examples:
        >>> taken_points_text(Position.start(), Turn.from_text("f2-e3A"))
        'takes 2 by approach: d4 c5'
    """
    parts = []
    for kind, mask in _counts(position, turn).items():
        names = " ".join(position.geometry.name(point) for point in points_in(mask))
        parts.append(f"{mask.bit_count()} by {_BY[kind]}: {names}")
    return f"takes {', '.join(parts) or 'nothing'}"


def _counts(position: Position, turn: Turn) -> dict[str, int]:
    """The stones that a turn takes in each way that it takes any."""
    masks = {"A": 0, "W": 0}
    for kind, mask in zip(turn.kinds, position.captured(turn), strict=False):
        masks[kind] |= mask
    return {kind: mask for kind, mask in masks.items() if mask}


def example_turn(position: Position) -> str:
    """A turn to show how turns are written, one that is legal now if there is any."""
    turns = position.legal_turns()
    # Of captures the shortest to read; the position without any has its usual example.
    return str(min(turns, key=len)) if turns else "d3-e3A"


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


def hint_text(
    position: Position, turn: Turn, score: Score, findings: Findings | None = None
) -> str:
    """What a turn does and what the other side can do about it, in one line."""
    after = position.play(turn)
    begun = "go on with" if position.chain is not None else "play"
    advice = f"Hint: {begun} {turn}. It {taken_text(position, turn)}"
    outcome = Board(after).outcome()
    if outcome is not None:
        return f"{advice}. {outcome}."
    count = most_taken(after)
    back = "back " if turn.is_capture else ""
    answer = f"{after.side} can take {back}{count or 'nothing'}"
    return f"{advice}; {answer}. {_judged(position.side, score, findings or NOTHING)}"


def proved_text(findings: Findings) -> str:
    """What is proved, and that it is; an empty text where nothing is.

    Examples:
        >>> proved_text(Findings(True, True)), proved_text(Findings(True, None))
        ('drawn (proved)', 'White at least draws (proved)')
    """
    text = str(findings).removeprefix("not settled").removeprefix(": ")
    return text and f"{text} (proved)"


def _judged(side: Side, score: Score, findings: Findings) -> str:
    proved = proved_text(findings)
    if findings.is_settled and not score.is_decided:
        return f"{proved[0].upper()}{proved[1:]}."
    judged = _evaluated(side, score)
    return judged if findings.is_settled or not proved else f"{proved}. {judged}"


def _evaluated(side: Side, score: Score) -> str:
    if score.is_decided:
        better = side if score.is_winning else side.other
        return f"With best play {better} wins in {counted(score.end_in or 0, 'turn')}."
    expected = score.expected
    if 0.45 <= expected <= 0.55:
        return f"The game looks even ({score})."
    better, chance = (side, expected) if expected > 0.5 else (side.other, 1 - expected)
    how = "a little" if chance < 0.65 else "clearly" if chance < 0.85 else "far"
    return f"{better} stands {how} better ({score} for {side})."


def outcome_text(board: Board, outcome: Outcome) -> str:
    """Who won and why, the result and the length of the game."""
    return f"{outcome}. ({outcome.result}, {counted(len(board.turns), 'turn')})"


def profile_name(rules: RuleSet) -> str | None:
    """The profile of rules, also if only the board is another one.

    Examples:
        >>> profile_name(RuleSet.parse("youzai,board=9x3")), profile_name(RuleSet.parse("dimy"))
        ('youzai', 'dimy')
    """
    board = {"columns": rules.columns, "rows": rules.rows, "start": rules.start}
    near = (name for name, profile in PROFILES.items() if profile.replace(**board) == rules)
    return rules.name or next(near, None)


def rules_name(rules: RuleSet) -> str:
    """A short name of the rules and the board."""
    return f"{profile_name(rules) or 'own'} rules on {rules.columns}x{rules.rows}"


def status_text(position: Position, look: Look) -> str:
    """Whose turn it is, what the turn must be, and the stones of both sides."""
    # Letters would only repeat the words; circles tell which stones are whose.
    signs = [f" {sign}" if look.unicode else "" for sign in stone_signs(look)]
    counts = [position.stones(side).bit_count() for side in Side]
    stones = ", ".join(f"{side}{signs[side]} {counts[side]}" for side in Side)
    what = "to move, and must capture" if position.must_capture else "to move"
    if position.chain is not None:
        what = f"goes on from {position.geometry.name(position.chain.end)}"
        what += " or stops" if position.can_stop else ""
    mover = f"{position.side}{signs[position.side]}"
    return f"Turn {position.turn_number}: {mover} {what}. Stones: {stones}."
