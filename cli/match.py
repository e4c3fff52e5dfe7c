"""``fanorona match``: games between two engines, and what they say about their strength."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from fanorona_core import Board, FanoronaError, RuleSet
from fanorona_core.clock import Clock
from fanorona_core.elo import Sprt
from fanorona_core.engine import Limit
from fanorona_core.openings import Openings

from .arena import Terms
from .match_report import Progress, report_data, report_lines
from .match_run import Plan, play_pairs
from .match_store import MatchResults, MatchSettings, MatchStore, StoreError
from .opening_file import digest, read_openings, shuffled
from .options import DurationParam, json_option, rules_options
from .output import print_json
from .players import PlayerError, PlayerSpec, parse_clock
from .signals import ended_by_sigterm
from .table_options import tables_folder
from .workers import WorkerError

__all__ = ["command"]

GAMES: Final = 100
SPRT_GAMES: Final = 20_000
TIME_MS: Final = 100
PLIES: Final = 4
WINDOW: Final = 50


if TYPE_CHECKING:
    PlayerText = click.ParamType[tuple[str, PlayerSpec]]
    ClockText = click.ParamType[Clock]
else:  # only newer versions of click have it generic
    PlayerText = ClockText = click.ParamType


class PlayerParam(PlayerText):
    """A player's text."""

    name = "player"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, PlayerSpec]:
        """Read it; the value is the text and what it says."""
        try:
            return str(value), PlayerSpec.parse(str(value))
        except (PlayerError, ValueError) as error:
            self.fail(str(error), param, ctx)


class ClockParam(ClockText):
    """Seconds and an increment, such as 10+0.1."""

    name = "clock"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Clock:
        """Read them."""
        try:
            return parse_clock(str(value))
        except PlayerError as error:
            self.fail(str(error), param, ctx)


