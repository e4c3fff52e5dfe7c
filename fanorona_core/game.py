"""Game records: a tree of turns with what was said about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import NoneType
from typing import Any, Final

from fanorona_core._checks import check_kind
from fanorona_core._turn import Turn
from fanorona_core.board import Board
from fanorona_core.node import Node, Notes
from fanorona_core.outcome import Outcome, Reason
from fanorona_core.position import Position
from fanorona_core.rules import RuleSet
from fanorona_core.tags import Tags
from fanorona_core.types import Side

__all__ = ["RESULTS", "Game", "Node"]

RESULTS: Final = ("1-0", "0-1", "1/2-1/2", "*")

# Nodes in the order of Game.nodes: the index of the parent, the turn, what Node.notes gives.
Flat = list[tuple[int, Turn | None, Notes]]

_WINNERS: Final = {"1-0": Side.WHITE, "0-1": Side.BLACK}


class Game:
    """A record of one game: tags, rules, initial position, tree of turns, result.

    Made from a rule set (its standard start), from a position, or with nothing, which is the
    start of ``tsivy``. Equality compares everything; a game is mutable and has no hash.

    ``termination`` says how the game ended, a `Reason` or any other text that a record holds.
    Where nothing was set and the final position decides the game by itself, it says that.

    Raises:
        ValueError: a result that is none of `RESULTS`, or a tag that cannot be set.

    Examples:
        >>> game = Game(tags={"White": "Ravao"}, result="1-0", termination=Reason.RESIGNATION)
        >>> game.root.add_line(["f2-e3A", "d5-d4A"]).position.turn_number
        3
        >>> [str(turn) for turn in game.turns], game.winner
        (['f2-e3A', 'd5-d4A'], <Side.WHITE: 0>)
    """

    __slots__ = ("_result", "_termination", "root", "tags")

    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self,
        initial: Position | RuleSet | None = None,
        *,
        tags: Mapping[str, str] | Iterable[tuple[str, str]] = (),
        result: str = "*",
        termination: str | None = None,
    ) -> None:
        if initial is None:
            initial = Position.start()
        elif isinstance(initial, RuleSet):
            initial = Position.start(initial)
        else:
            check_kind("initial", initial, Position, RuleSet, NoneType)
        self._termination: str | None = None
        self.tags = Tags(tags)
        self.root = Node(initial)
        self.result = result
        self.termination = termination

    @classmethod
    def from_board(cls, board: Board) -> Game:
        """Make a record of the turns played on a board, with its outcome.

        A chain in progress is not a turn and is left out.

        Examples:
            >>> board = Board()
            >>> _ = board.push_text("f2-e3A")
            >>> _ = board.resign(Side.BLACK)
            >>> game = Game.from_board(board)
            >>> game.result, game.termination
            ('1-0', <Reason.RESIGNATION: 'resignation'>)
        """
        check_kind("board", board, Board)
        game = cls(board.root)
        game.root.add_line(board.turns)
        outcome = board.outcome()
        if outcome is not None:
            game.result, game.termination = outcome.result, outcome.reason
        return game

    @property
    def initial(self) -> Position:
        """The position that the game begins from."""
        return self.root.position

    @property
    def rules(self) -> RuleSet:
        """The rules that the game is played under."""
        return self.root.position.rules

    @property
    def result(self) -> str:
        """``1-0``, ``0-1``, ``1/2-1/2``, or ``*`` while the game goes on or nobody knows."""
        return self._result

    @result.setter
    def result(self, result: str) -> None:
        if result not in RESULTS:
            raise ValueError(f"result {result!r}: expected {', '.join(RESULTS[:-1])} or *")
        self._result = result

    @property
    def winner(self) -> Side | None:
        """The side that won, or None."""
        return _WINNERS.get(self.result)

    @property
    def termination(self) -> str | None:
        """How the game ended, or None; see the class."""
        if self._termination is not None:
            return self._termination
        result, reason = self.decided()
        return reason if result == self.result else None

    @termination.setter
    def termination(self, termination: str | None) -> None:
        check_kind("termination", termination, str, NoneType)
        if termination in list(Reason):
            termination = Reason(termination)
        self._termination = termination

    @property
    def outcome(self) -> Outcome | None:
        """The end that result and termination name; None if they name none, or do not fit.

        Examples:
            >>> print(Game(result="1-0", termination="time").outcome)
            White wins: Black ran out of time
            >>> print(Game(result="1/2-1/2", termination="time").outcome)
            None
        """
        reason = self.termination
        if self.result == "*" or not isinstance(reason, Reason):
            return None
        try:
            return Outcome(self.winner, reason)
        except ValueError:
            return None

    def decided(self) -> tuple[str, Reason | None]:
        """Return what the final position says by itself: a result and the reason, or ``*``.

        Of the main line; only stones and legal turns count here, not repetition or other limits.

        Examples:
            >>> Game(Position.parse("9/4w4/9/9/9 b")).decided()
            ('1-0', <Reason.NO_STONES: 'no stones'>)
        """
        position = self.end().position
        if not position.has_turn():
            for side, result in ((Side.BLACK, "1-0"), (Side.WHITE, "0-1")):
                if not position.stones(side):
                    return result, Reason.NO_STONES
            if self.rules.no_move_draw:
                return "1/2-1/2", Reason.NO_TURN
            return "1-0" if position.side is Side.BLACK else "0-1", Reason.NO_TURN
        return "*", None

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns of the main line."""
        return tuple(node.turn for node in self.mainline() if node.turn is not None)

    def mainline(self) -> Iterator[Node]:
        """Iterate over the nodes of the main line, without the root."""
        return self.root.mainline()

    def nodes(self) -> Iterator[Node]:
        """Iterate over all nodes, the root first, each before its variations."""
        return self.root.subtree()

    def end(self) -> Node:
        """Return the last node of the main line; the root if there is none."""
        return self.root.end()

    def board_at(self, node: Node | None = None) -> Board:
        """Make a board with the history up to a node, by default the end of the main line.

        Examples:
            >>> game = Game()
            >>> node = game.root.add_line(["f2-e3A", "d5-d4A"])
            >>> len(game.board_at(node.parent).turns)
            1
        """
        check_kind("node", node, Node, NoneType)
        board = Board(self.initial)
        for step in (self.end() if node is None else node).path():
            if step.turn is not None:
                board.push(step.turn)
        return board

    def copy(self) -> Game:
        """Make a game of its own that is equal to this one."""
        other = Game(
            self.initial, tags=self.tags, result=self.result, termination=self._termination
        )
        other._set_tree(self._tree())
        return other

    def _tree(self) -> Flat:
        """Return the nodes as a flat list: safe to compare and pickle at any depth."""
        flat: Flat = []
        index: dict[int, int] = {}
        for number, node in enumerate(self.nodes()):
            index[id(node)] = number
            parent = 0 if node.parent is None else index[id(node.parent)]
            flat.append((parent, node.turn, node.notes()))
        return flat

    def _set_tree(self, flat: Flat) -> None:
        nodes: list[Node] = []
        for parent, turn, notes in flat:
            node = self.root if turn is None else nodes[parent].add_variation(turn)
            node.set_notes(notes)
            nodes.append(node)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return (
            self.initial == other.initial
            and self.result == other.result
            and self.termination == other.termination
            and self.tags == other.tags
            and self._tree() == other._tree()
        )

    def __len__(self) -> int:
        return sum(1 for _ in self.mainline())

    def __bool__(self) -> bool:
        return True

    def __reduce__(self) -> Any:
        arguments = (self.initial, dict(self.tags), self.result, self._termination, self._tree())
        return _rebuild, arguments

    def __repr__(self) -> str:
        names = f"{self.tags['White']} - {self.tags['Black']}"
        turns = f"{len(self)} turn{'' if len(self) == 1 else 's'}"
        return f"<Game {names}, {turns}, {self.result}>"


def _rebuild(
    initial: Position,
    tags: dict[str, str],
    result: str,
    termination: str | None,
    flat: Flat,
) -> Game:
    game = Game(initial, tags=tags, result=result, termination=termination)
    game._set_tree(flat)
    return game
