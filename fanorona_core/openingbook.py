"""The opening book: good turns of the first plies, so that games differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

from fanorona_core._checks import check_kind
from fanorona_core._turn import Turn
from fanorona_core.position import Position
from fanorona_core.score import Score

__all__ = ["BookTurn", "OpeningBook"]

_HEADER: Final = "# fanorona opening book 1"


@dataclass(frozen=True, slots=True)
class BookTurn:
    """A turn of the book and the score that the engine gave it, for the side that plays it.

    Examples:
        >>> best = OpeningBook.standard().turns(Position.start())[0]
        >>> str(best.turn), str(best.score)
        ('f2-e3A', '+0.97')
    """

    turn: Turn
    score: Score


class OpeningBook:
    """Turns that the engine's own analysis found good in the first plies from the start.

    ``lines`` gives for a position, by its ``stones_text()``, the turns and their centipawns.
    ``OpeningBook.standard()`` is the one that ships, made by ``tools/opening_book.py``.

    Examples:
        >>> book = OpeningBook.standard()
        >>> 'f2-e3A' in [str(known.turn) for known in book.turns(Position.start())]
        True
        >>> book.turns(Position.parse('9/9/4w4/9/8b w'))
        ()
    """

    def __init__(self, lines: Mapping[str, tuple[tuple[str, int], ...]]) -> None:
        self._lines = dict(lines)

    @staticmethod
    @cache
    def standard() -> OpeningBook:
        """The book that ships with the package, read once.

        Raises:
            FileNotFoundError: the package was installed without its data.
            ValueError: the file is damaged.
        """
        file = resources.files("fanorona_core") / "data" / "openings.txt"
        return OpeningBook.parse(file.read_text(encoding="utf-8"))

    @staticmethod
    def parse(text: str) -> OpeningBook:
        """Read a book from its text: a line a position, with turns and their centipawns.

        Raises:
            ValueError: not such a text; the line is named.
        """
        check_kind("opening book", text, str)
        lines: dict[str, tuple[tuple[str, int], ...]] = {}
        header, *rest = text.splitlines() or [""]
        if header != _HEADER:
            raise ValueError(f"not an opening book: line 1 is not {_HEADER!r}")
        for number, line in enumerate(rest, 2):
            try:
                stones, side, *turns = line.split()
                columns = Position.parse(f"{stones} {side}").columns
                lines[f"{stones} {side}"] = tuple(
                    (str(Turn.from_text(turn, columns)), int(score))
                    for turn, score in zip(turns[::2], turns[1::2], strict=True)
                )
            except ValueError:
                raise ValueError(
                    f"opening book, line {number}: expected stones, side, and turns with scores"
                ) from None
        return OpeningBook(lines)

    def __len__(self) -> int:
        return len(self._lines)

    def __str__(self) -> str:
        """The text that ``parse`` reads."""
        rows = (
            " ".join([key, *(f"{turn} {score}" for turn, score in turns)])
            for key, turns in self._lines.items()
        )
        return "\n".join([_HEADER, *rows]) + "\n"

    def turns(self, position: Position) -> tuple[BookTurn, ...]:
        """The turns that the book knows in a position, the best one first.

        None within a chain, and none where chains are compulsory: other turns are good there.
        Turns that the rules of the position forbid are left out.
        """
        check_kind("position", position, Position)
        if position.chain is not None or position.rules.compulsory:
            return ()
        found: list[BookTurn] = []
        for text, centipawns in self._lines.get(position.stones_text(), ()):
            turn = Turn.from_text(text, columns=position.columns)
            if position.is_legal(turn):
                found.append(BookTurn(turn, Score(centipawns)))
        return tuple(found)
