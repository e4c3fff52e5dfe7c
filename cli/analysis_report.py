"""An analysis as text for people and as data for programs."""

from __future__ import annotations

from typing import Any, Final

import click

from fanorona_core import Limit, Score, Side
from fanorona_core.analysis import GameAnalysis, PlayerSummary, TurnAnalysis
from fanorona_core.findings import Findings
from fanorona_core.game import Game
from fanorona_core.node import Node

from .sources import Found
from .terminal import Look
from .words import counted, proved_text

__all__ = ["game_data", "game_text", "introduction", "limit_data"]

_COLORS: Final = {"": None, "?!": "yellow", "?": "yellow", "??": "red"}
_WIDEST_TURN: Final = 34
_LINE: Final = 3  # turns of the better line that are shown
# A turn with another result than the best is told from this loss on: less is noise.
_LEAST_LOSS: Final = 0.02


def introduction(limit: Limit, is_proved: bool) -> str:
    """What the columns mean, told once."""
    parts = []
    if limit.time_ms is not None:
        parts.append(f"{limit.time_ms / 1000:g} s")
    if limit.depth_plies is not None:
        parts.append(f"{counted(limit.depth_plies, 'turn')} ahead")
    if limit.nodes is not None:
        parts.append(f"{limit.nodes} positions")
    return (
        "Value: of the position after the turn, in stones; + is good for White.\n"
        "Loss: what the turn gave away of the expected result; 100% is a win thrown away.\n"
        f"Limit for each position: {', '.join(parts)}."
        + ("\nWhat tables and certificates prove is so marked." if is_proved else "")
    )


def game_text(found: Found, analysis: GameAnalysis, look: Look) -> str:
    """The report on one game."""
    game = found.game
    names = f"{game.tags['White']} - {game.tags['Black']}"
    title = f"{found.place}: {names}, {game.result}, {counted(len(game), 'turn')}"
    lines = ["", _style(title, look, bold=True)]
    nodes = list(game.mainline())
    if nodes:
        turns = [_turn_text(*pair) for pair in zip(nodes, analysis.turns, strict=True)]
        values = [_value(_for_white(turn), turn.proved_after) for turn in analysis.turns]
        widths = min(max(map(len, turns)), _WIDEST_TURN), max(12, *map(len, values))
        title = f"{'turn':{widths[0]}}  {'value':>{widths[1]}}  loss  better"
        lines.append(_style(title, look, dim=True))
        for text, value, turn in zip(turns, values, analysis.turns, strict=True):
            lines.append(_turn_line(text, value, turn, widths, look))
    else:
        final = analysis.final
        white = -final.score if game.initial.side else final.score
        half = _half(white, final.findings)
        lines.append(f"No turns. Value: {_value(white, final.findings)}{half and f', {half}'}.")
    return "\n".join([*lines, "", *_summary_lines(analysis)])


def _turn_text(node: Node, turn: TurnAnalysis) -> str:
    dots = "." if turn.side is Side.WHITE else "..."
    return f"{node.round}{dots} {turn.turn}{turn.mark}"


def _for_white(turn: TurnAnalysis) -> Score:
    """The score after a turn from White's view."""
    return -turn.after if turn.side else turn.after


def _value(white: Score, findings: Findings) -> str:
    """The value of a position: what is proved, if that settles it and says more than the score."""
    if findings.is_settled and not white.is_decided:
        return proved_text(findings)
    return _value_text(white)


def _half(white: Score, findings: Findings) -> str:
    """What is proved of a position if that is one half, and the score does not say more."""
    if findings.is_settled or white.is_decided or white.is_by_tables:
        return ""
    return proved_text(findings)


def _turn_line(
    text: str, value: str, turn: TurnAnalysis, widths: tuple[int, int], look: Look
) -> str:
    better = loss = ""
    if turn.loss >= _LEAST_LOSS:
        loss = f"{turn.loss:.0%}"
        better = " ".join(map(str, turn.line[:_LINE]))
    elif turn.is_forced:
        better = "(the only legal turn)"
    else:
        better = _half(_for_white(turn), turn.proved_after)
    rest = f"{value:>{widths[1]}}  {loss:>4}  {better}".rstrip()
    room = max(look.width, 40) - widths[0] - 2
    if len(rest) > room > 24:
        rest = rest[: room - 3].rsplit(" ", 1)[0] + " .."
    return f"{_style(f'{text:{widths[0]}}', look, fg=_COLORS[turn.mark])}  {rest}"


