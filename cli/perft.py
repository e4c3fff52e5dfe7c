"""``fanorona perft``: count the sequences of turns from a position."""

from __future__ import annotations

from time import perf_counter
from typing import Any, cast

import click

from fanorona_core import Position
from fanorona_core.counting import Policy

from .options import json_option, position_options
from .output import print_json

__all__ = ["command"]

# One level of recursion a ply; long before this the numbers are beyond any patience.
MAX_DEPTH = 1000


@click.command(
    "perft",
    short_help="Count the sequences of turns from a position.",
    epilog="""\b
Examples:
  fanorona perft 6
  fanorona perft 3 --divide --board 5x5 --continuation compulsory
  fanorona perft 4 --position "9/9/4bw3/9/1b7 w" --policy merged --json
""",
)
@click.argument("depth", type=click.IntRange(0, MAX_DEPTH))
@position_options
@click.option(
    "--policy",
    type=click.Choice(["distinct", "merged", "steps"]),
    default="distinct",
    show_default=True,
    help="What counts once: each turn by its path and letters (distinct); turns of one stone that "
    "end on the same point and take the same stones (merged); each single step, and each end of a "
    "chain that could go on (steps).",
)
@click.option("--divide", is_flag=True, help="Also count separately after each first turn or step.")
@json_option
def command(depth: int, start: Position, policy: str, divide: bool, as_json: bool) -> None:
    """Count the sequences of DEPTH turns, both sides together, from a position.

    Without --position it is the start of the game. The count is a test of the rules: two programs
    that agree on it to some depth generate the same turns. A game that is over has no turns;
    draws by repetition or other limits play no part.
    """
    count = cast(Policy, policy)
    if divide and depth < 1:
        raise click.UsageError("--divide needs a DEPTH of 1 or more")
    began = perf_counter()
    split = start.divide(depth, count) if divide else {}
    nodes = sum(split.values()) if divide else start.perft(depth, count)
    seconds = perf_counter() - began
    if as_json:
        report: dict[str, Any] = {
            "position": start.text(),
            "policy": policy,
            "depth": depth,
            "nodes": nodes,
            "seconds": round(seconds, 6),
        }
        print_json("perft/1", {**report, "divide": split} if divide else report)
        return
    width = max(map(len, split), default=0)
    for name, part in split.items():
        click.echo(f"{name:{width}}  {part}")
    speed = f", {nodes / seconds / 1e6:.1f} million a second" if seconds >= 0.01 else ""
    click.echo(f"perft {depth} ({policy}): {nodes} in {seconds:.3f} s{speed}")
