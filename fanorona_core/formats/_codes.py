"""Formats that write a game as codes, one a step: what they differ in is a `Codec`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple, TextIO

from fanorona_core._checks import check_kind
from fanorona_core._turn import Step, Turn
from fanorona_core.errors import ExportError, InvalidPositionError, NotationError
from fanorona_core.formats._common import Paragraph, Replay, read_each, reduced, steps_of
from fanorona_core.game import Game
from fanorona_core.position import Position
from fanorona_core.records import Loss, ReadResult, Source, clipped, located, placed
from fanorona_core.rules import DEFAULT_RULES, RuleSet
from fanorona_core.types import StepKind

__all__ = ["Codec", "Move", "format_rows", "parse_rows", "read_codes", "told_chain", "write_codes"]

_SPLIT = re.compile(r"[\s,;|]+")
_BOARD: Final = (9, 5)


class Move(NamedTuple):
    """A step as a code says it; the kind is None where the code leaves it out."""

    start: int
    end: int
    kind: StepKind | None


@dataclass(frozen=True, slots=True)
class Codec:
    """How one format writes steps.

    ``decode`` reads a code, None being the end of a turn; ``encode`` writes a step; ``end`` is the
    code that ends a turn. ``end_always``: it stands after every capturing turn, else only where
    the turn could have gone on. ``joiner`` stands between the codes of a turn. The next two read
    and write positions, where the format has them; a game may then begin with one. ``counters``
    are those that such a position holds, as `reduced` names them.
    """

    decode: Callable[[str], Move | None]
    encode: Callable[[Step], str]
    end: str
    end_always: bool
    joiner: str = " "
    parse_position: Callable[[str, RuleSet], Position] | None = None
    format_position: Callable[[Position], str] | None = None
    counters: frozenset[str] = frozenset()


def read_codes(source: Source, codec: Codec, rules: RuleSet | None) -> Iterator[ReadResult]:
    """Read games that are paragraphs of codes."""

    def parse(paragraph: Paragraph, warnings: list[str]) -> Game:
        return _parse(paragraph, warnings, codec, rules or DEFAULT_RULES)

    return read_each(source, parse)


def _parse(paragraph: Paragraph, warnings: list[str], codec: Codec, rules: RuleSet) -> Game:
    game = Game(rules)
    lines = list(paragraph.numbered())
    if codec.parse_position is not None and "/" in lines[0][1]:
        line, text = lines.pop(0)
        with located(line):
            game = Game(codec.parse_position(text, rules))
    replay = Replay(game)
    for line, text in lines:
        for code in filter(None, _SPLIT.split(text)):
            try:
                _take(replay, code, codec, warnings, line)
            except ValueError as error:
                raise placed(error, line, replay.start.turn_number) from error
    with located(paragraph.line + len(paragraph.lines) - 1, replay.start.turn_number):
        if replay.last is not None:
            _end(replay, codec, warnings, None)
    game.result = game.decided()[0]
    return game


def _take(replay: Replay, code: str, codec: Codec, warnings: list[str], line: int) -> None:
    move = codec.decode(code)
    if move is None:
        if replay.finished and (replay.position.quiet or not codec.end_always):
            warnings.append(f"line {line}: {code} after a turn that could not go on")
        replay.end_turn()
        return
    if replay.finished or (replay.begun and move.start != _stone(replay)):
        _end(replay, codec, warnings, line)
    replay.step(*move)


def _stone(replay: Replay) -> int:
    chain = replay.position.chain
    assert chain is not None
    return chain.end


def _end(replay: Replay, codec: Codec, warnings: list[str], line: int | None) -> None:
    """End a turn that nothing has ended, with a warning where the format wants a code for it."""
    silent = replay.finished and (replay.position.quiet > 0 or not codec.end_always)
    node = replay.end_turn()
    if not silent:
        place = "" if line is None else f"line {line}: "
        warnings.append(f"{place}no {codec.end} after turn {node.position.turn_number - 1}")


def write_codes(games: Iterable[Game], stream: TextIO, codec: Codec) -> list[Loss]:
    """Write games as paragraphs of codes, a turn a line, and return what was lost."""
    losses: list[Loss] = []
    carries = codec.counters | ({"start"} if codec.format_position is not None else set())
    for number, game in enumerate(games, 1):
        small, lost = reduced(game, number, carries)
        losses += lost
        lines = []
        if codec.format_position is not None:
            plain = small.initial == Position.start(small.rules)
            if not plain or small.root.next is None:
                lines.append(_start_text(small.initial, number, codec))
        for node in small.mainline():
            assert node.parent is not None and node.turn is not None
            steps, is_open = steps_of(node.parent.position, node.turn)
            codes = [codec.encode(step) for step in steps]
            if is_open or (codec.end_always and node.turn.is_capture):
                codes.append(codec.end)
            lines.append(codec.joiner.join(codes))
        if not lines:
            raise ExportError(f"game {number}: no turns, and an empty game cannot be written")
        stream.write(("\n" if number > 1 else "") + "\n".join(lines) + "\n")
    return losses


def _start_text(position: Position, number: int, codec: Codec) -> str:
    """Write the position that a game begins from, if it can be read back.

    Raises:
        ExportError: it has a chain in progress that does not follow from the text.
    """
    assert codec.parse_position is not None and codec.format_position is not None
    text = codec.format_position(position)
    try:
        told = codec.parse_position(text, position.rules)
    except ValueError as error:
        raise ExportError(
            f"game {number}: begins from {position.text()}, and of its board text {error}"
        ) from error
    if told != position:
        raise ExportError(
            f"game {number}: begins from {position.text()}, and its board text says {told.text()}"
        )
    return text


# Board texts of the two formats that write row 1 first.


def parse_rows(text: str) -> tuple[int, int]:
    """Read rows of a 9x5 board, row 1 first, as masks of White and Black.

    Raises:
        InvalidPositionError: the rows are not those of a 9x5 board.

    Examples:
        >>> parse_rows("W8/9/9/9/8B") == (1, 1 << 44)
        True
    """
    columns, rows = _BOARD
    lines = text.upper().split("/")
    reasons = []
    if len(lines) != rows:
        reasons.append(f"{len(lines)} rows, expected {rows}")
    masks = {"W": 0, "B": 0}
    for row, line in enumerate(lines[:rows]):
        column = 0
        for letter in line:
            if letter in masks:
                masks[letter] |= 1 << (row * columns + column)
            elif letter not in "123456789":
                reasons.append(f"row {row + 1} has {letter!r}, expected W, B or a number")
                break
            column += 1 if letter in masks else int(letter)
            if column > columns:
                break
        if column != columns:
            reasons.append(f"row {row + 1} of {clipped(line)} is not {columns} points wide")
    if reasons:
        raise InvalidPositionError(reasons)
    return masks["W"], masks["B"]


def format_rows(position: Position) -> str:
    """Write the rows of a board, row 1 first, in capitals.

    Examples:
        >>> format_rows(Position.start())
        'WWWWWWWWW/WWWWWWWWW/BWBW1BWBW/BBBBBBBBB/BBBBBBBBB'
    """
    check_kind("position", position, Position)
    size = (position.columns, position.rows)
    if size != _BOARD:
        raise ExportError(f"a board of {size[0]}x{size[1]}, expected 9x5")
    return "/".join(reversed(position.stones_text().split()[0].upper().split("/")))


def told_chain(
    position: Position, visited: frozenset[int], step: tuple[int, int], kind: str | None
) -> Position:
    """Return the position with the chain that visited some points and made a last step.

    ``position`` has the stones, without a chain; ``visited`` all points of the chain. The order
    of the points and the kinds of the steps must follow from that. A chain that cannot go on is
    over: then it is the other side's turn.

    Raises:
        NotationError: there is no such chain, or several are possible.
    """
    start, end = step
    board = position.geometry
    names = ", ".join(board.name(point) for point in sorted(visited))
    if start not in visited or end not in visited or start not in board.neighbors(end):
        raise NotationError(f"the last step to {board.name(end)} does not fit visited {names}")
    direction = board.direction_name(start, end)
    goes_on = any(
        further.kind
        and further.start == end
        and further.end not in visited
        and board.direction_name(end, further.end) != direction
        for further in position.steps()
    )
    if not goes_on:
        return Position(
            position.white,
            position.black,
            position.side.other,
            position.rules,
            turn_number=position.turn_number + 1,
        )
    found: list[Position] = []
    # Paths are grown backwards from the last step; kinds are tried for each.
    stack: list[tuple[tuple[int, ...], frozenset[int]]] = [((start, end), visited - {start, end})]
    for _ in range(_MOST_PATHS):
        if not stack or len(found) > 1:
            break
        path, rest = stack.pop()
        if not rest:
            found += _chains_along(position, path, kind)
        for point in rest & frozenset(board.neighbors(path[0])):
            if board.direction_name(point, path[0]) != board.direction_name(*path[:2]):
                stack.append(((point, *path), rest - {point}))
    if len(found) == 1 and not stack:
        return found[0]
    what = "several chains are" if found or stack else "no chain is"
    raise NotationError(f"{what} possible over {names} that end {step_text(position, *step)}")


# Few paths lead over the points of a real chain; a text may name any points.
_MOST_PATHS: Final = 10_000


def step_text(position: Position, start: int, end: int) -> str:
    """Return a step without its kind, as in messages."""
    return f"{position.geometry.name(start)}-{position.geometry.name(end)}"


def _chains_along(position: Position, path: tuple[int, ...], kind: str | None) -> list[Position]:
    """Return the position with every chain along a path that can have led to it, at most two."""
    name = position.geometry.name
    # The text so far, and the first stone that each step took: none can be taken twice.
    chains: list[tuple[str, frozenset[int]]] = [(name(path[0]), frozenset())]
    for index, (start, end) in enumerate(pairwise(path), 2):
        longer = []
        for letter in kind if kind and index == len(path) else "AW":
            taken = 2 * end - start if letter == "A" else 2 * start - end
            if taken in position.geometry.neighbors(end if letter == "A" else start):
                longer += [
                    (f"{text}-{name(end)}{letter}", before | {taken})
                    for text, before in chains
                    if taken not in before
                ]
        chains = longer
        if len(chains) > _MOST_PATHS:
            break
    found = []
    for text, _ in chains:
        try:
            found.append(
                Position(
                    position.white,
                    position.black,
                    position.side,
                    position.rules,
                    chain=Turn.from_text(text, position.columns),
                    turn_number=position.turn_number,
                )
            )
        except InvalidPositionError:
            continue
        if len(found) > 1:
            break
    return found
