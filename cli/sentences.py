"""Turns, refusals, scores and ends in words, in the reader's language."""

from __future__ import annotations

from typing import Final

from fanorona_core import (
    PROFILES,
    Outcome,
    Position,
    Reason,
    RuleSet,
    Score,
    Side,
    Step,
    Turn,
)
from fanorona_core.diagnose import LISTED, Breach
from fanorona_core.findings import NOTHING, Findings

from .i18n import N_, _, ngettext
from .opponent import PlayerSpec

__all__ = [
    "breach_text",
    "choice_text",
    "hint_text",
    "most_taken",
    "outcome_text",
    "played_text",
    "player_name",
    "profile_name",
    "proved_text",
    "reason_to_decline",
    "rules_name",
    "score_text",
    "side_name",
    "side_to_move",
    "taken_text",
]

# An open game that has barely begun is not given up as a draw by the engine.
EARLIEST_DRAW: Final = 20
# The engine agrees to a draw that promises it no less than what it expects of the game.
DRAW_VALUE: Final = 0.5
# The sentences of fanorona_core.diagnose, by the same keys, to be translated.
BREACHES: Final = {
    "over": N_("The game is over, no turn is possible."),
    "chain in progress": N_("The chain {chain} is in progress, and only its stone may go on."),
    "other side": N_("The stone on {point} belongs to Black."),
    "no stone": N_("There is no stone on {point}."),
    "no line": N_("No line joins {start} and {end}."),
    "visited": N_("The stone has been on {end} in this turn and may not come back."),
    "occupied": N_("{end} is occupied."),
    "captures": N_("{start}-{end} captures: {steps}."),
    "direction": N_("A step may not repeat the direction of the step before: {direction}."),
    "capture": N_("Capture is compulsory: {steps}."),
    "nothing": N_("{start}-{end} takes nothing, and every step of a chain must capture."),
    "nothing by approach": N_("{start}-{end} takes nothing by approach."),
    "nothing by withdrawal": N_("{start}-{end} takes nothing by withdrawal."),
    "paika": N_("A move without capture is a whole turn."),
    "first turn": N_("The first turn may have one capture only."),
    "no capture": N_("No capture is possible from {start}, the turn is over."),
    "must go on": N_("Under these rules the chain must go on while it can: {steps}."),
    "stuck": N_("The stone on {point} has no empty point to go to."),
    "illegal": N_("This is not a legal turn."),
}

_OF_WHITE: Final = N_("The stone on {point} belongs to White.")

_DIRECTIONS: Final = {
    "east": N_("east"),
    "north-east": N_("north-east"),
    "north": N_("north"),
    "north-west": N_("north-west"),
    "west": N_("west"),
    "south-west": N_("south-west"),
    "south": N_("south"),
    "south-east": N_("south-east"),
}

# Whole sentences for each side: languages inflect names of colours.
_OUTCOMES: Final = {
    (Side.WHITE, Reason.NO_STONES): N_("White wins: Black has no stones left."),
    (Side.BLACK, Reason.NO_STONES): N_("Black wins: White has no stones left."),
    (Side.WHITE, Reason.NO_TURN): N_("White wins: Black has no legal turn."),
    (Side.BLACK, Reason.NO_TURN): N_("Black wins: White has no legal turn."),
    (Side.WHITE, Reason.RESIGNATION): N_("White wins: Black has resigned."),
    (Side.BLACK, Reason.RESIGNATION): N_("Black wins: White has resigned."),
    (Side.WHITE, Reason.TIME): N_("White wins: Black has run out of time."),
    (Side.BLACK, Reason.TIME): N_("Black wins: White has run out of time."),
    (Side.WHITE, Reason.ADJUDICATION): N_("White wins by adjudication."),
    (Side.BLACK, Reason.ADJUDICATION): N_("Black wins by adjudication."),
    (None, Reason.NO_TURN): N_("A draw: there is no legal turn."),
    (None, Reason.REPETITION): N_("A draw: the position has been repeated."),
    (None, Reason.QUIET_LIMIT): N_("A draw: too many turns without a capture."),
    (None, Reason.TURN_LIMIT): N_("A draw: the limit of turns is reached."),
    (None, Reason.AGREEMENT): N_("A draw by agreement."),
    (None, Reason.ADJUDICATION): N_("A draw by adjudication."),
}


def side_name(side: Side) -> str:
    """White or Black."""
    return _("White") if side is Side.WHITE else _("Black")


def side_to_move(side: Side) -> str:
    """Whose turn it is."""
    return _("White to move") if side is Side.WHITE else _("Black to move")


def player_name(player: PlayerSpec) -> str:
    """A person, or the engine by its level or time; short, for narrow places."""
    if not player.is_engine:
        return _("Person")
    if player.time_ms is not None:
        return _("{seconds} s a turn").format(seconds=f"{player.time_ms / 1000:g}")
    return _("Level {level}").format(level=player.level)


def breach_text(breach: Breach) -> str:
    """One line that says which rule an attempt breaks."""
    values = dict(breach.values)
    sentence = BREACHES[breach.rule]
    if values.get("side") == str(Side.WHITE):
        sentence = _OF_WHITE
    if "direction" in values:
        values["direction"] = _(_DIRECTIONS[values["direction"]])
    if breach.steps:
        values["steps"] = ", ".join(breach.steps[:LISTED])
        if len(breach.steps) > LISTED:
            values["steps"] += " ..."
    return _(sentence).format_map(values)


