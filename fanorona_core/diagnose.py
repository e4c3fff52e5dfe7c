"""Why a turn is not legal, in one line that names the rule it breaks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from fanorona_core._turn import Step, Turn

if TYPE_CHECKING:
    from fanorona_core.position import Position

__all__ = [
    "LISTED",
    "SENTENCES",
    "Breach",
    "breach_of_path",
    "breach_of_stone",
    "why_illegal",
    "why_illegal_path",
]

LISTED: Final = 5  # examples in one message

# What is said of each breach; a program that speaks another language has its own sentences.
SENTENCES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "over": "the game is over, no turn is possible",
        "chain in progress": "the chain {chain} is in progress, and only its stone may go on",
        "other side": "the stone on {point} belongs to {side}",
        "no stone": "no stone on {point}",
        "no line": "no line joins {start} and {end}",
        "visited": "{end} was visited in this turn",
        "occupied": "{end} is occupied",
        "captures": "{start}-{end} captures: {steps}",
        "direction": "{start}-{end} would repeat the direction {direction}",
        "capture": "capture is compulsory: {steps}",
        "nothing": "{start}-{end} takes nothing",
        "nothing by approach": "{start}-{end} takes nothing by approach",
        "nothing by withdrawal": "{start}-{end} takes nothing by withdrawal",
        "paika": "a move without capture is a whole turn",
        "first turn": "the first turn may have one capture only",
        "no capture": "no capture is possible from {start}, the turn is over",
        "must go on": "the chain must go on while it can: {steps}",
        "stuck": "the stone on {point} has no empty point to go to",
        "illegal": "not a legal turn",
    }
)


@dataclass(frozen=True, slots=True)
class Breach:
    """A rule that an attempt breaks: its key in ``SENTENCES``, what the sentence needs, and where.

    ``points`` are those to look at on the board, ``steps`` those that are possible instead; the
    sentence names the first ``LISTED`` of them.

    Examples:
        >>> from fanorona_core.position import Position
        >>> breach = breach_of_path(Position.start(), [0, 9], [None])
        >>> breach.rule, breach.points, str(breach)
        ('occupied', (9,), 'a2 is occupied')
    """

    rule: str
    values: Mapping[str, str] = field(default_factory=dict)
    points: tuple[int, ...] = ()
    steps: tuple[str, ...] = ()

    def __str__(self) -> str:
        listed = ", ".join(self.steps[:LISTED])
        if len(self.steps) > LISTED:
            listed += f" and {len(self.steps) - LISTED} more"
        return SENTENCES[self.rule].format_map({**self.values, "steps": listed})


def why_illegal(position: Position, turn: Turn) -> str:
    """Say which rule a turn breaks; only for turns that are not legal.

    Examples:
        >>> from fanorona_core.position import Position
        >>> why_illegal(Position.start(), Turn.from_text("a2-a3"))
        'a2-a3: a3 is occupied'
        >>> why_illegal(Position.parse("8b/9/bw2b4/9/9 w"), Turn.from_text("b3-b4"))
        'b3-b4: capture is compulsory: b3-c3W'
    """
    if turn.columns != position.columns:
        return f"{turn} is for another board"
    if max(turn.points) >= position.geometry.points:
        # The text of a turn tells columns only: it may name rows that this board has not.
        return f"{turn}: no such point on a {position.columns}x{position.rows} board"
    kinds = list(turn.kinds) if turn.is_capture else [""]
    return f"{turn}: {why_illegal_path(position, turn.points, kinds)}"


def why_illegal_path(position: Position, points: Sequence[int], kinds: Sequence[str | None]) -> str:
    """Say which rule a path breaks; see ``breach_of_path``.

    Examples:
        >>> from fanorona_core.position import Position
        >>> position = Position.start()
        >>> path = [position.geometry.point(name) for name in ("a1", "a2")]
        >>> why_illegal_path(position, path, [""])
        'a2 is occupied'
    """
    return str(breach_of_path(position, points, kinds))


def breach_of_path(
    position: Position, points: Sequence[int], kinds: Sequence[str | None]
) -> Breach:
    """Find the rule that a path breaks; only for paths that are not legal turns.

    ``kinds`` has one entry a step: "A", "W", "" for a paika, or None where it was not said.

    Raises:
        IndexError: a point is not on this board.
        ValueError: there are not as many kinds as steps.

    Examples:
        >>> from fanorona_core.position import Position
        >>> position = Position.start()
        >>> path = [position.geometry.point(name) for name in ("a1", "a2")]
        >>> breach_of_path(position, path, [""]).rule
        'occupied'
    """
    for point in points:
        position.geometry.name(point)
    if len(points) != len(kinds) + 1:
        raise ValueError(f"{len(kinds)} kinds, expected one for each step of {len(points)} points")
    if not position.has_turn():
        return Breach("over")
    done = 0
    if position.chain is not None:
        chain = position.chain
        is_other = any(k not in (None, own) for k, own in zip(kinds, chain.kinds, strict=False))
        if is_other or tuple(points[: len(chain) + 1]) != chain.points:
            return Breach("chain in progress", {"chain": str(chain)}, (chain.end,))
        done = len(chain)
    elif not position.stones(position.side) >> points[0] & 1:
        return _not_a_stone_of_mover(position, points[0])
    for index in range(done, len(kinds)):
        start, end, kind = points[index], points[index + 1], kinds[index]
        steps = [step for step in position.steps() if step.start == start and step.end == end]
        found = [step for step in steps if kind is None or step.kind == kind]
        if not found:
            return _no_step(position, points[: index + 1], end, kind, steps)
        position = position.play_step(found[0])
        if index + 1 < len(kinds) and position.chain is None:
            return _ended(position, found[0], points[: index + 2], points[index + 2])
    if position.chain is not None and not position.can_stop:
        return _with_steps("must go on", position.steps())
    return Breach("illegal")


def breach_of_stone(position: Position, point: int) -> Breach | None:
    """Find the rule that keeps the stone on a point from beginning (or continuing) a turn.

    None if it may move.

    Raises:
        IndexError: the point is not on this board.

    Examples:
        >>> from fanorona_core.position import Position
        >>> str(breach_of_stone(Position.start(), 0))
        'capture is compulsory: d2-e3A, e2-e3A, f2-e3A, d3-e3A, d3-e3W'
        >>> breach_of_stone(Position.start(), Position.start().geometry.point("d2")) is None
        True
    """
    position.geometry.name(point)
    steps = position.steps()
    if any(step.start == point for step in steps):
        return None
    if not position.has_turn():
        return Breach("over")
    if position.chain is not None:
        chain = position.chain
        return Breach("chain in progress", {"chain": str(chain)}, (chain.end,))
    if not position.stones(position.side) >> point & 1:
        return _not_a_stone_of_mover(position, point)
    if position.must_capture:
        return _with_steps("capture", steps)
    return Breach("stuck", {"point": position.geometry.name(point)}, (point,))


def _not_a_stone_of_mover(position: Position, point: int) -> Breach:
    name, other = position.geometry.name(point), position.side.other
    if position.stones(other) >> point & 1:
        return Breach("other side", {"point": name, "side": str(other)}, (point,))
    return Breach("no stone", {"point": name}, (point,))


def _no_step(
    position: Position, path: Sequence[int], end: int, kind: str | None, steps: list[Step]
) -> Breach:
    """Why no step leads from the end of a path to a point."""
    board, start = position.geometry, path[-1]
    values = {"start": board.name(start), "end": board.name(end)}
    if end not in board.neighbors(start):
        return Breach("no line", values, (start, end))
    if end in path:
        return Breach("visited", values, (end,))
    if (position.white | position.black) >> end & 1:
        return Breach("occupied", values, (end,))
    if steps and steps[0].kind:
        return _with_steps("captures", steps, values)
    if len(path) > 1:
        direction = board.direction_name(start, end)
        if direction == board.direction_name(path[-2], start):
            return Breach("direction", values | {"direction": direction}, (path[-2], start, end))
    if position.must_capture and kind in ("", None) and len(path) == 1:
        return _with_steps("capture", position.steps())
    rule = {"A": "nothing by approach", "W": "nothing by withdrawal"}.get(kind or "", "nothing")
    return Breach(rule, values, (start, end))


def _ended(position: Position, last: Step, path: Sequence[int], wanted: int) -> Breach:
    """Why a turn has no further step: ``path`` is all of it, ``wanted`` the point asked for."""
    board = position.geometry
    if not last.kind:
        return Breach("paika")
    if position.rules.first_turn != "none" and len(path) == 2:
        return Breach("first turn")
    stopped = path[-1]
    values = {"start": board.name(stopped), "end": board.name(wanted)}
    if wanted in path:
        return Breach("visited", values, (wanted,))
    if wanted not in board.neighbors(stopped):
        return Breach("no line", values, (stopped, wanted))
    if (position.white | position.black) >> wanted & 1:
        return Breach("occupied", values, (wanted,))
    direction = board.direction_name(stopped, wanted)
    if direction == board.direction_name(path[-2], stopped):
        return Breach("direction", values | {"direction": direction}, (path[-2], stopped, wanted))
    return Breach("no capture", values, (stopped,))


def _with_steps(
    rule: str, steps: list[Step], values: Mapping[str, str] = MappingProxyType({})
) -> Breach:
    """A breach that names the steps that are possible, and shows where they start."""
    starts = tuple(sorted({step.start for step in steps}))
    return Breach(rule, dict(values), starts, tuple(str(step) for step in steps))
