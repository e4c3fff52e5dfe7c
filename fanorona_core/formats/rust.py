"""The Rust crate rust-fanorona: step codes as D2NEF, and board texts."""

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

__all__ = ["FORMAT", "format_position", "parse_position", "read", "write"]

_BOARD: Final = geometry(9, 5)
_CODE = re.compile(r"([a-i][1-5])(NW|NE|SW|SE|N|S|E|W)([FB]?)", re.IGNORECASE)
_STEPS: Final = {"N": 9, "S": -9, "E": 1, "W": -1, "NE": 10, "NW": 8, "SE": -8, "SW": -10}
# Forward is by approach, backward by withdrawal.
_KINDS: Final[dict[str, StepKind | None]] = {"F": "A", "B": "W", "": None}
_LETTERS: Final = {"A": "F", "W": "B", "": ""}


def read(
    source: Source, *, rules: RuleSet | None = None, strict: bool = False
) -> Iterator[ReadResult]:
    """Iterate over games: codes as D2NEF, an empty line between two games.

    A game may begin with a board text in a line of its own. F and B may be left out where only
    one is possible; every capturing turn must end with X, else there is a warning.

    Raises:
        RecordError: a game could not be read, with ``strict``.

    Examples:
        >>> game = next(read("F2NWF X D5SF X")).unwrap()
        >>> [str(turn) for turn in game.turns]
        ['f2-e3A', 'd5-d4A']
    """
    return settled(read_codes(source, _CODEC, rules), strict)


def write(games: Iterable[Game], stream: TextIO) -> list[Loss]:
    """Write games, a turn a line, and return what was lost.

    Raises:
        ExportError: another board than 9x5.

    Examples:
        >>> import sys
        >>> game = Game()
        >>> _ = game.root.add_variation("f2-e3A")
        >>> write([game], sys.stdout)
        F2NWF X
        []
    """
    return write_codes(games, stream, _CODEC)


def parse_position(text: str, rules: RuleSet = DEFAULT_RULES) -> Position:
    """Read a board text: rows from row 1, side, visited points, last capture.

    Quiet counter and turn number are not in it and become 0 and 1.

    Raises:
        NotationError: a field is malformed, or the chain in progress does not follow from it.
        InvalidPositionError: the stones are not those of a 9x5 board.

    Examples:
        >>> parse_position("W8/9/9/9/8B W - -").text()
        '8b/9/9/9/w8 w - 0 1 tsivy'
    """
    check_kind("board", text, str)
    fields = text.split()
    if len(fields) != 4:
        raise NotationError(
            f"board {clipped(text)} has {len(fields)} fields, expected rows, side, visited points "
            "and last capture"
        )
    rows, side, visited, last = fields
    white, black = parse_rows(rows)
    position = Position(white, black, Side.from_letter(side), rules)
    if "-" in (visited, last):
        if (visited, last) != ("-", "-"):
            raise NotationError(f"board {clipped(text)}: a chain needs both points and capture")
        return position
    move = _decode(last)
    if move is None:
        raise NotationError(f"last capture {clipped(last)}: expected a step as D2NEF")
    # Here the point that the stone stands on does not count as visited.
    points = frozenset([*map(_BOARD.point, visited.split(",")), move.end])
    return told_chain(position, points, (move.start, move.end), move.kind)


def format_position(position: Position) -> str:
    """Write a board text; counters and rules have no place in it.

    Raises:
        ExportError: another board than 9x5.

    Examples:
        >>> format_position(Position.start())
        'WWWWWWWWW/WWWWWWWWW/BWBW1BWBW/BBBBBBBBB/BBBBBBBBB W - -'
    """
    text = f"{format_rows(position)} {position.side.letter.upper()}"
    chain = position.chain
    if chain is None:
        return f"{text} - -"
    name = position.geometry.name
    visited = ",".join(name(point).upper() for point in sorted(chain.points[:-1]))
    last = Step(chain.points[-2], chain.points[-1], chain.kinds[-1], 0, 9)
    return f"{text} {visited} {_encode(last)}"


def _decode(code: str) -> Move | None:
    if code.upper() == "X":
        return None
    match = _CODE.fullmatch(code)
    if match is None:
        raise NotationError(
            f"code {clipped(code)}: expected point, direction, F or B as D2NEF, or X"
        )
    start, direction, kind = _BOARD.point(match[1]), match[2].upper(), match[3].upper()
    end = start + _STEPS[direction]
    # A step over the left or right edge would land on the other side of the next row.
    if not (0 <= end < 45 and abs(end % 9 - start % 9) <= 1):
        raise NotationError(f"no point lies {direction} of {match[1].lower()}")
    return Move(start, end, _KINDS[kind])


def _encode(step: Step) -> str:
    start = _BOARD.name(step.start).upper()
    direction = next(name for name, by in _STEPS.items() if by == step.end - step.start)
    return f"{start}{direction}{_LETTERS[step.kind]}"


def _sniff(head: str) -> bool:
    """Say whether a text begins with two codes of this notation."""
    codes = head.split()[:2]
    return (
        len(codes) == 2
        and _CODE.fullmatch(codes[0]) is not None
        and (codes[1].upper() == "X" or _CODE.fullmatch(codes[1]) is not None)
    )


_CODEC = Codec(
    _decode,
    _encode,
    "X",
    end_always=True,
    parse_position=parse_position,
    format_position=format_position,
)

FORMAT = Format("rust", "rust-fanorona's step codes, as D2NEF", (".rust",), read, write, _sniff)
