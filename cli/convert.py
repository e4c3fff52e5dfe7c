"""``fanorona convert``: game records from one format to another."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from fanorona_core import ExportError, RuleSet
from fanorona_core.formats import FORMATS, Loss, guess_format
from fanorona_core.records import one_line, printable

from .output import check_new, print_json, text_output
from .progress import progress_bar
from .signals import ended_by_sigterm
from .sources import Faults, Found, from_option, games_in, name_of
from .words import counted

__all__ = ["command"]

HELP = """Convert the game records of IN to another format, and write them to OUT.

Either may be -, standard input or output. What the new format has no place for is told on
standard error, game by game. A broken game is told, with its line and turn, and left out; the exit
status is 1 then. OUT appears only when it is complete.

\b
Formats:
""" + "\n".join(f"  {name:13} {known.description}" for name, known in FORMATS.items())


@click.command(
    "convert",
    short_help="Convert game records from one format to another.",
    help=HELP,
    epilog="""\b
Examples:
  fanorona convert game.sgf game.fgn
  fanorona convert games.txt games.fgn --from aiai
  fanorona convert games.fgn - --to json
""",
)
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@from_option
@click.option(
    "-t",
    "--to",
    "target_format",
    type=click.Choice(list(FORMATS), case_sensitive=False),
    help="The format to write; otherwise it is told from the name of OUT.",
)
@click.option("--force", is_flag=True, help="Replace OUT if it exists.")
@click.option("-q", "--quiet", is_flag=True, help="Do not tell what is left out, only errors.")
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Report in JSON on standard output, as docs/cli-json.md describes.",
)
@click.pass_context
def command(
    ctx: click.Context,
    source: str,
    target: str,
    source_format: str | None,
    target_format: str | None,
    rules: RuleSet | None,
    force: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Convert records."""
    if as_json and target == "-":
        raise click.UsageError("--json and OUT - both want standard output")
    name = target_format or (None if target == "-" else guess_format("", target))
    if name is None:
        end = Path(target).suffix.lower()
        ways = [name for name, item in FORMATS.items() if end in item.extensions]
        advice = " or ".join(f"--to {way}" for way in ways) or "say --to"
        raise click.UsageError(f"which format {target!r} should have cannot be told: {advice}")
    check_new(target, force=force)
    with ended_by_sigterm(), progress_bar("Converting") as bar:
        work = _Conversion(name, quiet or as_json, Faults(say=bar.say, keep=as_json))
        found = games_in([source], source_format, rules, work.faults)
        try:
            with text_output(target, force=force) as stream:
                for text in work.texts(found, bar.advance):
                    stream.write(text)
                if not work.written:
                    raise _NothingWritten
        except _NothingWritten:
            bar.say(f"Nothing was written to {_output_name(target)}.")
        except ExportError as error:
            raise click.ClickException(f"{_output_name(target)}: {error}") from error
    if as_json:
        about = {"input": source, "output": target, "format": name}
        print_json("convert/1", {**about, **work.report()})
    elif work.written and target != "-" and not quiet:
        click.echo(f"{counted(work.written, 'game')} written to {target}.", err=True)
    if work.faults:
        ctx.exit(1)


class _NothingWritten(Exception):
    """No game came through, so there is no file to write."""


def _output_name(target: str) -> str:
    return "standard output" if target == "-" else target


class _Conversion:
    """Writes games one by one, and finds out what is lost of each.

    What a report needs is kept only if there will be one, so that a file may be of any size.
    """

    def __init__(self, name: str, quiet: bool, faults: Faults) -> None:
        self.format = FORMATS[name]
        self.quiet = quiet
        self.faults = faults
        self.written = 0
        self.losses: list[dict[str, Any]] = []
        self.warnings: list[dict[str, Any]] = []

    def texts(self, games: Iterator[Found], advance: Any) -> Iterator[str]:
        """The file in parts; what is lost of a game is told.

        Raises:
            ExportError: a second game, and the format holds one.
        """
        for found in games:
            advance()
            alone = io.StringIO()
            try:
                # Alone: one game that cannot be expressed must not end the others.
                losses = self.format.write([found.game], alone)
            except ExportError as error:
                reason = str(error).removeprefix("game 1: ")
                self.faults.add(found.file, ExportError(f"game {found.number}: {reason}"))
                self._keep(found, [])
                continue
            self._keep(found, losses)
            if losses and not self.quiet:
                parts = [one_line(str(loss).removeprefix("game 1: ")) for loss in losses]
                place = printable(f"{name_of(found.file)}: game {found.number}")
                self.faults.say(f"Left out: {place}: {', '.join(parts)}")
            if self.written:
                if self.format.between is None:
                    raise ExportError(f"{self.format.name} holds one game, and there is a second")
                yield self.format.between
            self.written += 1
            yield alone.getvalue()

    def _keep(self, found: Found, losses: list[Loss]) -> None:
        if self.faults.keep:
            self.warnings += [{"game": found.number, "text": text} for text in found.warnings]
            self.losses += [
                {"game": found.number, "what": loss.what, "count": loss.count} for loss in losses
            ]

    def report(self) -> dict[str, Any]:
        """What happened, for a program."""
        return {
            "games": self.written,
            "losses": self.losses,
            "warnings": self.warnings,
            "errors": self.faults.items,
        }
