"""``fanorona bench``: a fixed search, to see whether it is still the same and how fast it is."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import click

from fanorona_core import Position
from fanorona_core.engine import Engine, Limit

from .options import json_option
from .output import print_json

__all__ = ["BenchResult", "bench", "command", "positions"]

HASH_MIB = 16


@dataclass(frozen=True, slots=True)
class BenchResult:
    """What the search of one position took."""

    position: Position
    depth_plies: int
    nodes: int
    time_ms: float


def positions() -> Iterator[tuple[int, Position]]:
    """Read the positions and the depth that each is searched to."""
    for line in files(__package__).joinpath("data/bench.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            depth, _, text = line.partition(" ")
            yield int(depth), Position.parse(text)


def bench(hash_mib: int = HASH_MIB) -> Iterator[BenchResult]:
    """Search each position on one thread with an empty hash table."""
    engine = Engine(hash_mib=hash_mib, seed=1)
    for depth, position in positions():
        engine.new_game()
        begun = time.perf_counter()
        *_, last = engine.analyse(position, Limit(depth_plies=depth))
        yield BenchResult(position, depth, last.nodes, (time.perf_counter() - begun) * 1000)


def _data(result: BenchResult) -> dict[str, Any]:
    return {
        "position": result.position.text(),
        "depth_plies": result.depth_plies,
        "nodes": result.nodes,
        "time_ms": round(result.time_ms),
    }


@click.command(
    "bench",
    epilog="""\b
Examples:
  fanorona bench --json
  fanorona bench --signature > tests/data/signature.txt
""",
)
@click.option("--signature", "only_signature", is_flag=True, help="Print the signature only.")
@click.option("--each", is_flag=True, help="Also list the positions.")
@json_option
def command(only_signature: bool, each: bool, as_json: bool) -> None:
    """Search fixed positions to fixed depths on one thread.

    Prints the number of positions searched, which is the signature of the search: it is the same
    on every machine until the search, the evaluation or the rules change. Then the speed.
    """
    results = []
    for result in bench():
        results.append(result)
        if each and not (only_signature or as_json):
            click.echo(
                f"{result.nodes:>10,}  {result.time_ms:>6.0f} ms  depth {result.depth_plies:>2}  "
                f"{result.position.text()}"
            )
    nodes = sum(result.nodes for result in results)
    time_ms = sum(result.time_ms for result in results)
    nps = round(nodes / time_ms * 1000)
    if as_json:
        data = {"nodes": nodes, "nps": nps, "time_ms": round(time_ms), "positions": len(results)}
        print_json("bench/1", {**data, "each": [_data(one) for one in results]} if each else data)
    elif only_signature:
        click.echo(nodes)
    else:
        click.echo(f"{len(results)} positions in {time_ms / 1000:.2f} s")
        click.echo(f"Signature: {nodes}")
        click.echo(f"Speed: {nps:,} nodes/s")
