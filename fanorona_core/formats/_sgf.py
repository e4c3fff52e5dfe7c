"""Games of an SGF-like stream: nodes of properties, and branches between parentheses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple, TextIO

from fanorona_core.errors import RecordError
from fanorona_core.records import clipped, pieces

__all__ = ["SgfGame", "Word", "games", "quoted", "storable"]

# A value or a name without an end must not swallow a whole file into memory.
MAX_VALUE: Final = 1 << 24
MAX_NAME: Final = 255
# The site writes no branches at all.
MAX_DEPTH: Final = 2000

_SKIP = re.compile(r"\s+")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_VALUE = re.compile(r"[^\]\\]+|\\.", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


class Word(NamedTuple):
    """``(``, ``)`` or ``;``, or a property with one value; ``bad`` says what is wrong."""

    kind: str
    line: int
    text: str = ""


class SgfGame(NamedTuple):
    """All words of one game, and the first fault in them."""

    line: int
    words: list[Word]
    error: RecordError | None


def games(stream: TextIO) -> Iterator[SgfGame]:
    r"""Iterate over the games of a stream, broken ones included.

    A game ends with its last parenthesis, or where another one begins: with ``(;`` at the
    beginning of a line, and the property GM.

    Examples:
        >>> import io
        >>> [[word.kind for word in game.words] for game in games(io.StringIO("(;GM[x] P0[1])"))]
        [['(', ';', 'GM', 'P0', ')']]
    """
    words: list[Word] = []
    depth, error = 0, None
    limit: int | None = None  # as many words are kept of a game that is too deep
    for word in _words(stream):
        if word.kind == "bad":
            error = error or RecordError(word.text, line=word.line)
            if depth:
                continue
        elif word.kind == "GM" and len(words) > 2 and [w.kind for w in words[-2:]] == ["(", ";"]:
            last = words[:-2][:limit]
            yield SgfGame(last[0].line, last, error or _open_end(last[0].line))
            words, error, depth, limit = [*words[-2:], word], None, 1, None
            continue
        elif depth or word.kind == "(":
            if not depth and error is not None:
                yield SgfGame(error.line or 1, [], error)
                error = None
            words.append(word)
            depth += {"(": 1, ")": -1}.get(word.kind, 0)
            if depth > MAX_DEPTH and limit is None:
                error = error or RecordError(
                    f"more than {MAX_DEPTH} branches inside each other", line=word.line
                )
                limit = len(words)
            if limit is not None:
                del words[limit:-2]  # but for what may begin the next game
        elif error is None:
            shown = clipped(word.kind + (f"[{word.text}]" if word.text else ""))
            error = RecordError(f"{shown} outside a game, expected (;", line=word.line)
        if not depth and words:
            yield SgfGame(words[0].line, words[:limit], error)
            words, error, limit = [], None, None
    if words:
        yield SgfGame(words[0].line, words[:limit], error or _open_end(words[0].line))
    elif error is not None:
        yield SgfGame(error.line or 1, [], error)


def _open_end(line: int) -> RecordError:
    return RecordError("game without an end, expected )", line=line)


def _words(stream: TextIO) -> Iterator[Word]:
    name, idle = "", False  # the property, and whether it still has no value
    value: list[str] | None = None  # the parts of the value that is open
    line, opened, size = 1, 0, 0
    rest = ""  # what ends in the next part of a very long line
    for line, begins, text in pieces(stream):
        text, rest, at = rest + text, "", 0
        if value is not None and begins and text.startswith("(;"):
            yield Word("bad", opened, f"value of {clipped(name, 20)} without an end")
            value = None
        while at < len(text):
            if value is not None:
                if text[at] == "]":
                    yield Word(name, opened, unescaped("".join(value)))
                    value = None
                    at += 1
                    continue
                if text[at:] == "\\":
                    rest = "\\"
                    break
                part = _VALUE.match(text, at)
                assert part is not None
                value.append(part[0])
                size += len(part[0])
                at = part.end()
                if size > MAX_VALUE:
                    yield Word("bad", opened, f"value of more than {MAX_VALUE} characters")
                    value = None
            elif skipped := _SKIP.match(text, at):
                at = skipped.end()
            elif text[at] == "[" and name:
                value, opened, size, idle = [], line, 0, False
                at += 1
            elif idle:
                yield Word("bad", line, f"property {clipped(name, 20)} without a value")
                name, idle = "", False
            elif text[at] in "();":
                yield Word(text[at], line)
                name = ""
                at += 1
            elif found := _NAME.match(text, at):
                at = found.end()
                if at == len(text) and at - found.start() <= MAX_NAME:
                    rest = found[0]
                    break
                name, idle = found[0], True
            else:
                yield Word("bad", line, f"cannot read {clipped(text[at:].strip(), 20)}")
                break
    if value is not None:
        yield Word("bad", opened, f"value of {clipped(name, 20)} without an end")
    elif idle or rest:
        name = rest or name
        yield Word("bad", line, f"property {clipped(name, 20)} without a value")


def unescaped(text: str) -> str:
    r"""Take the backslashes out of a value.

    Examples:
        >>> unescaped(r"a \] and a \\")
        'a ] and a \\'
    """
    return _ESCAPED.sub(r"\1", text)


def storable(text: str) -> tuple[str, int]:
    r"""Make a text one that a file keeps: with one kind of line end, and no half characters.

    Returns it and how many characters were changed.

    Examples:
        >>> storable("a\r\nb\rc")
        ('a\nb\nc', 2)
    """
    text, ends = re.subn("\r\n?", "\n", text)
    text, halves = re.subn("[\ud800-\udfff]", "\ufffd", text)
    return text, ends + halves


def quoted(text: str) -> str:
    r"""Write a value so that it may stand between brackets.

    Examples:
        >>> quoted("a ]")
        'a \\]'
    """
    text = storable(text)[0].replace("\\", "\\\\").replace("]", "\\]")
    # At the beginning of a line this would look like the next game.
    return text.replace("\n(;", "\n\\(;")
