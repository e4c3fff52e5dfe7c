"""Endgame tables: the exact value of positions with few stones."""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from pathlib import Path
from typing import Any, Final, get_args

from fanorona_core._advice import build_command
from fanorona_core._checks import check_kind
from fanorona_core._index import SetIndex
from fanorona_core._pairs import most_of_a_side, pairs_up_to, slots_of
from fanorona_core._tablebase import LoadedTables
from fanorona_core._tablepack import pack_results
from fanorona_core._turn import Turn
from fanorona_core.board import Board
from fanorona_core.errors import MissingTableError
from fanorona_core.position import Position
from fanorona_core.rules import MAX_POINTS, RuleSet
from fanorona_core.tablebuild import Builder
from fanorona_core.tablefile import Kind, TableFile, TableKey

__all__ = ["DIRECTORY_VARIABLE", "TableValue", "Tables", "TurnValue", "Wdl"]

DIRECTORY_VARIABLE: Final = "FANORONA_TABLES_DIR"

_DRAW: Final = 255
# More turns than any table has to the end.
_FAR: Final = 1 << 16
# Tables that are made in memory when they are asked for: all up to 4 stones on 9x5, in 0.2 s.
_INSTANT_SLOTS: Final = 500_000
# Tables that leave captures out are read by blocks of 4 to 8 kB, of which so many are kept.
_KEPT_BLOCKS: Final = 4096


class Wdl(IntEnum):
    """A result for the side to move: a win, a draw or a loss.

    Examples:
        >>> -Wdl.WIN
        <Wdl.LOSS: -1>
        >>> str(Wdl.DRAW)
        'draw'
    """

    LOSS = -1
    DRAW = 0
    WIN = 1

    def __neg__(self) -> Wdl:
        return Wdl(-int(self))

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class TableValue:
    """The value of a position for the side to move, if nothing but the stones could end the game.

    ``distance`` is the number of turns to the end, both sides counted, when the winner hurries and
    the loser delays; None for a draw and for tables without distances. ``sure`` says that no
    counter of the position's rules (turns without a capture, turn limit) can turn it into a draw.

    Examples:
        >>> str(TableValue(Wdl.WIN, 7))
        'win in 7'
    """

    wdl: Wdl
    distance: int | None = None
    sure: bool = True

    def __str__(self) -> str:
        return f"{self.wdl}" if self.distance is None else f"{self.wdl} in {self.distance}"

    @property
    def rank(self) -> tuple[int, int]:
        """A key to sort by: larger is better for the side to move.

        An unknown distance counts as a long one.

        Examples:
            >>> values = [TableValue(Wdl.WIN), TableValue(Wdl.DRAW), TableValue(Wdl.WIN, 9)]
            >>> [str(value) for value in sorted(values, key=lambda value: value.rank)]
            ['draw', 'win', 'win in 9']
        """
        distance = _FAR if self.distance is None else self.distance
        return int(self.wdl), -distance if self.wdl is Wdl.WIN else distance

    def before(self) -> TableValue:
        """The value for the side whose turn has led here."""
        distance = None if self.distance is None else self.distance + 1
        return TableValue(-self.wdl, distance, self.sure)


@dataclass(frozen=True, slots=True)
class TurnValue:
    """A legal turn and what it is worth to the side that plays it.

    A distance counts the turn itself too.

    Examples:
        >>> [best, *_] = Tables().turns(Position.parse("3/1bw/3 w"))
        >>> str(best.turn), str(best.value)
        ('c2-c1', 'loss in 2')
    """

    turn: Turn
    value: TableValue


@dataclass(slots=True)
class _Family:
    """What is open of one board and its rules; ``too_many`` stones are more than can be made."""

    index: SetIndex
    loaded: LoadedTables
    columns: int
    rows: int
    compulsory: bool
    no_move_draw: bool
    files: dict[tuple[int, int, Kind], TableFile | None]
    blocks: dict[tuple[int, int, Kind, int], bytes]
    too_many: int = MAX_POINTS


