"""The PettingZoo environment fanorona-aec 3: step codes, action numbers and board texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, TextIO

from fanorona_core._checks import check_kind
from fanorona_core._geometry import geometry
from fanorona_core._turn import Step
from fanorona_core.errors import NotationError
from fanorona_core.formats._codes import (
    Codec,
    Move,
    format_rows,
    parse_rows,
    read_codes,
    told_chain,
    write_codes,
)
from fanorona_core.formats._common import Format
from fanorona_core.game import Game
from fanorona_core.position import Position
from fanorona_core.records import Loss, ReadResult, Source, clipped, settled
from fanorona_core.rules import DEFAULT_RULES, RuleSet
from fanorona_core.types import Side, StepKind

__all__ = ["END_ACTION", "FORMAT", "action", "format_position", "parse_position", "read", "write"]

# 45 points x 8 directions x 3 kinds, and one more for the end of a turn.
END_ACTION: Final = 1080
_END: Final = "I5921"

_BOARD: Final = geometry(9, 5)
_CODE = re.compile(r"([A-I][1-5])([1-9])([0-2])([01])", re.IGNORECASE)
# The keys of a number pad, without 5; actions count them in this order.
_KEYS: Final = "12346789"
_STEPS: Final = {key: (int(key) - 1) % 3 - 1 + ((int(key) - 1) // 3 - 1) * 9 for key in _KEYS}
_COMPASS: Final = dict(zip(_KEYS, ["SW", "S", "SE", "W", "E", "NW", "N", "NE"], strict=True))
_KINDS: Final[tuple[StepKind, ...]] = ("", "A", "W")


def read(
    source: Source, *, rules: RuleSet | None = None, strict: bool = False
) -> Iterator[ReadResult]:
    """Iterate over games: codes as D2910 or action numbers, an empty line between two games.

    A game may begin with a board text in a line of its own; every capturing turn must end with a
    code whose last digit is 1, or action 1080, else there is a warning.

    Raises:
        RecordError: a game could not be read, with ``strict``.

    Examples:
        >>> game = next(read("F2710 I5921 D5210 1080")).unwrap()
        >>> [str(turn) for turn in game.turns]
        ['f2-e3A', 'd5-d4A']
    """
    return settled(read_codes(source, _CODEC, rules), strict)


def write(games: Iterable[Game], stream: TextIO) -> list[Loss]:
    """Write games as codes, a turn a line, and return what was lost.

    Raises:
        ExportError: another board than 9x5.

    Examples:
        >>> import sys
        >>> game = Game()
        >>> _ = game.root.add_variation("f2-e3A")
        >>> write([game], sys.stdout)
        F2710 I5921
        []
    """
    return write_codes(games, stream, _CODEC)


def action(code: str) -> int:
    """Return the action number of a code.

    Raises:
        NotationError: the text is no code.

    Examples:
        >>> action("C3410"), action("I5921")
        (490, 1080)
    """
    match = _CODE.fullmatch(code)
    if match is None or match[2] not in _KEYS:
        raise NotationError(f"code {clipped(code)}: expected point, direction, kind and end")
    if match[4] == "1":
        return END_ACTION
    return (_BOARD.point(match[1]) * 8 + _KEYS.index(match[2])) * 3 + int(match[3])


def parse_position(text: str, rules: RuleSet = DEFAULT_RULES) -> Position:
    """Read a board text: rows from row 1, side, last point and direction, visited points, turns.

    The quiet counter is not in it and becomes 0.

    Raises:
        NotationError: a field is malformed, or the chain in progress does not follow from it.
        InvalidPositionError: the stones are not those of a 9x5 board.

    Examples:
        >>> parse_position("W8/9/9/9/8B W - - - 6").text()
        '8b/9/9/9/w8 w - 0 7 tsivy'
    """
    check_kind("board", text, str)
    fields = text.split()
    if len(fields) != 6:
        raise NotationError(
            f"board {clipped(text)} has {len(fields)} fields, expected rows, side, last point, "
            "last direction, visited points and turns played"
        )
    rows, side, last, compass, visited, turns = fields
    if not re.fullmatch(r"[0-9]{1,9}", turns):
        raise NotationError(f"turns played {clipped(turns)}: expected a number")
    white, black = parse_rows(rows)
    position = Position(white, black, Side.from_letter(side), rules, turn_number=int(turns) + 1)
    if "-" in (last, compass, visited):
        if (last, compass, visited) != ("-", "-", "-"):
            raise NotationError(f"board {clipped(text)}: a chain needs point, direction and points")
        return position
    points = frozenset(_BOARD.point(name) for name in visited.split(","))
    end = _BOARD.point(last)
    steps = {name: _STEPS[key] for key, name in _COMPASS.items()}
    if compass.upper() not in steps:
        raise NotationError(f"direction {clipped(compass)}: expected {', '.join(steps)}")
    return told_chain(position, points, (end - steps[compass.upper()], end), None)


def format_position(position: Position) -> str:
    """Write a board text; quiet counter and rules have no place in it.

    Raises:
        ExportError: another board than 9x5.

    Examples:
        >>> format_position(Position.start())
        'WWWWWWWWW/WWWWWWWWW/BWBW1BWBW/BBBBBBBBB/BBBBBBBBB W - - - 0'
    """
    rows, turns = format_rows(position), position.turn_number - 1
    side = position.side.letter.upper()
    chain = position.chain
    if chain is None:
        return f"{rows} {side} - - - {turns}"
    name = position.geometry.name
    by = chain.points[-1] - chain.points[-2]
    compass = next(_COMPASS[key] for key, step in _STEPS.items() if step == by)
    visited = ",".join(name(point).upper() for point in sorted(chain.points))
    return f"{rows} {side} {name(chain.end).upper()} {compass} {visited} {turns}"


def _decode(code: str) -> Move | None:
    if re.fullmatch(r"[0-9]{1,4}", code):
        return _decode_action(int(code))
    match = _CODE.fullmatch(code)
    if match is None:
        raise NotationError(
            f"code {clipped(code)}: expected point, direction, kind and end as D2910, or 0 to 1080"
        )
    if match[4] == "1":
        return None
    return _move(_BOARD.point(match[1]), match[2], _KINDS[int(match[3])])


def _decode_action(number: int) -> Move | None:
    if number > END_ACTION:
        raise NotationError(f"action {number}: expected 0 to {END_ACTION}")
    if number == END_ACTION:
        return None
    rest, kind = divmod(number, 3)
    point, key = divmod(rest, 8)
    return _move(point, _KEYS[key], _KINDS[kind])


def _move(start: int, key: str, kind: StepKind) -> Move:
    end = start + _STEPS.get(key, 0)
    # A step over the left or right edge would land on the other side of the next row.
    if not (0 <= end < 45 and end != start and abs(end % 9 - start % 9) <= 1):
        name = _BOARD.name(start)
        raise NotationError(f"no point lies in direction {key} of {name}")
    return Move(start, end, kind)


def _encode(step: Step) -> str:
    start = _BOARD.name(step.start).upper()
    key = next(key for key, by in _STEPS.items() if by == step.end - step.start)
    return f"{start}{key}{_KINDS.index(step.kind)}0"


def _sniff(head: str) -> bool:
    """Say whether a text begins with two codes of this notation."""
    codes = head.split()[:2]
    return len(codes) == 2 and all(_CODE.fullmatch(code) for code in codes)


_CODEC = Codec(
    _decode,
    _encode,
    _END,
    end_always=True,
    parse_position=parse_position,
    format_position=format_position,
    counters=frozenset({"turn number"}),
)

FORMAT = Format("aec", "fanorona-aec's step codes, as D2910", (".aec",), read, write, _sniff)
