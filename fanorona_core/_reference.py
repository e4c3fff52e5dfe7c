"""The rules once more, in plain Python, to be read: slow on purpose; the engine must match it.

Nothing is shared with the fast modules except the rule set. A point is a pair (column, row),
counted from 1, so a1 is (1, 1). Everything grows out of single steps: a chain is steps by one
stone, a turn is a chain that has ended, and the legal turns are all ways to step until the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from fanorona_core.rules import DEFAULT_RULES, MAX_COUNT, RuleSet
from fanorona_core.types import Side, StepKind

__all__ = ["Ending", "ReferenceGame", "ReferencePosition", "Step", "Turn", "name", "point"]

Point = tuple[int, int]
Direction = tuple[int, int]
Policy = Literal["distinct", "merged", "steps"]

DIRECTIONS: list[Direction] = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]


def name(point: Point) -> str:
    """Name a point: ``(5, 3)`` is ``e3``."""
    return f"{chr(ord('a') + point[0] - 1)}{point[1]}"


def point(text: str) -> Point:
    """Find the point of a name."""
    return ord(text[0]) - ord("a") + 1, int(text[1:])


def beyond(start: Point, direction: Direction) -> Point:
    """Go to the next point in a direction, on the board or not."""
    return start[0] + direction[0], start[1] + direction[1]


def direction_between(start: Point, end: Point) -> Direction:
    """Return the directed vector of a step: what may not be the same twice in a row."""
    return end[0] - start[0], end[1] - start[1]


def is_strong(point: Point) -> bool:
    """Whether diagonal lines meet here: column number plus row number is even.

    Examples:
        >>> is_strong(point("e3")), is_strong(point("e2"))
        (True, False)
    """
    return (point[0] + point[1]) % 2 == 0


@dataclass(frozen=True)
class Step:
    """One stone moves along one line; ``captured`` are the stones that this step takes."""

    start: Point
    end: Point
    kind: StepKind
    captured: frozenset[Point]

    def __str__(self) -> str:
        return f"{name(self.start)}-{name(self.end)}{self.kind}"


@dataclass(frozen=True)
class Turn:
    """Points, start first, and the letters of the steps between them: none for a paika.

    ``captured`` holds the stones taken by each step; of a chain read from a text it does not know
    them, so it plays no part in equality.

    Examples:
        >>> str(Turn.chain("d2-e3A-f4W"))
        'd2-e3A-f4W'
    """

    points: tuple[Point, ...]
    kinds: str
    captured: tuple[frozenset[Point], ...] = field(compare=False)

    @classmethod
    def chain(cls, text: str) -> Turn:
        """Read a chain in canonical text; whether the rules allow it is not looked at."""
        if not re.fullmatch(r"[a-o][1-9][0-9]?(-[a-o][1-9][0-9]?[AW])+", text):
            raise ValueError(f"{text!r} is not a chain such as 'd2-e3A-f4W'")
        start, *steps = text.split("-")
        points = (point(start), *(point(step[:-1]) for step in steps))
        return cls(points, "".join(step[-1] for step in steps), (frozenset(),) * len(steps))

    @property
    def all_captured(self) -> frozenset[Point]:
        """The stones that the whole turn takes."""
        return frozenset().union(*self.captured)

    def __str__(self) -> str:
        kinds = ("", *(self.kinds or [""]))
        return "-".join(name(p) + kind for p, kind in zip(self.points, kinds, strict=True))


@dataclass(frozen=True)
class ReferencePosition:
    """Stones on points, the side to move, the rules, and what the rules must remember.

    ``chain`` holds the steps already made in this turn, ``quiet`` the consecutive turns without
    a capture, ``turn_number`` is 1 in the first turn of the game; both sides' turns count.

    Examples:
        >>> start = ReferencePosition.start()
        >>> sorted(str(turn) for turn in start.legal_turns())
        ['d2-e3A', 'd3-e3A', 'd3-e3W', 'e2-e3A', 'f2-e3A']
        >>> start.perft(3)
        724
    """

    stones: dict[Point, Side]
    side: Side
    rules: RuleSet = DEFAULT_RULES
    chain: Turn | None = None
    quiet: int = 0
    turn_number: int = 1

    # Reading and writing

    @classmethod
    def start(cls, rules: RuleSet = DEFAULT_RULES) -> ReferencePosition:
        """Return the position that a game under these rules starts from."""
        return cls.parse(rules.start_text, rules)

    @classmethod
    def parse(cls, text: str, rules: RuleSet | None = None) -> ReferencePosition:
        """Read ``stones side [chain [quiet [turn [rules]]]]``.

        Rules that the text does not hold are the argument, or the default options on the board
        that the stones make. ValueError if a field cannot be read.

        Examples:
            >>> text = "9/9/4w4/9/8b w - 3 12 youzai"
            >>> ReferencePosition.parse(text).text() == text
            True
        """
        fields = text.split()
        if not 2 <= len(fields) <= 6:
            raise ValueError(f"position {text!r} has {len(fields)} fields, expected 2 to 6")
        # Neighbouring digits are one number: a board may be up to 15 columns wide.
        lines = [re.sub(r"[0-9]+", lambda n: " " * int(n[0]), row) for row in fields[0].split("/")]
        if len(fields) == 6:
            rules = RuleSet.parse(fields[5])
        elif rules is None:
            rules = DEFAULT_RULES.replace(columns=len(lines[0]), rows=len(lines))
        if [len(line) for line in lines] != [rules.columns] * rules.rows:
            raise ValueError(f"{text!r} is not a {rules.columns}x{rules.rows} board")
        stones = {
            (column, row): Side.from_letter(letter)
            for row, line in enumerate(reversed(lines), start=1)
            for column, letter in enumerate(line, start=1)
            if letter != " "
        }
        so_far, quiet, turn = [*fields[2:5], *("-", "0", "1")[len(fields[2:5]) :]]
        chain = None if so_far == "-" else Turn.chain(so_far)
        return cls(stones, Side.from_letter(fields[1]), rules, chain, int(quiet), int(turn))

    def stones_text(self) -> str:
        """Write the stones row by row, the top row first."""
        letters = {point: side.letter for point, side in self.stones.items()}
        rows = range(self.rules.rows, 0, -1)
        columns = range(1, self.rules.columns + 1)
        text = "/".join("".join(letters.get((c, r), " ") for c in columns) for r in rows)
        return re.sub(" +", lambda empty: str(len(empty[0])), text)

    def text(self) -> str:
        """Write all six fields: reading them gives an equal position."""
        fields = self.stones_text(), self.side.letter, self.chain or "-"
        return " ".join(map(str, (*fields, self.quiet, self.turn_number, self.rules)))

    # The board

    def empty_neighbours(self, start: Point) -> Iterator[Point]:
        """Yield the empty points at the other end of a line from here."""
        for direction in DIRECTIONS:
            column, row = end = beyond(start, direction)
            is_line = 0 in direction or is_strong(start)
            is_on_board = 1 <= column <= self.rules.columns and 1 <= row <= self.rules.rows
            if is_line and is_on_board and end not in self.stones:
                yield end

    def run(self, first: Point, direction: Direction) -> frozenset[Point]:
        """Return the unbroken run of enemy stones that begins on a point, none if no enemy does.

        An empty point, an own stone or the edge ends it. No line has to be looked up: the step
        was along one, and a line goes on straight to the edge.
        """
        taken = set()
        while self.stones.get(first) == self.side.other:
            taken.add(first)
            first = beyond(first, direction)
        return frozenset(taken)

    # Steps

    def captures(self, start: Point) -> Iterator[Step]:
        """Yield the captures of one stone by approach and withdrawal, whatever came before."""
        for end in self.empty_neighbours(start):
            forward = direction_between(start, end)
            backward = direction_between(end, start)
            ahead = self.run(beyond(end, forward), forward)
            behind = self.run(beyond(start, backward), backward)
            if ahead:
                yield Step(start, end, "A", ahead)
            if behind:
                yield Step(start, end, "W", behind)

    def steps(self) -> list[Step]:
        """List the steps possible now: first steps of a turn, or what may continue the chain."""
        if len(set(self.stones.values())) < 2:
            return []  # A side without stones has lost, whoever is to move.
        if self.chain is not None:
            return self.continuations(self.chain)
        own = [start for start, side in self.stones.items() if side == self.side]
        captures = [step for start in own for step in self.captures(start)]
        if captures:
            return captures  # Capturing is compulsory, but no particular capture is.
        return [Step(p, end, "", frozenset()) for p in own for end in self.empty_neighbours(p)]

    def continuations(self, chain: Turn) -> list[Step]:
        """List what the stone may capture next: no point again, no direction twice in a row."""
        before = direction_between(chain.points[-2], chain.points[-1])
        return [
            step
            for step in self.captures(chain.points[-1])
            if step.end not in chain.points and direction_between(step.start, step.end) != before
        ]

    def turn_with(self, step: Step) -> Turn:
        """Return the steps made in this turn and one more."""
        chain = self.chain or Turn((step.start,), "", ())
        taken = (*chain.captured, step.captured)
        return Turn((*chain.points, step.end), chain.kinds + step.kind, taken)

    @property
    def can_stop(self) -> bool:
        """Whether a chain may end here although it could go on."""
        return self.chain is not None and not self.rules.compulsory

    @property
    def is_single_capture(self) -> bool:
        """Whether the first-turn restriction allows the turn that begins now one capture only."""
        match self.rules.first_turn:
            case "white-single":
                return self.side == Side.WHITE and self.turn_number <= 2
            case "both-single":
                # A side has not captured yet while the other has all the stones of the start.
                enemy = self.side.other
                there = sum(side == enemy for side in self.stones.values())
                return there == self.rules.start_count(enemy)
        return False

    def play_step(self, step: Step) -> ReferencePosition:
        """Return the position after a step: a chain in progress, or a turn that ended by itself."""
        stones = {p: side for p, side in self.stones.items() if p not in step.captured}
        stones[step.end] = stones.pop(step.start)
        after = replace(self, stones=stones, chain=self.turn_with(step))
        only_one = self.chain is None and self.is_single_capture
        if step.kind and not only_one and after.steps():
            return after
        return after.end_turn()

    def stop(self) -> ReferencePosition:
        """End the chain here, though it could go on; ValueError if it may not end."""
        if not self.can_stop:
            raise ValueError(f"{self.text()!r}: no chain that may stop here")
        return self.end_turn()

    def end_turn(self) -> ReferencePosition:
        """Give the other side the move: the turn is over."""
        assert self.chain is not None
        return replace(
            self,
            side=self.side.other,
            chain=None,
            quiet=0 if self.chain.kinds else min(self.quiet + 1, MAX_COUNT),
            turn_number=min(self.turn_number + 1, MAX_COUNT),
        )

    # Turns

    def results(self) -> Iterator[tuple[Turn, ReferencePosition]]:
        """Yield each legal turn and the position after it; a chain in progress is part of them."""
        if self.chain is not None and self.can_stop:
            yield self.chain, self.stop()
        for step in self.steps():
            after = self.play_step(step)
            if after.chain is None:
                yield self.turn_with(step), after
            else:
                yield from after.results()

    def legal_turns(self) -> list[Turn]:
        """List the legal turns: chains differ by their path and letters, not by what they take."""
        return [turn for turn, _ in self.results()]

    def play(self, text: str) -> ReferencePosition:
        """Play a turn in canonical text; ValueError if it is not legal."""
        for turn, after in self.results():
            if str(turn) == text:
                return after
        raise ValueError(f"{text!r} is not a legal turn in {self.text()!r}")

    def perft(self, depth: int, policy: Policy = "distinct") -> int:
        """Count the ways to play so many plies.

        ``distinct``: a ply is a turn. ``merged``: turns with the same start, end and captured
        stones count once. ``steps``: a ply is one step, or stopping when the chain could go on.

        Examples:
            >>> ReferencePosition.start().perft(4, "steps")
            337
        """
        if depth == 0:
            return 1
        if policy == "steps":
            after = [self.play_step(step) for step in self.steps()]
            after += [self.stop()] if self.can_stop else []
        elif policy == "merged":
            same = {(t.points[0], t.points[-1], t.all_captured): p for t, p in self.results()}
            after = list(same.values())
        else:
            after = [position for _, position in self.results()]
        return sum(position.perft(depth - 1, policy) for position in after)


@dataclass(frozen=True)
class Ending:
    """Who won, or None for a draw, and by which rule."""

    winner: Side | None
    reason: Literal["no-stones", "no-turn", "repetition", "quiet-limit", "turn-limit"]


class ReferenceGame:
    """A game: the positions after whole turns, the first included, and the turns between them.

    Examples:
        >>> game = ReferenceGame(ReferencePosition.parse("8b/9/9/9/w8 w"))
        >>> for turn in "a1-a2 i5-i4 a2-a1 i4-i5 a1-a2 i5-i4 a2-a1 i4-i5".split():
        ...     game.push(turn)
        >>> game.ending()
        Ending(winner=None, reason='repetition')
    """

    def __init__(self, position: ReferencePosition | None = None) -> None:
        self.positions = [ReferencePosition.start() if position is None else position]
        self.turns: list[str] = []

    @property
    def position(self) -> ReferencePosition:
        """The position now."""
        return self.positions[-1]

    def push(self, text: str) -> None:
        """Play a turn in canonical text; ValueError if it is not legal or the game is over."""
        if self.ending() is not None:
            raise ValueError(f"{text!r}: the game is over in {self.position.text()!r}")
        self.positions.append(self.position.play(text))
        self.turns.append(text)

    def pop(self) -> str:
        """Take the last turn back."""
        self.positions.pop()
        return self.turns.pop()

    def repetitions(self) -> int:
        """Count how often these stones with this side to move have occurred, the start included."""
        now = self.position.stones, self.position.side
        return [(then.stones, then.side) for then in self.positions if not then.chain].count(now)

    def ending(self) -> Ending | None:
        """Say how the game has ended, or None: a win or loss on a turn goes before a draw."""
        now, rules = self.position, self.position.rules
        for side in Side:
            if side not in now.stones.values():
                return Ending(side.other, "no-stones")
        if not now.can_stop and not now.steps():
            return Ending(None if rules.no_move_draw else now.side.other, "no-turn")
        if rules.repetition is not None and self.repetitions() >= rules.repetition:
            return Ending(None, "repetition")
        if rules.quiet_limit is not None and now.quiet >= rules.quiet_limit:
            return Ending(None, "quiet-limit")
        if rules.turn_limit is not None and now.turn_number > rules.turn_limit:
            return Ending(None, "turn-limit")
        return None
