"""``fanorona play``: a game between two people, against the engine, or of two engines."""

from __future__ import annotations

import re
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from fanorona_core import Board, FanoronaError, Position

from .book_options import BookSource, book_options
from .console import Console, Display, read_line
from .game_clock import Clock, ClockState
from .i18n import _, use_language
from .opponent import DEFAULT_LEVEL, PlayerSpec
from .options import (
    LEVELS,
    ClockParam,
    DurationParam,
    language_option,
    level_param,
    position_options,
)
from .records import board_of, clock_of, read_game
from .sentences import side_name
from .session import Session, said_no, said_yes
from .store import Kept, Store, data_folder
from .terminal import can_fill_screen
from .words import turns_text
from .wrapping import wrapped

__all__ = ["command"]

if TYPE_CHECKING:
    PlayerType = click.ParamType[PlayerSpec]
else:
    PlayerType = click.ParamType

# What a record that is loaded has of its own.
_RULE_OPTIONS: Final = ("rules", "board", "continuation", "position")
# What begins a game of its own, so that no kept game is offered.
_START_OPTIONS: Final = (*_RULE_OPTIONS, "load", "clock")

# What else says which game to open, so that the full-screen board skips its start screen.
_GAME_OPTIONS: Final = ("white", "black", "two", "level", "time_ms", "seed", "new")


class PlayerParam(PlayerType):
    """``human``, ``engine`` or ``engine:LEVEL``."""

    name = "player"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> PlayerSpec:
        """Read who plays."""
        if isinstance(value, PlayerSpec):
            return value
        found = re.fullmatch(r"(human|engine)(?::([0-9]{1,3}))?", value.lower())
        if found is None or (found[2] and found[1] == "human"):
            self.fail(f"{value!r}: expected human, engine or engine:LEVEL", param, ctx)
        level = int(found[2]) if found[2] else None
        if level is not None and not 1 <= level <= LEVELS:
            self.fail(f"{value!r}: levels go from 1 to {LEVELS}", param, ctx)
        return PlayerSpec(found[1] == "engine", level)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The two kinds of player."""
        return [CompletionItem(k) for k in ("human", "engine") if k.startswith(incomplete)]


@click.command(
    "play",
    epilog="""\b
Examples:
  fanorona play                        you are White, against the engine
  fanorona play --white engine:5       you are Black, against level 5
  fanorona play --two --board 5x5      two people, on the small board
  fanorona play --two --clock 5+3      with clocks: 5 minutes, 3 seconds a turn
  fanorona play --resume               go on with the last game
  fanorona play --white engine --black engine --level 4 --seed 1
