"""What to do where tables are missing: the command that builds them."""

from __future__ import annotations

import os

__all__ = ["build_command"]


def build_command(
    columns: int,
    rows: int,
    compulsory: bool,
    no_move_draw: bool,
    stones: int,
    *,
    distance: bool = False,
    directory: str | os.PathLike[str] | None = None,
) -> str:
    """The command that builds all tables of up to ``stones`` stones, as one types it.

    Examples:
        >>> build_command(9, 5, False, False, 6)
        'fanorona tables build --stones 6'
        >>> build_command(3, 5, True, False, 7, directory="my tables")
        "fanorona tables build --stones 7 --board 3x5 --continuation compulsory --dir 'my tables'"
    """
    import shlex

    words = ["fanorona", "tables", "build", "--stones", str(stones)]
    if no_move_draw:
        words += ["--rules", "theory,no-move=draw"]
    if (columns, rows) != (9, 5):
        words += ["--board", f"{columns}x{rows}"]
    if compulsory:
        words += ["--continuation", "compulsory"]
    if distance:
        words.append("--distance")
    if directory is not None:
        words += ["--dir", os.fspath(directory)]
    return shlex.join(words)
