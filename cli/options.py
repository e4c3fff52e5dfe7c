"""Options that several commands share: rules, board, position, level, time, JSON."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click
from click.shell_completion import CompletionItem

from fanorona_core import (
    DEFAULT_RULES,
    PROFILES,
    FanoronaError,
    Position,
    RuleSet,
)
from fanorona_core.rules import usual_rules

from .game_clock import TimeControl
from .i18n import LANGUAGES

__all__ = [
    "LEVELS",
    "ClockParam",
    "DurationParam",
    "RulesParam",
    "json_option",
    "language_option",
    "level_param",
    "position_options",
    "rules_options",
]

F = TypeVar("F", bound=Callable[..., Any])

if TYPE_CHECKING:
    TextParam = click.ParamType[str]
    SizeParam = click.ParamType[tuple[int, int]]
    CountParam = click.ParamType[int]
    TimesParam = click.ParamType[TimeControl]
else:  # only newer versions of click have it generic
    TextParam = SizeParam = CountParam = TimesParam = click.ParamType

LEVELS: Final = 10
level_param: Final = click.IntRange(1, LEVELS)

_UNITS_MS: Final = {"ms": 1, "s": 1000, "": 1000, "m": 60_000, "min": 60_000, "h": 3_600_000}


class RulesParam(TextParam):
    """A profile name, options, or both, as ``RuleSet.parse`` reads them; the value is the text."""

    name = "rules"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Check the text."""
        try:
            RuleSet.parse(value)
        except FanoronaError as error:
            self.fail(str(error), param, ctx)
        return str(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The profiles."""
        return [CompletionItem(name) for name in PROFILES if name.startswith(incomplete)]


class BoardParam(SizeParam):
    """A board size such as 9x5; the value is (columns, rows)."""

    name = "board"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        """Read columns and rows and check that there is such a board."""
        try:
            rules = RuleSet.parse(f"board={value}")
        except FanoronaError as error:
            self.fail(str(error), param, ctx)
        return rules.columns, rules.rows

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The three standard sizes."""
        sizes = ("9x5", "5x5", "3x3")
        return [CompletionItem(size) for size in sizes if size.startswith(incomplete)]


class DurationParam(CountParam):
    """A length of time such as 2, 1.5s, 500ms or 3m; the value is whole milliseconds."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read a number, of seconds if no unit follows."""
        if isinstance(value, int):
            return value
        found = re.fullmatch(r"\s*([0-9]{1,9}(?:\.[0-9]{1,9})?)\s*([a-z]*)\s*", value.lower())
        if found is None or found[2] not in _UNITS_MS:
            self.fail(f"{value!r}: expected seconds, such as 2, 0.5, 500ms or 1m", param, ctx)
        time_ms = round(float(found[1]) * _UNITS_MS[found[2]])
        if time_ms < 1:
            self.fail(f"{value!r}: expected at least 1ms", param, ctx)
        return time_ms


class ClockParam(TimesParam):
    """Clocks such as 5 or 5+3: minutes, and seconds added each turn."""

    name = "clock"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> TimeControl:
        """Read minutes and seconds."""
        if isinstance(value, TimeControl):
            return value
        found = re.fullmatch(r"([0-9]{1,4}(?:\.[0-9]{1,2})?)(?:\+([0-9]{1,4}))?", value.strip())
        base_ms = round(float(found[1]) * 60_000) if found else 0
        if found is None or not base_ms:
            self.fail(f"{value!r}: expected minutes and added seconds, such as 5+3", param, ctx)
        return TimeControl(base_ms, int(found[2] or 0) * 1000)


def language_option(command: F) -> F:
    """Add ``--lang``, passed as ``language``: a code, or None for what the locale says."""
    return click.option(
        "--lang",
        "language",
        type=click.Choice(list(LANGUAGES), case_sensitive=False),
        help="The language of what is said while you play; otherwise the locale's.",
    )(command)


def json_option(command: F) -> F:
    """Add ``--json``, passed as ``as_json``."""
    return click.option(
        "--json", "as_json", is_flag=True, help="Report in JSON, as docs/cli-json.md describes."
    )(command)


def rules_options(command: F) -> F:
    """Add ``--rules``, ``--board`` and ``--continuation``, passed as one ``rules: RuleSet``."""

    @functools.wraps(command)
    def wrapped(**values: Any) -> Any:
        return command(rules=_chosen_rules(_popped(values)) or DEFAULT_RULES, **values)

    return _with_rules(wrapped)  # type: ignore[return-value]


def position_options(command: F) -> F:
    """Add the options of ``rules_options`` and ``--position``, passed as one ``start: Position``.

    Without ``--position`` it is the start of the game. Rules given by option go before those
    in the position text, and those before the usual ones of the position's board.
    """

    @functools.wraps(command)
    def wrapped(position: str | None, **values: Any) -> Any:
        chosen = _popped(values)
        if position is None:
            start = Position.start(_chosen_rules(chosen) or DEFAULT_RULES)
        else:
            try:
                start = _position_under(position, chosen)
            except FanoronaError as error:
                raise click.BadParameter(str(error), param_hint="'--position'") from None
        return command(start=start, **values)

    option = click.option(
        "-p",
        "--position",
        metavar="TEXT",
        help="Position text, in quotes: rows from the top, w, b and numbers of empty points, then "
        "the side to move, such as '9/9/4w4/9/8b w'.",
    )
    return option(_with_rules(wrapped))  # type: ignore[return-value]


_Chosen = tuple[str | None, tuple[int, int] | None, str | None]


def _popped(values: dict[str, Any]) -> _Chosen:
    return values.pop("rules"), values.pop("board"), values.pop("continuation")


def _with_rules(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option(
            "--continuation",
            type=click.Choice(["optional", "compulsory"]),
            help="Whether a chain may stop after any capture, or must go on while it can.",
        ),
        click.option(
            "-b",
            "--board",
            type=BoardParam(),
            metavar="CxR",
            help="Columns x rows, such as 9x5, 5x5 or 3x3.",
        ),
        click.option(
            "-r",
            "--rules",
            type=RulesParam(),
            metavar="RULES",
            help=f"A profile ({', '.join(PROFILES)}) or options; 'fanorona rules' explains them.",
        ),
    ):
        command = option(command)
    return command


def _chosen_rules(chosen: _Chosen, base: RuleSet | None = None) -> RuleSet | None:
    """The rules that the options make of ``base``, or None if no option was given."""
    text, board, continuation = chosen
    if text is None and board is None and continuation is None:
        return None
    try:
        if text is not None:
            rules = RuleSet.parse(text)
        elif base is None and board is not None:
            rules = usual_rules(*board)
        else:
            rules = base or DEFAULT_RULES
        if board is not None and board != (rules.columns, rules.rows):
            rules = rules.replace(columns=board[0], rows=board[1])
        if continuation is not None:
            rules = rules.replace(compulsory=continuation == "compulsory")
    except FanoronaError as error:
        raise click.UsageError(str(error)) from None
    return rules


def _position_under(text: str, chosen: _Chosen) -> Position:
    """The position of a text, under the rules of the options if there are any."""
    position = Position.parse(text)
    size = position.columns, position.rows
    named, board, continuation = chosen
    if named is not None and board is None and "board=" not in named:
        # A profile is meant for its options here: the board is there to be seen.
        board = size
    rules = _chosen_rules((named, board, continuation), position.rules)
    if rules is None:
        return position
    if size != (rules.columns, rules.rows):
        raise click.UsageError(
            f"the position is for a board of {size[0]}x{size[1]}, the options for one of "
            f"{rules.columns}x{rules.rows}"
        )
    return Position.parse(" ".join(text.split()[:5]), rules)
