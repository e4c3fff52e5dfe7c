"""One turn of a game record and what was said about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any, NamedTuple

from fanorona_core._checks import check_kind
from fanorona_core._turn import Turn
from fanorona_core.annotation import Evaluation
from fanorona_core.notation import parse_turn
from fanorona_core.position import Position
from fanorona_core.types import Side

__all__ = ["Node", "Notes", "round_number"]


class Notes(NamedTuple):
    """What was said about a turn, as a value: see `Node`.

    Examples:
        >>> from fanorona_core.game import Game
        >>> node = Game().root.add_variation("f2-e3A")
        >>> node.comment = "the usual one"
        >>> node.notes().comment
        'the usual one'
    """

    comment: str = ""
    comment_before: str = ""
    nags: tuple[int, ...] = ()
    clock: timedelta | None = None
    elapsed: timedelta | None = None
    eval: Evaluation | None = None
    commands: tuple[tuple[str, str], ...] = ()


def round_number(turn_number: int, side: Side) -> int:
    """Return the number that records write before a turn: White and Black share one.

    ``turn_number`` counts the turns of both sides from 1; the side is said apart, since a game may
    also begin with Black.

    Examples:
        >>> [round_number(1, Side.WHITE), round_number(2, Side.BLACK), round_number(3, Side.WHITE)]
        [1, 1, 2]
        >>> [round_number(1, Side.BLACK), round_number(2, Side.WHITE)]
        [1, 2]
    """
    index = turn_number - 1
    if (index % 2 == 0) != (side is Side.WHITE):
        index += 1
    return 1 + index // 2


class Node:
    """One turn of a game record, the position after it, and what was said about it.

    The root of a game has no turn: its position is the initial one and its comment opens the
    record. ``variations`` are the turns that follow, the main line first.

    ``comment`` stands after the turn and ``comment_before`` before it; ``nags`` are the numeric
    glyphs of PGN in their order (1 is ``!``); ``clock`` is what is left on the mover's clock,
    ``elapsed`` what the turn took; ``eval`` is the value of the position after the turn;
    ``commands`` keeps every other ``[%name value]``.

    Examples:
        >>> root = Node(Position.start())
        >>> node = root.add_variation("f2-e3A")
        >>> node.comment = "the best first turn"
        >>> node.parent is root, node.position.side
        (True, <Side.BLACK: 1>)
    """

    __slots__ = (
        "_children",
        "clock",
        "commands",
        "comment",
        "comment_before",
        "elapsed",
        "eval",
        "nags",
        "parent",
        "position",
        "turn",
    )

    turn: Turn | None
    position: Position
    parent: Node | None

    def __init__(
        self, position: Position, turn: Turn | None = None, parent: Node | None = None
    ) -> None:
        check_kind("position", position, Position)
        self.position = position
        self.turn = turn
        self.parent = parent
        self.comment = ""
        self.comment_before = ""
        self.nags: list[int] = []
        self.clock: timedelta | None = None
        self.elapsed: timedelta | None = None
        self.eval: Evaluation | None = None
        self.commands: list[tuple[str, str]] = []
        self._children: list[Node] = []

    @property
    def variations(self) -> tuple[Node, ...]:
        """The turns that follow this one, the main line first."""
        return tuple(self._children)

    @property
    def next(self) -> Node | None:
        """The main line's next turn, or None at its end."""
        return self._children[0] if self._children else None

    @property
    def side(self) -> Side:
        """The side that played this turn; at the root, the opponent of the side to move.

        Examples:
            >>> Node(Position.start()).add_variation("f2-e3A").side
            <Side.WHITE: 0>
        """
        return self.position.side.other

    @property
    def round(self) -> int:
        """The number that stands before this turn in a record; see `round_number`."""
        return round_number(self.position.turn_number - 1, self.side)

    @property
    def is_main(self) -> bool:
        """Whether the main line of the whole game goes through here. Costs the way to the root."""
        return all(node.parent is None or node.parent.next is node for node in self.path())

    def path(self) -> list[Node]:
        """Return the nodes from the root to here, both included."""
        nodes = [self]
        while (parent := nodes[-1].parent) is not None:
            nodes.append(parent)
        return nodes[::-1]

    def mainline(self) -> Iterator[Node]:
        """Iterate over the nodes that follow here, without variations."""
        node = self.next
        while node is not None:
            yield node
            node = node.next

    def subtree(self) -> Iterator[Node]:
        """Iterate over this node and all that follow, each before its variations."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node._children))

    def end(self) -> Node:
        """Return the last node of the main line from here."""
        node = self
        while node._children:
            node = node._children[0]
        return node

    def add_variation(self, turn: Turn | str) -> Node:
        """Append a turn, or its text, to what follows here; the first one is the main line.

        Raises:
            NotationError: the text is no turn.
            IllegalTurnError: the rules do not allow it here.

        Examples:
            >>> root = Node(Position.start())
            >>> len(root.add_variation("d3-e3A").variations)
            0
            >>> root.add_variation("d3-e3W").is_main
            False
        """
        if isinstance(turn, str):
            turn = parse_turn(self.position, turn)
        child = Node(self.position.play(turn), turn, self)
        self._children.append(child)
        return child

    def add_line(self, turns: Iterable[Turn | str]) -> Node:
        """Append turns one after the other and return the last node.

        Raises:
            NotationError: a text is no turn.
            IllegalTurnError: the rules do not allow a turn; those before it stay.
        """
        node = self
        for turn in turns:
            node = node.add_variation(turn)
        return node

    def remove(self) -> None:
        """Take this turn and all that follows it out of the game.

        Raises:
            ValueError: this is the root.

        Examples:
            >>> root = Node(Position.start())
            >>> root.add_line(["d3-e3A", "f4-f3A"]).remove()
            >>> [str(node) for node in root.mainline()]
            ['<Node 1. d3-e3A>']
        """
        siblings, _ = self._place()
        siblings.remove(self)
        self.parent = None

    def promote(self) -> None:
        """Move this variation one place towards the main line.

        Raises:
            ValueError: this is the root.
        """
        self._move(-1)

    def demote(self) -> None:
        """Move this variation one place away from the main line.

        Raises:
            ValueError: this is the root.
        """
        self._move(1)

    def promote_to_main(self) -> None:
        """Make this variation the main line at its place.

        Raises:
            ValueError: this is the root.

        Examples:
            >>> root = Node(Position.start())
            >>> _, second = root.add_variation("d3-e3A"), root.add_variation("d3-e3W")
            >>> second.promote_to_main()
            >>> root.next is second
            True
        """
        siblings, _ = self._place()
        siblings.remove(self)
        siblings.insert(0, self)

    def _place(self) -> tuple[list[Node], int]:
        if self.parent is None:
            raise ValueError("the root of a game is no variation")
        siblings = self.parent._children
        return siblings, siblings.index(self)

    def _move(self, by: int) -> None:
        siblings, index = self._place()
        other = min(max(index + by, 0), len(siblings) - 1)
        siblings[index], siblings[other] = siblings[other], siblings[index]

    def notes(self) -> Notes:
        """Return everything said about this turn.

        Examples:
            >>> Node(Position.start()).notes() == Notes()
            True
        """
        return Notes(
            self.comment,
            self.comment_before,
            tuple(self.nags),
            self.clock,
            self.elapsed,
            self.eval,
            tuple(self.commands),
        )

    def set_notes(self, notes: Notes) -> None:
        """Replace everything said about this turn."""
        check_kind("notes", notes, Notes)
        self.comment, self.comment_before = notes.comment, notes.comment_before
        self.nags, self.commands = list(notes.nags), list(notes.commands)
        self.clock, self.elapsed, self.eval = notes.clock, notes.elapsed, notes.eval

    def __reduce__(self) -> Any:
        raise TypeError("a node belongs to its game: pickle or copy the game")

    def __repr__(self) -> str:
        dots = "." if self.side is Side.WHITE else "..."
        name = "root" if self.turn is None else f"{self.round}{dots} {self.turn}"
        return f"<Node {name}>"
