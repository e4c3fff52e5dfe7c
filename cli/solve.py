"""``fanorona solve``: the value of the start, or of another position, with perfect play."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import click

from fanorona_core import Position, Side

from .options import json_option, position_options
from .output import print_json
from .table_options import MemoryParam, dir_option, tables_to_read
from .words import counted

if TYPE_CHECKING:
    from fanorona_core._tablebase import LoadedTables
    from fanorona_core.tablebase import Wdl

__all__ = ["command"]

# Boards that tables hold completely: 3x3, 3x5, 5x3, in a second.
_WHOLE_POINTS: Final = 15
_WHOLE_SLOTS: Final = 4_000_000
# Tables for a proof are made in memory up to so many slots: half a minute on one thread at most.
_PROOF_SLOTS: Final = 150_000_000


@dataclass(slots=True)
class _Found:
    """What is known of White's result, and how."""

    method: str
    stones: int
    lower: Wdl
    upper: Wdl
    distance: int | None = None
    line: list[str] = field(default_factory=list)
    nodes: int = 0
    proofs: list[dict[str, Any]] = field(default_factory=list)
    interrupted: bool = False

    @property
    def value(self) -> Wdl | None:
        return self.lower if self.lower is self.upper else None


@click.command(
    "solve",
    short_help="Find the value of a start or position with perfect play.",
    epilog="""\b
Examples:
  fanorona solve --board 3x3
  fanorona solve --board 5x5 --verify
  fanorona solve --board 3x7 --continuation compulsory --stones 6
""",
)
@position_options
@click.option(
    "--stones",
    type=click.IntRange(2, 44),
    metavar="N",
    help="Let proofs end in tables of up to N stones; usually as many as half a minute makes.",
)
@click.option(
    "--nodes",
    type=click.IntRange(1, 10**18),
    default=10_000_000,
    show_default=True,
    metavar="N",
    help="Give up after about so many positions.",
)
@click.option(
    "--memory",
    type=MemoryParam(),
    default="1GiB",
    show_default=True,
    metavar="SIZE",
    help="Memory for what the proofs have found, besides the tables.",
)
@click.option(
    "--verify", is_flag=True, help="Solve it a second time, with other tables, and compare."
)
@click.option(
    "--threads",
    type=click.IntRange(1, 64),
    default=lambda: os.cpu_count() or 1,
    show_default="as many as there are processors",
    metavar="N",
    help="Build the tables on so many threads.",
)
@dir_option
@json_option
def command(
    start: Position,
    stones: int | None,
    nodes: int,
    memory: int,
    verify: bool,
    threads: int,
    folder: str | None,
    as_json: bool,
) -> None:
    """Find the value of the start, or of --position, with perfect play.

    Boards of up to 15 points are solved completely by tables. Larger ones by proofs that end in
    tables: does White hold at least a draw, does Black? See also: fanorona prove.
    """
    started = time.perf_counter()
    if start.columns * start.rows <= _WHOLE_POINTS and stones is None:
        found = _by_tables(start)
    else:
        from fanorona_core.solve import stones_within

        if stones is None:
            stones = stones_within(start.columns, start.rows, _PROOF_SLOTS)
        found = _by_proof(start, stones, nodes, memory, threads, folder, not as_json)
    seconds = time.perf_counter() - started
    checked = None
    if verify and not found.interrupted:
        fewer = max(2, (found.stones if found.method == "proof" else 5) - 1)
        second = _by_proof(start, fewer, nodes, memory, threads, None, not as_json)
        found.interrupted = second.interrupted
        checked = second.value is found.value if found.value is not None else None
        if second.lower > found.upper or second.upper < found.lower:
            raise click.ClickException("the two ways to solve it disagree: please report this")
    if as_json:
        data = {
            "position": start.text(),
            "white": None if found.value is None else str(found.value),
            "white_at_least": str(found.lower),
            "white_at_most": str(found.upper),
            "distance": found.distance,
            "line": found.line,
            "method": found.method,
            "stones": found.stones,
            "nodes": found.nodes,
            "proofs": found.proofs,
            "verified": checked,
            "seconds": round(seconds, 3),
        }
        print_json("solve/1", data)
    else:
        click.echo(_verdict(found))
        if found.line:
            click.echo(f"Best play: {' '.join(found.line)}")
        click.echo(_how(found, seconds))
        if verify:
            click.echo("Verified." if checked else "Not verified.")
    if found.interrupted:
        raise KeyboardInterrupt("\nInterrupted; this is what was proved until then.")


def _verdict(found: _Found) -> str:
    from fanorona_core.tablebase import Wdl

    if found.value is None:
        if (found.lower, found.upper) == (Wdl.LOSS, Wdl.WIN):
            return "Not solved."
        least = "at least draws" if found.lower is Wdl.DRAW else "at most draws"
        return f"Not solved, but White {least}."
    if found.value is Wdl.DRAW:
        return "A draw."
    winner = Side.WHITE if found.value is Wdl.WIN else Side.BLACK
    length = f" in {counted(found.distance, 'turn')}" if found.distance else ""
    return f"{winner} wins{length}."


def _how(found: _Found, seconds: float) -> str:
    if found.method == "tables":
        return f"By tables of all positions, in {seconds:.1f} s."
    return (
        f"By proofs above tables of up to {found.stones} stones, {found.nodes:,} positions, "
        f"in {seconds:.1f} s."
    )


def _by_tables(start: Position) -> _Found:
    from fanorona_core.tablebase import Tables
    from fanorona_core.tablebuild import most_of_a_side

    tables = Tables(instant_slots=_WHOLE_SLOTS)
    value = tables.probe(start)
    white = value.wdl if start.side is Side.WHITE else -value.wdl
    stones = 2 * most_of_a_side(start.columns, start.rows)
    found = _Found("tables", stones, white, white, value.distance)
    found.line = [str(turn) for turn in tables.best_line(start)]
    return found


def _by_proof(
    start: Position,
    stones: int,
    nodes: int,
    memory: int,
    threads: int,
    folder: str | None,
    talk: bool,
) -> _Found:
    from fanorona_core.solve import ProofSearch

    tables = _proof_tables(start, stones, threads, folder)
    search = ProofSearch(start, tables, memory >> 20)
    proofs: list[dict[str, Any]] = []
    interrupted = False
    try:
        for step in search.run(nodes):
            if step.proved is None:
                continue
            proofs.append({"claim": str(step.claim), "proved": step.proved, "nodes": step.nodes})
            if talk and step.proved:
                click.echo(f"Proved: {step.claim} ({step.nodes:,} positions).")
    except KeyboardInterrupt:
        interrupted = True
    return _Found(
        "proof",
        stones,
        search.lower,
        search.upper,
        nodes=search.nodes,
        proofs=proofs,
        interrupted=interrupted,
    )


def _proof_tables(start: Position, stones: int, threads: int, folder: str | None) -> LoadedTables:
    """The tables of the folder, if all are there; else made in memory."""
    from fanorona_core.solve import proof_tables
    from fanorona_core.tablebase import Tables
    from fanorona_core.tablebuild import Builder, available_memory, pairs_up_to

    rules, directory = start.rules, tables_to_read(folder)
    builder = Builder(
        rules.columns,
        rules.rows,
        compulsory=rules.compulsory,
        no_move_draw=rules.no_move_draw,
        directory=directory,
        threads=threads,
    )
    pairs = pairs_up_to(rules.columns, rules.rows, stones)
    if all(builder.has(pair) for pair in pairs):
        return Tables(directory).load(rules, stones)
    builder.directory = None
    builder.check(pairs, available_memory())
    return proof_tables(builder, stones)
