"""The tag pairs of a game record: who, where, when."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from typing import Final

__all__ = ["DERIVED_TAGS", "ROSTER", "Tags"]

# Six of the seven tags that every PGN game has; the seventh, Result, follows from the game.
ROSTER: Final[Mapping[str, str]] = {
    "Event": "?",
    "Site": "?",
    "Date": "????.??.??",
    "Round": "?",
    "White": "?",
    "Black": "?",
}

# Tags that a record has and that say what another part of the game says.
DERIVED_TAGS: Final[Mapping[str, str]] = {
    "Result": "Game.result",
    "Variant": "Game.rules",
    "Rules": "Game.rules",
    "SetUp": "Game.initial",
    "FEN": "Game.initial",
    "PlyCount": "the turns",
    "Termination": "Game.termination",
}

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+#=:-]{0,254}")


class Tags(MutableMapping[str, str]):
    """A mapping of tag names to texts, in the order in which they are written.

    The six of the roster are always there, ``?`` (``????.??.??`` for the date) while unknown, and
    come first; deleting one makes it unknown again, and ``popitem`` leaves them alone. Tags that
    follow from other parts of a game, such as ``Result``, cannot be set here.

    Examples:
        >>> tags = Tags({"Annotator": "Rabe", "White": "Ravao"})
        >>> tags["White"], tags["Black"], list(tags)[-1]
        ('Ravao', '?', 'Annotator')
        >>> tags["Result"] = "1-0"
        Traceback (most recent call last):
        ...
        ValueError: tag 'Result' follows from Game.result: set that instead
    """

    __slots__ = ("_rest", "_roster")

    def __init__(self, tags: Mapping[str, str] | Iterable[tuple[str, str]] = ()) -> None:
        self._roster: dict[str, str] = dict(ROSTER)
        self._rest: dict[str, str] = {}
        self.update(tags)

    def __getitem__(self, name: str) -> str:
        return self._roster[name] if name in ROSTER else self._rest[name]

    def __setitem__(self, name: str, value: str) -> None:
        if name in DERIVED_TAGS:
            raise ValueError(f"tag {name!r} follows from {DERIVED_TAGS[name]}: set that instead")
        if _NAME.fullmatch(name) is None:
            raise ValueError(f"tag {name!r}: expected letters, digits and _ as the name")
        if not isinstance(value, str):
            raise TypeError(f"tag {name!r}: expected a text, not {value!r}")
        (self._roster if name in ROSTER else self._rest)[name] = value

    def __delitem__(self, name: str) -> None:
        if name in ROSTER:
            self._roster[name] = ROSTER[name]
        else:
            del self._rest[name]

    def clear(self) -> None:
        """Make the roster unknown and take out the rest."""
        self._roster.update(ROSTER)
        self._rest.clear()

    def popitem(self) -> tuple[str, str]:
        """Take out the last tag that is not of the roster and return it.

        Raises:
            KeyError: only the roster is left.
        """
        if not self._rest:
            raise KeyError("no tag beyond the roster to take out")
        return self._rest.popitem()

    def __iter__(self) -> Iterator[str]:
        yield from self._roster
        yield from self._rest

    def __len__(self) -> int:
        return len(self._roster) + len(self._rest)

    def __repr__(self) -> str:
        return f"Tags({dict(self.known())!r})"

    def known(self) -> Iterator[tuple[str, str]]:
        """Iterate over the pairs that say something: all but the unknown ones of the roster.

        Examples:
            >>> list(Tags({"Round": "3"}).known())
            [('Round', '3')]
        """
        for name, value in self.items():
            if ROSTER.get(name) != value:
                yield name, value
