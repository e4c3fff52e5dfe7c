"""``fanorona tables``: build, list, check, count and ask endgame tables."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from fanorona_core import CorruptTableError, FanoronaError, Position, RuleSet

from .options import json_option, rules_options
from .output import print_json

if TYPE_CHECKING:
    from fanorona_core.tablebase import TableValue
    from fanorona_core.tablebuild import Pair, Progress
    from fanorona_core.tablefile import TableFile, TableInfo

    IntParam = click.ParamType[int]
else:  # only newer versions of click have it generic
    IntParam = click.ParamType

__all__ = ["command", "tables_folder"]

_UNITS: Final = {"": 1, "k": 10, "m": 20, "g": 30, "t": 40}


def tables_folder(chosen: str | None = None) -> Path:
    """Where tables are kept: what was chosen, ``FANORONA_TABLES_DIR``, or among the user's data."""
    from fanorona_core.tablebase import DIRECTORY_VARIABLE

    folder = chosen or os.environ.get(DIRECTORY_VARIABLE)
    if folder:
        return Path(folder).expanduser()
    from .store import data_folder

    return data_folder() / "tables"


class MemoryParam(IntParam):
    """An amount of memory such as 4GiB or 800M; the value is in bytes."""

    name = "memory"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read a number and its unit."""
        if isinstance(value, int):
            return value
        found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)\s*([kmgt]?)(?:i?b)?", value.lower())
        if found is None:
            self.fail(f"{value!r}: expected a size, such as 4GiB or 800MiB", param, ctx)
        size = float(found[1])
        return int(size * (1 << _UNITS[found[2]] if found[2] else 1))


dir_option = click.option(
    "--dir", "folder", metavar="DIR", help="The folder of the tables; usually that of the user."
)
stones_option = click.option(
    "--stones", type=click.IntRange(2, 44), metavar="N", help="Only tables of up to N stones."
)


class _InOrder(click.Group):
    """A group that lists its commands in the order of their making."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Build comes first."""
        return list(self.commands)


