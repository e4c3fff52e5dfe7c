"""The screen of a game: what every key does."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import OptionList

from fanorona_core import Board, Info, Side

from .. import sentences
from ..game_clock import Clock
from ..i18n import _
from ..opponent import PlayerSpec
from ..paths import user_path
from ..records import write_game
from .actions import ACTIONS, offered
from .bars import ActionBar
from .controller import Notice
from .dialogs import Ask, Menu, TypeLine
from .game import PAUSES, GameTable
from .match import Match

__all__ = ["GameScreen"]


class GameScreen(GameTable):
    """One match after the other, until the players leave."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(action.key, f"do('{name}')", show=False) for name, action in ACTIONS.items()
    ]

    # The file that this sitting has written last, which it may write again.
    _saved = ""
    # A turn that was typed and refused, to be put right.
    _refused = ""

    def action_do(self, name: str) -> None:
        """Do one of the actions."""
        getattr(self, f"do_{name}")()

    def on_action_bar_chosen(self, message: ActionBar.Chosen) -> None:
        """An action was clicked."""
        self.action_do(message.name)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A turn was chosen in the list: look at it."""
        self._look(int((event.option.id or "turn-0").partition("-")[2]))

    def do_end_turn(self) -> None:
        """End the chain."""
        self.controller.end_turn()
        self.show()

    def do_back(self) -> None:
        """Take back the last step, or put the stone down."""
        self.controller.back()
        self.show()

    def do_approach(self) -> None:
        """Capture by approach."""
        self.controller.choose("A")
        self.show()

    def do_withdrawal(self) -> None:
        """Capture by withdrawal."""
        self.controller.choose("W")
        self.show()

    def do_undo(self) -> None:
        """Take back a turn, against the engine its answer too."""
        self._stop_thinking()
        if not self.match.people:
            self.match.paused = True
        done = self.match.undo()
        self._moved_about(
            _("Taken back.") if done else _("There is no turn of yours to take back.")
        )

    def do_redo(self) -> None:
        """Play again what was taken back."""
        self._stop_thinking()
        done = self.match.redo()
        self._moved_about(_("Played again.") if done else _("There is nothing to play again."))

    def _moved_about(self, text: str) -> None:
        self.controller.reset()
        self.controller.notice = Notice(text)
        outcome = self.match.outcome
        if outcome is not None:
            self.controller.notice = Notice(sentences.outcome_text(outcome), "good")
        self._changed()

    def do_hint(self) -> None:
        """Ask for a good turn."""
        if not self.controller.can_act:
            self.say(_("A hint is for the player whose turn it is."))
            return
        self.say(_("Looking for a good turn ..."))
        self._ask_adviser("hint")

    def do_flip(self) -> None:
        """Turn the board round."""
        self.controller.flip = not self.controller.flip
        self.show()

    def do_score(self) -> None:
        """Show or hide the evaluation."""
        self.host.settings.show_score = not self.host.settings.show_score
        self.host.keep_settings()
        self.show()
        self._start_scoring()

    def do_move_now(self) -> None:
        """Let the engine play what it has found."""
        if self._thinking:
            self._players[self.match.board.side].play_now()

    def do_pause(self) -> None:
        """Halt two engines, or let them go on."""
        match = self.match
        if match.people:
            self.say(_("Only a game of two engines can be halted."))
            return
        match.paused = not match.paused
        if match.paused:
            self._stop_thinking()
            if match.clock is not None:
                match.clock.pause()
            self.say(_("Paused: p lets the engines go on."))
        else:
            self.say(sentences.side_to_move(match.board.side))
            self._next()

    def do_faster(self) -> None:
        """Shorten the pauses between the turns of two engines."""
        self._speed(1)

    def do_slower(self) -> None:
        """Lengthen the pauses between the turns of two engines."""
        self._speed(-1)

    def _speed(self, by: int) -> None:
        speed = max(0, min(self.host.settings.speed + by, len(PAUSES) - 1))
        self.host.settings.speed = speed
        self.host.keep_settings()
        self.say(_("Speed {speed} of {fastest}").format(speed=speed + 1, fastest=len(PAUSES)))

    # Looking back.

    def do_look_first(self) -> None:
        """Look at the start."""
        self._look(0)

    def do_look_back(self) -> None:
        """Look one turn back."""
        self._look(self.match.shown_turns - 1)

    def do_look_on(self) -> None:
        """Look one turn on."""
        self._look(self.match.shown_turns + 1)

    def do_look_end(self) -> None:
        """Return to the position now."""
        self._look(len(self.match.board.turns))

    def _look(self, turns: int) -> None:
        self.match.look(turns)
        self.controller.reset()
        if self.match.view is None:
            outcome = self.match.outcome
            self.controller.notice = (
                Notice(sentences.side_to_move(self.match.board.side))
                if outcome is None
                else Notice(sentences.outcome_text(outcome), "good")
            )
        else:
            text = _("Looking back: after turn {shown} of {all}. c plays on from here.")
            self.controller.notice = Notice(
                text.format(shown=self.match.shown_turns, all=len(self.match.board.turns))
            )
        self.show()
        self._start_scoring()

    def do_go_on_here(self) -> None:
        """Play on from the position looked at."""
        if self.match.view is None:
            self.say(_("You are not looking back."))
            return
        self._stop_thinking()
        self.match.play_on_here()
        self._moved_about(_("A new line begins here; redo goes back to the old one."))

    # Beginning and ending.

    def do_new(self) -> None:
        """Begin anew, after a question if a game is in progress."""
        if self.match.outcome is None and self.match.board.turns:
            question = _("A game is in progress. Begin a new one? It goes to your records.")
            answers = [
                ("n", _("New game, same settings")),
                ("s", _("Other settings")),
                ("c", _("Cancel")),
            ]
            self.host.push_screen(Ask(question, answers), self._begin_new)
        else:
            self._begin_new("n")

    def _begin_new(self, answer: str | None) -> None:
        if answer == "n":
            self._replace(self.match.players)
        elif answer == "s":
            self._leave(for_good=True)
            self.host.open_start()

    def do_rematch(self) -> None:
        """Play again with the colours changed."""
        if self.match.outcome is None:
            self.say(_("A rematch comes after the end of the game."))
            return
        white, black = self.match.players
        self._replace((black, white))

    def _replace(self, players: tuple[PlayerSpec, PlayerSpec]) -> None:
        old = self.match
        self._leave(for_good=True)
        clock = None if old.clock is None else Clock(old.clock.control)
        self.begin(Match(Board(old.board.root), players, clock=clock, seed=old.seed))

    def _leave(self, *, for_good: bool) -> None:
        self._stop_thinking()
        if self.match.clock is not None:
            self.match.clock.pause()
        self.keeper.keep(self.match)
        self.keeper.leave(self.match, for_good=for_good)

    def do_start(self) -> None:
        """Put the stone down, or go to the start screen; the game is kept."""
        if self.controller.back():
            self.show()
            return
        if self.match.view is not None:
            self.do_look_end()
            return
        self._leave(for_good=False)
        self.host.open_start()

    def do_quit(self) -> None:
        """Leave; with a question only if the game could not be kept."""
        if self.keeper.problem and self.match.board.turns:
            question = _("The game cannot be kept and would be lost. Quit?")
            answers = [("y", _("Quit")), ("s", _("Save as")), ("c", _("Cancel"))]
            self.host.push_screen(Ask(question, answers), self._quit)
        else:
            self._quit("y")

    def _quit(self, answer: str | None) -> None:
        if answer == "y":
            self._leave(for_good=False)
            self.host.exit()
        elif answer == "s":
            self.do_save()

    def do_save(self) -> None:
        """Write the record to a file."""
        self.host.push_screen(
            TypeLine(_("Save the game as FGN in the file"), self.host.record_name()), self._save
        )

    def _save(self, path: str | None) -> None:
        path = (path or "").strip()
        if not path:
            return
        try:
            is_new = not user_path(path).is_file()
        except OSError:
            is_new = True  # writing it will say what is wrong
        if is_new or path == self._saved:
            self._write(path)
            return
        question = _("{path} exists. Replace it?").format(path=path)

        def answered(answer: str | None) -> None:
            if answer == "y":
                self._write(path)

        self.host.push_screen(Ask(question, [("y", _("Yes")), ("n", _("No"))]), answered)

    def _write(self, path: str) -> None:
        try:
            write_game(path, [self.match.record()])
        except OSError as error:
            self.say(f"{path}: {error.strerror or error}", "wrong")
        else:
            self._saved = path
            self.say(_("Saved: {path}").format(path=path), "good")

    def do_type(self) -> None:
        """Type a turn instead of picking its points."""
        question = _("A turn, such as d3-e3A or d2 e3 f4w")
        self.host.push_screen(TypeLine(question, self._refused), self._typed)

    def _typed(self, text: str | None) -> None:
        if text is not None:
            self._refused = ""
        if text and text.strip():
            if not self.controller.type_turn(text):
                self._refused = text
            self.show()

    def do_resign(self) -> None:
        """Give up, after a question."""
        if self.match.outcome is not None or not self.match.people:
            self.say(_("There is nothing to resign."))
            return
        question = _("White resigns?") if self._speaker() is Side.WHITE else _("Black resigns?")
        self.host.push_screen(Ask(question, [("y", _("Yes")), ("n", _("No"))]), self._resign)

    def _resign(self, answer: str | None) -> None:
        if answer == "y" and self.match.outcome is None:
            self._stop_thinking()
            self.match.resign(self._speaker())
            self._moved_about("")

    def _speaker(self) -> Side:
        """The person who acts: the only one, or the one to move."""
        people = self.match.people
        return people[0] if len(people) == 1 else self.match.board.side

    def do_draw(self) -> None:
        """Offer a draw to the other side."""
        match = self.match
        if match.outcome is not None or not match.people:
            self.say(_("There is nobody to offer a draw to."))
            return
        side = self._speaker()
        if not match.is_engine(side.other):
            question = (
                _("White offers a draw. Does Black agree?")
                if side is Side.WHITE
                else _("Black offers a draw. Does White agree?")
            )
            self.host.push_screen(Ask(question, [("y", _("Yes")), ("n", _("No"))]), self._agree)
            return
        if self._thinking or match.view is not None:
            self.say(_("Offer a draw when it is your turn."))
            return
        self.say(_("The engine considers your offer ..."))
        self._ask_adviser("draw")

    def _agree(self, answer: str | None) -> None:
        if answer == "y" and self.match.outcome is None:
            self._stop_thinking()
            self.match.agree_draw()
            self._moved_about("")
        elif answer == "n":
            self.say(_("The draw is declined."))

    def answer_draw(self, info: Info) -> None:
        """The engine agrees, or plays on."""
        board = self.match.board
        declined = sentences.reason_to_decline(
            board.side.other, -info.score, board.position.turn_number
        )
        if declined:
            self.say(declined)
        else:
            self._agree("y")

    # The look, and the rest.

    def do_theme(self) -> None:
        """Take the next set of colours."""
        self.say(self.host.next_theme())
        self.show()

    def do_ascii(self) -> None:
        """Draw with ASCII characters only, or with all again."""
        self.host.set_ascii(not self.host.ascii)
        self.show()

    def do_help(self) -> None:
        """Explain the rules and the keys."""
        self.host.open_help()

    def do_menu(self) -> None:
        """List everything that can be done."""
        names = offered(self.controller, self._thinking)
        entries = [(name, f"{ACTIONS[name].shown:>5}  {_(ACTIONS[name].name)}") for name in names]
        self.host.push_screen(Menu(_("Menu"), entries), self._from_menu)

    def _from_menu(self, name: str | None) -> None:
        if name is not None:
            self.action_do(name)
