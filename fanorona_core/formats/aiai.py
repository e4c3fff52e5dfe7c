"""Ai Ai's notation, as in ``f2-e3x`` and ``xg3-f2|f2-f3x|Pass``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TextIO

from fanorona_core._geometry import geometry
from fanorona_core._turn import Step
from fanorona_core.errors import NotationError
from fanorona_core.formats._codes import Codec, Move, read_codes, write_codes
from fanorona_core.formats._common import Format
from fanorona_core.game import Game
from fanorona_core.records import Loss, ReadResult, Source, clipped, settled
from fanorona_core.rules import RuleSet
from fanorona_core.types import StepKind

__all__ = ["FORMAT", "read", "write"]

_CODE = re.compile(r"(x?)([a-i][1-5])-([a-i][1-5])(x?)", re.IGNORECASE)


def read(
    source: Source, *, rules: RuleSet | None = None, strict: bool = False
) -> Iterator[ReadResult]:
    """Iterate over games; an empty line stands between two.

    Turns may stand in lines of their own or not; ``Pass`` must stand where a chain was ended that
    could have gone on, else there is a warning. The result is that of the final position.

    Raises:
        RecordError: a game could not be read, with ``strict``.

    Examples:
        >>> game = next(read("f2-e3x d5-d4x xg3-f2")).unwrap()
        >>> [str(turn) for turn in game.turns]
        ['f2-e3A', 'd5-d4A', 'g3-f2W']
    """
    return settled(read_codes(source, _CODEC, rules), strict)


def write(games: Iterable[Game], stream: TextIO) -> list[Loss]:
    """Write games, a turn a line, and return what was lost.

    Raises:
        ExportError: another board than 9x5, another start, or a game without turns.

    Examples:
        >>> import sys
        >>> game = Game()
        >>> _ = game.root.add_variation("f2-e3A")
        >>> write([game], sys.stdout)
        f2-e3x
        []
    """
    return write_codes(games, stream, _CODEC)


def _decode(code: str) -> Move | None:
    if code.lower() == "pass":
        return None
    match = _CODE.fullmatch(code)
    if match is None or (match[1] and match[4]):
        raise NotationError(f"step {clipped(code)}: expected f2-e3x, xg3-f2, c3-b4 or Pass")
    kind: StepKind = "W" if match[1] else "A" if match[4] else ""
    point = geometry(9, 5).point
    return Move(point(match[2]), point(match[3]), kind)


def _encode(step: Step) -> str:
    text = str(step).rstrip("AW")
    return f"x{text}" if step.kind == "W" else f"{text}x" if step.kind else text


def _sniff(head: str) -> bool:
    """Say whether a text has a withdrawal or an approach of this notation first."""
    codes = re.split(r"[\s,;|]+", head.strip(), maxsplit=1)
    match = _CODE.fullmatch(codes[0])
    return match is not None and bool(match[1]) != bool(match[4])


_CODEC = Codec(_decode, _encode, "Pass", end_always=False, joiner="|")

FORMAT = Format("aiai", "Ai Ai's steps, as f2-e3x|Pass", (".aiai",), read, write, _sniff)
