"""Objects of a stream of JSON, one at a time: in an array, in lines, or one after the other."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Final, TextIO, TypeVar

from fanorona_core.errors import RecordError
from fanorona_core.game import Game
from fanorona_core.records import ReadResult, Source, clipped, open_text, pieces, placed

__all__ = ["Fields", "dumps", "objects", "read_objects"]

# A record without an end must not swallow a whole file into memory.
MAX_OBJECT: Final = 1 << 24

T = TypeVar("T")

_MARKS = re.compile(r'["\\{}\[\]\n]')
_BETWEEN = re.compile(r"[\s,\[\]]+")
# What a record of either format begins with: found inside another, that one has no end.
_BEGINNING = re.compile(r'\{\s*"(?:format|header)"|\{\s*$')
_UNSAFE = re.compile("[\ud800-\udfff\u2028\u2029\x7f-\x9f]")


def objects(stream: TextIO) -> Iterator[tuple[int, str | RecordError]]:
    r"""Iterate over the texts of the objects of a stream, with the lines that they begin in.

    An object that is broken off gives an error, and the next one is found where a record begins
    at the beginning of a line.

    Examples:
        >>> import io
        >>> list(objects(io.StringIO('[{"a": 1},\n{}]')))
        [(1, '{"a": 1}'), (2, '{}')]
    """
    scanner = _Scanner()
    for line, begins, text in pieces(stream):
        yield from scanner.scan(line, begins, text)
    if scanner.depth:
        yield scanner.broken("an object without an end")


class _Scanner:
    def __init__(self) -> None:
        self.depth = 0
        self.first = 0
        self.parts: list[str] = []
        self.size = 0
        self.quoted = self.skipping = False
        self.escaped = False  # a backslash stood at the end of a part of a long line
        self.indented = False  # the object is written over lines that begin with blanks

    def broken(self, reason: str) -> tuple[int, RecordError]:
        self.depth = 0
        return self.first, RecordError(reason, line=self.first)

    def scan(self, line: int, begins: bool, text: str) -> Iterator[tuple[int, str | RecordError]]:
        at = 0
        if begins and (self.depth or self.skipping):
            if self.depth and line == self.first + 1:
                self.indented = text[:1] in (" ", "\t")
            found = _BEGINNING.match(text)
            if found and (self.indented or found[0].strip() != "{"):
                if self.depth:
                    yield self.broken("an object without an end")
                self.skipping = False
        while at < len(text) and not self.skipping:
            if not self.depth:
                if between := _BETWEEN.match(text, at):
                    at = between.end()
                    continue
                if text[at] != "{":
                    shown = clipped(text[at:].strip())
                    yield line, RecordError(f"{shown}: expected a JSON object", line=line)
                    self.skipping = True
                    return
                self.first, self.parts, self.size = line, [], 0
                self.quoted = self.indented = self.escaped = False
            end = self._object_end(text, at)
            self.parts.append(text[at:end])
            self.size += end - at
            at = end
            if not self.depth:
                yield self.first, "".join(self.parts)
            elif self.quoted and text.endswith("\n"):
                yield self.broken("a text over the end of a line")
                self.skipping = True
            elif self.size > MAX_OBJECT:
                yield self.broken(f"an object of more than {MAX_OBJECT} characters")
                self.skipping = True

    def _object_end(self, text: str, at: int) -> int:
        """Follow brackets and quotes up to the end of the object, or of the text."""
        if self.escaped:
            at, self.escaped = at + 1, False
        while found := _MARKS.search(text, at):
            at = found.end()
            mark = found[0]
            if self.quoted:
                if mark == "\\":
                    self.escaped = at == len(text)
                    at += 1
                elif mark == '"':
                    self.quoted = False
                elif mark == "\n":
                    return at
            elif mark == '"':
                self.quoted = True
            elif mark in "{[":
                self.depth += 1
            elif mark in "}]":
                self.depth -= 1
                if not self.depth:
                    return at
        return len(text)


def read_objects(
    source: Source, parse: Callable[[Fields, list[str]], Game]
) -> Iterator[ReadResult]:
    """Read a file whose games are JSON objects; ``parse`` makes a game and may add warnings."""
    with open_text(source) as stream:
        for number, (line, text) in enumerate(objects(stream), 1):
            warnings: list[str] = []
            try:
                if isinstance(text, RecordError):
                    raise text
                game = parse(Fields(_loaded(text, line), "the record"), warnings)
            except ValueError as fault:
                error = placed(fault, line)
                error.game = number
                yield ReadResult(number, line, None, error, tuple(warnings))
            else:
                yield ReadResult(number, line, game, None, tuple(warnings))


def _loaded(text: str, line: int) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        reason = f"not JSON: {error.msg}"
        raise RecordError(reason, line=line + error.lineno - 1) from error
    except RecursionError as error:
        raise RecordError("not a record: nested too deep", line=line) from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of its fields, none of which may be there twice: which one counts is open.

    Raises:
        RecordError: a key is there twice.
    """
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise RecordError(f"key {clipped(key)} is there twice in one object")
        found[key] = value
    return found


def dumps(value: Any) -> str:
    """Write a value in one line of JSON that any text file can hold."""
    text = json.dumps(value, ensure_ascii=False)
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


class Fields:
    """A JSON object whose fields are taken with the type that they must have.

    Examples:
        >>> Fields({"line": "3"}, "the record").take("line", int)
        Traceback (most recent call last):
        ...
        fanorona_core.errors.RecordError: line of the record is '3', expected a whole number
    """

    _NAMES: Final[dict[type, str]] = {
        str: "a text",
        int: "a whole number",
        bool: "true or false",
        list: "a list",
        dict: "an object",
    }

    def __init__(self, value: object, name: str) -> None:
        if not isinstance(value, dict):
            raise RecordError(f"{name} is {clipped(value)}, expected an object")
        self.name = name
        self._rest: dict[str, Any] = dict(value)

    def find(self, key: str, kind: type[T]) -> T | None:
        """Take a field out, or None if it is missing or null.

        Raises:
            RecordError: it is of another type.
        """
        value: T | None = self._rest.pop(key, None)
        # In Python a bool is a number too, in JSON it is not.
        if value is None or (isinstance(value, kind) and isinstance(value, bool) == (kind is bool)):
            return value
        raise RecordError(f"{key} of {self.name} is {clipped(value)}, expected {self._NAMES[kind]}")

    def take(self, key: str, kind: type[T]) -> T:
        """Take a field out that must be there.

        Raises:
            RecordError: it is missing, or of another type.
        """
        value = self.find(key, kind)
        if value is None:
            raise RecordError(f"{self.name} has no {key}, expected {self._NAMES[kind]}")
        return value

    def any(self, key: str) -> object:
        """Take a field out whatever it is, or None if it is missing."""
        value: object = self._rest.pop(key, None)
        return value

    def rest(self) -> list[str]:
        """Return the keys that nobody has taken."""
        return list(self._rest)
