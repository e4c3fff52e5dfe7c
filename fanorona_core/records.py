"""What all readers of game records share: sources of text, results, places of errors, escapes."""

from __future__ import annotations

import codecs
import io
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import NoneType
from typing import IO, Final, TextIO, cast

from fanorona_core._checks import check_kind
from fanorona_core._clipped import clipped
from fanorona_core.annotation import MAX_NAG, Evaluation
from fanorona_core.errors import ExportError, RecordError
from fanorona_core.game import Game
from fanorona_core.node import Node

__all__ = [
    "MAX_LINE",
    "Loss",
    "ReadResult",
    "Source",
    "check_notes",
    "clipped",
    "escape",
    "located",
    "one_line",
    "open_text",
    "pieces",
    "placed",
    "printable",
    "settled",
    "unescape",
]

# A text, bytes, or a stream of either; a path is not a text and must be an os.PathLike.
Source = str | bytes | os.PathLike[str] | IO[str] | IO[bytes]

# Longer lines are read in parts of this many characters, so that memory stays bounded.
MAX_LINE: Final = 1 << 20

_FALLBACK: Final = "fanorona-latin-1"


def _as_latin_1(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error(_FALLBACK, _as_latin_1)


@dataclass(frozen=True, slots=True)
class ReadResult:
    """What a reader says about one game of a file: the game, or why it cannot be read.

    ``number`` counts the games of the file from 1 and ``line`` is where this one begins. Either
    ``game`` or ``error`` is None. ``warnings`` are faults that leave no doubt about what was
    played. Of a broken game ``partial`` holds what came before the fault, if anything did: it is
    no record of the whole game.

    Examples:
        >>> ReadResult(1, 1, None, RecordError("comment without an end", line=3)).unwrap()
        Traceback (most recent call last):
        ...
        fanorona_core.errors.RecordError: line 3: comment without an end
    """

    number: int
    line: int
    game: Game | None
    error: RecordError | None = None
    warnings: tuple[str, ...] = ()
    partial: Game | None = None

    def unwrap(self) -> Game:
        """Return the game.

        Raises:
            RecordError: it could not be read; that is `error`.
        """
        if self.error is not None:
            raise self.error
        assert self.game is not None
        return self.game


@dataclass(frozen=True, slots=True)
class Loss:
    """Something of a game that a format had no place for, and how many times.

    Examples:
        >>> str(Loss(2, "comments", 3))
        'game 2: 3 comments'
        >>> str(Loss(1, "tag Annotator"))
        'game 1: tag Annotator'
    """

    game: int
    what: str
    count: int = 1

    def __str__(self) -> str:
        return f"game {self.game}: {f'{self.count} ' if self.count > 1 else ''}{self.what}"


def settled(results: Iterable[ReadResult], strict: bool) -> Iterator[ReadResult]:
    """Pass results on; where ``strict`` is set, raise the error of the first broken game.

    Raises:
        RecordError: a game could not be read, with ``strict``.
    """
    for result in results:
        if strict:
            result.unwrap()
        yield result


@contextmanager
def open_text(source: Source) -> Iterator[TextIO]:
    r"""Give a source as a stream of text; closes only what it opened itself.

    Bytes are read as UTF-8 (UTF-16 if they begin with its mark); bytes that are no UTF-8 are taken
    as Latin-1. Line ends may be those of any system, and a mark at the beginning is dropped.

    Raises:
        OSError: a path that cannot be opened.
        TypeError: anything else than a text, bytes, a path or a stream.

    Examples:
        >>> with open_text(b"\xef\xbb\xbfAndr\xe9\r\n") as stream:
        ...     stream.read()
        'André\n'
    """
    if isinstance(source, str):
        yield io.StringIO(source, newline=None)
    elif isinstance(source, bytes):
        with _decoded(io.BytesIO(source)) as stream:
            yield stream
    elif isinstance(source, os.PathLike):
        with open(source, "rb") as file, _decoded(file) as stream:
            yield stream
    elif not hasattr(source, "read"):
        raise TypeError(f"source: {type(source).__name__}, expected a text, bytes, path or stream")
    elif isinstance(source.read(0), bytes):
        with _decoded(cast("IO[bytes]", source)) as stream:
            yield stream
    else:
        yield cast("TextIO", source)


@contextmanager
def _decoded(stream: IO[bytes]) -> Iterator[TextIO]:
    """Decode without closing: the stream may belong to somebody else."""
    buffer = io.BufferedReader(_Raw(stream))
    mark = buffer.peek(2)[:2]
    encoding = "utf-16" if mark in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "utf-8-sig"
    errors = "replace" if encoding == "utf-16" else _FALLBACK
    text = io.TextIOWrapper(buffer, encoding, errors, newline=None)
    try:
        yield text
    finally:
        text.detach()


class _Raw(io.RawIOBase):
    """Any stream of bytes, also one that has only ``read``, as a raw one that never closes it."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        data = self._stream.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


def pieces(stream: TextIO) -> Iterator[tuple[int, bool, str]]:
    r"""Iterate over the lines: number, whether this is the beginning of the line, text.

    A line longer than `MAX_LINE` comes in several pieces, cut at a blank where it has one.

    Examples:
        >>> list(pieces(io.StringIO("one\ntwo")))
        [(1, True, 'one\n'), (2, True, 'two')]
    """
    line, begins, rest = 1, True, ""
    chunk = stream.readline(MAX_LINE).removeprefix("\ufeff")
    while True:
        text, rest = rest + chunk, ""
        if not text:
            return
        ends = text.endswith("\n")
        if not ends and chunk:
            cut = max(text.rfind(" "), text.rfind("\t")) + 1
            if cut:
                text, rest = text[:cut], text[cut:]
        yield line, begins, text
        begins = ends
        line += ends
        chunk = stream.readline(MAX_LINE)


@contextmanager
def located(line: int | None, turn: int | None = None) -> Iterator[None]:
    """Turn what goes wrong inside into a `RecordError` that says where.

    Raises:
        RecordError: instead of any ValueError of the library or of Python.

    Examples:
        >>> with located(7, turn=3):
        ...     int("three")
        Traceback (most recent call last):
        ...
        fanorona_core.errors.RecordError: line 7, turn 3: invalid literal for int() ...
    """
    try:
        yield
    except ValueError as error:
        raise placed(error, line, turn) from error


def check_notes(node: Node) -> None:
    """Refuse what was said about a turn and no record can hold.

    Raises:
        ExportError: a glyph that is none.
        TypeError: an ``eval`` that is no `Evaluation`: a `Score` does not say for which side it is.
    """
    for nag in node.nags:
        if type(nag) is not int or not 0 <= nag <= MAX_NAG:
            raise ExportError(f"glyph {nag!r} of {node.turn}: expected 0 to {MAX_NAG}")
    check_kind("eval", node.eval, Evaluation, NoneType)


def placed(error: ValueError, line: int | None, turn: int | None = None) -> RecordError:
    """Make an error one of a record, with its place unless it knows that better.

    Examples:
        >>> placed(ValueError("no such column"), 3)
        RecordError('no such column')
    """
    if isinstance(error, RecordError):
        error.line = line if error.line is None else error.line
        error.turn = turn if error.turn is None else error.turn
        error.reason = one_line(error.reason)
        return error
    return RecordError(one_line(str(error)), line=line, turn=turn)


_LONGEST_REASON: Final = 300
# Control characters, those that turn the direction of a line, and halves of surrogate pairs.
_UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)


def printable(text: str) -> str:
    r"""Write characters that a terminal would obey, and those that it could not show, as escapes.

    Examples:
        >>> printable("a\x1b[2Jb\n")
        'a\\u001b[2Jb\\u000a'
    """
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def one_line(text: str, length: int = _LONGEST_REASON) -> str:
    r"""Make a message one line that can be shown, and not too long.

    Examples:
        >>> one_line("rules 'a\x07' are\n not known")
        "rules 'a\\u0007' are not known"
        >>> one_line("x" * 1000, 8)
        'xxxxx...'
    """
    text = printable(" ".join(text.split()))
    return text if len(text) <= length else text[: length - 3] + "..."


# Escapes: \n for a line end, \uXXXX for anything else that a text file would not keep.
_NAMED: Final = {"\n": "n", "\\": "\\", '"': '"', "{": "(", "}": ")", "%": "%"}
_UNNAMED: Final = {name: character for character, name in _NAMED.items()}
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|.)", re.DOTALL)


def escape(text: str, special: re.Pattern[str]) -> str:
    r"""Write every character that ``special`` matches as an escape.

    Examples:
        >>> escape('say "}"\n', re.compile(r'["}\n]'))
        'say \\"\\)\\"\\n'
    """
    return special.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    character = match[0]
    return f"\\{_NAMED.get(character) or f'u{ord(character):04X}'}"


def unescape(text: str) -> str:
    r"""Undo `escape`; a backslash before anything else stands for itself.

    Examples:
        >>> unescape(r"a \(brace\), a \u00e9 and C:\games")
        'a {brace}, a é and C:\\games'
    """
    return _ESCAPE.sub(_unescaped, text) if "\\" in text else text


def _unescaped(match: re.Match[str]) -> str:
    code = match[1]
    if len(code) > 1:
        return chr(int(code[1:], 16))
    return _UNNAMED.get(code, match[0])
