"""A game in progress: a position with its history."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from types import NoneType
from typing import overload

from fanorona_core import diagnose
from fanorona_core._checks import check_kind
from fanorona_core._turn import Step, Turn
from fanorona_core.errors import IllegalTurnError, OutcomeError
from fanorona_core.notation import parse_turn
from fanorona_core.outcome import Outcome, Reason
from fanorona_core.position import Position
from fanorona_core.rules import RuleSet
from fanorona_core.types import Side

__all__ = ["Board", "LegalTurns"]


class LegalTurns(Sequence[Turn]):
    """A view of the legal turns of one position, made when they are first asked for.

    Truth and membership make no turns, and the length only counts them. Two views are equal if
    they have the same turns; ``list(...)`` compares them with a list.

    Examples:
        >>> turns = Board().legal_turns
        >>> len(turns), Turn.from_text("d3-e3W") in turns, str(turns[0])
        (5, True, 'd2-e3A')
        >>> str(turns)
        'd2-e3A, e2-e3A, f2-e3A, d3-e3A, d3-e3W'
    """

    __slots__ = ("_position", "_turns")

    def __init__(self, position: Position) -> None:
        self._position = position
        self._turns: list[Turn] | None = None

    def _made(self) -> list[Turn]:
        if self._turns is None:
            self._turns = self._position.legal_turns()
        return self._turns

    def __iter__(self) -> Iterator[Turn]:
        return iter(self._made())

    def __len__(self) -> int:
        return self._position.count_turns() if self._turns is None else len(self._turns)

    def __bool__(self) -> bool:
        return self._position.has_turn()

    def __contains__(self, turn: object) -> bool:
        return isinstance(turn, Turn) and self._position.is_legal(turn)

    @overload
    def __getitem__(self, index: int) -> Turn: ...
    @overload
    def __getitem__(self, index: slice) -> list[Turn]: ...
    def __getitem__(self, index: int | slice) -> Turn | list[Turn]:
        return self._made()[index]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LegalTurns):
            return NotImplemented
        return self._position == other._position or self._made() == other._made()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"LegalTurns({self._position!r})"

    def __str__(self) -> str:
        return ", ".join(map(str, self))


class Board:
    """A position that turns are played on and taken back from.

    Starts from a position, from the start of a rule set, or from the usual start. Counts how
    often each position has occurred after whole turns, the first one included. Two boards are
    equal if they stand in the same position, came there from the same position by the same
    turns, and the game ended or not in the same way.

    Examples:
        >>> board = Board()
        >>> board.push_text("d3-e3W")
        Turn.from_text('d3-e3W')
        >>> len(board.legal_turns), board.side
        (18, <Side.BLACK: 1>)
        >>> board.pop()
        Turn.from_text('d3-e3W')
    """

    __slots__ = ("_counts", "_declared", "_position", "_positions", "_steps", "_turns")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, start: Position | RuleSet | None = None) -> None:
        if isinstance(start, Position):
            position = start
        else:
            check_kind("start", start, Position, RuleSet, NoneType)
            position = Position.start() if start is None else Position.start(start)
        self._position = position
        self._positions: list[Position] = []  # before each turn
        self._turns: list[Turn] = []
        self._steps: list[Position] = []  # before each step of the chain in progress
        self._counts: dict[int, int] = {} if position.chain else {position.key: 1}
        self._declared: Outcome | None = None

    @classmethod
    def parse(cls, text: str, rules: RuleSet | None = None) -> Board:
        """A board that starts from position text; see ``Position.parse``.

        Raises:
            InvalidPositionError: the text is malformed, or such a position cannot be.
            RulesError: the rules in the text cannot be read.
        """
        return cls(Position.parse(text, rules))

    @classmethod
    def replay(
        cls,
        start: Position,
        turns: Iterable[Turn | str],
        chain: str | None = None,
        declared: Outcome | None = None,
    ) -> Board:
        """A board after turns from a position, then the steps of a chain and a declared end.

        Raises:
            NotationError: a turn that cannot be read.
            IllegalTurnError: a turn or step that is not legal.

        Examples:
            >>> Board.replay(Position.start(), ["d3e3w"]).side
            <Side.BLACK: 1>
        """
        board = cls(start)
        for turn in turns:
            if isinstance(turn, Turn):
                board.push(turn)
            else:
                board.push_text(turn)
        if chain is not None:
            board._push_chain(Turn.from_text(chain, start.columns))
        check_kind("declared", declared, Outcome, NoneType)
        board._declared = declared
        return board

    @property
    def position(self) -> Position:
        """The position now, with the chain in progress if there is one."""
        return self._position

    @property
    def root(self) -> Position:
        """The position that this board started from."""
        return self._at_turn_start(0)

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns played, oldest first."""
        return tuple(self._turns)

    @property
    def rules(self) -> RuleSet:
        """The rules of this game."""
        return self._position.rules

    @property
    def side(self) -> Side:
        """The side to move."""
        return self._position.side

    @property
    def legal_turns(self) -> LegalTurns:
        """The legal turns, as a view of the position now.

        Draws by the rules do not empty it: ask ``outcome`` whether the game is over.
        """
        return LegalTurns(self._position)

    def position_before(self, index: int) -> Position:
        """The position before turn ``index`` was played, 0 being the root.

        ``len(board.turns)`` gives the position at the start of the turn now to be played.

        Raises:
            IndexError: so many turns were not played.
        """
        if not 0 <= index <= len(self._turns):
            raise IndexError(f"turn {index}: expected 0 to {len(self._turns)}")
        return self._at_turn_start(index)

    def _at_turn_start(self, index: int) -> Position:
        if index < len(self._positions):
            return self._positions[index]
        return self._steps[0] if self._steps else self._position

    # Whole turns.

    def push(self, turn: Turn) -> None:
        """Play a turn; with a chain in progress, a turn that begins with it.

        Raises:
            IllegalTurnError: the turn is not legal; the text says which rule it breaks.
            OutcomeError: the game was resigned, drawn by agreement or lost on time.
        """
        self._check_open()
        new = self._position.play(turn)
        self._positions.append(self._at_turn_start(len(self._positions)))
        self._turns.append(turn)
        self._steps.clear()
        self._position = new
        key = new.key
        self._counts[key] = self._counts.get(key, 0) + 1

    def push_text(self, text: str) -> Turn:
        """Read a turn as typed, play it and return it; see ``fanorona_core.parse_turn``.

        Raises:
            NotationError: not a turn, or several legal turns fit.
            IllegalTurnError: no legal turn fits.
            OutcomeError: the game was resigned, drawn by agreement or lost on time.
        """
        self._check_open()
        turn = self.parse_turn(text)
        self.push(turn)
        return turn

    def parse_turn(self, text: str) -> Turn:
        """Read a turn as typed without playing it; see ``fanorona_core.parse_turn``.

        Raises:
            NotationError: not a turn, or several legal turns fit.
            IllegalTurnError: no legal turn fits.
        """
        return parse_turn(self._position, text)

    def pop(self) -> Turn:
        """Take back the last turn and return it, or the chain in progress if there is one.

        A declared end of the game (resignation, agreement, time) is taken back with it.

        Raises:
            IndexError: no turn was played.
        """
        if self._steps:
            chain = self._position.chain
            assert chain is not None
            self._position = self._steps[0]
            self._steps.clear()
            self._declared = None
            return chain
        if not self._turns:
            raise IndexError("no turn to take back")
        key = self._position.key
        self._counts[key] -= 1
        if not self._counts[key]:
            del self._counts[key]
        self._position = self._positions.pop()
        self._declared = None
        return self._turns.pop()

    # Step by step.

    def steps(self) -> list[Step]:
        """The single steps possible now: those that begin a turn or continue the chain."""
        return self._position.steps()

    @property
    def can_stop(self) -> bool:
        """Whether a chain is in progress and may end here."""
        return self._position.can_stop

    def push_step(self, step: Step) -> Turn | None:
        """Play one step; return the whole turn if that ended it, else None.

        Raises:
            IllegalTurnError: the step is not one of ``steps()``.
            OutcomeError: the game was resigned, drawn by agreement or lost on time.

        Examples:
            >>> board = Board.parse("9/1b7/9/3bw4/9 w")
            >>> [str(step) for step in board.steps()]
            ['e2-f2W']
            >>> board.push_step(board.steps()[0])
            Turn.from_text('e2-f2W')
        """
        self._check_open()
        new = self._position.play_step(step)
        if new.chain is not None:
            self._steps.append(self._position)
            self._position = new
            return None
        turn = _extended(self._position.chain, step)
        self.push(turn)
        return turn

    def _push_chain(self, chain: Turn) -> None:
        """Play the steps of a chain and leave it in progress."""
        played = 0 if self._position.chain is None else len(self._position.chain)
        for index in range(played, len(chain)):
            wanted = (*chain.points[index : index + 2], chain.kinds[index : index + 1])
            for step in self.steps():
                if (step.start, step.end, step.kind) == wanted:
                    self.push_step(step)
                    break
            else:
                raise IllegalTurnError(diagnose.why_illegal(self._position, chain))
        now = self._position.chain
        if now != chain:
            raise IllegalTurnError(
                f"the chain {chain} cannot be in progress: it is {now or 'over'}"
            )

    def stop(self) -> Turn:
        """End the turn where the chain in progress stands, and return it.

        Raises:
            IllegalTurnError: there is no chain, or it must go on.
            OutcomeError: the game was resigned, drawn by agreement or lost on time.
        """
        self._position.stop()
        turn = self._position.chain
        assert turn is not None
        self.push(turn)
        return turn

    def pop_step(self) -> None:
        """Take back the last step of the chain in progress, and a declared end with it.

        Raises:
            IndexError: there is no step to take back in this turn.
        """
        if not self._steps:
            raise IndexError("no step of this turn to take back")
        self._position = self._steps.pop()
        self._declared = None

    # The end of the game.

    def repetitions(self) -> int:
        """How often the position has occurred after whole turns; 0 while a chain is in progress."""
        if self._position.chain is not None:
            return 0
        return self._counts[self._position.key]

    def keys_since_capture(self) -> list[int]:
        """The keys of the positions before this turn that can still come back, oldest first.

        A capture cannot be undone, so only those since the last one count.
        """
        now = self._at_turn_start(len(self._turns))
        first = max(len(self._positions) - now.quiet, 0)
        return [position.key for position in self._positions[first:]]

    def outcome(self, *, draws: bool = True) -> Outcome | None:
        """The end of the game, or None while it goes on.

        A win or loss goes before a draw on the same turn. With ``draws=False`` the draws that the
        rules give by themselves (repetition, quiet limit, turn limit) wait for ``claim_draw``.

        Examples:
            >>> str(Board.parse("9/9/9/bb7/wb7 w").outcome())
            'Black wins: White has no legal turn'
        """
        position = self._position
        if self._declared is not None:
            return self._declared
        if not position.white or not position.black:
            return Outcome(Side.WHITE if position.white else Side.BLACK, Reason.NO_STONES)
        if not position.has_turn():
            winner = None if position.rules.no_move_draw else position.side.other
            return Outcome(winner, Reason.NO_TURN)
        reason = self.draw_reason() if draws else None
        return None if reason is None else Outcome(None, reason)

    def draw_reason(self) -> Reason | None:
        """The draw rule that the position meets now, whether or not it ends the game."""
        position, rules = self._position, self._position.rules
        if position.chain is not None:
            return None
        if rules.repetition is not None and self.repetitions() >= rules.repetition:
            return Reason.REPETITION
        if rules.quiet_limit is not None and position.quiet >= rules.quiet_limit:
            return Reason.QUIET_LIMIT
        if rules.turn_limit is not None and position.turn_number > rules.turn_limit:
            return Reason.TURN_LIMIT
        return None

    def claim_draw(self) -> Outcome:
        """End the game by a draw rule that the position meets now.

        Raises:
            OutcomeError: the position meets none, or the game is over.
        """
        reason = self.draw_reason()
        if reason is None:
            raise OutcomeError("no draw to claim: no draw rule applies to this position")
        return self._declare(Outcome(None, reason), draws=False)

    def resign(self, side: Side | None = None) -> Outcome:
        """End the game: a side, by default the one to move, gives up.

        Raises:
            OutcomeError: the game is over, perhaps by a draw rule.
        """
        return self._declare(Outcome(self._or_mover(side).other, Reason.RESIGNATION))

    def agree_draw(self) -> Outcome:
        """End the game: both sides agree to a draw.

        Raises:
            OutcomeError: the game is over, perhaps by a draw rule.
        """
        return self._declare(Outcome(None, Reason.AGREEMENT))

    def lose_on_time(self, side: Side | None = None) -> Outcome:
        """End the game: a side, by default the one to move, has no time left.

        Raises:
            OutcomeError: the game is over, perhaps by a draw rule.
        """
        return self._declare(Outcome(self._or_mover(side).other, Reason.TIME))

    def _or_mover(self, side: Side | None) -> Side:
        if side is None:
            return self.side
        check_kind("side", side, Side)
        return side

    def _declare(self, outcome: Outcome, *, draws: bool = True) -> Outcome:
        ended = self.outcome(draws=draws)
        if ended is not None:
            raise OutcomeError(f"the game is over: {ended}")
        self._declared = outcome
        return outcome

    def _check_open(self) -> None:
        if self._declared is not None:
            raise OutcomeError(f"the game is over: {self._declared}")

    # As a value.

    def copy(self) -> Board:
        """A board that can be changed without changing this one; costs one copy of the history."""
        new = type(self).__new__(type(self))
        new._position = self._position
        new._positions = self._positions.copy()
        new._turns = self._turns.copy()
        new._steps = self._steps.copy()
        new._counts = self._counts.copy()
        new._declared = self._declared
        return new

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Board:
        return self.copy()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return (
            self._position == other._position
            and self._turns == other._turns
            and self.root == other.root
            and self._declared == other._declared
        )

    def __repr__(self) -> str:
        rest = [f"{self.root!r}", f"{[str(turn) for turn in self._turns]}"]
        if self._steps:
            rest.append(f"chain={str(self._position.chain)!r}")
        if self._declared is not None:
            rest.append(f"declared={self._declared!r}")
        return f"Board.replay({', '.join(rest)})"

    def __str__(self) -> str:
        return str(self._position)


def _extended(chain: Turn | None, step: Step) -> Turn:
    """The turn of a chain (or none) and one more step."""
    text = f"{chain}-{str(step).partition('-')[2]}" if chain is not None else str(step)
    return Turn.from_text(text, step.columns)
