"""``fanorona validate``: records and positions checked against the slow rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from fanorona_core import FanoronaError, Position, RecordError, RuleSet
from fanorona_core.formats import FORMATS
from fanorona_core.records import open_text
from fanorona_core.validation import Validation, validate_game, validate_position

from .options import json_option
from .output import print_json
from .progress import progress_bar
from .sources import Faults, from_option, games_in, opened
from .words import counted

__all__ = ["command"]

POSITIONS = "positions"


@click.command(
    "validate",
    short_help="Check game records and positions against the rules.",
    epilog="""\b
Examples:
  fanorona validate games.fgn
  fanorona validate *.sgf --rules theory --json
  fanorona validate --position '9/9/4bw3/9/9 w' --position '8b/9/9/9/w8 w'
""",
)
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option(
    "-p",
    "--position",
    "positions",
    multiple=True,
    metavar="TEXT",
    help="Check a position, in quotes; may be given several times.",
)
@from_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[str, ...],
    positions: tuple[str, ...],
    source_format: str | None,
    rules: RuleSet | None,
    as_json: bool,
) -> None:
    """Check game records and positions against a second, slow set of the rules.

    Every turn of every game is replayed, variations too. At each position both sets of the rules
    must list the same legal turns, with the same stones taken, and the result of a game must fit
    its last position. FILE may have any format, or be a list of positions (--from positions), one
    a line; - is standard input. The exit status is 1 if anything is wrong.
    """
    if not files and not positions:
        raise click.UsageError("nothing to check: name a FILE or a --position")
    with progress_bar("Checking positions") as bar:
        check = _Check(Faults(say=bar.say))
        for number, text in enumerate(positions, 1):
            check.position("--position", number, None, text, rules)
        if source_format == POSITIONS:
            for file in files:
                for number, text in _lines(file, check.faults):
                    check.position(file, number, number, text, rules)
                    bar.advance()
        else:
            for found in games_in(files, source_format, rules, check.faults):
                bar.expect(len(found.game) + 1)
                result = validate_game(found.game, bar.advance)
                check.add("games", found.file, found.number, found.line, result)
    if as_json:
        print_json("validate/1", check.report())
    else:
        click.echo(check.summary())
    if check.faults:
        ctx.exit(1)


# One more format than the others have: it holds no games.
for _parameter in command.params:
    if _parameter.name == "source_format":
        _parameter.type = click.Choice([*FORMATS, POSITIONS], case_sensitive=False)


def _lines(file: str, faults: Faults) -> Iterator[tuple[int, str]]:
    """The lines of a list of positions, without empty ones and comments."""
    try:
        with open_text(opened(file)) as stream:
            is_empty = True
            for number, line in enumerate(stream, 1):
                text = line.partition("#")[0].strip()
                if text:
                    is_empty = False
                    yield number, text
        if is_empty:
            faults.add(file, RecordError("there is no position in it"))
    except OSError as error:
        faults.add(file, RecordError(error.strerror or str(error)))


class _Check:
    """What has been checked so far, and what was wrong with it."""

    def __init__(self, faults: Faults) -> None:
        self.faults = faults
        self.checked: dict[str, list[dict[str, Any]]] = {"games": [], "positions": []}

    def position(
        self, file: str, number: int, line: int | None, text: str, rules: RuleSet | None
    ) -> None:
        """Check one position given as text."""
        try:
            result = validate_position(Position.parse(text, rules))
        except FanoronaError as error:
            where = f"{text}: " if line is None else ""
            self.faults.add(file, RecordError(f"{where}{error}", line=line))
        else:
            self.add("positions", file, number, line, result)

    def add(self, kind: str, file: str, number: int, line: int | None, result: Validation) -> None:
        """Take in the result for one game or position."""
        game = number if kind == "games" else None
        for fault in result.faults:
            record = RecordError(fault.reason, line=line, game=game, turn=fault.turn)
            self.faults.add(file, record)
        entry: dict[str, Any] = {"file": file, "number": number, "line": line}
        if kind == "games":
            entry |= {"turns": result.turns, "positions": result.positions}
        entry |= {"legal_turns": result.legal_turns, "valid": result.is_valid}
        self.checked[kind].append(entry)

    def report(self) -> dict[str, Any]:
        """What was checked and found, for a program."""
        return {"valid": not self.faults, **self.checked, "errors": self.faults.items}

    def summary(self) -> str:
        """One line for people."""
        games, positions = self.checked["games"], self.checked["positions"]
        parts = []
        if games:
            turns = counted(sum(entry["turns"] for entry in games), "turn")
            parts.append(f"{counted(len(games), 'game')} with {turns}")
        if positions:
            parts.append(counted(len(positions), "position"))
        legal = sum(entry["legal_turns"] for entry in [*games, *positions])
        errors = counted(len(self.faults.items), "error")
        checked = " and ".join(parts) or "Nothing"
        return f"{checked} checked, {counted(legal, 'legal turn')} compared: {errors}."