def _value_text(white: Score) -> str:
    """A score from White's view."""
    if white.is_by_tables or white.end_in == 0:
        return f"{'White' if white > Score(0) else 'Black'} wins"
    if not white.is_decided:
        return str(white)
    return f"{'White' if white.is_winning else 'Black'} in {white.end_in}"


def _summary_lines(analysis: GameAnalysis) -> list[str]:
    lines = ["        turns  only one  best   ?!    ?   ??  mean loss  accuracy"]
    for side in Side:
        own = analysis.summary(side)
        loss = "-" if own.mean_loss is None else f"{own.mean_loss:.1%}"
        accuracy = "-" if own.accuracy is None else f"{own.accuracy:.0f}"
        marks = "  ".join(f"{own.marks[mark]:>3}" for mark in own.marks)
        lines.append(
            f"{side!s:6} {own.turns:>6}  {own.forced:>8}  {own.best:>4}  {marks}  "
            f"{loss:>9}  {accuracy:>8}"
        )
    return lines


def _style(text: str, look: Look, **style: Any) -> str:
    return click.style(text, **style) if look.color else text


# For programs.


def limit_data(limit: Limit) -> dict[str, Any]:
    """The limit of each search."""
    return {
        "time_ms": limit.time_ms,
        "depth_plies": limit.depth_plies,
        "nodes": limit.nodes,
    }


def game_data(found: Found, analysis: GameAnalysis) -> dict[str, Any]:
    """One game of the report."""
    game = found.game
    return {
        "file": found.file,
        "number": found.number,
        "white": game.tags["White"],
        "black": game.tags["Black"],
        "result": game.result,
        "rules": str(game.rules),
        "position": game.initial.text(),
        "turns": [_turn_data(turn) for turn in analysis.turns],
        "final": score_data(analysis.final.score),
        "proved_final": _proved(analysis.final.findings, _last_side(game)),
        "summary": {
            "white": _summary_data(analysis.white),
            "black": _summary_data(analysis.black),
        },
    }


def score_data(score: Score) -> dict[str, Any]:
    """A score for a program."""
    return {
        "text": str(score),
        "centipawns": score.centipawns,
        "end_in": score.end_in,
        "winning": score.is_winning,
        "expected": round(score.expected, 4),
    }


def _proved(findings: Findings, side: Side) -> str | None:
    return findings.word(side) or None


def _last_side(game: Game) -> Side:
    """The side to move in the last position."""
    return game.initial.side.other if len(game) % 2 else game.initial.side


def _turn_data(turn: TurnAnalysis) -> dict[str, Any]:
    return {
        "number": turn.number,
        "side": str(turn.side).lower(),
        "turn": str(turn.turn),
        "before": score_data(turn.before),
        "after": score_data(turn.after),
        "proved_before": _proved(turn.proved_before, turn.side),
        "proved_after": _proved(turn.proved_after, turn.side),
        "best": str(turn.best),
        "line": [str(each) for each in turn.line],
        "loss": round(turn.loss, 4),
        "loss_centipawns": turn.loss_centipawns,
        "mark": turn.mark,
        "forced": turn.is_forced,
        "is_best": turn.is_best,
        "depth_plies": turn.depth_plies,
        "nodes": turn.nodes,
        "time_ms": turn.time_ms,
    }


def _summary_data(own: PlayerSummary) -> dict[str, Any]:
    return {
        "turns": own.turns,
        "forced": own.forced,
        "best": own.best,
        "mean_loss": None if own.mean_loss is None else round(own.mean_loss, 4),
        "accuracy": None if own.accuracy is None else round(own.accuracy, 1),
        "marks": dict(own.marks),
    }