@click.command(
    "match",
    epilog="""\b
Examples:
  fanorona match level:3 level:2 --games 40
  fanorona match nodes=20000,hash=64 nodes=20000 --sprt 0 10 -j 2 -o runs/hash
  fanorona match engine "cmd:./other-engine --ugi" --openings book.fgn -o runs/other
""",
)
@click.argument("first", metavar="A", type=PlayerParam())
@click.argument("second", metavar="B", type=PlayerParam())
@click.option("-n", "--games", type=click.IntRange(2), help="Games to play, an even number.")
@click.option("-t", "--time", "time_ms", type=DurationParam(), help="Time for each turn. [100ms]")
@click.option("--depth", type=click.IntRange(1), help="Depth of each turn's search in plies.")
@click.option("--nodes", type=click.IntRange(1), help="Positions searched for each turn.")
@click.option("--clock", type=ClockParam(), help="Seconds for a game, with an increment: 10+0.1.")
@click.option("--plies", type=click.IntRange(0), help="Random turns of an opening. [4]")
@click.option("--window", type=click.IntRange(0), help="Its balance, centipawns. [50]")
@click.option(
    "--openings",
    "opening_file",
    metavar="FILE",
    help="Begin with the turns of the games of FILE instead, in random order.",
)
@click.option("--seed", type=int, default=1, help="Of the openings and of the players. [1]")
@click.option("--max-turns", type=click.IntRange(1), help="A draw after so many turns.")
@click.option("--max-quiet", type=click.IntRange(1), help="A draw after so many without capture.")
@click.option(
    "--adjudicate", type=click.IntRange(2, 44), help="Let the tables end games of so few stones."
)
@click.option(
    "--tables",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Their folder; usually that of the user.",
)
@click.option("--sprt", nargs=2, type=float, metavar="ELO0 ELO1", help="End when one is accepted.")
@click.option("--alpha", type=float, default=0.05, help="Error of accepting ELO1. [0.05]")
@click.option("--beta", type=float, default=0.05, help="Error of accepting ELO0. [0.05]")
@click.option("-j", "--jobs", type=click.IntRange(1), default=1, help="Games side by side. [1]")
@click.option(
    "-o", "--output", type=click.Path(file_okay=False, path_type=Path), help="Folder for the games."
)
@rules_options
@json_option
def command(
    first: tuple[str, PlayerSpec],
    second: tuple[str, PlayerSpec],
    games: int | None,
    time_ms: int | None,
    depth: int | None,
    nodes: int | None,
    clock: Clock | None,
    plies: int | None,
    window: int | None,
    opening_file: str | None,
    seed: int,
    max_turns: int | None,
    max_quiet: int | None,
    adjudicate: int | None,
    tables: Path | None,
    sprt: tuple[float, float] | None,
    alpha: float,
    beta: float,
    jobs: int,
    output: Path | None,
    rules: RuleSet,
    as_json: bool,
) -> None:
    """Let two engines play, and estimate how much stronger A is.

    \b
    A player is
      level:N             a level of this engine, 1 to 10
      engine              this engine at full strength
      time=250,hash=64    ... with settings: time (in ms), depth, nodes, clock,
                          hash (MiB), threads, contempt, seed, tables, proofs, name
      cmd:PROGRAM         another program that speaks UGI; before cmd: its own
                          options, as in Hash=64,time=250,cmd:PROGRAM

    Each opening is played twice, with the colours changed. With --output the games are kept as
    FGN, and the same command goes on where an interrupted match stopped. docs/match.md says more.
    """
    limit = None
    if time_ms or depth or nodes:
        limit = Limit(time_ms=time_ms, depth_plies=depth, nodes=nodes)
    elif clock is None:
        limit = Limit(time_ms=TIME_MS)
    if opening_file is not None and (plies is not None or window is not None):
        raise click.UsageError("--plies and --window are for random openings, not those of a file")
    if games is not None and games % 2:
        raise click.UsageError(f"--games {games}: expected an even number, two for each opening")
    test = _test(sprt, alpha, beta)
    wanted = (games or (SPRT_GAMES if test else GAMES)) // 2
    terms = Terms(max_turns, max_quiet)
    specs = _named(first[1], second[1])
    folder = None if adjudicate is None else tables_folder(None if tables is None else str(tables))
    plan = Plan(specs, limit, clock, rules, terms, adjudicate, folder, seed)
    read = None if opening_file is None else read_openings(opening_file, rules)
    settings = MatchSettings(
        first=first[0],
        second=second[0],
        pace=_pace(limit, clock),
        rules=str(rules),
        seed=seed,
        plies=PLIES if plies is None else plies,
        window=WINDOW if window is None else window,
        opening_file=opening_file,
        openings_digest=None if read is None else digest(read),
        max_turns=max_turns,
        max_quiet=max_quiet,
        adjudicate=adjudicate,
    )
    openings: Iterable[Board]
    if read is None:
        openings = Openings(rules, seed, settings.plies, settings.window)
    else:
        openings = shuffled(read, seed)
    store: MatchStore | None = None
    results = MatchResults()
    ended: BaseException | None = None
    try:
        if output is not None:
            store = MatchStore(output, settings)
            results = store.load()
        with ended_by_sigterm(), Progress(specs, wanted, results, test) as progress:
            for number, pair in play_pairs(plan, openings, results, wanted, jobs, test):
                if store is not None:
                    store.add(pair)
                results.add(number, pair)
                progress.show()
    except KeyboardInterrupt:
        kept = "" if store is None else "; the same command goes on from here"
        ended = KeyboardInterrupt(f"\nInterrupted{kept}.")
    except (PlayerError, WorkerError, StoreError, ValueError) as error:
        ended = error if isinstance(error, FanoronaError) else click.ClickException(str(error))
    if ended is None or results.pairs:
        data = report_data(specs, results, test)
        if as_json:
            print_json("match/1", data)
        else:
            click.echo("\n".join(report_lines(data)))
    if ended is not None:
        raise ended


def _test(sprt: tuple[float, float] | None, alpha: float, beta: float) -> Sprt | None:
    if sprt is None:
        return None
    try:
        return Sprt(sprt[0], sprt[1], alpha, beta)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _named(first: PlayerSpec, second: PlayerSpec) -> tuple[PlayerSpec, PlayerSpec]:
    """The two players, told apart where they have one name."""
    if first.name != second.name:
        return first, second
    return replace(first, name=f"{first.name} A"), replace(second, name=f"{second.name} B")


def _pace(limit: Limit | None, clock: Clock | None) -> str:
    """The text by which two paces are compared."""
    parts = []
    if clock is not None:
        parts.append(f"clock {clock.remaining_ms}+{clock.increment_ms} ms")
    if limit is not None:
        names = ("time_ms", "depth_plies", "nodes")
        values = ((name, getattr(limit, name)) for name in names)
        parts += [f"{name} {value}" for name, value in values if value is not None]
    return ", ".join(parts)
