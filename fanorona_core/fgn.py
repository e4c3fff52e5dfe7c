"""FGN, the record format of this library: chess PGN with turns of Fanorona; see docs/fgn.md."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, TextIO

from fanorona_core._fgn_reader import games_in
from fanorona_core.annotation import MARKS, format_duration
from fanorona_core.errors import ExportError, RecordError
from fanorona_core.game import Game
from fanorona_core.node import Node
from fanorona_core.position import Position
from fanorona_core.records import Loss, ReadResult, Source, check_notes, escape, settled
from fanorona_core.rules import RuleSet
from fanorona_core.types import Side

__all__ = ["format_game", "parse_game", "read", "write"]

WIDTH: Final = 80

_MARK_OF: Final = {nag: mark for mark, nag in MARKS.items()}
# What a file would not keep: control characters, halves of surrogate pairs.
_CONTROL: Final = "\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff"
_IN_TAG = re.compile(rf'[\\"{_CONTROL}]')
# In a comment also braces, what would begin a command, and blanks that filling would lose.
_IN_COMMENT = re.compile(rf"[\\{{}}{_CONTROL}]|(?<=\[)%|(?<= ) |\A | \Z")
_IN_COMMAND = re.compile(rf"[\\{{}}\]{_CONTROL}]|(?<= ) |\A | \Z")
_COMMAND_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def read(source: Source, *, strict: bool = False) -> Iterator[ReadResult]:
    """Iterate over the games of a file, a stream or a text, one at a time, at any size.

    A ``str`` is the text itself; a file is named by a ``Path``, or read by
    ``formats.read_games``, which takes a ``str`` for its name. A broken game gives a result with
    its error and without a game, and does not touch the others. With ``strict`` its error is
    raised instead.

    Raises:
        RecordError: a game could not be read, with ``strict``.
        OSError: the file could not be opened.

    Examples:
        >>> for result in read("1. d2-e3A d3-d4A *  1. e2-e3A *"):
        ...     print(result.game or result.error)
        line 1, game 1, turn 2: turn 'd3-d4A': the stone on d3 belongs to White
        <Game ? - ?, 1 turn, *>
    """
    return settled(games_in(source), strict)


def parse_game(text: str) -> Game:
    """Read a text that holds one game.

    Raises:
        RecordError: the text holds no game, several, or a broken one.

    Examples:
        >>> str(parse_game("1. f2-e3A! *").turns[0])
        'f2-e3A'
    """
    results = read(text)
    result = next(results, None)
    if result is None:
        raise RecordError("no game in the text")
    game = result.unwrap()
    if (other := next(results, None)) is not None:
        raise RecordError("more than one game in the text", line=other.line, game=2)
    return game


def write(games: Iterable[Game], stream: TextIO) -> list[Loss]:
    """Write games one after the other and return what was lost.

    FGN carries everything but glyphs of the initial position and a comment before it.

    Raises:
        ExportError: a glyph or command that no record can hold.
        TypeError: an evaluation or a time of another kind.

    Examples:
        >>> import sys
        >>> game = Game(tags={"White": "Ravao", "Black": "Rabe"}, result="1-0")
        >>> _ = game.root.add_line(["f2-e3A", "d5-d4A"])
        >>> _ = write([game], sys.stdout)
        [Event "?"]
        [Site "?"]
        [Date "????.??.??"]
        [Round "?"]
        [White "Ravao"]
        [Black "Rabe"]
        [Result "1-0"]
        [Variant "Fanoron-Tsivy"]
        [Rules "tsivy"]
        [PlyCount "2"]
        <BLANKLINE>
        1. f2-e3A d5-d4A 1-0
    """
    losses: list[Loss] = []
    for number, game in enumerate(games, 1):
        if number > 1:
            stream.write("\n")
        stream.write(format_game(game))
        losses += _losses(game.root, number)
    return losses


def _losses(root: Node, number: int) -> Iterator[Loss]:
    """What stands before a turn or marks it has no place where there is no turn."""
    if root.nags:
        yield Loss(number, "glyphs", len(root.nags))
    if root.comment_before:
        yield Loss(number, "comments before turns")


def format_game(game: Game) -> str:
    """Write one game as text, at most 80 columns wide where words and values allow.

    What `write` would say is lost is left out.

    Raises:
        ExportError: a glyph or command that no record can hold.
        TypeError: an evaluation or a time of another kind.

    Examples:
        >>> print(format_game(parse_game("f2e3 {as usual} *")).splitlines()[-1])
        1. f2-e3A {as usual} *
    """
    lines = [f'[{name} "{escape(value, _IN_TAG)}"]' for name, value in _tags(game)]
    return "\n".join([*lines, "", *_filled(_words(game)), ""])


def _tags(game: Game) -> Iterator[tuple[str, str]]:
    tags = list(game.tags.items())
    yield from tags[:6]  # the roster
    yield "Result", game.result
    yield "Variant", variant_name(game.rules)
    yield "Rules", str(game.rules)
    if game.initial != Position.start(game.rules):
        yield "SetUp", "1"
        yield "FEN", game.initial.text().rpartition(" ")[0]
    yield "PlyCount", str(len(game))
    if game.termination is not None:
        yield "Termination", str(game.termination)
    yield from tags[6:]


def variant_name(rules: RuleSet) -> str:
    """Return what the tag Variant says: the traditional name of a board, or its size.

    Examples:
        >>> variant_name(RuleSet(columns=7, rows=5))
        'Fanorona 7x5'
    """
    return rules.variant or f"Fanorona {rules.columns}x{rules.rows}"


def _filled(words: Iterable[str]) -> Iterator[str]:
    line = ""
    for part in _unbroken(words):
        if line and len(line) + 1 + len(part) > WIDTH:
            yield line
            line = ""
        line = f"{line} {part}" if line else part
    yield line


def _unbroken(words: Iterable[str]) -> Iterator[str]:
    """Join to each word those behind it that may not begin a line."""
    part = ""
    for word in words:
        # A line must not begin like an escape or a tag, also not inside a comment.
        if part and word[:1] not in ("%", "["):
            yield part
            part = word
        else:
            part = f"{part} {word}" if part else word
    yield part


class _Branch:
    """The beginning of a variation, on the way through the tree."""

    def __init__(self, node: Node) -> None:
        self.node = node


def _words(game: Game) -> Iterator[str]:
    """Iterate over the words; a stack takes the place of recursion, so any depth will do."""
    check_notes(game.root)
    yield from _comment(game.root, game.root.comment)
    numbered = True  # the next turn of Black needs its number
    stack: list[Node | _Branch | None] = [game.root]
    while stack:
        item = stack.pop()
        if item is None:
            yield ")"
            numbered = True
        elif isinstance(item, _Branch):
            yield "("
            yield from _turn(item.node, True)
            numbered = _is_commented(item.node)
            stack.append(item.node)
        elif item.next is not None:
            main, *others = item.variations
            yield from _turn(main, numbered)
            numbered = _is_commented(main) or bool(others)
            stack.append(main)
            for other in reversed(others):
                stack += [None, _Branch(other)]
    yield game.result


def _is_commented(node: Node) -> bool:
    return next(_comment(node, node.comment), None) is not None


def _turn(node: Node, numbered: bool) -> Iterator[str]:
    if node.side is Side.WHITE:
        yield f"{node.round}."
    elif numbered or node.comment_before:
        yield f"{node.round}..."
    yield from _braced(_comment_words(node.comment_before))
    check_notes(node)
    nags = list(node.nags)
    mark = _MARK_OF[nags.pop(0)] if nags and nags[0] in _MARK_OF else ""
    yield f"{node.turn}{mark}"
    yield from (f"${nag}" for nag in nags)
    yield from _comment(node, node.comment)


def _comment(node: Node, text: str) -> Iterator[str]:
    return _braced([*_commands(node), *_comment_words(text)])


def _commands(node: Node) -> Iterator[str]:
    commands = [
        ("eval", None if node.eval is None else str(node.eval)),
        ("clk", None if node.clock is None else format_duration(node.clock)),
        ("emt", None if node.elapsed is None else format_duration(node.elapsed)),
        *node.commands,
    ]
    for name, value in commands:
        if _COMMAND_NAME.fullmatch(name) is None:
            raise ExportError(f"command {name!r} of {node.turn}: expected letters as the name")
        if value is not None:
            yield from f"[%{name} {escape(value, _IN_COMMAND)}]".split(" ")


def _comment_words(text: str) -> list[str]:
    return escape(text, _IN_COMMENT).split(" ") if text else []


def _braced(words: list[str]) -> Iterator[str]:
    if words:
        words[0] = "{" + words[0]
        words[-1] += "}"
    return iter(words)