""",
)
@click.option(
    "--white", type=PlayerParam(), metavar="PLAYER", help="human, engine or engine:LEVEL."
)
@click.option("--black", type=PlayerParam(), metavar="PLAYER", help="The same for Black.")
@click.option("--two", is_flag=True, help="Two people at one board.")
@click.option(
    "-l",
    "--level",
    type=level_param,
    metavar="N",
    help=f"The engine's level, from 1 (beginner) to 10; {DEFAULT_LEVEL} if nothing is said.",
)
@click.option(
    "-t",
    "--time",
    "time_ms",
    type=DurationParam(),
    help="The engine's time for a turn, such as 2 (seconds) or 500ms. Without --level it plays "
    "as well as it can.",
)
@click.option(
    "--seed", type=click.IntRange(0), metavar="N", help="Make the engine's choices repeatable."
)
@position_options
@click.option(
    "--load",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, allow_dash=False),
    help="Go on with a recorded game.",
)
@click.option(
    "--game", "game_number", type=int, metavar="N", help="Which game of the file; -1 is the last."
)
@click.option("--resume", is_flag=True, help="Go on with the last unfinished game, without asking.")
@click.option("--new", is_flag=True, help="Begin a new game, without asking.")
@click.option("--flip", is_flag=True, help="Draw the board turned round.")
@click.option("--no-board", is_flag=True, help="Do not draw the board after each turn.")
@click.option(
    "--unicode/--ascii", "unicode", default=None, help="How to draw; usually found out by itself."
)
@click.option(
    "--plain",
    is_flag=True,
    help="Lines of text only, for screen readers; by itself for pipes and simple terminals.",
)
@click.option(
    "--clock",
    type=ClockParam(),
    metavar="TIME[+ADDED]",
    help="Clocks: minutes for the game and seconds added each turn, such as 5+3.",
)
@book_options
@language_option
@click.option(
    "--data-dir",
    metavar="FOLDER",
    type=click.Path(file_okay=False),
    help="Where games are kept (otherwise FANORONA_DATA_DIR, or your data folder).",
)
@click.pass_context
def command(ctx: click.Context, /, start: Position, book: BookSource, **options: Any) -> None:
    """Play a game at the terminal.

    On a terminal that can show it this opens a full-screen board for mouse and keys, with a
    lesson, help and a guide; docs/board.md describes it. Elsewhere, and with --plain, you type
    turns such as d3-e3A; help lists everything else. The game is kept after each turn, and the
    next call offers to go on with it. Finished games are recorded in FGN.

    At full strength, and for hints, the engine plays by what tables and certificates prove.
    """
    use_language(options["language"])
    store = Store(data_folder(options["data_dir"]))
    if options["resume"] and (options["new"] or _chooses_start(ctx)):
        raise click.UsageError(
            "--resume goes on with a kept game and its clocks: it takes no other start"
        )
    if options["load"] is not None and any(_is_given(ctx, name) for name in _RULE_OPTIONS):
        raise click.UsageError(
            "--load goes on from the record's position by its rules: leave out --rules, --board, "
            "--continuation and --position"
        )
    if options["game_number"] is not None and options["load"] is None:
        raise click.UsageError("--game says which game of --load FILE")
    players = _players(options)
    if not options["plain"] and not options["no_board"] and can_fill_screen():
        _fill_screen(ctx, store, options, start, players, book)
        return
    kept = _latest(store)
    fate = _fate(ctx, kept, store, options)
    given_up = kept if fate == "record" else None
    kept = kept if fate == "resume" else None
    if kept is not None:
        chosen = ("white", "black", "two", "level", "time_ms")
        if not any(_is_given(ctx, name) for name in chosen):
            players = kept.players
        board, clock = kept.board, kept.clock
    else:
        board, clock = _opened(options, start)
    seed = options["seed"] if options["seed"] is not None or kept is None else kept.seed
    clocks = None if clock is None else Clock.from_state(clock)
    session = Session(board, players, seed=seed, clock=clocks, book=book.open())
    if given_up is not None:
        _record(store, given_up)
    session.flip = session.flip != options["flip"]
    Console(
        session,
        store,
        Display(options["unicode"], not options["no_board"]),
        name=None if kept is None else kept.name,
        resume=_resume_command(options["data_dir"]),
    ).run()


def _fill_screen(
    ctx: click.Context,
    store: Store,
    options: dict[str, Any],
    start: Position,
    players: tuple[PlayerSpec, PlayerSpec],
    book: BookSource,
) -> None:
    """Open the full-screen board: a game if the options say which, else its start screen."""
    from .full_screen import open_board

    kept = _latest(store) if options["resume"] or options["new"] else None
    if options["resume"] and kept is None:
        raise FanoronaError(f"no unfinished game is kept in {store.folder}")
    board = clock = None
    if any(_is_given(ctx, name) for name in (*_START_OPTIONS, *_GAME_OPTIONS)):
        board, clock = _opened(options, start)
    opened_book = book.open()
    if options["new"] and kept is not None:
        _record(store, kept)
    open_board(
        store,
        kept=kept if options["resume"] else None,
        board=board,
        players=players,
        seed=options["seed"],
        clock=clock,
        flip=options["flip"],
        unicode=options["unicode"],
        language=options["language"],
        book=opened_book,
    )


def _opened(options: dict[str, Any], start: Position) -> tuple[Board, ClockState | None]:
    """The game that the options ask for, and its clocks: those chosen, or those of its record."""
    control = options["clock"]
    clock = None if control is None else ClockState(control, (control.base_ms, control.base_ms))
    if options["load"] is None:
        return Board(start), clock
    game = read_game(options["load"], options["game_number"])
    return board_of(game), clock or clock_of(game)


def _is_given(ctx: click.Context, name: str) -> bool:
    return ctx.get_parameter_source(name) is not ParameterSource.DEFAULT


def _chooses_start(ctx: click.Context) -> bool:
    return any(_is_given(ctx, name) for name in _START_OPTIONS)


def _players(options: dict[str, Any]) -> tuple[PlayerSpec, PlayerSpec]:
    """Who plays: a side that is not named is the engine against a person, and the reverse."""
    white: PlayerSpec | None = options["white"]
    black: PlayerSpec | None = options["black"]
    if options["two"]:
        if white is not None or black is not None:
            raise click.UsageError("--two says who plays: leave out --white and --black")
        white = black = PlayerSpec()
    if white is None:
        white = PlayerSpec(black is not None and not black.is_engine)
    if black is None:
        black = PlayerSpec(not white.is_engine)
    level, time_ms = options["level"], options["time_ms"]
    if not white.is_engine and not black.is_engine and (level or time_ms):
        raise click.UsageError("--level and --time are for the engine, and two people play")
    return _completed(white, level, time_ms), _completed(black, level, time_ms)


def _completed(player: PlayerSpec, level: int | None, time_ms: int | None) -> PlayerSpec:
    if not player.is_engine:
        return player
    level = player.level or level
    if level is None and time_ms is None:
        level = DEFAULT_LEVEL
    return replace(player, level=level, time_ms=time_ms)


def _fate(
    ctx: click.Context, kept: Kept | None, store: Store, options: dict[str, Any]
) -> Literal["resume", "record", "leave"]:
    """What to do with the unfinished game, after asking where somebody can answer.

    A game that is given up is recorded once the new one has begun.
    """
    if options["resume"]:
        if kept is None:
            raise FanoronaError(f"no unfinished game is kept in {store.folder}")
        return "resume"
    if options["new"]:
        return "record"
    if kept is None or _chooses_start(ctx):
        return "leave"
    text = _("A game is kept: {turns}, {side} to move.").format(
        turns=turns_text(len(kept.board.turns)), side=side_name(kept.board.side)
    )
    if not (sys.stdin and sys.stdin.isatty()):
        click.echo(wrapped([text + " " + _("--resume goes on with it.")]))
        return "leave"
    click.echo(wrapped([text]))
    return "resume" if _agreed(_("Go on with it (yes or no)> ")) else "record"


def _record(store: Store, kept: Kept) -> None:
    """File a game that is given up: unfinished, but not lost."""
    try:
        store.file(kept)
    except OSError as error:
        said = f"{error.filename}: {error.strerror}"
        click.echo(_("The game cannot be recorded: {error}").format(error=said), err=True)


def _agreed(question: str) -> bool:
    while True:
        try:
            answer = read_line(question).strip().lower()
        except EOFError:
            click.echo()
            raise click.exceptions.Exit(0) from None
        if not answer or said_yes(answer):
            return True
        if said_no(answer):
            return False
        click.echo(_("Type yes or no."))


def _latest(store: Store) -> Kept | None:
    """The latest unfinished game; of damaged ones it is said where they have gone."""

    def tell(error: FanoronaError, place: Path) -> None:
        text = _("Warning: {error}; moved to {path}")
        click.echo(text.format(error=error, path=place), err=True)

    return store.latest(tell)


def _resume_command(data_dir: str | None) -> str:
    place = "" if data_dir is None else f" --data-dir {shlex.quote(data_dir)}"
    return f"fanorona play --resume{place}"
