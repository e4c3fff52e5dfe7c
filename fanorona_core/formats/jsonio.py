"""The JSON records of this library: everything that a game holds; see docs/json.md."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any, Final, TextIO

from fanorona_core._fgn_reader import take_command
from fanorona_core._turn import Turn
from fanorona_core.annotation import MAX_NAG, Evaluation, format_duration, parse_duration
from fanorona_core.errors import RecordError
from fanorona_core.formats._common import Format
from fanorona_core.formats._json import Fields, dumps, read_objects
from fanorona_core.game import Game
from fanorona_core.node import Node, Notes
from fanorona_core.position import Position
from fanorona_core.records import Loss, ReadResult, Source, check_notes, clipped, placed, settled
from fanorona_core.rules import RuleSet, other_game

__all__ = ["FORMAT", "VERSION", "from_json", "read", "to_json", "write"]

NAME: Final = "fanorona-game"
VERSION: Final = 1


def read(source: Source, *, strict: bool = False) -> Iterator[ReadResult]:
    """Iterate over the games of a file: one object a line, an array of them, or just one.

    Raises:
        RecordError: a game could not be read, with ``strict``.

    Examples:
        >>> text = '{"format": "fanorona-game", "version": 1, "turns": ["f2-e3A"]}'
        >>> next(read(text)).unwrap()
        <Game ? - ?, 1 turn, *>
    """
    return settled(read_objects(source, _parse), strict)


def write(games: Iterable[Game], stream: TextIO) -> list[Loss]:
    """Write games, one object a line, and return what was lost: nothing, this carries everything.

    Raises:
        ExportError: a glyph that no record can hold.
        TypeError: an evaluation or a time of another kind.

    Examples:
        >>> import sys
        >>> _ = write([Game(tags={"White": "Ravao"})], sys.stdout)
        {"format": "fanorona-game", "version": 1, "tags": {"White": "Ravao"}, \
"rules": "tsivy", "result": "*", "turns": []}
    """
    for game in games:
        stream.write(dumps(to_json(game)) + "\n")
    return []


def to_json(game: Game) -> dict[str, Any]:
    """Return a game as an object of JSON types.

    Raises:
        ExportError: a glyph that no record can hold.
        TypeError: an evaluation or a time of another kind.

    Examples:
        >>> game = Game()
        >>> _ = game.root.add_line(["f2-e3A", "d5-d4A"])
        >>> to_json(game)["turns"]
        ['f2-e3A', 'd5-d4A']
    """
    record: dict[str, Any] = {"format": NAME, "version": VERSION}
    tags = dict(game.tags.known())
    if tags:
        record["tags"] = tags
    record["rules"] = str(game.rules)
    if game.initial != Position.start(game.rules):
        record["initial"] = game.initial.text().rpartition(" ")[0]
    record["result"] = game.result
    if game.termination is not None:
        record["termination"] = str(game.termination)
    opening = _notes_to_json(game.root.notes())
    if opening:
        record["opening"] = opening
    record["turns"] = turns = []
    index = {id(game.root): 0}
    for number, node in enumerate(game.nodes()):
        check_notes(node)
        if node.parent is None:
            continue
        index[id(node)] = number
        entry: dict[str, Any] = {"turn": str(node.turn)}
        # Usually a turn follows the one before it in the list.
        if index[id(node.parent)] != number - 1:
            entry["after"] = index[id(node.parent)]
        entry |= _notes_to_json(node.notes())
        turns.append(entry if len(entry) > 1 else str(node.turn))
    return record


def from_json(record: object) -> Game:
    """Make a game of an object as `to_json` returns it.

    Raises:
        RecordError: the object is no such record, or a turn in it is not legal.

    Examples:
        >>> from_json(to_json(Game())) == Game()
        True
    """
    try:
        return _parse(Fields(record, "the record"), [])
    except ValueError as error:
        raise placed(error, None) from error


def _parse(record: Fields, warnings: list[str]) -> Game:
    if record.take("format", str) != NAME:
        raise RecordError(f"not a record of the format {NAME}")
    version = record.take("version", int)
    if version != VERSION:
        raise RecordError(f"version {clipped(version)} of the format, expected {VERSION}")
    game = Game(_initial(record), tags=_texts(record.find("tags", dict) or {}, "tags"))
    game.result = record.find("result", str) or "*"
    game.termination = record.find("termination", str)
    opening = record.find("opening", dict)
    if opening is not None:
        _set_notes(game.root, Fields(opening, "opening"), warnings)
    nodes = [game.root]
    for number, entry in enumerate(record.take("turns", list), 1):
        nodes.append(_add_turn(nodes, number, entry, warnings))
    _warn_of_rest(record, warnings)
    return game


def _initial(record: Fields) -> Position:
    rules = None
    text = record.find("rules", str)
    if text is not None:
        if (other := other_game(text)) is not None:
            raise RecordError(f"rules {clipped(text)}: {other} is not supported")
        rules = RuleSet.parse(text)
    initial = record.find("initial", str)
    if initial is None:
        return Position.start(rules) if rules is not None else Position.start()
    position = Position.parse(initial, rules)
    if rules is not None and position.rules != rules:
        raise RecordError(f"initial has other rules than rules says: {clipped(initial)}")
    return position


def _add_turn(nodes: list[Node], number: int, entry: object, warnings: list[str]) -> Node:
    name = f"turn {number} of the list"
    fields = Fields({"turn": entry} if isinstance(entry, str) else entry, name)
    after = fields.find("after", int)
    if after is None:
        after = number - 1
    if not 0 <= after < number:
        raise RecordError(f"after of {name} is {clipped(after)}, expected 0 to {number - 1}")
    parent = nodes[after]
    try:
        turn = Turn.from_text(fields.take("turn", str), parent.position.columns)
        node = parent.add_variation(turn)
    except ValueError as error:
        raise placed(error, None, parent.position.turn_number) from error
    _set_notes(node, fields, warnings)
    return node


def _notes_to_json(notes: Notes) -> dict[str, Any]:
    """Return the notes that say something."""
    values: dict[str, Any] = {
        "before": notes.comment_before,
        "comment": notes.comment,
        "glyphs": list(notes.nags),
        "clock": None if notes.clock is None else format_duration(notes.clock),
        "elapsed": None if notes.elapsed is None else format_duration(notes.elapsed),
        "eval": None if notes.eval is None else str(notes.eval),
        "commands": [list(command) for command in notes.commands],
    }
    return {key: value for key, value in values.items() if value}


def _set_notes(node: Node, fields: Fields, warnings: list[str]) -> None:
    glyphs = fields.find("glyphs", list) or []
    for glyph in glyphs:
        if not isinstance(glyph, int) or isinstance(glyph, bool) or not 0 <= glyph <= MAX_NAG:
            raise RecordError(f"glyph {clipped(glyph)} of {fields.name}, expected 0 to {MAX_NAG}")
    value = fields.find("eval", str)
    commands = list(_commands(fields))
    node.set_notes(
        Notes(
            comment=fields.find("comment", str) or "",
            comment_before=fields.find("before", str) or "",
            nags=tuple(glyphs),
            clock=_duration(fields, "clock"),
            elapsed=_duration(fields, "elapsed"),
            eval=None if value is None else Evaluation.parse(value),
        )
    )
    for name, text in commands:
        # FGN has no other place for the clock and the like: a command of that name means it.
        kept = len(node.commands)
        take_command(node, name, text)
        if len(node.commands) == kept:
            warnings.append(f"command {name} of {fields.name} is read as what it means in FGN")
    _warn_of_rest(fields, warnings)


def _duration(fields: Fields, key: str) -> timedelta | None:
    text = fields.find(key, str)
    return None if text is None else parse_duration(text)


def _commands(fields: Fields) -> Iterator[tuple[str, str]]:
    for command in fields.find("commands", list) or []:
        match command:
            case [str(name), str(value)]:
                yield name, value
            case _:
                shown = clipped(command)
                raise RecordError(f"command {shown} of {fields.name}, expected a name and a text")


def _texts(values: dict[str, Any], name: str) -> dict[str, str]:
    for key, value in values.items():
        if not isinstance(value, str):
            raise RecordError(f"{clipped(key)} of {name} is {clipped(value)}, expected a text")
    return values


def _warn_of_rest(fields: Fields, warnings: list[str]) -> None:
    warnings += [
        f"{clipped(key)} of {fields.name} is not known and left out" for key in fields.rest()
    ]


def _sniff(head: str) -> bool:
    """Say whether a text begins with a record of this format."""
    return re.search(rf'"format"\s*:\s*"{NAME}"', head) is not None


FORMAT = Format(
    "json", "our own JSON, lossless", (".json", ".jsonl"), read, write, _sniff, between=""
)
