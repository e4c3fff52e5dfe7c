"""A match on the full-screen board: the game, who plays, what was taken back, and the clocks."""

from __future__ import annotations

from fanorona_core import Board, Outcome, Position, RuleSet, Side, Step, Turn
from fanorona_core.game import Game

from ..game_clock import Clock
from ..opponent import PlayerSpec
from ..records import game_of
from ..store import Kept

__all__ = ["Match"]


class Match:
    """One game as it is played here; the board alone knows the rules.

    ``undone`` holds turns taken back, the next one to play again last. ``lines`` are lines of
    play that were left for another, each from the first turn on. ``view`` is the number of turns
    played in the position looked at, None for the position now.
    """

    def __init__(
        self,
        board: Board,
        players: tuple[PlayerSpec, PlayerSpec],
        *,
        clock: Clock | None = None,
        seed: int | None = None,
        name: str = "",
        lines: list[tuple[Turn, ...]] | None = None,
    ) -> None:
        self.board = board
        self.players = players
        self.clock = clock
        self.seed = seed
        self.name = name
        self.lines = lines or []
        self.undone: list[Turn] = []
        self.view: int | None = None
        self.paused = False

    @property
    def rules(self) -> RuleSet:
        """The rules of this game."""
        return self.board.rules

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it goes on."""
        return self.board.outcome()

    @property
    def position(self) -> Position:
        """The position to show: the one looked at, or the one now."""
        if self.view is None:
            return self.board.position
        return self.board.position_before(self.view)

    @property
    def shown_turns(self) -> int:
        """How many turns lie behind the position shown."""
        return len(self.board.turns) if self.view is None else self.view

    def is_engine(self, side: Side) -> bool:
        """Whether a side is played by the engine."""
        return self.players[side].is_engine

    @property
    def engine_to_move(self) -> bool:
        """Whether the engine has to play now."""
        return self.outcome is None and self.is_engine(self.board.side)

    @property
    def person_to_move(self) -> bool:
        """Whether a person has to play now."""
        return self.outcome is None and not self.is_engine(self.board.side)

    @property
    def is_begun(self) -> bool:
        """Whether anything was played that would be lost."""
        board = self.board
        return bool(board.turns or self.lines) or board.position != board.root

    @property
    def people(self) -> list[Side]:
        """The sides played by people."""
        return [side for side in Side if not self.is_engine(side)]

    # Playing.

    def play_step(self, step: Step) -> Turn | None:
        """Play one step; the whole turn if that ended it, else None."""
        return self._after(self.board.push_step(step))

    def stop(self) -> Turn:
        """End the turn where the chain stands."""
        turn = self._after(self.board.stop())
        assert turn is not None
        return turn

    def play(self, turn: Turn) -> None:
        """Play a whole turn."""
        self.board.push(turn)
        self._after(turn)

    def _after(self, turn: Turn | None) -> Turn | None:
        if turn is None:
            return None
        if self.undone and self.undone[-1] == turn:
            self.undone.pop()
        elif self.undone:
            kept = self.board.turns[:-1] + tuple(reversed(self.undone))
            if kept not in self.lines:
                self.lines.append(kept)
            self.undone.clear()
        if self.clock is not None:
            over = self.outcome is not None
            self.clock.turn_played(self.board.side.other, self.board.turns, is_over=over)
            if self.paused:
                self.clock.pause()
        return turn

    def step_back(self) -> bool:
        """Take back the last step of the chain in progress, if there is one."""
        try:
            self.board.pop_step()
        except IndexError:
            return False
        return True

    @property
    def can_undo(self) -> bool:
        """Whether there is a turn, or a chain in progress, of a person to take back."""
        return self._undo_count() > 0

    def _undo_count(self) -> int:
        board = self.board
        if board.position.chain is not None and board.position != board.root:
            return 1
        count = len(board.turns)
        if not count or len(self.people) != 1:
            return min(count, 1)
        for back in range(1, count + 1):
            if not self.is_engine(board.position_before(count - back).side):
                return back
        return 0

    def undo(self) -> bool:
        """Take back the chain in progress, or the last turn, against the engine its answer too."""
        self.view = None
        if self.board.position.chain is not None:
            if self._undo_count():
                self.board.pop()
                return True
            return False
        if self._is_declared:
            # Words, not a turn, ended the game: they alone are taken back.
            self.board = Board.replay(self.board.root, self.board.turns)
            self._return_clock()
            return True
        count = self._undo_count()
        for _ in range(count):
            self.undone.append(self.board.pop())
        self._return_clock()
        return count > 0

    @property
    def _is_declared(self) -> bool:
        ended = self.outcome
        return (
            ended is not None and Board.replay(self.board.root, self.board.turns).outcome() is None
        )

    def redo(self) -> bool:
        """Play again what was taken back, up to a person's next decision."""
        self.view = None
        if not self.undone or self.board.position.chain is not None:
            return False
        self.play(self.undone[-1])
        while self.undone and len(self.people) == 1 and self.engine_to_move:
            self.play(self.undone[-1])
        return True

    def _return_clock(self) -> None:
        """Give both sides the time back that they had at this place."""
        if self.clock is None:
            return
        self.clock.return_to(self.board.turns, self.board.root.side)
        if self.outcome is None and self.board.turns and not self.paused:
            self.clock.start(self.board.side)

    # Looking back.

    def look(self, turns: int) -> None:
        """Look at the position after so many turns; the last one means now."""
        last = len(self.board.turns)
        turns = max(0, min(turns, last))
        self.view = None if turns == last else turns

    def play_on_here(self) -> bool:
        """Make the position looked at the one now; what followed becomes a line left behind."""
        if self.view is None:
            return False
        if self.board.position.chain is not None:
            self.board.pop()
        if self._is_declared:
            self.board = Board.replay(self.board.root, self.board.turns)
        while len(self.board.turns) > self.view:
            self.undone.append(self.board.pop())
        self.view = None
        self._return_clock()
        return True

    # Ends.

    def resign(self, side: Side) -> None:
        """A side gives up."""
        self.board.resign(side)
        self._halt()

    def agree_draw(self) -> None:
        """Both sides agree to a draw."""
        self.board.agree_draw()
        self._halt()

    def check_time(self) -> bool:
        """End the game if the side to move has run out of time; whether that happened."""
        if self.clock is None or self.outcome is not None:
            return False
        side = self.clock.flagged()
        if side is None:
            return False
        self.board.lose_on_time(side)
        self._halt()
        return True

    def _halt(self) -> None:
        if self.clock is not None:
            self.clock.pause()

    def record(self) -> Game:
        """The record of the game, with the lines left behind as variations."""
        clock = None if self.clock is None else self.clock.state()
        return game_of(self.board, self.players, self.lines, clock)

    # Keeping.

    def kept(self) -> Kept:
        """The game as the store keeps it."""
        clock = None if self.clock is None else self.clock.state()
        return Kept(self.name, self.board, self.players, self.seed, clock, tuple(self.lines))

    @classmethod
    def from_kept(cls, kept: Kept) -> Match:
        """Go on with a game that was kept; its clocks stand until somebody plays."""
        clock = None if kept.clock is None else Clock.from_state(kept.clock)
        lines = list(kept.lines)
        return cls(
            kept.board, kept.players, clock=clock, seed=kept.seed, name=kept.name, lines=lines
        )
