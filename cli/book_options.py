"""The options of what the engine plays by: tables, certificates, or neither."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from .paths import named_folder, user_path
from .table_options import tables_folder

if TYPE_CHECKING:
    from fanorona_core.proofbook import ProofBook

__all__ = ["BookSource", "book_options", "proofs_folder"]

F = TypeVar("F", bound=Callable[..., Any])


def proofs_folder(chosen: str | None = None) -> Path:
    """Where proofs are kept: what was chosen, ``FANORONA_PROOFS_DIR``, or among the user's data."""
    from fanorona_core.proofbook import PROOFS_VARIABLE

    folder = chosen or os.environ.get(PROOFS_VARIABLE)
    if folder:
        return user_path(folder)
    from .store import data_folder

    return data_folder() / "proofs"


@dataclass(frozen=True, slots=True)
class BookSource:
    """Where tables and certificates are; None is the usual folder, which need not be there."""

    tables: str | None = None
    proofs: str | None = None
    is_used: bool = True

    def open(self) -> ProofBook | None:
        """The book, or None if none is wanted.

        Raises:
            CorruptProofError: a file is no certificate.
            OSError: a folder that was named cannot be read.
        """
        if not self.is_used:
            return None
        from fanorona_core.proofbook import ProofBook
        from fanorona_core.tablebase import Tables

        tables = named_folder(self.tables) if self.tables else tables_folder()
        proofs = named_folder(self.proofs) if self.proofs else proofs_folder()
        return ProofBook(proofs if proofs.is_dir() else (), Tables(tables))


def book_options(command: F) -> F:
    """Add ``--tables``, ``--proofs`` and ``--no-book``, passed as one ``book: BookSource``."""

    @functools.wraps(command)
    def wrapped(*args: Any, **values: Any) -> Any:
        source = BookSource(values.pop("tables"), values.pop("proofs"), not values.pop("no_book"))
        return command(*args, book=source, **values)

    result: Callable[..., Any] = wrapped
    for option in (
        click.option(
            "--no-book",
            is_flag=True,
            help="Let the engine know no tables, no certificates and no openings.",
        ),
        click.option(
            "--proofs", metavar="DIR", help="The folder of certificates; usually that of the user."
        ),
        click.option(
            "--tables",
            metavar="DIR",
            help="The folder of the tables; usually that of the user.",
        ),
    ):
        result = option(result)
    return result  # type: ignore[return-value]
