"""Positions as immutable values: stones, side to move, chain, counters and rules."""

from __future__ import annotations

import re
from types import NoneType
from typing import Final

from fanorona_core import diagnose
from fanorona_core._checks import check_kind, check_whole
from fanorona_core._clipped import clipped
from fanorona_core._geometry import Geometry, geometry
from fanorona_core._perft import perft
from fanorona_core._position import RawPosition
from fanorona_core._rows import parse_rows
from fanorona_core._turn import Step, Turn
from fanorona_core.counting import Policy, divide
from fanorona_core.errors import IllegalTurnError, InvalidPositionError
from fanorona_core.rules import DEFAULT_RULES, MAX_COUNT, RuleSet, usual_rules
from fanorona_core.types import Side

__all__ = ["Policy", "Position"]

_FIRST_TURN_CODES: Final = {"none": 0, "white-single": 1, "both-single": 2}
_FIELDS: Final = ("stones", "side", "chain", "quiet counter", "turn number", "rules")


class Position(RawPosition):
    """Everything that decides which turns are legal and when the game is drawn, but for history.

    ``white`` and ``black`` are masks (bit of a point = (row - 1) * columns + column, a1 = bit 0).
    ``chain`` is the chain in progress, whose stones are already off the board. ``quiet`` counts
    the turns since the last capture, ``turn_number`` the turns of both sides, from 1; both stay at
    999,999,999 if they ever get there. Equality and hash take in all of it, rules included;
    ``key`` is what repetitions are counted by.

    Raises:
        InvalidPositionError: such a position cannot be; every reason is given.

    Examples:
        >>> position = Position.start()
        >>> [str(turn) for turn in position.legal_turns()]
        ['d2-e3A', 'e2-e3A', 'f2-e3A', 'd3-e3A', 'd3-e3W']
        >>> Position(0b1, 0b10, Side.WHITE, RuleSet.parse("telo"))
        Position.parse('3/3/wb1 w - 0 1 telo')
    """

    __slots__ = ()

    rules: RuleSet

    def __init__(
        self,
        white: int,
        black: int,
        side: Side,
        rules: RuleSet = DEFAULT_RULES,
        *,
        chain: Turn | None = None,
        quiet: int = 0,
        turn_number: int = 1,
    ) -> None:
        check_kind("rules", rules, RuleSet)
        check_kind("chain", chain, Turn, NoneType)
        check_whole(white=white, black=black, quiet=quiet, turn_number=turn_number)
        board = geometry(rules.columns, rules.rows)
        reasons = _faults(board, white, black, quiet, turn_number)
        if side not in list(Side):
            reasons.append(f"side {side!r}: expected Side.WHITE or Side.BLACK")
        if not reasons and chain is not None and chain.columns != rules.columns:
            reasons.append(f"the chain {chain} is for another board")
        if reasons:
            raise InvalidPositionError(reasons)
        self._fill(board, white, black, side, rules, chain, quiet, turn_number)
        if chain is not None and not _is_possible_chain(self):
            raise InvalidPositionError(
                f"chain {chain} cannot have led to {self.stones_text()} with more to capture"
            )

    def _fill(
        self,
        board: Geometry,
        white: int,
        black: int,
        side: Side,
        rules: RuleSet,
        chain: Turn | None,
        quiet: int,
        turn_number: int,
    ) -> None:
        turn_rules = (
            rules.compulsory,
            _FIRST_TURN_CODES[rules.first_turn],
            rules.start_count(Side.WHITE),
            rules.start_count(Side.BLACK),
        )
        self._setup(board, white, black, side, rules, turn_rules, chain, quiet, turn_number)

    @classmethod
    def start(cls, rules: RuleSet = DEFAULT_RULES) -> Position:
        """The position that games under these rules begin with.

        Examples:
            >>> Position.start(RuleSet.parse("telo")).text()
            'bbb/b1w/www w - 0 1 telo'
        """
        check_kind("rules", rules, RuleSet)
        return cls.parse(rules.start_text, rules)

    @classmethod
    def parse(cls, text: str, rules: RuleSet | None = None) -> Position:
        """Read position text: stones, side and, optional, chain, quiet counter, turn number, rules.

        Rules in the text go before ``rules``; without either they follow from the size:
        tsivy on 9x5, dimy on 5x5, telo on 3x3, and tsivy's options on other boards.

        Raises:
            InvalidPositionError: the text is malformed, or such a position cannot be.
            RulesError: the rules in the text cannot be read.

        Examples:
            >>> Position.parse("8b/9/9/9/w8 w").count_turns()
            3
            >>> Position.parse("9/9/9/bb7/wb6 w")
            Traceback (most recent call last):
            ...
            fanorona_core.errors.InvalidPositionError: row 1 has 8 points, expected 9
        """
        check_kind("position", text, str)
        check_kind("rules", rules, RuleSet, NoneType)
        fields = text.split()
        if not 2 <= len(fields) <= len(_FIELDS):
            shown = clipped(text, 60)
            if len(fields) == 1:
                raise InvalidPositionError(
                    f"position {shown} does not say whose turn it is: expected w or b after the "
                    "stones and a blank"
                )
            raise InvalidPositionError(
                f"position {shown} has {len(fields)} fields, expected stones and side, then as "
                "wanted chain, quiet counter, turn number and rules"
            )
        if len(fields) == len(_FIELDS):
            rules = RuleSet.parse(fields[5])
        found = parse_rows(fields[0], None if rules is None else (rules.columns, rules.rows))
        if rules is None:
            rules = _usual_rules(found.columns, found.rows)
        reasons = []
        if fields[1].lower() not in ("w", "b"):
            reasons.append(f"side {fields[1]!r}: expected w or b")
        chain: Turn | None = None
        if len(fields) > 2 and fields[2] != "-":
            try:
                chain = Turn.from_text(fields[2], rules.columns)
            except ValueError as error:
                reasons.append(f"chain {error}")
        counters = {"quiet counter": 0, "turn number": 1}
        for name, field in zip(_FIELDS[3:5], fields[3:5], strict=False):
            if re.fullmatch(r"[0-9]{1,9}", field):
                counters[name] = int(field)
            else:
                reasons.append(f"{name} {field!r}: expected a number")
        if reasons:
            raise InvalidPositionError(reasons)
        return cls(
            found.white,
            found.black,
            Side.from_letter(fields[1]),
            rules,
            chain=chain,
            quiet=counters["quiet counter"],
            turn_number=counters["turn number"],
        )

    def text(self) -> str:
        """The position text with all six fields; ``parse`` reads back an equal position.

        Examples:
            >>> Position.parse("8b/9/9/9/W8 w").text()
            '8b/9/9/9/w8 w - 0 1 tsivy'
        """
        chain = "-" if self.chain is None else str(self.chain)
        return f"{self.stones_text()} {chain} {self.quiet} {self.turn_number} {self.rules}"

    def stones_text(self) -> str:
        """Only the stones and the side to move, in position text."""
        rows = []
        for row in range(self.rows - 1, -1, -1):
            points = (self._letter(row * self.columns + column) for column in range(self.columns))
            rows.append(re.sub(r"\.+", lambda gap: str(len(gap[0])), "".join(points)))
        return f"{'/'.join(rows)} {self.side.letter}"

    def _letter(self, point: int) -> str:
        return "w" if self.white >> point & 1 else "b" if self.black >> point & 1 else "."

    @property
    def side(self) -> Side:
        """The side to move."""
        return Side(self.side_index)

    def stones(self, side: Side) -> int:
        """A mask of one side's stones."""
        return (self.white, self.black)[side]

    def captured(self, turn: Turn) -> tuple[int, ...]:
        """The stones that each step of a turn takes, a mask a step.

        Steps of the chain in progress, whose stones are gone already, count as taking none.

        Raises:
            IllegalTurnError: the turn is not legal here.

        Examples:
            >>> position = Position.start()
            >>> [hex(mask) for mask in position.captured(Turn.from_text("d3-e3W"))]
            ['0x100000']
        """
        masks = self._captured(turn)
        if masks is None:
            raise IllegalTurnError(diagnose.why_illegal(self, turn))
        return masks

    def play(self, turn: Turn) -> Position:
        """The position after a whole turn.

        Raises:
            IllegalTurnError: the turn is not legal here; the text says which rule it breaks.

        Examples:
            >>> Position.start().play(Turn.from_text("d3-e3W")).quiet
            0
        """
        new = self._play(turn)
        if new is None:
            raise IllegalTurnError(diagnose.why_illegal(self, turn))
        return new

    def play_step(self, step: Step) -> Position:
        """The position after one step: with a chain in progress if that can go on.

        A step that ends its turn (a paika, or a capture that cannot go on) ends it.

        Raises:
            IllegalTurnError: the step is not one of ``steps()``.
        """
        new = self._play_step(step)
        if new is None:
            raise IllegalTurnError(f"{step} is not a possible step in {self.text()}")
        return new

    def stop(self) -> Position:
        """The position after the chain in progress ends where it stands.

        Raises:
            IllegalTurnError: there is no chain, or it must go on.
        """
        new = self._stop()
        if new is None:
            reason = "there is no chain to stop" if self.chain is None else "the chain must go on"
            raise IllegalTurnError(f"{reason} in {self.text()}")
        return new

    def with_rules(self, rules: RuleSet) -> Position:
        """The same position under other rules for its board.

        Raises:
            InvalidPositionError: the rules are for another board, or a chain in progress is not
                possible under them.

        Examples:
            >>> Position.start().with_rules(RuleSet.parse("theory")) == Position.start()
            False
        """
        check_kind("rules", rules, RuleSet)
        if self.rules == rules:
            return self
        if (self.columns, self.rows) != (rules.columns, rules.rows):
            raise InvalidPositionError(
                f"a board of {self.columns}x{self.rows}, expected {rules.columns}x{rules.rows} "
                f"for the rules {rules}"
            )
        return Position(
            self.white,
            self.black,
            self.side,
            rules,
            chain=self.chain,
            quiet=self.quiet,
            turn_number=self.turn_number,
        )

    def transformed(self, symmetry: int) -> Position:
        """The position after one of the board's symmetries, an equal game turned round.

        0 is the identity, 1 mirrors left and right, 2 top and bottom, 3 is the half turn. The
        rules keep their start, so counters and first-turn restrictions stay as they are.

        Raises:
            ValueError: any other number, or a chain is in progress.

        Examples:
            >>> Position.parse("8b/9/9/9/w8 w").transformed(1).stones_text()
            'b8/9/9/9/8w w'
        """
        return self._rearranged(symmetry, self.white, self.black, self.side)

    def swapped(self) -> Position:
        """The half turn with the colours changed: the same game seen by the other side.

        The rules stay: a start of their own, and ``white-single``, are still what they say.

        Raises:
            ValueError: a chain is in progress.

        Examples:
            >>> Position.start().swapped().stones_text()
            'bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww b'
        """
        return self._rearranged(3, self.black, self.white, self.side.other)

    def _rearranged(self, symmetry: int, white: int, black: int, side: Side) -> Position:
        if symmetry not in (0, 1, 2, 3):
            raise ValueError(f"symmetry {symmetry}: expected 0 to 3")
        if self.chain is not None:
            raise ValueError("symmetries are for whole turns, and a chain is in progress here")
        turned_white = turned_black = 0
        for point in range(self.geometry.points):
            row, column = divmod(point, self.columns)
            if symmetry & 1:
                column = self.columns - 1 - column
            if symmetry & 2:
                row = self.rows - 1 - row
            turned = row * self.columns + column
            turned_white |= (white >> point & 1) << turned
            turned_black |= (black >> point & 1) << turned
        return Position(
            turned_white,
            turned_black,
            side,
            self.rules,
            quiet=self.quiet,
            turn_number=self.turn_number,
        )

    def perft(self, depth_plies: int, policy: Policy = "distinct") -> int:
        """The number of sequences of ``depth_plies`` plies from here; see ``fanorona_core.perft``.

        Examples:
            >>> [Position.start().perft(depth) for depth in range(4)]
            [1, 5, 39, 724]
        """
        return perft(self, depth_plies, policy)

    def divide(self, depth_plies: int, policy: Policy = "distinct") -> dict[str, int]:
        """What ``perft`` counts for each first ply; see ``counting.divide``.

        Raises:
            ValueError: the depth is less than 1.

        Examples:
            >>> Position.parse("9/1b2b4/4bw3/9/9 w").divide(2)
            {'f3-g3W': 12}
        """
        return divide(self, depth_plies, policy)

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (self.text(),)

    def __repr__(self) -> str:
        return f"Position.parse({self.text()!r})"

    def __str__(self) -> str:
        lines = []
        for row in range(self.rows - 1, -1, -1):
            points = [self._letter(row * self.columns + column) for column in range(self.columns)]
            lines.append(f"{row + 1:2} {'-'.join(points)}")
            if row:
                links = "".join("|" + "\\/"[(column + row) % 2] for column in range(self.columns))
                lines.append(f"   {links[:-1]}")
        letters = " ".join("abcdefghijklmno"[: self.columns])
        return "\n".join([*lines, f"   {letters}  {self.side} to move"])


