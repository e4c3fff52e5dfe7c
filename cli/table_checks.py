"""``fanorona tables verify`` and ``stats``: what is in the tables, and whether it is right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from fanorona_core import CorruptTableError, Position, RuleSet, Side

from .options import json_option, rules_options
from .output import print_json
from .table_options import dir_option, is_table_of, stones_option, table_files, tables_to_read

if TYPE_CHECKING:
    from fanorona_core.tablefile import TableFile, TableInfo

__all__ = ["stats", "verify"]


@click.command(
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
    lead to is looked up. Without --rules, --board and --continuation: the tables of 9x5 whose
    chains may stop.
    """
    from fanorona_core.tablebase import Tables

    directory = tables_to_read(folder)
    tables = Tables(directory)
    checked = []
    for file, fault in table_files(directory):
        if file is None:
            raise click.ClickException(fault)
        key = file.info.key
        if not is_table_of(key, rules) or (stones is not None and key.own + key.enemy > stones):
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
    if not checked:
        raise click.ClickException(f"{directory}: no table of these rules, so nothing is verified")
    if as_json:
        data = [{"file": name, "positions": positions} for name, positions in checked]
        print_json("tables-verify/1", {"folder": str(directory), "tables": data})


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
            f"table {file.path}: the value of slot {fault} does not follow from its turns: "
            "delete it and build it again"
        )


@click.command(
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

    All placements are counted, those included that symmetries make equal. Without --rules,
    --board and --continuation: the tables of 9x5 whose chains may stop.
    """
    from fanorona_core._index import SetIndex

    directory = tables_to_read(folder)
    index = SetIndex(rules.columns, rules.rows)
    found: dict[tuple[int, int], TableInfo] = {}
    sizes: dict[tuple[int, int], dict[str, int]] = {}
    for file, fault in table_files(directory):
        if file is None:
            raise click.ClickException(fault)
        key = file.info.key
        table = key.own, key.enemy
        if is_table_of(key, rules) and (stones is None or sum(table) <= stones):
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
