"""A record being read: which game, which turn, which line. Knows no screen."""

from __future__ import annotations

from collections.abc import Iterator

from fanorona_core import RecordError, Score
from fanorona_core.annotation import MARKS, Evaluation
from fanorona_core.game import Game
from fanorona_core.node import Node
from fanorona_core.records import ReadResult

__all__ = ["Reading", "Shelf", "marks_text", "unwrapped"]

_MARK_OF = {nag: mark for mark, nag in MARKS.items()}


class Shelf:
    """The games of a file, read as far as somebody has asked."""

    def __init__(self, results: Iterator[ReadResult]) -> None:
        self._results = results
        self._read: list[ReadResult] = []

    def get(self, index: int) -> ReadResult | None:
        """The result for a game, counted from 0; None behind the last one."""
        while len(self._read) <= index:
            result = next(self._results, None)
            if result is None:
                return None
            self._read.append(result)
        return self._read[index]


class Reading:
    """A place in a game, and the lines around it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.node = game.root
        self.rows = list(_rows(game.root))
        self.index = {id(node): number for number, (_, node) in enumerate(self.rows)}

    @property
    def row(self) -> int:
        """The number of the place in ``rows``; the root is -1."""
        return self.index.get(id(self.node), -1)

    def go(self, node: Node | None) -> bool:
        """Go to a place; whether there is one."""
        if node is None:
            return False
        self.node = node
        return True

    def on(self) -> bool:
        """Go to the next turn of this line."""
        return self.go(self.node.next)

    def back(self) -> bool:
        """Go one turn back."""
        return self.go(self.node.parent)

    def first(self) -> None:
        """Go to the start."""
        self.node = self.game.root

    def last(self) -> None:
        """Go to the end of this line."""
        self.node = self.node.end()

    def other(self, by: int) -> bool:
        """Go to the next turn that was possible instead of this one, or the one before."""
        parent = self.node.parent
        if parent is None or len(parent.variations) < 2:
            return False
        at = parent.variations.index(self.node)
        return self.go(parent.variations[(at + by) % len(parent.variations)])

    def comment(self) -> str:
        """What is said about this place."""
        node = self.node
        return " ".join(part for part in (node.comment_before, node.comment) if part)

    def line(self) -> list[Node]:
        """The turns of the line through this place, from the first to its end."""
        return [*self.node.path()[1:], *self.node.mainline()]

    def shares(self) -> list[float | None]:
        """White's expected result after each turn of the line, None where nothing is said."""
        return [None if node.eval is None else _share(node.eval) for node in self.line()]


def _share(evaluation: Evaluation) -> float:
    if evaluation.centipawns is not None:
        return Score(evaluation.centipawns).expected
    return 1.0 if (evaluation.win_in or 0) > 0 else 0.0


def _rows(root: Node) -> Iterator[tuple[int, Node]]:
    """All turns in the order in which records write them, with the depth of their line."""
    stack: list[tuple[int, Node, bool]] = [(0, root, False)]
    while stack:
        depth, node, is_new = stack.pop()
        if is_new:
            yield depth, node
        children = node.variations
        if not children:
            continue
        yield depth, children[0]
        stack.append((depth, children[0], False))
        stack.extend((depth + 1, child, True) for child in reversed(children[1:]))


def marks_text(node: Node) -> str:
    """The marks of a turn, such as ``!?``; other glyphs as numbers."""
    return " ".join(_MARK_OF.get(nag, f"${nag}") for nag in node.nags)


def unwrapped(result: ReadResult) -> Game:
    """The game of a result, or as much of a broken one as could be read.

    Raises:
        RecordError: nothing of it could be read.
    """
    if result.game is not None:
        return result.game
    if result.partial is not None:
        return result.partial
    raise result.error or RecordError("no game")