def outcome_text(outcome: Outcome) -> str:
    """Who has won and why."""
    sentence = _OUTCOMES.get((outcome.winner, outcome.reason))
    return str(outcome) if sentence is None else _(sentence)


def most_taken(position: Position) -> int:
    """How many stones the side to move can take at most in one turn."""
    if not position.must_capture:
        return 0
    return max(
        sum(mask.bit_count() for mask in position.captured(turn)) for turn in position.legal_turns()
    )


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
    """The profile of rules, also on another board; else that they are rules of their own."""
    return profile_name(rules) or _("own rules")


def choice_text(position: Position, steps: list[Step]) -> str:
    """The two groups that a step may take, and how to say which."""
    approach, withdrawal = sorted(steps, key=lambda step: step.kind)
    return _(
        "Which capture? a: approach takes {approach}; w: withdrawal takes {withdrawal}. "
        "Or pick one of the stones."
    ).format(approach=approach.captured.bit_count(), withdrawal=withdrawal.captured.bit_count())


def taken_text(position: Position, turn: Turn) -> str:
    """What a turn takes, and how: "takes 3 by withdrawal"; of a chain in progress, the rest."""
    done = 0 if position.chain is None else len(position.chain)
    kinds = turn.kinds[done:]
    if not kinds:
        return _("takes nothing")
    counts = {"A": 0, "W": 0}
    for kind, mask in zip(kinds, position.captured(turn)[done:], strict=True):
        counts[kind] += mask.bit_count()
    total = counts["A"] + counts["W"]
    if "W" not in kinds:
        return ngettext("takes {count} by approach", "takes {count} by approach", total)
    if "A" not in kinds:
        return ngettext("takes {count} by withdrawal", "takes {count} by withdrawal", total)
    return _("takes {total}: {approach} by approach, {withdrawal} by withdrawal").format(
        total=total, approach=counts["A"], withdrawal=counts["W"]
    )


def played_text(position: Position, turn: Turn) -> str:
    """One line on a turn that was played in a position."""
    return f"{side_name(position.side)}: {turn} · {taken_text(position, turn)}"


def hint_text(
    position: Position, turn: Turn, score: Score, findings: Findings | None = None
) -> str:
    """What a turn does, what the other side can do about it, and how that is judged."""
    after = position.play(turn)
    black = after.side is Side.BLACK
    count = most_taken(after) if after.has_turn() else 0
    if not after.has_turn():
        answer = _("Black has no answer") if black else _("White has no answer")
    elif not turn.is_capture:
        answer = _first_taken_text(black, count)
    elif not count:
        answer = _("Black can take nothing back") if black else _("White can take nothing back")
    elif black:
        answer = ngettext("Black can take back {count}", "Black can take back {count}", count)
    else:
        answer = ngettext("White can take back {count}", "White can take back {count}", count)
    does = _("end the turn here") if turn == position.chain else taken_text(position, turn)
    judged = _judged(position.side, score, findings or NOTHING)
    return f"{turn}: {does}, {answer}. {judged}"


def proved_text(findings: Findings) -> str:
    """A sentence on what is proved; an empty text where nothing is."""
    if findings.wins(Side.WHITE):
        return _("White wins (proved).")
    if findings.wins(Side.BLACK):
        return _("Black wins (proved).")
    if findings.is_settled:
        return _("Drawn (proved).")
    if findings.white_holds:
        return _("White at least draws (proved).")
    return _("Black at least draws (proved).") if findings.black_holds else ""


def _judged(side: Side, score: Score, findings: Findings) -> str:
    proved = proved_text(findings)
    if not proved or score.is_decided:
        return score_text(side, score)
    return proved if findings.is_settled else f"{proved} {score_text(side, score)}"


def _first_taken_text(black: bool, count: int) -> str:
    """What a side can take that has lost nothing by the turn before."""
    if not count:
        return _("Black can take nothing") if black else _("White can take nothing")
    if black:
        return ngettext("Black can take {count}", "Black can take {count}", count)
    return ngettext("White can take {count}", "White can take {count}", count)


def score_text(side: Side, score: Score) -> str:
    """Who stands better and by how much, in words."""
    if score.is_decided:
        white = (side is Side.WHITE) == bool(score.is_winning)
        turns = score.end_in or 0
        if white:
            return ngettext("White wins in {count} turn.", "White wins in {count} turns.", turns)
        return ngettext("Black wins in {count} turn.", "Black wins in {count} turns.", turns)
    expected = score.expected if side is Side.WHITE else 1 - score.expected
    if abs(expected - 0.5) <= 0.05:
        return _("The game looks even.")
    if expected > 0.5:
        return _("White stands better.") if expected < 0.85 else _("White stands much better.")
    return _("Black stands better.") if expected > 0.15 else _("Black stands much better.")


def reason_to_decline(side: Side, score: Score, turn_number: int) -> str | None:
    """Why the engine does not agree to a draw, in a sentence; None if it does.

    ``side`` is the engine's, and ``score`` as that side sees the game.

    Examples:
        >>> reason_to_decline(Side.WHITE, Score(80), 40)
        'White declines the draw: White hopes to win.'
        >>> reason_to_decline(Side.WHITE, Score(0), 4)
        'White declines the draw: the game has only begun.'
        >>> reason_to_decline(Side.WHITE, Score(0), 40) is None
        True
    """
    if turn_number < EARLIEST_DRAW and not score.is_decided:
        text = _("{side} declines the draw: the game has only begun.")
    elif score.expected > DRAW_VALUE:
        text = _("{side} declines the draw: {side} hopes to win.")
    else:
        return None
    return text.format(side=side_name(side))
