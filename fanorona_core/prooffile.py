"""Certificates of proofs: files of positions that anybody can check without a search.

The format is described byte by byte in docs/proof.md.
"""

from __future__ import annotations

import hashlib
import os
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fanorona_core._checks import check_kind
from fanorona_core._files import replaced
from fanorona_core._index import SetIndex
from fanorona_core._pairs import pairs_up_to
from fanorona_core._proofset import PositionSet
from fanorona_core._tablebase import LoadedTables
from fanorona_core._verify import first_fault
from fanorona_core.errors import CorruptProofError, MissingTableError, ProofError
from fanorona_core.position import Position
from fanorona_core.rules import RuleSet
from fanorona_core.types import Side

__all__ = ["Certificate", "Heading"]

_MAGIC: Final = b"FNPROOF\n"
_VERSION: Final = 1
# Magic, version; flags, claim, columns, rows, proving side, side to move, stones of the tables,
# spare; White's stones, Black's; positions, bytes of the list, bytes of the list as packed.
_HEADER: Final = struct.Struct("<8sH8BQQQQQ")
_DIGEST: Final = 32
_COMPULSORY: Final = 1
_NO_MOVE_DRAW: Final = 2
_CHUNK: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Heading:
    """What the header of a certificate says of it.

    ``stones`` is the size up to which the proof leans on tables, ``positions`` how many it lists.

    Examples:
        >>> from fanorona_core import Tables
        >>> from fanorona_core.proof import Proofs
        >>> rules = RuleSet.parse("theory,board=5x5")
        >>> proofs = Proofs(rules, Tables().load(rules, 4), hash_mib=16)
        >>> proofs.certificate(Position.start(rules), Side.BLACK).write("5x5.proof")
        >>> heading = Heading.read("5x5.proof")
        >>> heading.side, heading.holds, heading.stones
        (<Side.BLACK: 1>, True, 4)
    """

    position: Position
    side: Side
    holds: bool
    stones: int
    positions: int
    raw_size: int
    packed_size: int

    @property
    def rules(self) -> RuleSet:
        """The ``theory`` rules of the board that the proof is about."""
        return self.position.rules

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Heading:
        """Read the header of a file only; that the file is whole is not checked.

        Raises:
            CorruptProofError: it is no header of a certificate.
            OSError: the file cannot be read.
        """
        with Path(path).open("rb") as file:
            header = file.read(_HEADER.size)
        try:
            return _heading(_fields(header))
        except ValueError as error:
            raise CorruptProofError(f"certificate {path}: {error}") from None


