"""A game being played: lines go in, events come out, and nothing is read or written here."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from fanorona_core import Board, FanoronaError, Position, Side, Turn

from . import explain, words
from .entry import looks_like_turn, read_entry
from .events import Event, Finish, Load, Play, Quit, Refuse, Restart, Save, Say, Show
from .game_clock import Clock, ClockState
from .i18n import N_, _
from .listing import no_point, standing, turn_lines, ways_on, why_none
from .opponent import Advisor, EnginePlayer, PlayerSpec
from .refusals import refusal_text
from .render import stones_text
from .sentences import reason_to_decline, side_name

if TYPE_CHECKING:
    from fanorona_core.proofbook import ProofBook

__all__ = ["Session", "said_no", "said_yes"]

OVER: Final = N_("the game is over: undo takes the last turn back, new begins again")


def said_yes(word: str) -> bool:
    """Whether a word means yes, in English or the language in use."""
    return word in ("y", "yes", _("yes"))


def said_no(word: str) -> bool:
    """Whether a word means no, in English or the language in use."""
    return word in ("n", "no", _("no"))


class Session:
    """A board, who plays it, and what was taken back.

    ``command`` takes one line of a person at the board, ``engine_turn`` lets the engine play.
    Both return what has happened, in order.
    """

    def __init__(
        self,
        board: Board,
        players: tuple[PlayerSpec, PlayerSpec],
        *,
        seed: int | None = None,
        engines: tuple[Advisor, Advisor] | None = None,
        clock: Clock | None = None,
        book: ProofBook | None = None,
    ) -> None:
        self.board = board
        self.players = players
        self.seed = seed
        self.engines: tuple[Advisor, Advisor] = engines or (
            EnginePlayer(players[0], seed, book),
            # Two engines with one seed would play each other's mirror.
            EnginePlayer(players[1], None if seed is None else seed + 1, book),
        )
        self.clock = clock
        self.flip = players[Side.WHITE].is_engine and not players[Side.BLACK].is_engine
        self._undone: list[Turn] = []
        self._listed: list[Turn] = []
        self._question: tuple[str, Callable[[bool], list[Event]]] | None = None

    # What the surface asks.

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.board.outcome() is not None

    @property
    def engine_to_move(self) -> bool:
        """Whether the next turn is the engine's."""
        return self.players[self.board.side].is_engine and not self.is_over

    @property
    def prompt(self) -> str:
        """Who is asked, and about what, in a few letters."""
        if self._question is not None:
            return _("{question} (yes or no)").format(question=self._question[0])
        if self.is_over:
            return _("Game over")
        chain, side = self.board.position.chain, side_name(self.board.side)
        if chain is None:
            return side
        point = self.board.position.geometry.name(chain.end)
        return _("{side} on {point}").format(side=side, point=point)

    def opening_events(self) -> list[Event]:
        """What to show first: the board, and the end if the game has it already."""
        self._run_clock()
        return [Show(), *self._end()]

    def replace(self, board: Board, clock: ClockState | None = None) -> list[Event]:
        """Go on with another game, between the same players, by its clocks if it has any."""
        self.board = board
        if clock is not None:
            self.clock = Clock.from_state(clock)
        elif self.clock is not None:
            self.clock = Clock(self.clock.control)
        self._undone.clear()
        self._listed.clear()
        self._question = None
        return [Restart(), *self.opening_events()]

    def ask(self, question: str, event: Event) -> list[Event]:
        """Ask yes or no before an event happens."""
        self._question = (question, lambda agreed: [event] if agreed else [])
        return []

    # The engine.

    def engine_turn(self) -> list[Event]:
        """Let the engine play its turn.

        Raises:
            KeyboardInterrupt: while it thought; nothing was played.
        """
        side = self.board.side
        longest = None if self.clock is None else self.clock.share_ms(side)
        turn = self.engines[side].choose(self.board, longest).turn
        return self._out_of_time() or self._play(turn, by_engine=True)

    # The clocks.

    def _run_clock(self) -> None:
        """Let the clock of the side to move run; before the first turn nobody's does."""
        if self.clock is None:
            return
        if self.is_over:
            self.clock.pause()
        elif self.board.turns:
            self.clock.start(self.board.side)

    def _return_clock(self) -> None:
        """Give both sides the time back that they had at this place."""
        if self.clock is not None:
            self.clock.return_to(self.board.turns, self.board.root.side)
            self._run_clock()

    def _out_of_time(self) -> list[Event]:
        """End the game if the side to move has run out of time."""
        if self.clock is None or self.is_over or self.clock.flagged() is None:
            return []
        self.board.lose_on_time(self.clock.flagged())
        self._question = None
        return [Show(), *self._end()]

    # A line of a person.

    def command(self, line: str) -> list[Event]:
        """Obey one line: a turn or its steps, or a command."""
        text = line.strip()
        if lost := self._out_of_time():
            return lost
        if self._question is not None:
            return self._answer(text)
        if not text:
            return []
        word, _blank, argument = text.partition(" ")
        name = explain.ALIASES.get(word.lower(), word.lower())
        argument = argument.strip()
        try:
            if name in explain.GAME_COMMANDS:
                return self._obey(name, argument)
            if text.isdecimal():
                return self._numbered(text)
            if looks_like_turn(text):
                return self._turn(text)
        except FanoronaError as error:
            return [Refuse(refusal_text(self.board.position, text, error))]
        shown = text if len(text) <= 40 else text[:37] + "..."
        refusal = _(
            "{text} is neither a turn, such as {example}, nor a command: help lists them"
        ).format(text=repr(shown), example=words.example_turn(self.board.position))
        return [Refuse(refusal)]

    def _obey(self, name: str, argument: str) -> list[Event]:
        takes = explain.GAME_COMMANDS[name][0]
        if argument and not takes:
            text = _("{name} stands alone, without {argument}")
            return [Refuse(text.format(name=name, argument=repr(argument)))]
        if not argument and takes and not takes.startswith("["):
            text = _("{name} needs the name of a file, such as {name} game.fgn")
            return [Refuse(text.format(name=name))]
        if self.is_over and name in ("moves", "hint", "stop", "redo", "draw", "resign"):
            return [Refuse(_(OVER))]
        if name in ("save", "load", "new", "redo") and self.board.position.chain is not None:
            text = _("end the turn you have begun before {name}, or undo it")
            return [Refuse(text.format(name=name))]
        if name == "moves":
            return self._moves(argument)
        if name == "save":
            return [Save(argument)]
        if name == "load":
            return [Load(argument)]
        actions: dict[str, Callable[[], list[Event]]] = {
            "help": lambda: [Say(tuple(explain.game_help()))],
            "hint": self._hint,
            "rules": lambda: [Say(tuple(explain.rules_lines(self.board.rules)))],
            "guide": lambda: [Say(tuple(explain.guide_lines()))],
            "board": lambda: [Show(asked=True)],
            "stones": lambda: [Say(tuple(stones_text(self.board.position, side) for side in Side))],
            "flip": self._flip,
            "stop": self._stop,
            "undo": self._undo,
            "redo": self._redo,
            "draw": self._draw,
            "resign": self._resign,
            "new": lambda: self.replace(Board(self.board.root)),
            "quit": lambda: [Quit()],
        }
        return actions[name]()

    def _answer(self, text: str) -> list[Event]:
        assert self._question is not None
        word = text.lower()
        yes = said_yes(word)
        if not yes and not said_no(word):
            if explain.ALIASES.get(word, word) == "quit":
                return [Quit()]
            return [Refuse(f"{self._question[0]} " + _("Type yes or no"))]
        act = self._question[1]
        self._question = None
        return act(yes)

    # Turns.

    def _turn(self, text: str) -> list[Event]:
        if self.is_over:
            return [Refuse(_(OVER))]
        if self.board.position.chain is None and len(text.strip(" .-")) <= 3:
            refusal = _(
                "{text}: a turn needs the point it goes to as well, as in {example}; "
                "moves {point} lists the turns of this stone"
            ).format(
                text=text,
                example=words.example_turn(self.board.position),
                point=text.strip(" .-"),
            )
            return [Refuse(refusal)]
        entry = read_entry(self.board.position, text)
        before = self.board.position_before(len(self.board.turns))
        for step in entry.steps:
            turn = self.board.push_step(step)
        if turn is None and entry.stop:
            if not self.board.can_stop:
                return [Show(), Refuse(self._must_go_on()), *self._ask_on()]
            turn = self.board.stop()
        if turn is None:
            return [Show(), *self._ask_on()]
        return self._played(before, turn)

    def _numbered(self, text: str) -> list[Event]:
        if self.is_over:
            return [Refuse(_(OVER))]
        index = int(text[:9]) - 1
        if not self._listed:
            refusal = _("{text} is a number of the list of moves: type moves first")
            return [Refuse(refusal.format(text=text))]
        if not 0 <= index < len(self._listed):
            refusal = _("{text}: the list of moves goes from 1 to {last}")
            return [Refuse(refusal.format(text=text, last=len(self._listed)))]
        return self._play(self._listed[index])

    def _play(self, turn: Turn, *, by_engine: bool = False) -> list[Event]:
        before = self.board.position_before(len(self.board.turns))
        self.board.push(turn)
        return self._played(before, turn, by_engine=by_engine)

    def _played(self, before: Position, turn: Turn, *, by_engine: bool = False) -> list[Event]:
        if self._undone and self._undone[-1] == turn:
            self._undone.pop()
        else:
            self._undone.clear()
        self._listed.clear()
        if self.clock is not None:
            self.clock.turn_played(before.side, self.board.turns, is_over=self.is_over)
        played = Play(before.side, turn, f"{words.played_text(before, turn)}.", by_engine)
        return [played, Show(), *self._end()]

    def _end(self) -> list[Event]:
        outcome = self.board.outcome()
        if outcome is None:
            return []
        if self.clock is not None:
            self.clock.pause()
        return [Finish(outcome, words.outcome_text(self.board, outcome))]

    def _ask_on(self) -> list[Event]:
        """Tell how the chain in progress can go on."""
        self._listed.clear()
        position = self.board.position
        if position.chain is None:
            return []
        return [Say((ways_on(position),))]

    def _must_go_on(self) -> str:
        return _("under these rules the chain must go on while it can")

    def _stop(self) -> list[Event]:
        position = self.board.position
        if position.chain is None:
            return [Refuse(_("stop ends a chain of captures, and you have not begun one"))]
        if not position.can_stop:
            return [Refuse(self._must_go_on())]
        before = self.board.position_before(len(self.board.turns))
        return self._played(before, self.board.stop())

    # Lists and advice.

    def _moves(self, argument: str) -> list[Event]:
        position = self.board.position
        turns = list(self.board.legal_turns)
        if argument:
            try:
                point = position.geometry.point(argument.lower())
            except ValueError:
                return [Refuse(no_point(position, argument))]
            turns = [turn for turn in turns if standing(position, turn) == point]
            if not turns:
                return [Refuse(why_none(position, point))]
        self._listed = turns
        return [Say((*turn_lines(position, turns), _("Type a turn, or its number in this list.")))]

    def _hint(self) -> list[Event]:
        position = self.board.position
        opinion = self.engines[position.side].advise(self.board)
        text = words.hint_text(position, opinion.turn, opinion.score, opinion.findings)
        return [Say((text,))]

    def _flip(self) -> list[Event]:
        self.flip = not self.flip
        return [Show(asked=True)]

    # Taking back.

    def _undo(self) -> list[Event]:
        board = self.board
        if board.outcome(draws=False) is not None and self._undeclared().outcome() is None:
            return self._reopen()
        if board.position.chain is not None and board.position != board.root:
            board.pop_step()
            return [Show(), Say((_("Your last step is taken back."),)), *self._ask_on()]
        if not board.turns or (self._one_person() and not self._can_take_back()):
            return [Refuse(_("there is no turn of yours to take back"))]
        self._undone.append(board.pop())
        # Against the engine its answer goes too, so that the person moves again.
        while self.players[board.side].is_engine and self._one_person() and board.turns:
            self._undone.append(board.pop())
        self._listed.clear()
        self._return_clock()
        text = _("Taken back: {turn}. redo plays it again.").format(turn=self._undone[-1])
        return [Show(), Say((text,))]

    def _one_person(self) -> bool:
        return self.players[0].is_engine != self.players[1].is_engine

    def _can_take_back(self) -> bool:
        """Whether the person, not only the engine, has played a turn."""
        count = len(self.board.turns)
        return any(
            not self.players[self.board.position_before(index).side].is_engine
            for index in range(max(0, count - 2), count)
        )

    def _undeclared(self) -> Board:
        """The board without an end by words: resignation, agreement, a clock."""
        chain = self.board.position.chain
        return Board.replay(
            self.board.root, self.board.turns, None if chain is None else str(chain)
        )

    def _reopen(self) -> list[Event]:
        self.board = self._undeclared()
        self._return_clock()
        return [Show(), Say((_("The game goes on."),)), *self._ask_on()]

    def _redo(self) -> list[Event]:
        if not self._undone:
            return [Refuse(_("there is nothing to play again"))]
        found: list[Event] = []
        by_engine = False
        while not found or by_engine:
            found += self._play(self._undone[-1], by_engine=by_engine)
            by_engine = bool(self._undone) and self.engine_to_move
        last = max(index for index, event in enumerate(found) if event == Show())
        return [event for i, event in enumerate(found) if i == last or event != Show()]

    # Ends.

    def _resign(self) -> list[Event]:
        self.board.resign()
        return self._end()

    def _draw(self) -> list[Event]:
        side = self.board.side
        other = side.other
        if not self.players[other].is_engine:
            question = _("{side} offers a draw. {other}, do you agree?")
            question = question.format(side=side_name(side), other=side_name(other))
            self._question = (question, self._agree)
            return []
        score = -self.engines[other].advise(self.board).score
        declined = reason_to_decline(other, score, self.board.position.turn_number)
        if declined:
            return [Say((declined,))]
        accepted = _("{side} accepts the draw.").format(side=side_name(other))
        return [Say((accepted,)), *self._agree(True)]

    def _agree(self, agreed: bool) -> list[Event]:
        if not agreed:
            return [Say((_("The draw is declined."),))]
        self.board.agree_draw()
        return self._end()
