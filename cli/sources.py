"""Files of games that commands read: any format, several files, broken games told and left out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final, TypeVar

import click

from fanorona_core import FanoronaError, RecordError, RuleSet
from fanorona_core.formats import FORMATS, read_games
from fanorona_core.game import Game
from fanorona_core.records import one_line, printable

from .options import RulesParam

__all__ = ["Faults", "Found", "from_option", "games_in", "name_of", "opened", "source_options"]

F = TypeVar("F", bound=Callable[..., Any])

STDIN: Final = "-"


@dataclass(frozen=True, slots=True)
class Found:
    """A game of a file, by the file's name and the game's number in it."""

    file: str
    number: int
    line: int
    game: Game
    warnings: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """Which game it is, for people."""
        return f"{name_of(self.file)}: game {self.number}"


@dataclass(slots=True)
class Faults:
    """What went wrong so far: told on standard error at once, and kept for a report if wanted."""

    items: list[dict[str, Any]] = field(default_factory=list)
    say: Callable[[str], None] = lambda text: click.echo(text, err=True)
    keep: bool = True
    count: int = 0

    def add(self, file: str, error: Exception, game: int | None = None) -> None:
        """Tell an error, in one line that can be shown, and remember it."""
        self.say(f"Error: {printable(name_of(file))}: {one_line(str(error))}")
        self.count += 1
        if not self.keep:
            return
        record = error if isinstance(error, RecordError) else RecordError(str(error))
        self.items.append(
            {
                "file": file,
                "game": game if record.game is None else record.game,
                "line": record.line,
                "turn": record.turn,
                "reason": one_line(record.reason),
            }
        )

    def warn(self, place: str, text: str) -> None:
        """Tell something that is no error."""
        self.say(f"Warning: {printable(place)}: {one_line(text)}")

    def __bool__(self) -> bool:
        return self.count > 0


def name_of(file: str) -> str:
    """What a file is called in messages."""
    return "standard input" if file == STDIN else file


def from_option(command: F) -> F:
    """Add ``--from``, passed as ``source_format``, and ``--rules`` as ``rules``."""
    for option in (
        click.option(
            "-r",
            "--rules",
            type=RulesParam(),
            metavar="RULES",
            callback=lambda _, __, text: None if text is None else RuleSet.parse(text),
            help="The rules of records whose format has no place for rules.",
        ),
        click.option(
            "-f",
            "--from",
            "source_format",
            type=click.Choice(list(FORMATS), case_sensitive=False),
            help="The format of the input; otherwise it is told from the content or the name.",
        ),
    ):
        command = option(command)
    return command


def source_options(command: F) -> F:
    """Add what ``from_option`` adds, and the argument FILE..., passed as ``files``."""
    argument = click.argument("files", nargs=-1, required=True, metavar="FILE...")
    return argument(from_option(command))


def games_in(
    files: Iterable[str], source_format: str | None, rules: RuleSet | None, faults: Faults
) -> Iterator[Found]:
    """Read the games of files one after the other; ``-`` is standard input.

    What cannot be read goes to ``faults``, and the rest is still read.
    """
    for file in files:
        try:
            count = 0
            for result in read_games(opened(file), source_format, rules=rules):
                count += 1
                for warning in result.warnings:
                    faults.warn(f"{name_of(file)}: game {result.number}", warning)
                if result.error is not None:
                    faults.add(file, result.error, result.number)
                elif result.game is not None:
                    yield Found(file, result.number, result.line, result.game, result.warnings)
            if not count:
                faults.add(file, RecordError("there is no game in it"))
        except FanoronaError as error:
            faults.add(file, error)
        except OSError as error:
            faults.add(file, RecordError(error.strerror or str(error)))


def opened(file: str) -> Path | IO[bytes]:
    """What to read a file from.

    Raises:
        RecordError: standard input is wanted, and there is none.
    """
    if file == STDIN:
        if sys.stdin is None:
            raise RecordError("there is no standard input")
        return sys.stdin.buffer
    return Path(file)
