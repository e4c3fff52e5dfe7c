"""Turns and nothing else, in any spelling: one game a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, TextIO

from fanorona_core.errors import ExportError, RecordError
from fanorona_core.formats._common import Format, Replay, reduced
from fanorona_core.game import Game
from fanorona_core.node import round_number
from fanorona_core.records import (
    Loss,
    ReadResult,
    Source,
    clipped,
    located,
    open_text,
    pieces,
    placed,
    settled,
)
from fanorona_core.rules import DEFAULT_RULES, RuleSet
from fanorona_core.types import Side, StepKind

__all__ = ["FORMAT", "read", "write"]

_TOKEN = re.compile(
    r"(?P<skip>[\s\-,;:>x|\u2010-\u2015\u2192]+)"
    r"|(?P<result>(?:1-0|0-1|1/2-1/2|½-½|\*)(?![\w/-]))"
    r"|(?P<number>[0-9]{1,6}(?:[.)…]+|(?=\s)))"
    r"|(?P<point>[a-o][0-9]+)"
    r"|(?P<kind>[aw])(?![0-9])",
    re.IGNORECASE,
)
_RESULTS: Final = {"½-½": "1/2-1/2"}


def read(
    source: Source, *, rules: RuleSet | None = None, strict: bool = False
) -> Iterator[ReadResult]:
    """Read the one game of a text: turns in any case, with any separators or none.

    Turn numbers may stand before turns and the result at the end; without one it is that of the
    final position. Letters may be left out where only one is possible. Where a turn ends follows
    from the board: the next point is either empty, and the stone goes on, or has a stone, and the
    other side moves. Lines that begin with # are left out. Rules are ``tsivy`` if not said.

    Raises:
        RecordError: the game could not be read, with ``strict``.

    Examples:
        >>> game = next(read("F2 E3 a d5d4, g3-f2W")).unwrap()
        >>> [str(turn) for turn in game.turns]
        ['f2-e3A', 'd5-d4A', 'g3-f2W']
    """
    return settled(_read(source, rules or DEFAULT_RULES), strict)


def _read(source: Source, rules: RuleSet) -> Iterator[ReadResult]:
    reader = _Reader(rules)
    try:
        with open_text(source) as stream:
            is_comment = False
            for line, begins, text in pieces(stream):
                is_comment = text.startswith("#") if begins else is_comment
                if not is_comment:
                    reader.take(text, line)
        with located(reader.line, reader.turn):
            reader.finish()
    except ValueError as fault:
        error = placed(fault, reader.line, reader.turn)
        error.game = 1
        partial = reader.replay.game if reader.replay.game.root.next else None
        yield ReadResult(1, reader.first or 1, None, error, partial=partial)
        return
    if reader.first:
        yield ReadResult(1, reader.first, reader.replay.game)


class _Reader:
    """Points and letters in their order, made steps."""

    def __init__(self, rules: RuleSet) -> None:
        self.replay = Replay(Game(rules))
        self.first = self.line = 0
        self.chosen: int | None = None  # the stone that moves next
        self.landing: int | None = None  # where it lands, until the kind is known
        self.result = ""

    @property
    def turn(self) -> int:
        return self.replay.start.turn_number

    def take(self, text: str, line: int) -> None:
        at = 0
        while at < len(text):
            token = _TOKEN.match(text, at)
            if token is None:
                self.line = line
                raise RecordError(f"cannot read {clipped(text[at:].strip(), 20)}", line=line)
            at = token.end()
            kind, word = token.lastgroup, token[0]
            if kind == "skip":
                continue
            self.line = line
            self.first = self.first or line
            try:
                self._take(kind, word)
            except ValueError as error:
                raise placed(error, line, self.turn) from error

    def _take(self, kind: str | None, word: str) -> None:
        if self.result:
            raise RecordError(f"text after the result: {clipped(word)}")
        if kind == "point":
            self._point(word)
        elif kind == "kind":
            self._kind(word.upper())
        else:
            self._end_turn()
            if kind == "result":
                self.result = _RESULTS.get(word, word)

    def _kind(self, letter: str) -> None:
        if self.landing is None:
            raise RecordError(f"letter {letter}: expected the point of a capture before it")
        self._land("A" if letter == "A" else "W")

    def _land(self, kind: StepKind | None) -> None:
        assert self.chosen is not None and self.landing is not None
        self.replay.step(self.chosen, self.landing, kind)
        self.chosen, self.landing = self.landing, None

    def _point(self, name: str) -> None:
        replay = self.replay
        point = replay.point(name)
        if self.landing is not None:
            self._land(None)
        if replay.begun:
            stone = replay.position.chain
            if stone is not None and stone.end == point:
                return  # the stone named once more, before it goes on
            occupied = (replay.position.white | replay.position.black) >> point & 1
            if replay.finished or occupied:
                self._end_turn()
        if self.chosen is None:
            self.chosen = point
        else:
            self.landing = point

    def _end_turn(self) -> None:
        if self.landing is not None:
            self._land(None)
        if self.replay.begun:
            self.replay.end_turn()
        elif self.chosen is not None:
            name = self.replay.start.geometry.name(self.chosen)
            raise RecordError(f"the stone on {name} does not move")
        self.chosen = None

    def finish(self) -> None:
        self._end_turn()
        game = self.replay.game
        game.result = self.result or game.decided()[0]


def write(games: Iterable[Game], stream: TextIO) -> list[Loss]:
    """Write one game as numbered turns and its result, and return what was lost.

    Raises:
        ExportError: more than one game, or another start than the usual one.

    Examples:
        >>> import sys
        >>> game = Game()
        >>> _ = game.root.add_line(["f2-e3A", "d5-d4A", "g3-f2W"])
        >>> write([game], sys.stdout)
        1. f2-e3A d5-d4A
        2. g3-f2W
        *
        []
    """
    losses: list[Loss] = []
    for number, game in enumerate(games, 1):
        if number > 1:
            raise ExportError("plain holds one game, and there is a second")
        small, losses = reduced(game, number, frozenset({"result"}), boards=None)
        lines: list[str] = []
        for node in small.mainline():
            if node.side is Side.WHITE or not lines:
                dots = "." if node.side is Side.WHITE else "..."
                lines.append(f"{round_number(node.position.turn_number - 1, node.side)}{dots}")
            lines[-1] += f" {node.turn}"
        stream.write("\n".join([*lines, small.result]) + "\n")
    return losses


def _sniff(head: str) -> bool:
    """Say whether a text begins with a turn number and a turn in canonical text."""
    return re.match(r"\s*1\. [a-o][0-9]+(-[a-o][0-9]+[AW]?)+\s", head) is not None


FORMAT = Format(
    "plain", "turns in any spelling, one game", (".txt",), read, write, _sniff, between=None
)
