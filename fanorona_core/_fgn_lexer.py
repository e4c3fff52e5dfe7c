"""The words of an FGN file: tags, comments, numbers, turns, glyphs, results."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple, TextIO

from fanorona_core.annotation import MARKS, MAX_NAG
from fanorona_core.records import clipped, pieces, unescape

__all__ = ["Lexer", "Token"]

# A comment, a tag or a word without an end must not swallow a whole file into memory.
MAX_COMMENT: Final = 1 << 24
# What nine digits hold, as in a position.
_NUMBER_DIGITS: Final = 9

_RESULTS: Final = {
    "1-0": "1-0",
    "0-1": "0-1",
    "1/2-1/2": "1/2-1/2",
    "1/2": "1/2-1/2",
    "½-½": "1/2-1/2",
    "½": "1/2-1/2",
    "*": "*",
}
_TAG = re.compile(r'\[[ \t]*([^\s"\]]+)[ \t]*"((?:[^"\\\n]|\\.)*)"[ \t]*\]')
# Some programs do not escape quotes inside a value; before another tag, or at the end of a line,
# the last one counts.
_LOOSE_TAG = re.compile(
    r'\[[ \t]*([^\s"\]]+)[ \t]*"((?:(?!"[ \t]*\][ \t]*\[).)*)"[ \t]*\](?=[ \t]*(?:\[|$))',
    re.MULTILINE,
)
_BLANK = re.compile(r"\s+")
_WORD = re.compile(r"[^\s{}()\[\];$]+")
_NAG = re.compile(r"\$([0-9]*)")
_NUMBER = re.compile(r"([0-9]+)(?:\.+|…|$)[.…]*")
_MARKED = re.compile(r"([^!?]*)([!?]*)")


class Token(NamedTuple):
    """One word: its kind, its text, the line it begins in, and a second text for tags.

    Kinds: ``tag`` (name and value), ``comment``, ``number``, ``turn``, ``nag``, ``(``, ``)``,
    ``result``, and ``bad``, whose text is what is wrong. ``apart``: an empty line stands before.
    """

    kind: str
    text: str
    line: int
    value: str = ""
    apart: bool = False


class Lexer:
    r"""Splits a stream into tokens; holds one line at a time, or a part of a very long one.

    A comment without an end is given up where, after an empty line, a tag stands at the beginning
    of a line: that is the next game.

    Examples:
        >>> import io
        >>> stream = io.StringIO('[White "A"]\n\n1. d2-e3A!? {wild} 1-0')
        >>> [token.kind for token in Lexer(stream)]
        ['tag', 'number', 'turn', 'nag', 'comment', 'result']
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._waiting: list[Token] = []
        self._tokens = self._split()
        # The comment that is open: what ends it, where it began, its text so far.
        self._end = ""
        self._opened = 0
        self._parts: list[str] = []
        self._size = 0
        # The beginning of a tag or word whose end is in the next part of the line.
        self._rest = ""

    def __iter__(self) -> Iterator[Token]:
        return self

    def __next__(self) -> Token:
        return self._waiting.pop() if self._waiting else next(self._tokens)

    def push_back(self, token: Token) -> None:
        """Give a token back, to be the next one."""
        self._waiting.append(token)

    def _split(self) -> Iterator[Token]:
        apart = skip = False
        line = 1
        for line, begins, text in pieces(self._stream):
            if begins:
                skip = text.startswith("%") and not self._end
                if self._end == "\n":
                    yield self._close()
                if self._end and apart and _TAG.match(text):
                    yield self._broken()
                if not text.strip():
                    apart = True
            if not skip:
                text, self._rest = self._rest + text, ""
                for token in self._split_line(line, text, text.endswith("\n")):
                    yield token._replace(apart=True) if apart else token
                    apart = False
            if text.strip() and not self._rest:
                apart = False
        yield from self._split_line(line, self._rest, True)
        if self._end == "\n":
            yield self._close()
        elif self._end:
            yield self._broken()

    def _split_line(self, line: int, text: str, is_whole: bool) -> Iterator[Token]:
        """Split a line, or a part of one: a tag or word at its end then waits for the next part."""
        position = 0
        is_whole = is_whole or len(text) > MAX_COMMENT
        while position < len(text):
            if self._end:
                end = text.find(self._end, position)
                self._parts.append(text[position : end if end >= 0 else None])
                self._size += len(self._parts[-1])
                if self._size > MAX_COMMENT:
                    yield self._broken(f"comment of more than {MAX_COMMENT} characters")
                if end < 0:
                    return
                yield self._close()
                position = end + 1
                continue
            if blank := _BLANK.match(text, position):
                position = blank.end()
                continue
            character = text[position]
            if character in "{;":
                self._open(line, "}" if character == "{" else "\n")
                position += 1
            elif character in "()":
                yield Token(character, character, line)
                position += 1
            elif character == "[":
                tag = _TAG.match(text, position)
                if tag is None and not is_whole:
                    self._rest = text[position:]
                    return
                tag = tag or _LOOSE_TAG.match(text, position)
                if tag is None:
                    shown = clipped(text[position:].strip())
                    yield Token("bad", f'{shown} is not a tag such as [White "Ravao"]', line)
                    return
                yield Token("tag", tag[1], line, unescape(tag[2]))
                position = tag.end()
            elif character == "$":
                nag = _NAG.match(text, position)
                assert nag is not None
                if nag.end() == len(text) and not is_whole:
                    self._rest = text[position:]
                    return
                yield _nag(nag[1], line)
                position = nag.end()
            elif word := _WORD.match(text, position):
                if word.end() == len(text) and not is_whole:
                    self._rest = text[position:]
                    return
                yield from _classify(word[0], line)
                position = word.end()
            else:
                yield Token("bad", f"{character!r} closes nothing", line)
                position += 1

    def _open(self, line: int, end: str) -> None:
        self._end, self._opened = end, line
        self._parts, self._size = [], 0

    def _close(self) -> Token:
        self._end = ""
        return Token("comment", "".join(self._parts), self._opened)

    def _broken(self, reason: str = "comment without an end") -> Token:
        self._end = ""
        return Token("bad", reason, self._opened)


def _nag(digits: str, line: int) -> Token:
    if not 0 < len(digits) <= 3 or int(digits) > MAX_NAG:
        shown = clipped("$" + digits)
        return Token("bad", f"glyph {shown}: expected $ and a number up to {MAX_NAG}", line)
    return Token("nag", str(int(digits)), line)


def _classify(word: str, line: int) -> Iterator[Token]:
    result = _RESULTS.get(word.replace("–", "-").replace("—", "-"))
    if result is not None:
        yield Token("result", result, line)
        return
    number = _NUMBER.match(word)
    if number is not None:
        if len(number[1]) > _NUMBER_DIGITS:
            yield Token("bad", f"turn number {clipped(number[1])} is too large", line)
            return
        yield Token("number", str(int(number[1])), line)
        word = word[number.end() :]
    word = word.lstrip(".…")
    marked = _MARKED.fullmatch(word)
    turn, mark = (word, "") if marked is None else marked.groups()
    if turn:
        yield Token("turn", turn, line)
    if mark in MARKS:
        yield Token("nag", str(MARKS[mark]), line)
    elif mark:
        yield Token("bad", f"mark {clipped(mark)}: expected one of {' '.join(MARKS)}", line)
