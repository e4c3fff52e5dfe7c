"""``fanorona analyze``: every turn of recorded games judged by the engine."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, TextIO

import click

from fanorona_core import Limit, RuleSet
from fanorona_core.analysis import GameAnalysis, annotated
from fanorona_core.fgn import format_game

from .analysis_jobs import analyses
from .analysis_report import game_data, game_text, introduction, limit_data
from .book_options import BookSource, book_options
from .options import DurationParam, json_option
from .output import check_new, print_json, text_output
from .progress import Bar, progress_bar
from .signals import ended_by_sigterm
from .sources import Faults, Found, games_in, source_options
from .terminal import detect
from .words import counted

__all__ = ["command"]

DEFAULT_TIME_MS = 200


@click.command(
    "analyze",
    short_help="Judge every turn of recorded games.",
    epilog="""\b
Examples:
  fanorona analyze game.fgn
  fanorona analyze game.sgf --time 2 --fgn game-analysed.fgn
  fanorona analyze *.fgn --depth 10 --jobs 4 --json > analysis.json
""",
)
@source_options
@click.option(
    "-t",
    "--time",
    "time_ms",
    type=DurationParam(),
    metavar="TIME",
    help="Time for each position, such as 2 (seconds) or 500ms.  "
    f"[default: {DEFAULT_TIME_MS}ms, without another limit]",
)
@click.option(
    "-d",
    "--depth",
    "depth_plies",
    type=click.IntRange(1),
    metavar="N",
    help="Look at most N turns ahead, both sides counted.",
)
@click.option(
    "-n",
    "--nodes",
    type=click.IntRange(1),
    metavar="N",
    help="Look at about N positions at most, for each position of the game.",
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    metavar="N",
    help="Use N processes; 0 is one for each processor.",
)
@click.option(
    "--fgn", "target", metavar="OUT", help="Write the games with their analysis to a file in FGN."
)
@click.option("--force", is_flag=True, help="Replace OUT if it exists.")
@book_options
@json_option
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> None:
    """Judge every turn of the games in FILE...: value, best turn, loss, mark.

    FILE may have any format that convert knows; - is standard input. A turn is marked ?! if it
    gave away a tenth of the expected result or more, ? from two tenths, ?? from three tenths (a
    half lies between a win and a draw). A turn that was the only legal one is never marked.
    Limits in depth or nodes give the same numbers each time. What tables and certificates prove is
    said apart from what is only an evaluation. docs/analysis.md says more.
    """
    _Analysis(**options).run(ctx)


class _Analysis:
    """One call of the command."""

    def __init__(
        self,
        files: tuple[str, ...],
        source_format: str | None,
        rules: RuleSet | None,
        time_ms: int | None,
        depth_plies: int | None,
        nodes: int | None,
        jobs: int,
        target: str | None,
        force: bool,
        book: BookSource,
        as_json: bool,
    ) -> None:
        if target == "-" and as_json:
            raise click.UsageError("--json and --fgn - both want standard output")
        if target is not None:
            check_new(target, force=force)
        if time_ms is None and depth_plies is None and nodes is None:
            time_ms = DEFAULT_TIME_MS
        self.limit = Limit(time_ms, depth_plies, nodes)
        self.files, self.source_format, self.rules = files, source_format, rules
        self.jobs = jobs or os.cpu_count() or 1
        self.book = book
        self.target, self.force, self.as_json = target, force, as_json
        self.is_text = not as_json and target != "-"
        self.done = 0
        self.reports: list[dict[str, Any]] = []

    def run(self, ctx: click.Context) -> None:
        """Analyse, report, and end with status 1 if a game could not be read."""
        if self.is_text:
            click.echo(introduction(self.limit, self.book.is_used))
        with ended_by_sigterm(), progress_bar("Analysing positions") as bar:
            faults = Faults(say=bar.say)
            games = games_in(self.files, self.source_format, self.rules, faults)
            interrupted = self._write(analyses(games, self.limit, self.jobs, bar, self.book), bar)
        written = ""
        if self.target not in (None, "-") and self.done:
            written = f"{counted(self.done, 'game')} written to {self.target}."
        if self.as_json:
            about = {"limit": limit_data(self.limit), "games": self.reports}
            print_json("analyze/1", {**about, "errors": faults.items})
        if interrupted:
            raise KeyboardInterrupt(f"\nInterrupted. {written}".rstrip())
        if written and not self.as_json:
            click.echo(written, err=True)
        if faults:
            ctx.exit(1)

    def _write(self, games: Iterator[tuple[Found, GameAnalysis]], bar: Bar) -> bool:
        """Report each game when it is done, and say whether an interruption ended that.

        What is done before an interruption is kept.
        """
        interrupted = False
        try:
            with ExitStack() as stack:
                stream: TextIO | None = None
                if self.target is not None:
                    stream = stack.enter_context(text_output(self.target, force=self.force))
                try:
                    for found, analysis in games:
                        self._report(found, analysis, stream, bar)
                except KeyboardInterrupt:
                    interrupted = True
                if not self.done:
                    raise _NothingDone  # so that no file is written
        except _NothingDone:
            pass
        return interrupted

    def _report(
        self, found: Found, analysis: GameAnalysis, stream: TextIO | None, bar: Bar
    ) -> None:
        if stream is not None:
            text = format_game(annotated(found.game, analysis))
            stream.write(f"\n{text}" if self.done else text)
            stream.flush()
        if self.as_json:
            self.reports.append(game_data(found, analysis))
        elif self.is_text:
            bar.print(game_text(found, analysis, detect(sys.stdout)))
        self.done += 1


class _NothingDone(Exception):
    """No game was analysed, so there is no file to write."""