@dataclass(frozen=True, slots=True)
class Certificate:
    """A claim about a position, and the positions of a strategy that shows it.

    ``side`` holds at least a draw if ``holds``, else it wins; ``stones`` is the size up to which
    the strategy leans on tables. `Proofs.certificate` makes one. It cannot be pickled: write it to
    a file.

    Examples:
        >>> from fanorona_core.proof import Proofs
        >>> from fanorona_core.tablebase import Tables
        >>> start = Position.start(RuleSet.parse("theory,board=3x5"))
        >>> tables = Tables().load(start.rules, 4)
        >>> certificate = Proofs(start.rules, tables, hash_mib=1).certificate(start, Side.BLACK)
        >>> print(certificate)
        White wins in bbb/bbb/b1w/www/www w
        >>> certificate.check(tables)
    """

    position: Position
    side: Side
    holds: bool
    stones: int
    positions: PositionSet

    def __str__(self) -> str:
        what = "holds at least a draw" if self.holds else "wins"
        return f"{self.side} {what} in {self.position.stones_text()}"

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the certificate; the file is whole or not there.

        Raises:
            OSError: the file cannot be written; ``filename`` is its path.
        """
        packer, packed, raw = zlib.compressobj(9), bytearray(), 0
        for first in range(0, len(self.positions), _CHUNK):
            data = self.positions.encoded(first, min(_CHUNK, len(self.positions) - first))
            raw += len(data)
            packed += packer.compress(data)
        packed += packer.flush()
        rules = self.position.rules
        header = _HEADER.pack(
            _MAGIC,
            _VERSION,
            _COMPULSORY * rules.compulsory + _NO_MOVE_DRAW * rules.no_move_draw,
            0 if self.holds else 1,
            rules.columns,
            rules.rows,
            self.side,
            self.position.side,
            self.stones,
            0,
            self.position.white,
            self.position.black,
            len(self.positions),
            raw,
            len(packed),
        )
        with replaced(path) as file:
            file.write(header)
            file.write(hashlib.sha256(header + packed).digest())
            file.write(packed)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Certificate:
        """Read a certificate; what it claims is not checked yet.

        Raises:
            CorruptProofError: it is none, or cut or altered.
            OSError: the file cannot be read.
        """
        try:
            return _read(Path(path))
        except (ValueError, zlib.error) as error:
            raise CorruptProofError(f"certificate {path}: {error}") from None

    def check(self, tables: LoadedTables) -> None:
        """Check the claim, without any search: each position, against the rules and the tables.

        Returns if it follows. ``tables`` are those of ``Tables.load(position.rules, stones)``.

        Raises:
            ValueError: the tables are those of another board or other rules.
            ProofError: it does not follow; the first position without a right turn is named.
            MissingTableError: a table of up to ``stones`` stones is missing.
        """
        rules, position = self.position.rules, self.position
        check_tables(tables, rules)
        for pair in pairs_up_to(rules.columns, rules.rows, self.stones):
            for own, enemy in pair.tables:
                if not tables.has(own, enemy, False):
                    raise MissingTableError(
                        f"the proof leans on tables of up to {self.stones} stones, and the one of "
                        f"{own} against {enemy} is missing"
                    )
        own, enemy = position.stones(position.side), position.stones(position.side.other)
        if not own or not enemy:
            raise ProofError(f"the game is over in {position.stones_text()}")
        fault = first_fault(
            tables,
            self.positions,
            self.stones,
            self.holds,
            rules.compulsory,
            rules.no_move_draw,
            own,
            enemy,
            position.side is self.side,
        )
        if fault is None:
            return
        named = position if fault < 0 else self.member(fault)
        what = "keeps the draw" if self.holds else "keeps the win"
        raise ProofError(
            f"the proof is wrong: in {named.stones_text()} no turn of {self.side} {what} within it"
            if named.side is self.side
            else f"the proof is wrong: {self} does not follow from its positions"
        )

    def member(self, place: int) -> Position:
        """The position at a place of the list, the proving side to move.

        Raises:
            IndexError: the list has no such place.
        """
        if not 0 <= place < len(self.positions):
            raise IndexError(f"place {place}: expected 0 to {len(self.positions) - 1}")
        own, enemy, _ = self.positions.member(place)
        white, black = (own, enemy) if self.side is Side.WHITE else (enemy, own)
        return Position(white, black, self.side, self.position.rules)


def check_tables(tables: LoadedTables, rules: RuleSet) -> None:
    """Refuse tables that say nothing of positions under these rules.

    Raises:
        ValueError: they are those of another board or other rules.
    """
    check_kind("tables", tables, LoadedTables)
    if not tables.is_for(rules.columns, rules.rows, rules.compulsory, rules.no_move_draw):
        raise ValueError(f"tables of another board or other rules, expected those of {rules}")


def _fields(header: bytes) -> list[int]:
    """The numbers of a header behind its version."""
    if len(header) < _HEADER.size or not header.startswith(_MAGIC):
        raise ValueError("not a proof of fanorona")
    _, version, *fields = _HEADER.unpack(header)
    if version != _VERSION:
        raise ValueError(f"version {version}, expected {_VERSION}")
    return fields


def _heading(fields: list[int]) -> Heading:
    flags, claim, columns, rows, side, mover, stones, spare, white, black, *sizes = fields
    if flags > 3 or claim > 1 or side > 1 or mover > 1 or spare:
        raise ValueError("a field of the header has an impossible value")
    rules = RuleSet.parse("theory").replace(
        columns=columns,
        rows=rows,
        compulsory=bool(flags & _COMPULSORY),
        no_move_draw=bool(flags & _NO_MOVE_DRAW),
    )
    position = Position(white, black, Side(mover), rules)
    return Heading(position, Side(side), claim == 0, stones, *sizes)


def _read(path: Path) -> Certificate:
    with path.open("rb") as file:
        header = file.read(_HEADER.size)
        fields = _fields(header)
        digest = file.read(_DIGEST)
        actual = hashlib.sha256(header)
        size = 0
        while chunk := file.read(_CHUNK):
            actual.update(chunk)
            size += len(chunk)
        if size != fields[-1]:
            raise ValueError(f"{size} bytes of positions, expected {fields[-1]}: cut or overlong")
        if actual.digest() != digest:
            raise ValueError("the checksum is wrong: altered")
        heading = _heading(fields)
        rules = heading.rules
        positions = PositionSet(SetIndex(rules.columns, rules.rows), not heading.holds)
        file.seek(_HEADER.size + _DIGEST)
        unpacker, total = zlib.decompressobj(), 0
        while chunk := file.read(_CHUNK):
            data = unpacker.decompress(chunk, _CHUNK)
            while data:
                total += len(data)
                if total > heading.raw_size:
                    raise ValueError(f"more than {heading.raw_size} bytes of positions")
                positions.decode(data)
                data = unpacker.decompress(unpacker.unconsumed_tail, _CHUNK)
        if (
            not unpacker.eof
            or unpacker.unused_data
            or total != heading.raw_size
            or len(positions) != heading.positions
        ):
            raise ValueError(f"{len(positions)} positions, expected {heading.positions}")
        if not positions.is_whole():
            raise ValueError("the last position is cut")
        return Certificate(heading.position, heading.side, heading.holds, heading.stones, positions)