def _usual_rules(columns: int, rows: int) -> RuleSet:
    try:
        geometry(columns, rows)
    except ValueError as error:
        raise InvalidPositionError(str(error)) from None
    return usual_rules(columns, rows)


def _restore(text: str) -> Position:
    return Position.parse(text)


def _faults(board: Geometry, white: int, black: int, quiet: int, turn_number: int) -> list[str]:
    reasons = []
    for side, mask in ((Side.WHITE, white), (Side.BLACK, black)):
        if mask & ~board.mask:
            reasons.append(f"{side} has stones outside the {board.columns}x{board.rows} board")
    both = white & black & board.mask
    if both:
        reasons.append(f"both colours on {board.name((both & -both).bit_length() - 1)}")
    if not white and not black:
        reasons.append("no stones on the board")
    for name, count, least in (("quiet counter", quiet, 0), ("turn number", turn_number, 1)):
        if not least <= count <= MAX_COUNT:
            reasons.append(f"{name} {count}: expected {least} to {MAX_COUNT}")
    return reasons


def _is_possible_chain(after: Position) -> bool:
    """Whether some position leads to this one by its chain, and the chain is not at its end.

    The stones that the chain must have taken are put back: if any earlier position fits, that one
    does, since fewer enemy stones make shorter runs, or it has as many stones as the first-turn
    restriction looks for and one more at the end of a run fits. Then the chain is played.
    """
    chain, board = after.chain, after.geometry
    assert chain is not None
    if not chain.is_capture:
        return False
    own, enemy = after.stones(after.side), after.stones(after.side.other)
    points = chain.points
    if max(points) >= board.points:
        return False
    if not own >> chain.end & 1 or (own | enemy) >> chain.start & 1:
        return False
    longer = [0]
    for start, end, kind in zip(points, points[1:], chain.kinds, strict=False):
        if end not in board.neighbors(start):
            return False
        before, direction = (end, end - start) if kind == "A" else (start, start - end)
        first = before + direction
        if first not in board.neighbors(before):
            return False
        enemy |= 1 << first
        if first + direction in board.neighbors(first):
            longer.append(1 << first + direction)
    own = own & ~(1 << chain.end) | 1 << chain.start
    if after.rules.first_turn == "none":
        longer = [0]
    return any(
        not own & (enemy | more) and _leads_to(after, chain, own, enemy | more) for more in longer
    )


def _leads_to(after: Position, chain: Turn, own: int, enemy: int) -> bool:
    """Whether a chain leads from these stones to a position, and can go on there."""
    position = Position.__new__(Position)
    white, black = (enemy, own) if after.side else (own, enemy)
    position._fill(
        after.geometry, white, black, after.side, after.rules, None, after.quiet, after.turn_number
    )
    points = chain.points
    for start, end, kind in zip(points, points[1:], chain.kinds, strict=False):
        for step in position.steps():
            if (step.start, step.end, step.kind) == (start, end, kind):
                position = position.play_step(step)
                break
        else:
            return False
    return position.chain == chain and position.key == after.key
