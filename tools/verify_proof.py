"""Check a certificate a second time, slowly: python tools/verify_proof.py FILE [--sample N].

Written against docs/proof.md, and sharing nothing with the fast checker: the file is read here, and
the turns come from the slow rules of fanorona_core._reference. Only the values of endgame tables
are the same, which `fanorona tables verify` checks. Without --sample every position is looked at.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import struct
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

from fanorona_cli.table_options import tables_folder
from fanorona_core import FanoronaError, Position, RuleSet, Side
from fanorona_core._reference import Point, ReferencePosition
from fanorona_core.tablebase import Tables

# A position: the stones of the proving side and of the other, as points.
Stones = tuple[frozenset[Point], frozenset[Point]]

HEADER = struct.Struct("<8sH8BQQQQQ")


class WrongProof(Exception):
    """What is wrong with a certificate."""


class Proof:
    """A certificate, read whole into dictionaries."""

    def __init__(self, data: bytes) -> None:
        if len(data) < HEADER.size + 32 or data[:8] != b"FNPROOF\n":
            raise WrongProof("not a certificate")
        _, version, flags, claim, columns, rows, side, mover, stones, spare, *sizes = HEADER.unpack(
            data[: HEADER.size]
        )
        white, black, count, raw_size, packed_size = sizes
        packed = data[HEADER.size + 32 :]
        digest = hashlib.sha256(data[: HEADER.size] + packed).digest()
        if version != 1 or len(packed) != packed_size or digest != data[HEADER.size :][:32]:
            raise WrongProof("cut, altered, or of another version")
        if flags > 3 or max(claim, side, mover) > 1 or spare:
            raise WrongProof("a field of the header has an impossible value")
        self.columns, self.rows, self.stones = columns, rows, stones
        self.rules = RuleSet.parse("theory").replace(
            columns=columns,
            rows=rows,
            compulsory=bool(flags & 1),
            no_move_draw=bool(flags & 2),
        )
        self.mirrored = [int(f"{row:0{columns}b}"[::-1], 2) for row in range(1 << columns)]
        self.holds, self.side = claim == 0, Side(side)
        self.check_stones(white, black, "the claim")
        self.root = self.position(white, black, Side(mover))
        self.ranks: dict[Stones, int] = {}
        self.members: list[Stones] = []
        self.read_list(self.unpacked(packed, raw_size))
        if len(self.members) != count:
            raise WrongProof(f"{len(self.members)} positions, expected {count}")

    @staticmethod
    def unpacked(packed: bytes, size: int) -> bytes:
        """Return the list, which must have the size that the header says."""
        unpacker = zlib.decompressobj()
        try:
            raw = unpacker.decompress(packed, min(size, sys.maxsize - 1) + 1)
        except zlib.error as error:
            raise WrongProof(f"the list cannot be unpacked: {error}") from None
        if len(raw) != size or not unpacker.eof or unpacker.unused_data:
            raise WrongProof("the list has another length than it says")
        return raw

    def read_list(self, raw: bytes) -> None:
        """Take up the listed positions, each folded and behind the one before."""
        numbers = self.numbers(raw)
        last = 0, 0
        own = enemy = 0
        for difference in numbers:
            own, enemy = own + difference, enemy ^ next(numbers, 0)
            rank = 0 if self.holds else next(numbers, 0)
            name = f"listed position {len(self.members) + 1}"
            self.check_stones(own, enemy, name)
            if self.least(own, enemy) != (own, enemy):
                raise WrongProof(f"{name}: it is not folded")
            if (own, enemy) <= last:
                raise WrongProof(f"{name}: it is out of order")
            if not self.holds and not 0 < rank < 1 << 31:
                raise WrongProof(f"{name}: it has the rank {rank}")
            last = own, enemy
            member = self.points(own), self.points(enemy)
            self.ranks[member] = rank
            self.members.append(member)

    @staticmethod
    def numbers(raw: bytes) -> Iterator[int]:
        """Yield the integers of seven bits a byte, the lowest first."""
        value = shift = 0
        for byte in raw:
            if shift > 56:
                raise WrongProof("a number of more than 63 bits")
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                yield value
                value = shift = 0
        if shift:
            raise WrongProof("the list ends within a number")

    def check_stones(self, own: int, enemy: int, name: str) -> None:
        """Refuse what is no position in which the game goes on."""
        points = self.columns * self.rows
        if (own | enemy) >> points:
            raise WrongProof(f"{name}: stones outside the board")
        if own & enemy:
            raise WrongProof(f"{name}: both colours on a point")
        if not own or not enemy:
            raise WrongProof(f"{name}: a side has no stones")
        if max(own.bit_count(), enemy.bit_count()) > points // 2:
            raise WrongProof(f"{name}: more stones than a side starts with")

    def points(self, mask: int) -> frozenset[Point]:
        """Return the points of a mask."""
        return frozenset(
            (bit % self.columns + 1, bit // self.columns + 1)
            for bit in range(self.columns * self.rows)
            if mask >> bit & 1
        )

    def mask(self, points: frozenset[Point]) -> int:
        """Return the mask of points."""
        return sum(1 << (row - 1) * self.columns + column - 1 for column, row in points)

    def position(self, white: int, black: int, mover: Side) -> ReferencePosition:
        """Return a position of the slow rules."""
        stones = dict.fromkeys(self.points(white), Side.WHITE)
        stones |= dict.fromkeys(self.points(black), Side.BLACK)
        return ReferencePosition(stones, mover, self.rules)

    def images(self, mask: int) -> list[int]:
        """Return what the four symmetries make of a mask."""
        full = (1 << self.columns) - 1
        rows = [mask >> self.columns * row & full for row in range(self.rows)]
        turned = [self.mirrored[row] for row in rows]
        return [
            sum(row << self.columns * i for i, row in enumerate(each))
            for each in (rows, turned, rows[::-1], turned[::-1])
        ]

    def least(self, own: int, enemy: int) -> tuple[int, int]:
        """Return the least of the four positions that the symmetries make."""
        return min(zip(self.images(own), self.images(enemy), strict=True))

    def folded(self, stones: Stones) -> Stones:
        """Return the least of the four positions, as points."""
        own, enemy = self.least(*map(self.mask, stones))
        return self.points(own), self.points(enemy)


class Verifier:
    """Applies the definition of a proof to positions."""

    def __init__(self, proof: Proof, tables: Tables) -> None:
        self.proof, self.tables = proof, tables

    def is_good(self, position: ReferencePosition, bound: int) -> bool:
        """Whether a position after the proving side's turn, or before it, is as the proof needs."""
        proof, side = self.proof, self.proof.side
        own = frozenset(p for p, s in position.stones.items() if s is side)
        enemy = frozenset(p for p, s in position.stones.items() if s is not side)
        if not own or not enemy:
            return bool(own)
        if len(position.stones) <= proof.stones:
            value = int(self.tables.probe(Position.parse(position.text())).wdl)
            if position.side is not side:
                value = -value
            return value >= 0 if proof.holds else value > 0
        if position.side is side:
            rank = proof.ranks.get(proof.folded((own, enemy)))
            return rank is not None and (proof.holds or rank < bound)
        after = [reply for _, reply in position.results()]
        if not after:
            return proof.holds or not proof.rules.no_move_draw
        return all(self.is_good(reply, bound) for reply in after)

    def has_turn(self, position: ReferencePosition, bound: int) -> bool:
        """Whether the proving side, who moves, has a turn that keeps to the proof."""
        seen = set()
        for _, after in position.results():
            key = frozenset(after.stones.items())
            if key not in seen:
                seen.add(key)
                if self.is_good(after, bound):
                    return True
        return not seen and self.proof.holds and self.proof.rules.no_move_draw

    def check(self, members: list[Stones]) -> None:
        """Check the root and some members; WrongProof names the first that fails."""
        proof = self.proof
        root = proof.root
        if root.side is proof.side:
            right = self.has_turn(root, 1 << 40)
        else:
            right = self.is_good(root, 1 << 40)
        if not right:
            raise WrongProof(f"the claim about {root.stones_text()} does not follow")
        for own, enemy in members:
            stones = dict.fromkeys(own, proof.side) | dict.fromkeys(enemy, proof.side.other)
            position = ReferencePosition(stones, proof.side, proof.rules)
            if not self.has_turn(position, proof.ranks[own, enemy]):
                raise WrongProof(f"no turn keeps to the proof in {position.text()}")


def main(arguments: list[str] | None = None) -> int:
    """Check one file; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--sample", type=int, help="look at so many positions, chosen at random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dir", help="the folder of the tables; usually that of the user")
    options = parser.parse_args(arguments)
    if options.sample is not None and options.sample < 1:
        parser.error(f"--sample {options.sample}: expected 1 or more")
    try:
        proof = Proof(options.file.read_bytes())
        members = proof.members
        if options.sample is not None and options.sample < len(members):
            members = random.Random(options.seed).sample(members, options.sample)
        Verifier(proof, Tables(tables_folder(options.dir))).check(members)
    except WrongProof as error:
        print(f"{options.file}: {error}")
        return 1
    except (FanoronaError, OSError, MemoryError) as error:
        reason = getattr(error, "strerror", None) or error
        parser.exit(1, f"{options.file}: {reason}\n")
    except KeyboardInterrupt:
        parser.exit(130, "Interrupted.\n")
    claim = "holds at least a draw" if proof.holds else "wins"
    print(
        f"Right: {proof.side} {claim} in {proof.root.stones_text()} {proof.root.side.letter} "
        f"({len(members)} of {len(proof.members)} positions)"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
