"""Turns as a player types them: whole, or step by step, in any spelling."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from fanorona_core import IllegalTurnError, NotationError, Position, Step, Turn
from fanorona_core.diagnose import why_illegal_path
from fanorona_core.notation import parse_path

__all__ = ["Entry", "looks_like_turn", "read_entry", "read_path", "turn_of"]

_POINT: Final = re.compile(r"[a-o][0-9]+")
# A point at the beginning, then nothing but points, letters and separators.
_TURN: Final = re.compile(
    r"[a-o][0-9]+(?:[\s\-,>x\u2010-\u2015\u2192]*(?:[a-o][0-9]+|[aw]))*[\s.]*", re.IGNORECASE
)
_LISTED: Final = 6


@dataclass(frozen=True, slots=True)
class Entry:
    """The steps that were typed, and whether the turn is to end after them."""

    steps: tuple[Step, ...]
    stop: bool = False


def looks_like_turn(text: str) -> bool:
    """Whether a line is meant as a turn or step rather than as a command.

    Examples:
        >>> looks_like_turn("D3 e3"), looks_like_turn("e3"), looks_like_turn("draw")
        (True, True, False)
    """
    return _TURN.fullmatch(text) is not None


def read_entry(position: Position, text: str) -> Entry:
    """Read the steps of a turn or of its beginning, to be played one after the other.

    With a chain in progress the text may be the whole turn so far and more, the steps from
    where the stone stands, or only the points it goes on to. A full stop behind the last step
    ends the turn there.

    Raises:
        NotationError: not a path, or more than one way to capture fits.
        IllegalTurnError: no legal steps fit; the text says which rule is broken.

    Examples:
        >>> entry = read_entry(Position.start(), "d2e3")
        >>> [str(step) for step in entry.steps], entry.stop
        (['d2-e3A'], False)
        >>> read_entry(Position.start(), "d3-e3")
        Traceback (most recent call last):
        ...
        fanorona_core.errors.NotationError: d3-e3 may be d3-e3A or d3-e3W: add A or W
    """
    typed = text.strip()
    stop = typed.endswith(".")
    typed = typed.rstrip(". ")
    points, kinds = read_path(position, text)
    done = 0
    chain = position.chain
    if chain is not None:
        if tuple(points) == (*chain.points, chain.end):
            name = position.geometry.name(chain.end)
            raise IllegalTurnError(f"{typed}: the stone stands on {name} already")
        done = len(chain)
        started = points[: done + 1] == list(chain.points) and all(
            kind in (None, played) for kind, played in zip(kinds, chain.kinds, strict=False)
        )
        if not started or len(kinds) == done:
            more = ", ".join(str(step) for step in position.steps())
            raise IllegalTurnError(
                f"{typed}: this turn has begun with {chain} and can only go on from there ({more})"
            )
    found = _ways(position, points[done:], kinds[done:])
    if not found:
        raise IllegalTurnError(f"{typed}: {why_illegal_path(position, points, kinds)}")
    if len(found) > 1:
        raise NotationError(f"{typed} may be {_listed(found)}: add A or W")
    return Entry(found[0], stop)


def read_path(position: Position, text: str) -> tuple[list[int], list[str | None]]:
    """Read the points that were typed and the kind of each step, legal or not.

    With a chain in progress they are those of the whole turn, if the text goes on from there.

    Raises:
        NotationError: not a path.

    Examples:
        >>> read_path(Position.start(), "d2 e3a.")
        ([12, 22], ['A'])
    """
    points, kinds = parse_path(position, _completed(position, text.strip().rstrip(". ")))
    chain = position.chain
    if chain is None or points[0] != chain.end or tuple(points[: len(chain) + 1]) == chain.points:
        return points, kinds
    return [*chain.points[:-1], *points], [*chain.kinds, *kinds]


def _completed(position: Position, text: str) -> str:
    """With a chain in progress, put the stone's point before points that it can go on to."""
    chain = position.chain
    if chain is None:
        return text
    names = _POINT.findall(text.lower())
    own, start = position.geometry.name(chain.end), position.geometry.name(chain.start)
    if len(names) == 1:
        return f"{own}-{text}"
    if not names or names[0] in (own, start) or _is_occupied(position, names[0]):
        return text  # if it is another stone's turn, read_entry refuses it
    return f"{own}-{text}"


def _is_occupied(position: Position, name: str) -> bool:
    try:
        point = position.geometry.point(name)
    except ValueError:
        return False
    return bool((position.white | position.black) >> point & 1)


def _ways(position: Position, points: list[int], kinds: list[str | None]) -> list[tuple[Step, ...]]:
    """All ways to play a path step by step; an unknown kind fits any."""
    found: list[tuple[Step, ...]] = []
    for step in position.steps():
        if (step.start, step.end) != tuple(points[:2]) or kinds[0] not in (None, step.kind):
            continue
        if len(kinds) == 1:
            found.append((step,))
            continue
        following = position.play_step(step)
        if following.chain is not None:
            found += [(step, *rest) for rest in _ways(following, points[1:], kinds[1:])]
    return found


def _listed(ways: list[tuple[Step, ...]]) -> str:
    texts = [str(turn_of(way)) for way in ways[:_LISTED]]
    if len(ways) > _LISTED:
        texts.append(f"{len(ways) - _LISTED} others")
    return f"{', '.join(texts[:-1])} or {texts[-1]}"


def turn_of(steps: tuple[Step, ...]) -> Turn:
    """The turn that is made of steps."""
    text = str(steps[0]) + "".join(f"-{str(step).partition('-')[2]}" for step in steps[1:])
    return Turn.from_text(text, steps[0].columns)
