"""``fanorona tables``: build, list, check, count and ask endgame tables."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from fanorona_core import Board, FanoronaError, Position, RuleSet
from fanorona_core._resources import size_text

from .options import json_option, rules_options
from .output import print_json
from .signals import ended_by_sigterm
from .table_checks import stats, verify
from .table_options import (
    MemoryParam,
    dir_option,
    table_files,
    tables_folder,
    tables_to_read,
)

if TYPE_CHECKING:
    from fanorona_core.tablebase import TableValue
    from fanorona_core.tablebuild import Pair, Progress
    from fanorona_core.tablefile import TableInfo

__all__ = ["command"]


class _InOrder(click.Group):
    """A group that lists its commands in the order of their making."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Build comes first."""
        return list(self.commands)


@click.group(
    "tables",
    cls=_InOrder,
    short_help="Build endgame tables and ask them for exact values.",
    epilog="""\b
Examples:
  fanorona tables build --stones 5
  fanorona tables probe '8b/9/9/9/wb7 w'
  fanorona tables verify --stones 5
""",
)
def command() -> None:
    """Build endgame tables and ask them for the exact value of positions.

    Tables of up to 4 stones need not be built. The tables are kept among the user's data, or
    in the folder of --dir or FANORONA_TABLES_DIR.
    """


@command.command(
    "build",
    epilog="""\b
Examples:
  fanorona tables build --stones 5
  fanorona tables build --stones 6 --distance --threads 2
  fanorona tables build --board 3x3 --stones 8 --continuation compulsory
""",
)
@click.option(
    "--stones",
    type=click.IntRange(2, 44),
    default=5,
    show_default=True,
    metavar="N",
    help="Build all tables of up to N stones, both sides counted.",
)
@rules_options
@click.option("--distance", is_flag=True, help="Keep the number of turns to the end too.")
@click.option(
    "--complete",
    is_flag=True,
    help="In large tables store positions with a capture too: larger, and looked up faster.",
)
@click.option(
    "--threads",
    type=click.IntRange(1, 64),
    default=lambda: os.cpu_count() or 1,
    show_default="as many as there are processors",
    metavar="N",
    help="Work on so many threads.",
)
@click.option(
    "--memory",
    type=MemoryParam(),
    metavar="SIZE",
    help="Refuse what needs more memory, such as 4GiB; usually what is free.",
)
@dir_option
@json_option
def build(
    stones: int,
    rules: RuleSet,
    distance: bool,
    complete: bool,
    threads: int,
    memory: int | None,
    folder: str | None,
    as_json: bool,
) -> None:
    """Build tables; what is there already is left as it is.

    A build that is interrupted goes on where it was when it is called again.
    """
    from fanorona_core.tablebuild import Builder, available_memory, pairs_up_to

    started = time.perf_counter()
    directory = tables_folder(folder)
    builder = Builder(
        rules.columns,
        rules.rows,
        compulsory=rules.compulsory,
        no_move_draw=rules.no_move_draw,
        directory=directory,
        distance=distance,
        complete=complete,
        threads=threads,
    )
    pairs = pairs_up_to(rules.columns, rules.rows, stones)
    try:
        with ended_by_sigterm(), _progress(builder.weights(pairs)) as progress:
            builder.build(pairs, memory=memory or available_memory(), progress=progress)
    except MemoryError as error:
        raise click.ClickException(str(error) or "there is not enough memory") from None
    seconds = time.perf_counter() - started
    size = sum(path.stat().st_size for path in builder.written)
    if as_json:
        data = {
            "folder": str(directory),
            "written": [path.name for path in builder.written],
            "bytes": size,
            "seconds": round(seconds, 3),
        }
        print_json("tables-build/1", data)
        return
    if not builder.written:
        click.echo(f"Nothing to build: all is there in {directory}.")
        return
    click.echo(
        f"Built {len(builder.written)} tables, {size_text(size)}, in {seconds:.1f} s: {directory}"
    )


