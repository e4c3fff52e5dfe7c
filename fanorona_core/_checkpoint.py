"""Files that keep the hash table of a proof search, so that a later call can go on.

A file is a line that says what it is, a line with the purpose (rules, stones of the tables and size
of the hash table), the table packed by zlib, and the SHA-256 of the lines and the table.
"""

from __future__ import annotations

import hashlib
import os
import zlib
from pathlib import Path
from typing import Final

from fanorona_core._files import replaced
from fanorona_core._proofhash import ProofTable
from fanorona_core.errors import CorruptProofError

__all__ = ["read_checkpoint", "write_checkpoint"]

_MAGIC: Final = b"FNPROVER1\n"
_CHUNK_BUCKETS: Final = 1 << 14
_LONGEST_LINE: Final = 1 << 10


def write_checkpoint(path: str | os.PathLike[str], table: ProofTable, purpose: str) -> None:
    """Write a hash table; the file is whole or not there.

    Raises:
        OSError: the file cannot be written; ``filename`` is its path.
    """
    head, checksum = _head(purpose), hashlib.sha256()
    with replaced(path) as file:
        file.write(head)
        checksum.update(head)
        packer = zlib.compressobj(1)
        for first in range(0, table.buckets, _CHUNK_BUCKETS):
            data = table.read(first, min(_CHUNK_BUCKETS, table.buckets - first))
            checksum.update(data)
            file.write(packer.compress(data))
        file.write(packer.flush())
        file.write(checksum.digest())


def read_checkpoint(path: str | os.PathLike[str], table: ProofTable, purpose: str) -> None:
    """Read a hash table of the same size that was written for the same purpose.

    Raises:
        CorruptProofError: the file is not what it should be; the hash table is then empty.
        OSError: the file cannot be read.
    """
    expected, checksum = _head(purpose), hashlib.sha256()
    with Path(path).open("rb") as file:
        head = file.readline(_LONGEST_LINE) + file.readline(_LONGEST_LINE)
        if not head.startswith(_MAGIC):
            raise CorruptProofError(f"checkpoint {path}: not a checkpoint of fanorona")
        if head != expected:
            made, mine = (_described(each) for each in (head, expected))
            raise CorruptProofError(f"checkpoint {path}: made with {made}; expected {mine}")
        checksum.update(head)
        unpacker, first = zlib.decompressobj(), 0
        rest = b""
        try:
            while not unpacker.eof:
                packed = file.read(1 << 16)
                rest += unpacker.decompress(packed)
                whole = len(rest) // 64
                table.write(first, rest[: 64 * whole])
                checksum.update(rest[: 64 * whole])
                first, rest = first + whole, rest[64 * whole :]
                if not packed:
                    break
            ending = unpacker.unused_data + file.read(64)
            if not (first == table.buckets and not rest and ending == checksum.digest()):
                raise ValueError("cut or altered")
        except (zlib.error, IndexError, ValueError) as error:
            table.clear()
            raise CorruptProofError(f"checkpoint {path}: {error}") from None


def _head(purpose: str) -> bytes:
    return _MAGIC + f"{purpose}\n".encode()


def _described(head: bytes) -> str:
    """What the head of a checkpoint says, in words."""
    try:
        rules, stones, mib = head.removeprefix(_MAGIC).decode("ascii").split()
    except ValueError:
        return "a broken head"
    return f"rules {rules}, tables of {stones} stones and a hash table of {mib} MiB"