class Tables:
    """Endgame tables of a folder, opened as they are needed; one object serves every board.

    Without a folder, the environment variable ``FANORONA_TABLES_DIR`` names it; without either
    there are the tables of a few stones, which are made when they are asked for. Probing is safe
    from many threads, and many processes may read a folder while one builds into it. Pickled and
    copied, they open the same folder again.

    ``instant_slots`` bounds what is made in memory: so many slots may all tables of up to as many
    stones have together.

    The tables hold what the ``theory`` rules say: neither repetitions nor counters draw.

    Examples:
        >>> tables = Tables()
        >>> position = Position.parse("8b/9/9/9/wb7 w")
        >>> str(tables.probe(position))
        'draw'
        >>> tables.probe(Position.parse("9/9/9/9/w1b6 w"))
        TableValue(wdl=<Wdl.WIN: 1>, distance=1, sure=True)
    """

    def __init__(
        self,
        directory: str | os.PathLike[str] | None = None,
        *,
        instant_slots: int = _INSTANT_SLOTS,
    ) -> None:
        self._instant_slots = instant_slots
        self._is_named = directory is not None
        if directory is None:
            directory = os.environ.get(DIRECTORY_VARIABLE) or None
        self.directory = None if directory is None else Path(directory)
        self._families: dict[tuple[int, int, bool, bool], _Family] = {}
        self._lock = threading.RLock()

    def __reduce__(self) -> Any:
        return partial(Tables, instant_slots=self._instant_slots), (self.directory,)

    def probe(self, position: Position | Board) -> TableValue:
        """The exact value of a position for the side to move.

        With a chain in progress it is that of the best way to end it.

        Raises:
            MissingTableError: there is no table for these stones, or the rules restrict a first
                turn that may still come, of which tables know nothing.
            CorruptTableError: the table is there and broken.
        """
        position = _position(position)
        own = position.stones(position.side)
        enemy = position.stones(position.side.other)
        _check_first_turn(position)
        if position.chain is not None:
            if not enemy:
                return self._judged(position, 1)
            return max((turn.value for turn in self.turns(position)), key=lambda v: v.rank)
        if not own:
            return TableValue(Wdl.LOSS, 0)
        if not enemy:
            return TableValue(Wdl.WIN, 0)
        family = self._family(position.rules)
        try:
            return self._judged(position, self._value(family, own, enemy, "distance"))
        except MissingTableError:
            value = self._value(family, own, enemy, "wdl")
        return self._judged(position, value, distance=False)

    def turns(self, position: Position | Board) -> list[TurnValue]:
        """Every legal turn with its value, the best first.

        Raises:
            MissingTableError: a turn leads to stones that there is no table for.
            CorruptTableError: a table is there and broken.
        """
        position = _position(position)
        _check_first_turn(position)
        found = [
            TurnValue(turn, self.probe(position.play(turn)).before())
            for turn in position.legal_turns()
        ]
        return sorted(found, key=lambda turn: turn.value.rank, reverse=True)

    def best_line(self, position: Position | Board, limit: int = 400) -> list[Turn]:
        """Best play from both sides to the end, or until the draw is certain.

        Needs distances; ends after ``limit`` turns at the latest.

        Raises:
            MissingTableError: as ``probe``.
            CorruptTableError: as ``probe``.
        """
        position = _position(position)
        line: list[Turn] = []
        while len(line) < limit:
            value = self.probe(position)
            if value.wdl is Wdl.DRAW or not value.distance:
                break
            best = self.turns(position)[0].turn
            line.append(best)
            position = position.play(best)
        return line

    def load(self, rules: RuleSet, stones: int, kind: Kind = "wdl") -> LoadedTables:
        """Read all tables of up to ``stones`` stones into memory, for a search to look into.

        Tables that are not there are left out. Win, draw and loss take 1.6 bits a slot, distances
        8.

        Raises:
            ValueError: there is no such kind of tables.
            CorruptTableError: a table is there and broken.
            MemoryError: they do not fit into memory.
        """
        check_kind("rules", rules, RuleSet)
        if kind not in get_args(Kind):
            raise ValueError(f"tables of kind {kind!r}: expected {' or '.join(get_args(Kind))}")
        family = self._family(rules)
        for pair in pairs_up_to(rules.columns, rules.rows, stones):
            for own, enemy in pair.tables:
                self._load(family, own, enemy, kind)
        return family.loaded

    def _family(self, rules: RuleSet) -> _Family:
        name = rules.columns, rules.rows, rules.compulsory, rules.no_move_draw
        with self._lock:
            if name not in self._families:
                index = SetIndex(rules.columns, rules.rows)
                loaded = LoadedTables(index, rules.compulsory, rules.no_move_draw)
                self._families[name] = _Family(index, loaded, *name, {}, {})
            return self._families[name]

    def _value(self, family: _Family, own: int, enemy: int, kind: Kind) -> int:
        """The value byte of a position without a chain; without distances 1, 2 or 255."""
        m, o = own.bit_count(), enemy.bit_count()
        loaded, distances = family.loaded, kind == "distance"
        if not self._load(family, m, o, kind, whole=False):
            raise MissingTableError(self._missing(family, m, o, kind))
        if loaded.has(m, o, distances):
            found = loaded.value(own, enemy) if distances else loaded.result(own, enemy)
        elif not loaded.has_capture(own, enemy):
            return self._in_file(family, own, enemy, kind)
        else:
            # What captures lead to has fewer stones, and belongs into memory.
            for left in range(1, o):
                if not self._load(family, left, m, kind):
                    raise MissingTableError(self._missing(family, left, m, kind))
            found = loaded.resolved(own, enemy, distances)
        if found is None:
            # A table in memory that leaves captures out, without those that these lead to.
            for major, minor in ((x, y) for x in range(1, m + 1) for y in range(1, o + 1)):
                self._load(family, major, minor, kind)
                self._load(family, minor, major, kind)
            found = loaded.value(own, enemy) if distances else loaded.result(own, enemy)
            if found is None:
                raise MissingTableError(self._missing(family, m, o, kind))
        return found if distances else (2, _DRAW, 1)[found + 1]

    def _in_file(self, family: _Family, own: int, enemy: int, kind: Kind) -> int:
        m, o = own.bit_count(), enemy.bit_count()
        file = family.files[m, o, kind]
        assert file is not None
        number, rest = divmod(family.index.slot(own, enemy), file.info.block_slots)
        block = family.blocks.get((m, o, kind, number))
        if block is None:
            block = file.block(number)
            with self._lock:
                if len(family.blocks) >= _KEPT_BLOCKS:
                    family.blocks.pop(next(iter(family.blocks)))
                family.blocks[m, o, kind, number] = block
        return file.value_in(block, rest)

    def _load(self, family: _Family, own: int, enemy: int, kind: Kind, whole: bool = True) -> bool:
        """See that a table is in memory, or open if it need not be ``whole``; say whether it is."""
        distances = kind == "distance"
        if family.loaded.has(own, enemy, distances):
            return True
        if not whole and family.files.get((own, enemy, kind)) is not None:
            return True
        with self._lock:
            if family.loaded.has(own, enemy, distances):
                return True
            if (own, enemy, kind) not in family.files:
                family.files[own, enemy, kind] = self._open(family, own, enemy, kind)
            file = family.files[own, enemy, kind]
            if file is None:
                return self._make(family, own, enemy, kind)
            if whole or file.info.complete:
                family.loaded.add(own, enemy, file.packed(), file.info.complete, distances)
            return True

    def _open(self, family: _Family, own: int, enemy: int, kind: Kind) -> TableFile | None:
        if self.directory is None:
            return None
        key = TableKey(
            family.columns,
            family.rows,
            family.compulsory,
            family.no_move_draw,
            own,
            enemy,
            kind,
        )
        try:
            file = TableFile(self.directory / key.file_name, key)
        except MissingTableError:
            return None
        slots = family.index.size(own, enemy)
        if file.info.slots != slots:
            raise file.fault(f"it has {file.info.slots} slots, expected {slots}")
        return file

    def _make(self, family: _Family, own: int, enemy: int, kind: Kind) -> bool:
        """Make the small tables in memory, if these stones are among them."""
        if own + enemy >= family.too_many:
            return False
        pairs = []
        slots = 0
        for pair in pairs_up_to(family.columns, family.rows, own + enemy):
            slots += slots_of(family.index, pair)
            pairs.append(pair)
            if slots > self._instant_slots:
                family.too_many = own + enemy
                return False
        if not any((own, enemy) in pair.tables for pair in pairs):
            return False
        builder = Builder(
            family.columns,
            family.rows,
            compulsory=family.compulsory,
            no_move_draw=family.no_move_draw,
            index=family.index,
        )
        builder.build(pairs)
        for table, values in builder.values.items():
            for made in ("wdl", "distance"):
                if not family.loaded.has(*table, made == "distance"):
                    data = values if made == "distance" else pack_results(values)
                    family.loaded.add(*table, data, True, made == "distance")
        return True

    def _missing(self, family: _Family, own: int, enemy: int, kind: Kind) -> str:
        where = "without a folder of tables" if self.directory is None else f"in {self.directory}"
        what = "distances" if kind == "distance" else "results"
        rule = "compulsory" if family.compulsory else "optional"
        wanted = (
            f"no table with {what} for {own} against {enemy} stones on {family.columns}x"
            f"{family.rows}, continuation {rule}, {where}"
        )
        most = most_of_a_side(family.columns, family.rows)
        if max(own, enemy) > most:
            return f"{wanted}: none is made of more than {most} stones on a side"
        command = build_command(
            family.columns,
            family.rows,
            family.compulsory,
            family.no_move_draw,
            own + enemy,
            distance=kind == "distance",
            directory=self.directory if self._is_named else None,
        )
        return f"{wanted}: build it with {command}"

    def _judged(self, position: Position, value: int, distance: bool = True) -> TableValue:
        if value == _DRAW:
            return TableValue(Wdl.DRAW)
        wdl = Wdl.WIN if value & 1 else Wdl.LOSS
        rules = position.rules
        left = []
        if rules.quiet_limit is not None:
            left.append(rules.quiet_limit - position.quiet)
        if rules.turn_limit is not None:
            left.append(rules.turn_limit - (position.turn_number - 1))
        # A win on the turn on which a counter is full goes before the draw.
        sure = not left or (distance and value <= min(left))
        return TableValue(wdl, value if distance else None, sure)


def _position(at: Position | Board) -> Position:
    if isinstance(at, Board):
        return at.position
    check_kind("position", at, Position, Board)
    return at


def _check_first_turn(position: Position) -> None:
    """Refuse a position in which a first-turn restriction may still matter."""
    rules = position.rules
    if rules.first_turn == "none":
        return
    if rules.first_turn == "white-single":
        bound = position.turn_number <= 2
    else:
        bound = any(
            position.stones(side).bit_count() == rules.start_count(side)
            for side in (position.side, position.side.other)
        )
    if bound:
        raise MissingTableError(
            f"tables know nothing of the first-turn restriction {rules.first_turn!r}, which may "
            f"still hold in {position.text()}"
        )