@contextmanager
def _progress(weights: dict[Pair, int]) -> Iterator[Progress | None]:
    """A bar with the time left on standard error, if that is a terminal."""
    stream = sys.stderr
    if stream is None or not stream.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeRemainingColumn(elapsed_when_finished=True),
    )
    done: dict[Pair, float] = {}
    with Bar(*columns, console=Console(file=stream), transient=True) as bar:
        task = bar.add_task("stones", total=sum(weights.values()) or 1)

        def report(pair: Pair, part: float) -> None:
            done[pair] = weights.get(pair, 0) * part
            bar.update(task, completed=sum(done.values()), description=f"{pair}")

        yield report


@command.command("list", epilog="\b\nExamples:\n  fanorona tables list")
@dir_option
@json_option
def list_tables(folder: str | None, as_json: bool) -> None:
    """List the tables that are there, with their sizes."""
    directory = tables_to_read(folder)
    rows, faults = [], []
    for file, fault in table_files(directory):
        if file is None:
            faults.append(fault)
            continue
        rows.append((file.info, file.path.stat().st_size))
        file.close()
    if as_json:
        tables = [
            {**_key_data(info), "slots": info.slots, "complete": info.complete, "bytes": size}
            for info, size in rows
        ]
        print_json("tables-list/1", {"folder": str(directory), "tables": tables, "faults": faults})
    elif not rows and not faults:
        click.echo(f"No tables in {directory}; build some with: fanorona tables build --stones 5")
    else:
        for info, size in rows:
            bits = f"{8 * size / info.positions:6.3f} bits a position"
            click.echo(f"{info.key.file_name:28} {size_text(size):>9} {bits}")
        click.echo(f"{len(rows)} tables, {size_text(sum(size for _, size in rows))}: {directory}")
    for fault in faults:
        click.echo(f"Error: {fault}", err=True)
    if faults:
        raise SystemExit(1)


command.add_command(verify)
command.add_command(stats)


@command.command(
    "probe",
    epilog="""\b
Examples:
  fanorona tables probe '8b/9/9/9/wb7 w'
  fanorona tables probe '8b/9/9/9/wb7 b - 12 40 youzai'
""",
)
@click.argument("position", metavar="POSITION")
@dir_option
@json_option
def probe(position: str, folder: str | None, as_json: bool) -> None:
    """Say what a position is worth, and each of its turns, the best first.

    POSITION is position text, in quotes. A number behind the result counts the turns of both
    sides to the end.
    """
    from fanorona_core.tablebase import Tables

    try:
        parsed = Position.parse(position)
    except FanoronaError as error:
        raise click.BadParameter(str(error), param_hint="'POSITION'") from None
    tables = Tables(tables_to_read(folder))
    value, turns = tables.probe(parsed), tables.turns(parsed)
    outcome = Board(parsed).outcome()
    if as_json:
        data = {
            "position": parsed.text(),
            "value": _value_data(value),
            "outcome": None if outcome is None else str(outcome),
            "turns": [{"turn": str(t.turn), "value": _value_data(t.value)} for t in turns],
        }
        print_json("tables-probe/1", data)
        return
    unsure = "" if value.sure or outcome else ", if no counter of the rules ends the game before"
    click.echo(f"{parsed.side}: {value}{unsure}")
    if outcome is not None:
        click.echo(f"The game is over. {outcome}.")
    width = max((len(str(turn.turn)) for turn in turns), default=0)
    for turn in turns:
        click.echo(f"  {turn.turn!s:{width}}  {turn.value}")


def _value_data(value: TableValue) -> dict[str, Any]:
    return {"wdl": str(value.wdl), "distance": value.distance, "sure": value.sure}


def _key_data(info: TableInfo) -> dict[str, Any]:
    key = info.key
    return {
        "file": key.file_name,
        "board": f"{key.columns}x{key.rows}",
        "continuation": "compulsory" if key.compulsory else "optional",
        "own": key.own,
        "enemy": key.enemy,
        "kind": key.kind,
        "positions": info.positions,
    }
