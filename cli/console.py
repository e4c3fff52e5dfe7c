"""The line mode of ``fanorona play``: reads lines, shows what happens, keeps the game."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from fanorona_core import FanoronaError, Side
from fanorona_core.game import Game

from .events import Event, Finish, Load, Play, Quit, Refuse, Restart, Save, Say, Show
from .i18n import N_, _
from .marks import marks_on
from .paths import user_path
from .records import board_of, clock_of, game_of, read_game, write_game
from .render import board_text, legend_text
from .sentences import side_name
from .session import Session
from .store import Kept, Store
from .terminal import Look, detect
from .words import clocks_text, example_turn, rules_name, status_text, turns_text
from .wrapping import wrapped

__all__ = ["Console", "Display", "read_line"]

AFTER_THE_END: Final = N_("Type undo, save FILE, new or quit.")


@dataclass(frozen=True, slots=True)
class Display:
    """How to show boards: letters (None: as the terminal can), turned round, after each turn."""

    unicode: bool | None = None
    boards: bool = True

    def look(self) -> Look:
        """What the terminal can show now: it may have been resized."""
        return detect(sys.stdout, self.unicode)


def read_line(prompt: str) -> str:
    """Read a line of standard input; without a terminal it is shown, so that a log has it.

    Raises:
        EOFError: there is no more input.
    """
    if sys.stdin is None or sys.stdin.closed:
        raise EOFError
    if sys.stdin.isatty() and sys.stdout is not None and sys.stdout.isatty():
        return input(prompt)
    click.echo(prompt, nl=False)
    if sys.stdout is not None:
        sys.stdout.flush()
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    line = line.rstrip("\n")
    click.echo(line)
    return line


class Console:
    """One sitting at the board."""

    def __init__(
        self,
        session: Session,
        store: Store,
        display: Display,
        *,
        name: str | None = None,
        resume: str = "fanorona play --resume",
    ) -> None:
        self.session = session
        self.store = store
        self.display = display
        self._name = name or store.new_name()
        self.resume = resume
        self._written: set[Path] = set()
        self._can_keep = True
        self._kept_state: object = None
        self._has_legend = False

    # The sitting.

    def run(self) -> None:
        """Play until the game ends or the players leave.

        Raises:
            KeyboardInterrupt: with a text that says where the game is.
        """
        _prepare_input()
        try:
            self._greet()
            going_on = self._show(self.session.opening_events())
            while going_on:
                if self.session.engine_to_move:
                    self._announce_thinking()
                    going_on = self._show(self.session.engine_turn())
                elif self.session.is_over and all(p.is_engine for p in self.session.players):
                    break
                else:
                    going_on = self._show(self.session.command(self._ask()))
        except EOFError:
            click.echo()
        except KeyboardInterrupt:
            raise KeyboardInterrupt("\n" + (self._leaving() or _("Interrupted."))) from None
        if text := self._leaving():
            click.echo(wrapped([text]))

    def _ask(self) -> str:
        return read_line(f"{self.session.prompt}> ")

    def _greet(self) -> None:
        session = self.session
        lines = [f"Fanorona, {rules_name(session.board.rules)}. {_who_plays(session)}"]
        if not all(player.is_engine for player in session.players):
            text = _(
                "A turn is the point a stone leaves, the point it goes to, and A (approach) or W "
                "(withdrawal) for how it captures: {example}. Type moves to see all you may play, "
                "rules for the rules, help for the rest, quit to leave."
            )
            lines.append(text.format(example=example_turn(session.board.position)))
        click.echo(wrapped(lines))

    def _announce_thinking(self) -> None:
        session = self.session
        if session.players[session.board.side].is_slow:
            click.echo(_("{side} is thinking ...").format(side=side_name(session.board.side)))
            if sys.stdout is not None:
                sys.stdout.flush()

    # What has happened.

    def _show(self, events: list[Event]) -> bool:
        """Show events in order; return whether to go on."""
        if Restart() in events:
            self._file_former()
        # Before anything is written, which may fail when the terminal has gone.
        self._keep()
        going_on = True
        for event in events:
            match event:
                case Show(asked=asked):
                    if asked or not self._answer_follows():
                        self._draw(asked)
                case Play(text=text):
                    click.echo(wrapped([text]))
                case Finish(text=text):
                    after = [_(AFTER_THE_END)] if self._has_person() else []
                    click.echo(wrapped([text, *after]))
                case Say(lines=lines):
                    click.echo(wrapped(lines))
                case Refuse(text=text):
                    click.echo(wrapped([text]))
                case Save(path=path, replace=replace):
                    self._save(path, replace)
                case Load(path=path):
                    going_on = self._load(path)
                case Quit():
                    going_on = False
        return going_on

    def _has_person(self) -> bool:
        return not all(player.is_engine for player in self.session.players)

    def _answer_follows(self) -> bool:
        """Whether the engine answers at once, and the board is better shown after that."""
        session = self.session
        return (
            self._has_person()
            and session.engine_to_move
            and bool(session.board.turns)
            and not session.players[session.board.side].is_slow
        )

    def _draw(self, asked: bool) -> None:
        session = self.session
        position = session.board.position
        look = self.display.look()
        if asked or self.display.boards:
            lines = ["", board_text(position, look, marks_on(session.board), flip=session.flip), ""]
            if not self._has_legend:
                lines[2:] = [legend_text(look)]
                self._has_legend = True
            click.echo("\n".join(lines), color=look.color)
        if not session.is_over:
            click.echo(wrapped([status_text(position, look)]))
        if session.clock is not None:
            click.echo(wrapped([clocks_text(session.clock)]))

    # Files.

    def _keep(self) -> None:
        """Keep the game as it stands, if it has begun and changed."""
        session = self.session
        state = (session.board.position, session.board.turns, session.board.outcome())
        if not self._can_keep or state == self._kept_state:
            return
        self._kept_state = state
        try:
            if self._is_begun:
                self.store.keep(self._as_kept())
            else:
                self.store.forget(self._name)
        except OSError as error:
            self._can_keep = False
            said = f"{error.filename}: {error.strerror}"
            click.echo(_("The game cannot be kept: {error}").format(error=said), err=True)

    @property
    def _is_begun(self) -> bool:
        board = self.session.board
        return bool(board.turns) or board.position != board.root

    def _as_kept(self) -> Kept:
        session = self.session
        clock = None if session.clock is None else session.clock.state()
        return Kept(self._name, session.board, session.players, session.seed, clock)

    def _file_former(self) -> None:
        """Record the game that another one takes the place of."""
        if self._can_keep and self._name in self.store.names():
            self._filed(self.store.load(self._name))
        self._name = self.store.new_name()

    def _filed(self, kept: Kept) -> str:
        try:
            return _("The game is recorded in {path}").format(path=self.store.file(kept))
        except OSError as error:
            said = f"{error.filename}: {error.strerror}"
            return _("The game cannot be recorded: {error}").format(error=said)

    def _leaving(self) -> str:
        """Record a game that is over, and say what became of the game."""
        if not self._can_keep or not self._is_begun:
            return ""
        if self.session.is_over:
            return self._filed(self._as_kept())
        if self.session.clock is not None:
            self.session.clock.pause()
            self._kept_state = None
            self._keep()
        return _("The game is kept. Go on with it by: {command}").format(command=self.resume)

    def _save(self, path: str, replace: bool) -> None:
        try:
            target = Path(os.path.realpath(user_path(path)))
            if target.is_file() and not replace and target not in self._written:
                question = _("{path} exists. Replace it?").format(path=path)
                self._show(self.session.ask(question, Save(path, True)))
                return
            kept = self._as_kept()
            write_game(path, [game_of(kept.board, kept.players, clock=kept.clock)])
        except OSError as error:
            text = _("{path} cannot be written: {error}")
            click.echo(wrapped([text.format(path=path, error=error.strerror)]))
            return
        self._written.add(target)
        click.echo(wrapped([_("Saved in {path}.").format(path=path)]))

    def _load(self, path: str) -> bool:
        try:
            game = self._read(path)
        except OSError as error:
            text = _("{path} cannot be read: {error}")
            click.echo(wrapped([text.format(path=path, error=error.strerror)]))
        except FanoronaError as error:
            click.echo(wrapped([str(error)]))
        else:
            board = board_of(game)
            text = _("{turns} loaded from {path}.")
            click.echo(wrapped([text.format(turns=turns_text(len(board.turns)), path=path)]))
            return self._show(self.session.replace(board, clock_of(game)))
        return True

    @staticmethod
    def _read(path: str) -> Game:
        """Read the game of a file, or that of a number after the file's name."""
        name, _blank, number = path.rpartition(" ")
        if name and number.isdecimal() and not user_path(path).exists():
            return read_game(name.rstrip(), int(number[:9]))
        return read_game(path)


def _who_plays(session: Session) -> str:
    white, black = session.players
    if white.is_engine and black.is_engine:
        return _("White is {white}, Black is {black}.").format(white=white.title, black=black.title)
    if not white.is_engine and not black.is_engine:
        return _("Two people play.")
    side = Side.WHITE if black.is_engine else Side.BLACK
    return _("You are {side}; {other} is {player}.").format(
        side=side_name(side),
        other=side_name(side.other),
        player=session.players[side.other].title,
    )


def _prepare_input() -> None:
    """Let odd bytes be odd letters, and give a terminal line editing where there is any."""
    if sys.stdin is None:
        return
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    if sys.stdin.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401
