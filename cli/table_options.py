"""What the commands about tables share: where they are, sizes, the files of a folder."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from fanorona_core import FanoronaError, RuleSet

from .paths import user_path

if TYPE_CHECKING:
    from fanorona_core.tablefile import TableFile, TableKey

    IntParam = click.ParamType[int]
else:  # only newer versions of click have it generic
    IntParam = click.ParamType

__all__ = [
    "MemoryParam",
    "dir_option",
    "how_to_build",
    "is_table_of",
    "stones_option",
    "table_files",
    "tables_folder",
    "tables_to_read",
]

_LEAST_MEMORY: Final = 1 << 20
_MOST_MEMORY: Final = 1 << 50
_UNITS: Final = {"": 0, "k": 10, "m": 20, "g": 30, "t": 40}


def tables_folder(chosen: str | None = None) -> Path:
    """Where tables are kept: what was chosen, ``FANORONA_TABLES_DIR``, or among the user's data."""
    from fanorona_core.tablebase import DIRECTORY_VARIABLE

    folder = chosen or os.environ.get(DIRECTORY_VARIABLE)
    if folder:
        return user_path(folder)
    from .store import data_folder

    return data_folder() / "tables"


def how_to_build(rules: RuleSet, stones: int, folder: str | None) -> str:
    """The command that builds all tables of a board up to so many stones."""
    from fanorona_core._advice import build_command

    return build_command(
        rules.columns,
        rules.rows,
        rules.compulsory,
        rules.no_move_draw,
        stones,
        directory=folder,
    )


def tables_to_read(chosen: str | None) -> Path:
    """The folder of ``tables_folder``; one that was chosen must be there.

    Raises:
        OSError: it is not.
    """
    folder = tables_folder(chosen)
    if chosen and not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, "there is no such folder of tables", chosen)
    return folder


class MemoryParam(IntParam):
    """An amount of memory such as 4GiB or 800M, from 1MiB; the value is in bytes."""

    name = "memory"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read a number and its unit."""
        if isinstance(value, int):
            return value
        found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)\s*([kmgt]?)(?:i?b)?", value.lower())
        if found is None:
            self.fail(f"{value!r}: expected a size, such as 4GiB or 800MiB", param, ctx)
        size = int(float(found[1]) * (1 << _UNITS[found[2]]))
        if size < _LEAST_MEMORY:
            self.fail(f"{value!r}: expected a size of 1MiB or more, such as 512MiB", param, ctx)
        if size > _MOST_MEMORY:
            self.fail(f"{value!r}: expected a size of 1024TiB or less", param, ctx)
        return size


dir_option = click.option(
    "--dir", "folder", metavar="DIR", help="The folder of the tables; usually that of the user."
)
stones_option = click.option(
    "--stones", type=click.IntRange(2, 44), metavar="N", help="Only tables of up to N stones."
)


def table_files(directory: Path) -> Iterator[tuple[TableFile | None, str]]:
    """Every table of a folder, or what is wrong with it."""
    from fanorona_core.tablefile import TableFile

    if not directory.is_dir():
        return
    for path in sorted(directory.iterdir()):
        if path.suffix in (".wdl", ".dtw"):
            try:
                file = TableFile(path)
            except FanoronaError as error:
                yield None, str(error)
                continue
            if file.info.key.file_name == path.name:
                yield file, ""
            else:
                file.close()
                yield None, str(file.fault(f"it holds another table, {file.info.key.file_name}"))


def is_table_of(key: TableKey, rules: RuleSet) -> bool:
    """Whether a table is for the board and the rules."""
    return (key.columns, key.rows, key.compulsory, key.no_move_draw) == (
        rules.columns,
        rules.rows,
        rules.compulsory,
        rules.no_move_draw,
    )
