"""Game records of other programs, and of this one: readers and writers by name."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import PurePath
from types import MappingProxyType
from typing import IO, Final, TextIO, cast

from fanorona_core import fgn
from fanorona_core._checks import check_kind
from fanorona_core._files import replaced
from fanorona_core.errors import NotationError
from fanorona_core.formats import abstractplay, aec, aiai, boardspace, jsonio, plain, rust
from fanorona_core.formats._common import Format
from fanorona_core.game import Game
from fanorona_core.records import Loss, ReadResult, Source, clipped, open_text
from fanorona_core.rules import RuleSet

__all__ = ["FORMATS", "Format", "Loss", "ReadResult", "guess_format", "read_games", "write_games"]

# As much of a file as is looked at to guess its format.
_HEAD: Final = 4096


def _sniff(head: str) -> bool:
    """Say whether a text begins with a tag."""
    return re.match(r'\s*\[[A-Z][A-Za-z]* "', head) is not None


_FGN = Format(
    "fgn",
    "our own record format, like chess PGN",
    (".fgn",),
    fgn.read,
    fgn.write,
    _sniff,
)

FORMATS: Final[Mapping[str, Format]] = MappingProxyType(
    {
        module.name: module
        for module in (
            _FGN,
            jsonio.FORMAT,
            boardspace.FORMAT,
            abstractplay.FORMAT,
            aiai.FORMAT,
            aec.FORMAT,
            rust.FORMAT,
            plain.FORMAT,
        )
    }
)


def format_named(name: str) -> Format:
    """Return a format by its name, in any case.

    Raises:
        NotationError: there is no such format; the text lists those there are.

    Examples:
        >>> format_named("FGN").extensions
        ('.fgn',)
        >>> format_named("pgn")
        Traceback (most recent call last):
        ...
        fanorona_core.errors.NotationError: format 'pgn' is not known: expected one of fgn, ...
    """
    check_kind("format", name, str)
    found = FORMATS.get(name.lower())
    if found is None:
        raise NotationError(
            f"format {clipped(name)} is not known: expected one of {', '.join(FORMATS)}"
        )
    return found


def guess_format(head: str, filename: str | None = None) -> str | None:
    """Return the name of the format that a text surely begins with, or None.

    Looked at are what stands at the beginning and, where that says nothing, the end of the file's
    name. Nothing is guessed from rows of a board: formats differ in which comes first.

    Examples:
        >>> guess_format('[Event "?"]')
        'fgn'
        >>> guess_format("", "games.sgf")
        'boardspace'
        >>> guess_format("d2-e3A", "games.json") is None
        True
    """
    suffix = "" if filename is None else PurePath(filename).suffix.lower()
    fitting = [name for name, item in FORMATS.items() if item.sniff(head)]
    if fitting == ["plain"] and suffix in FORMATS["fgn"].extensions:
        return "fgn"  # games without tags look alike in both, but FGN may hold several
    if not fitting and suffix:
        fitting = [name for name, item in FORMATS.items() if suffix in item.extensions]
    return fitting[0] if len(fitting) == 1 else None


def read_games(
    source: os.PathLike[str] | IO[str] | IO[bytes] | str,
    format: str | None = None,
    *,
    rules: RuleSet | None = None,
    strict: bool = False,
) -> Iterator[ReadResult]:
    """Iterate over the games of a file, named by its path, or of a stream.

    Without ``format`` it is guessed; see `guess_format`. ``rules`` are those of formats that have
    no place for rules. With ``strict`` the error of the first broken game is raised.

    Raises:
        NotationError: the format is not known, or cannot be told.
        RecordError: a game could not be read, with ``strict``.
        OSError: the file cannot be opened.

    Examples:
        >>> stream = io.StringIO("1. f2-e3A d5-d4A")
        >>> [result.game for result in read_games(stream, "plain")]
        [<Game ? - ?, 2 turns, *>]
    """
    opened: Source = PurePath(source) if isinstance(source, str) else source
    name = str(opened) if isinstance(opened, os.PathLike) else getattr(opened, "name", None)
    with ExitStack() as stack:
        stream = stack.enter_context(open_text(opened))
        if format is None:
            head = stream.read(_HEAD)
            if not head.removeprefix("\ufeff").strip() and len(head) < _HEAD:
                return  # no games, whatever the format
            filename = name if isinstance(name, str) else None
            format = guess_format(head.removeprefix("\ufeff"), filename)
            if format is None:
                raise _untold()
            stream = cast("TextIO", _Rejoined(head, stream))
        found = format_named(format)
        options = {} if found.name in _WITH_RULES else {"rules": rules}
        yield from found.read(stream, strict=strict, **options)


# These write their rules themselves.
_WITH_RULES: Final = ("fgn", "json")


def _untold(filename: str | None = None) -> NotationError:
    where = "" if filename is None else f" of {clipped(filename)}"
    return NotationError(f"the format{where} cannot be told: name one of {', '.join(FORMATS)}")


class _Rejoined(io.TextIOBase):
    """Text that was read already, and the stream it came from."""

    def __init__(self, head: str, rest: TextIO) -> None:
        self._head = io.StringIO(head)
        self._rest = rest

    def readable(self) -> bool:
        """Say that this can be read."""
        return True

    def read(self, size: int | None = -1, /) -> str:
        """Read characters, fewer than asked for where the two parts meet."""
        return self._head.read(size) or self._rest.read(-1 if size is None else size)

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        """Read a line."""
        line = self._head.readline(size)
        if line.endswith("\n") or len(line) == size:
            return line
        return line + self._rest.readline(size if size < 0 else size - len(line))


def write_games(
    games: Iterable[Game], target: os.PathLike[str] | TextIO | str, format: str | None = None
) -> list[Loss]:
    r"""Write games to a file, named by its path, or to a stream; return what the format lost.

    Without ``format`` it follows from the end of the file's name.

    Raises:
        ExportError: the format has no way to express a game; a file stays as it was.
        NotationError: the format is not known, or cannot be told.
        OSError: the file cannot be written.

    Examples:
        >>> game = Game(tags={"Annotator": "Rabe"})
        >>> _ = game.root.add_line(["f2-e3A", "d5-d4A"])
        >>> stream = io.StringIO()
        >>> [str(loss) for loss in write_games([game], stream, "aiai")]
        ['game 1: tag Annotator']
        >>> stream.getvalue()
        'f2-e3x\nd5-d4x|Pass\n'
    """
    path = os.fspath(target) if isinstance(target, str | os.PathLike) else None
    if format is None:
        format = guess_format("", path)
        if format is None:
            raise _untold(path)
    found = format_named(format)
    if path is None:
        return found.write(games, cast("TextIO", target))
    with replaced(path) as file:
        # For writing only: detached at the end, it does not close what it did not open.
        stream = io.TextIOWrapper(file, "utf-8", newline="\n")
        try:
            return found.write(games, stream)
        finally:
            stream.detach()