@click.group(
    "tables",
    cls=_InOrder,
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
    with _progress(builder.weights(pairs)) as progress:
        builder.build(pairs, memory=memory or available_memory(), progress=progress)
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
        f"Built {len(builder.written)} tables, {_size(size)}, in {seconds:.1f} s: {directory}"
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
    directory = tables_folder(folder)
    rows, faults = [], []
    for file, fault in _files(directory):
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
            click.echo(f"{info.key.file_name:28} {_size(size):>9} {bits}")
        click.echo(f"{len(rows)} tables, {_size(sum(size for _, size in rows))}: {directory}")
    for fault in faults:
        click.echo(f"Error: {fault}", err=True)
    if faults:
        raise SystemExit(1)


@command.command(
    "verify",
    epilog="""\b
Examples:
  fanorona tables verify
  fanorona tables verify --stones 4 --complete
""",
)
@stones_option
@rules_options
@click.option(
    "--sample",
    type=click.IntRange(0),
    default=100_000,
    show_default=True,
    metavar="N",
    help="Look at the turns of about so many positions of each table.",
)
@click.option("--complete", is_flag=True, help="Look at the turns of every position.")
@dir_option
@json_option
def verify(
    stones: int | None,
    rules: RuleSet,
    sample: int,
    complete: bool,
    folder: str | None,
    as_json: bool,
) -> None:
    """Check the files, and that the value of each position follows from its turns.

    First the checksums; then, for positions of each table, all turns are made and what they
    lead to is looked up.
    """
    from fanorona_core.tablebase import Tables

    directory = tables_folder(folder)
    tables = Tables(directory)
    checked = []
    for file, fault in _files(directory):
        if file is None:
            raise click.ClickException(fault)
        key = file.info.key
        if not _is_of(key, rules) or (stones is not None and key.own + key.enemy > stones):
            file.close()
            continue
        file.check()
        positions = file.info.slots if complete else min(sample, file.info.slots)
        if positions:
            _verify_turns(tables, rules, file, positions)
        checked.append((key.file_name, positions))
        if not as_json:
            click.echo(f"{key.file_name:28} right ({positions} positions)")
        file.close()
    if as_json:
        data = [{"file": name, "positions": positions} for name, positions in checked]
        print_json("tables-verify/1", {"folder": str(directory), "tables": data})
    elif not checked:
        click.echo(f"No tables of these rules in {directory}.")


def _verify_turns(tables: Any, rules: RuleSet, file: TableFile, positions: int) -> None:
    key, slots = file.info.key, file.info.slots
    loaded = tables.load(rules, key.own + key.enemy, key.kind)
    step = max(1, slots // positions)
    try:
        fault = loaded.first_fault(key.own, key.enemy, key.kind == "distance", 0, slots, step)
    except LookupError as error:
        raise click.ClickException(f"{key.file_name}: {error}") from None
    if fault is not None:
        raise CorruptTableError(
            f"table {file.path}: the value of slot {fault} does not follow from its turns"
        )


@command.command(
    "stats",
    epilog="""\b
Examples:
  fanorona tables stats
  fanorona tables stats --stones 5 --markdown
""",
)
@stones_option
@rules_options
@click.option("--markdown", is_flag=True, help="Write a table for a document.")
@dir_option
@json_option
def stats(
    stones: int | None, rules: RuleSet, markdown: bool, folder: str | None, as_json: bool
) -> None:
    """Count wins, draws and losses, and show a longest win of each table that has distances.

    All placements are counted, those included that symmetries make equal.
    """
    from fanorona_core._index import SetIndex

    directory = tables_folder(folder)
    index = SetIndex(rules.columns, rules.rows)
    found: dict[tuple[int, int], TableInfo] = {}
    sizes: dict[tuple[int, int], dict[str, int]] = {}
    for file, fault in _files(directory):
        if file is None:
            raise click.ClickException(fault)
        key = file.info.key
        table = key.own, key.enemy
        if _is_of(key, rules) and (stones is None or sum(table) <= stones):
            sizes.setdefault(table, {})[key.kind] = file.path.stat().st_size
            if table not in found or key.kind == "distance":
                found[table] = file.info
        file.close()
    rows = [
        _stats_row(found[table], sizes[table], index)
        for table in sorted(found, key=lambda t: (sum(t), t))
    ]
    if as_json:
        print_json("tables-stats/1", {"folder": str(directory), "tables": rows})
    elif not rows:
        click.echo(f"No tables of these rules in {directory}.")
    else:
        click.echo("\n".join(_markdown(rows) if markdown else _columns(rows)))


def _stats_row(info: TableInfo, sizes: dict[str, int], index: Any) -> dict[str, Any]:
    key = info.key
    examples = {}
    for name, slot in (("win", info.longest_win_slot), ("loss", info.longest_loss_slot)):
        examples[name] = None if slot is None else _stones(info, index, slot)
    return {
        "own": key.own,
        "enemy": key.enemy,
        "positions": info.positions,
        "folded": info.folded,
        "win": info.win,
        "draw": info.draw,
        "loss": info.loss,
        "longest_win": info.longest_win,
        "longest_loss": info.longest_loss,
        "example_win": examples["win"],
        "example_loss": examples["loss"],
        "bytes": sizes,
    }


def _stones(info: TableInfo, index: Any, slot: int) -> str:
    from fanorona_core import Side

    own, enemy = index.position(info.key.own, info.key.enemy, slot)
    rules = RuleSet(columns=info.key.columns, rows=info.key.rows)
    return Position(own, enemy, Side.WHITE, rules).stones_text()


_HEADS: Final = (
    "stones",
    "positions",
    "folded",
    "win",
    "draw",
    "loss",
    "longest win",
    "longest loss",
    "example of the longest win",
)


def _cells(row: dict[str, Any]) -> list[str]:
    counts = [f"{row[name]:,}" for name in ("positions", "folded", "win", "draw", "loss")]
    longest = [
        "" if row[name] is None else str(row[name]) for name in ("longest_win", "longest_loss")
    ]
    return [f"{row['own']}-{row['enemy']}", *counts, *longest, row["example_win"] or ""]


def _columns(rows: list[dict[str, Any]]) -> list[str]:
    cells = [list(_HEADS), *(_cells(row) for row in rows)]
    widths = [max(len(line[i]) for line in cells) for i in range(len(_HEADS))]
    return [
        "  ".join(
            cell.ljust(width) if i in (0, len(widths) - 1) else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in cells
    ]


def _markdown(rows: list[dict[str, Any]]) -> list[str]:
    lines = ["| " + " | ".join(_HEADS) + " |", "|---|" + "---:|" * 7 + "---|"]
    for row in rows:
        *cells, example = _cells(row)
        lines.append(f"| {' | '.join(cells)} | {f'`{example}`' if example else ''} |")
    return lines


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
    tables = Tables(tables_folder(folder))
    value, turns = tables.probe(parsed), tables.turns(parsed)
    if as_json:
        data = {
            "position": parsed.text(),
            "value": _value_data(value),
            "turns": [{"turn": str(t.turn), "value": _value_data(t.value)} for t in turns],
        }
        print_json("tables-probe/1", data)
        return
    unsure = "" if value.sure else ", if no counter of the rules ends the game before"
    click.echo(f"{parsed.side}: {value}{unsure}")
    width = max((len(str(turn.turn)) for turn in turns), default=0)
    for turn in turns:
        click.echo(f"  {turn.turn!s:{width}}  {turn.value}")


def _value_data(value: TableValue) -> dict[str, Any]:
    return {"wdl": str(value.wdl), "distance": value.distance, "sure": value.sure}


def _files(directory: Path) -> Iterator[tuple[TableFile | None, str]]:
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
            else:
                yield file, ""


def _is_of(key: Any, rules: RuleSet) -> bool:
    return (key.columns, key.rows, key.compulsory, key.no_move_draw) == (
        rules.columns,
        rules.rows,
        rules.compulsory,
        rules.no_move_draw,
    )


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


def _size(count: int) -> str:
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count} B"
