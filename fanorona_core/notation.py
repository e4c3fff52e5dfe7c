"""Reading turns as people type them, and the text of turns and positions."""

from __future__ import annotations

import re
from typing import Final

from fanorona_core import diagnose
from fanorona_core._checks import check_kind
from fanorona_core._clipped import clipped
from fanorona_core._turn import Turn
from fanorona_core.errors import IllegalTurnError, NotationError
from fanorona_core.position import Position
from fanorona_core.rules import RuleSet

__all__ = ["format_position", "format_turn", "parse_path", "parse_position", "parse_turn"]

_SEPARATORS: Final = r"[\s\-,>x\u2010-\u2015\u2192]*"
# The letter a before a digit is a column; anywhere else it means approach.
_TOKEN: Final = re.compile(rf"{_SEPARATORS}(?:([a-o])([0-9]+)|([aw])(?![0-9])){_SEPARATORS}")
_LISTED: Final = 8  # candidates in one message


def parse_path(position: Position, text: str) -> tuple[list[int], list[str | None]]:
    """Read the points of a turn and the kind of each step, None where it is not said.

    Lenient: any case; points separated by ``-``, blanks, commas, ``>``, ``x`` or nothing.
    Says nothing about whether the turn is legal.

    Raises:
        NotationError: the text is not a path on this board.

    Examples:
        >>> parse_path(Position.start(), "D2 e3a F4")
        ([12, 22, 32], ['A', None])
    """
    check_kind("position", position, Position)
    check_kind("turn", text, str)
    points: list[int] = []
    kinds: list[str | None] = []
    lowered = text.strip().lower()
    at = 0
    while at < len(lowered):
        found = _TOKEN.match(lowered, at)
        if found is None:
            raise NotationError(
                f"turn {clipped(text, 60)}: cannot read {lowered[at:][:12]!r}, expected points as "
                "in d3-e3A"
            )
        at = found.end()
        column, row, kind = found.groups()
        if kind:
            if not kinds or kinds[-1] is not None:
                raise NotationError(
                    f"turn {clipped(text, 60)}: the letter {kind} must follow the point a step "
                    "lands on, as in d3-e3A"
                )
            kinds[-1] = kind.upper()
            continue
        try:
            points.append(position.geometry.point(f"{column}{row[:3]}"))
        except NotationError as error:
            raise NotationError(f"turn {clipped(text, 60)}: {error}") from None
        if len(points) > 1:
            kinds.append(None)
    if len(points) < 2:
        raise NotationError(
            f"turn {clipped(text, 60)}: expected two points or more, as in d3-e3A or b2-c3"
        )
    return points, kinds


def parse_turn(position: Position, text: str) -> Turn:
    """Read a turn as typed, in any spelling that leaves one legal turn.

    A missing A or W is filled in if only one legal turn fits. With a chain in progress, the text
    may be the whole turn or only the steps still to come, from the stone's point on.

    Raises:
        NotationError: not a turn, or several legal turns fit; the text lists them.
        IllegalTurnError: no legal turn fits; the text says which rule is broken.

    Examples:
        >>> str(parse_turn(Position.start(), "d2e3"))
        'd2-e3A'
        >>> parse_turn(Position.start(), "d3 e3")
        Traceback (most recent call last):
        ...
        fanorona_core.errors.NotationError: turn 'd3 e3' may be d3-e3A or d3-e3W: say which
    """
    points, kinds = parse_path(position, text)
    chain = position.chain
    if chain is not None and points[0] == chain.end:
        points = [*chain.points[:-1], *points]
        kinds = [*chain.kinds, *kinds]
    fitting = [
        turn
        for turn in position.legal_turns()
        if turn.points == tuple(points) and _fits(turn, kinds)
    ]
    if len(fitting) == 1:
        return fitting[0]
    if not fitting:
        reason = diagnose.why_illegal_path(position, points, kinds)
        raise IllegalTurnError(f"turn {clipped(text, 60)}: {reason}")
    names = [str(turn) for turn in fitting[:_LISTED]]
    if len(fitting) > _LISTED:
        names.append(f"{len(fitting) - _LISTED} others")
    raise NotationError(
        f"turn {clipped(text, 60)} may be {', '.join(names[:-1])} or {names[-1]}: say which"
    )


def _fits(turn: Turn, kinds: list[str | None]) -> bool:
    found = turn.kinds if turn.is_capture else [""]
    return all(kind is None or kind == other for kind, other in zip(kinds, found, strict=True))


def format_turn(turn: Turn) -> str:
    """The canonical text of a turn, which says everything about its path.

    Examples:
        >>> format_turn(Turn.from_text("d2-e3A-f4W"))
        'd2-e3A-f4W'
    """
    check_kind("turn", turn, Turn)
    return str(turn)


def parse_position(text: str, rules: RuleSet | None = None) -> Position:
    """Read position text; the same as ``Position.parse``.

    Raises:
        InvalidPositionError: the text is malformed, or such a position cannot be.
        RulesError: the rules in the text cannot be read.

    Examples:
        >>> parse_position("8b/9/9/9/w8 w").side
        <Side.WHITE: 0>
    """
    return Position.parse(text, rules)


def format_position(position: Position) -> str:
    """The position text with all fields; the same as ``Position.text``.

    Examples:
        >>> format_position(parse_position("8b/9/9/9/w8 w"))
        '8b/9/9/9/w8 w - 0 1 tsivy'
    """
    check_kind("position", position, Position)
    return position.text()
