"""Rule sets: the board, the start and every option on which sources of the rules differ."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final, Literal, get_args

from fanorona_core._checks import check_kind
from fanorona_core._clipped import clipped
from fanorona_core._rows import parse_rows
from fanorona_core.errors import InvalidPositionError, RulesError
from fanorona_core.types import Side

__all__ = [
    "DEFAULT_RULES",
    "MAX_COUNT",
    "MAX_POINTS",
    "PROFILES",
    "USUAL_RULES",
    "FirstTurn",
    "RuleSet",
    "other_game",
    "usual_rules",
]

FirstTurn = Literal["none", "white-single", "both-single"]

# The largest standard board, 9x5: the points of every board fit one 64-bit mask with room left.
MAX_POINTS: Final = 45

# What nine digits of text hold, and the core's integers too: no count in a game comes near.
MAX_COUNT: Final = 999_999_999

# The three sizes with a name of their own; Fanorona's traditional names for nine, five, three.
_VARIANTS: Final = {(9, 5): "Fanoron-Tsivy", (5, 5): "Fanoron-Dimy", (3, 3): "Fanoron-Telo"}

_EXAMPLE_START: Final = "9/9/4w4/9/8b w"


def other_game(name: str) -> str | None:
    """Recognise the name of a known game on the same boards that this library does not play.

    Returns what that game is called, for an error message, or None for any other text.

    Examples:
        >>> other_game("Fanorona Vela")
        'the vela return game'
        >>> other_game("telo-alignment")
        'the three-in-a-row Fanoron-Telo'
        >>> other_game("Fanoron-Telo") is None
        True
    """
    words = set(re.split(r"[^a-z0-9]+", name.lower()))
    if "vela" in words:
        return "the vela return game"
    if words & {"align", "aligned", "alignment"} or ("row" in words and words & {"three", "3"}):
        return "the three-in-a-row Fanoron-Telo"
    return None


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The rules of a game, as a value: equal options are equal rule sets.

    ``columns`` x ``rows`` is the board, both odd and at least 3, at most 45 points together.
    ``compulsory``: a chain must go on while the capturing stone can, else it may stop.
    ``no_move_draw``: no legal turn is a draw, else the side to move has lost.
    ``repetition``: the occurrence of a position that draws; ``quiet_limit``: the number of
    consecutive turns without a capture that draws; ``turn_limit``: the number of turns, both
    sides counted, that draws; None switches each off, and 999,999,999 is the most.
    ``first_turn``: ``white-single``, White's first turn may have one capture only;
    ``both-single``, the first capturing turn of each side may.
    ``start``: stones and side to move in position text, None for the standard start (the
    standard start written out becomes None).

    Raises:
        RulesError: a value that is out of range.

    Examples:
        >>> str(RuleSet())
        'tsivy'
        >>> str(RuleSet(columns=3, rows=5))
        'board=3x5,continuation=optional,no-move=loss,repetition=3,quiet=none,turns=400,first-turn=none'
        >>> RuleSet(columns=4)
        Traceback (most recent call last):
        ...
        fanorona_core.errors.RulesError: columns=4: expected an odd number, 3 or more
    """

    columns: int = 9
    rows: int = 5
    compulsory: bool = False
    no_move_draw: bool = False
    repetition: int | None = 3
    quiet_limit: int | None = None
    turn_limit: int | None = 400
    first_turn: FirstTurn = "none"
    start: str | None = None

    def __post_init__(self) -> None:
        for name in ("columns", "rows"):
            size = getattr(self, name)
            if not _is_count(size, 3) or size % 2 == 0:
                raise RulesError(f"{name}={size!r}: expected an odd number, 3 or more")
        if self.columns * self.rows > MAX_POINTS:
            raise RulesError(
                f"board {self.columns}x{self.rows} has {self.columns * self.rows} points: "
                f"expected at most {MAX_POINTS}"
            )
        for name in ("compulsory", "no_move_draw"):
            if not isinstance(getattr(self, name), bool):
                raise RulesError(f"{name}={getattr(self, name)!r}: expected True or False")
        # The initial position is the first occurrence, so a first repetition would end every game.
        for name, least in (("repetition", 2), ("quiet_limit", 1), ("turn_limit", 1)):
            count = getattr(self, name)
            if count is not None and not _is_count(count, least):
                raise RulesError(
                    f"{name}={count!r}: expected a number, {least} to {MAX_COUNT}, or none"
                )
        if self.first_turn not in get_args(FirstTurn):
            raise RulesError(
                f"first_turn={self.first_turn!r}: expected {_one_of(get_args(FirstTurn))}"
            )
        if self.start is not None:
            if not isinstance(self.start, str):
                raise RulesError(f"start={self.start!r}: expected a text or none")
            start = _checked_start(self.start, self.columns, self.rows)
            object.__setattr__(self, "start", None if start == self.standard_start else start)

    @property
    def name(self) -> str | None:
        """The profile that these rules are, or None.

        ``sivy-v1`` and ``theory`` are the same rules, so equal values; their name is ``theory``.

        Examples:
            >>> RuleSet(columns=5, rows=5).name
            'dimy'
            >>> RuleSet(turn_limit=7).name is None
            True
        """
        return _NAMES.get(self)

    @property
    def variant(self) -> str | None:
        """The traditional name of the board size, as game records write it, or None.

        Examples:
            >>> RuleSet().variant
            'Fanoron-Tsivy'
            >>> RuleSet(columns=3, rows=5).variant is None
            True
        """
        return _VARIANTS.get((self.columns, self.rows))

    @property
    def standard_start(self) -> str:
        """The usual start on this board, stones and side to move, in position text.

        White fills the lower rows and Black the upper ones. The middle row alternates from Black
        on the left, its centre is empty, and a half turn with the colours swapped maps it to
        itself.

        Examples:
            >>> RuleSet().standard_start
            'bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w'
            >>> RuleSet(columns=7, rows=3).standard_start
            'bbbbbbb/bwb1wbw/wwwwwww w'
        """
        left = ("bw" * self.columns)[: self.columns // 2]
        right = left[::-1].translate(str.maketrans("bw", "wb"))
        depth = self.rows // 2
        rows = ["b" * self.columns] * depth + [f"{left}1{right}"] + ["w" * self.columns] * depth
        return "/".join(rows) + " w"

    @property
    def start_text(self) -> str:
        """The start that games under these rules have, stones and side to move.

        Examples:
            >>> RuleSet(columns=3, rows=3).start_text
            'bbb/b1w/www w'
        """
        return self.standard_start if self.start is None else self.start

    def start_count(self, side: Side) -> int:
        """How many stones a side has at the start.

        Examples:
            >>> RuleSet().start_count(Side.WHITE)
            22
        """
        check_kind("side", side, Side)
        return self.start_text.split()[0].count(side.letter)

    def replace(self, **changes: Any) -> RuleSet:
        """Return a copy with some fields changed.

        Raises:
            RulesError: a field that does not exist, or a result that cannot be.

        Examples:
            >>> RuleSet().replace(compulsory=True).name
            'tsivy-compulsory'
        """
        unknown = sorted(changes.keys() - set(self.__slots__))
        if unknown:
            raise RulesError(f"field {unknown[0]!r}: expected {_one_of(self.__slots__)}")
        return replace(self, **changes)

    @classmethod
    def parse(cls, text: str) -> RuleSet:
        """Read a profile name, options, or a profile with options that change it.

        Options without a profile change ``tsivy``. The exact inverse of ``str``.

        Raises:
            RulesError: an unknown name or value, or a rule set that cannot be.

        Examples:
            >>> RuleSet.parse("dimy,continuation=compulsory").compulsory
            True
            >>> RuleSet.parse("board=3x5").rows
            5
            >>> RuleSet.parse("vela")
            Traceback (most recent call last):
            ...
            fanorona_core.errors.RulesError: rules 'vela': the vela return game is another game, \
not supported here
        """
        check_kind("rules", text, str)
        rules = DEFAULT_RULES
        changes: dict[str, Any] = {}
        seen: set[str] = set()
        for index, part in enumerate(part.strip().lower() for part in text.split(",")):
            game = other_game(part)
            if game is not None:
                raise RulesError(f"rules {text!r}: {game} is another game, not supported here")
            option, equals, value = part.partition("=")
            if not equals:
                if index or part not in PROFILES:
                    expected = f"one of the options {_one_of(_OPTIONS, '=')}"
                    if not index:
                        expected = f"one of the profiles {_one_of(PROFILES)}, or {expected}"
                    raise RulesError(f"rules {text!r}: {part!r} is not {expected}")
                rules = PROFILES[part]
                continue
            if option not in _OPTIONS:
                raise RulesError(f"rules {text!r}: no option {option!r}; try {_one_of(_OPTIONS)}")
            if option in seen:
                raise RulesError(f"rules {text!r}: option {option!r} is given twice")
            seen.add(option)
            changes.update(_OPTIONS[option](option, value))
        return rules.replace(**changes)

    def __str__(self) -> str:
        if self.name is not None:
            return self.name
        options = {
            "board": f"{self.columns}x{self.rows}",
            "continuation": "compulsory" if self.compulsory else "optional",
            "no-move": "draw" if self.no_move_draw else "loss",
            "repetition": _count_text(self.repetition),
            "quiet": _count_text(self.quiet_limit),
            "turns": _count_text(self.turn_limit),
            "first-turn": self.first_turn,
        }
        if self.start is not None:
            options["start"] = self.start.replace(" ", ":")
        return ",".join(f"{option}={value}" for option, value in options.items())


def _is_count(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= MAX_COUNT


def _count_text(count: int | None) -> str:
    return "none" if count is None else str(count)


def _one_of(words: Any, suffix: str = "") -> str:
    *most, last = (f"{word}{suffix}" for word in words)
    return f"{', '.join(most)} or {last}"


def _checked_start(text: str, columns: int, rows: int) -> str:
    """Stones and side in lower case, or a RulesError that names the row or field."""
    fields = text.lower().split()
    if len(fields) != 2 or fields[1] not in ("w", "b"):
        raise RulesError(
            f"start {clipped(text, 60)}: expected stones and the side to move, such as "
            f"{_EXAMPLE_START!r}"
        )
    try:
        found = parse_rows(fields[0], (columns, rows))
        if not found.white and not found.black:
            raise InvalidPositionError("no stones on the board")
    except InvalidPositionError as error:
        raise RulesError(f"start {clipped(text, 60)}: {error}") from None
    return " ".join(fields)


def _parse_board(option: str, value: str) -> dict[str, Any]:
    match = re.fullmatch(r"([0-9]{1,3})x([0-9]{1,3})", value)
    if match is None:
        raise RulesError(f"{option}={value}: expected columns and rows, such as 9x5")
    return {"columns": int(match[1]), "rows": int(match[2])}


def _parse_start(option: str, value: str) -> dict[str, Any]:
    if value.count(":") != 1:
        example = _EXAMPLE_START.replace(" ", ":")
        raise RulesError(f"{option}={value}: expected stones and side, such as {example}")
    return {"start": value.replace(":", " ")}


def _count_parser(field: str) -> Callable[[str, str], dict[str, Any]]:
    def parse(option: str, value: str) -> dict[str, Any]:
        if value == "none":
            return {field: None}
        if not re.fullmatch(r"[0-9]{1,9}", value):
            raise RulesError(f"{option}={value}: expected a number up to {MAX_COUNT}, or none")
        return {field: int(value)}

    return parse


def _choice_parser(field: str, choices: Mapping[str, Any]) -> Callable[[str, str], dict[str, Any]]:
    def parse(option: str, value: str) -> dict[str, Any]:
        if value not in choices:
            raise RulesError(f"{option}={value}: expected {_one_of(choices)}")
        return {field: choices[value]}

    return parse


_OPTIONS: Final[Mapping[str, Callable[[str, str], dict[str, Any]]]] = {
    "board": _parse_board,
    "continuation": _choice_parser("compulsory", {"optional": False, "compulsory": True}),
    "no-move": _choice_parser("no_move_draw", {"loss": False, "draw": True}),
    "repetition": _count_parser("repetition"),
    "quiet": _count_parser("quiet_limit"),
    "turns": _count_parser("turn_limit"),
    "first-turn": _choice_parser("first_turn", {word: word for word in get_args(FirstTurn)}),
    "start": _parse_start,
}

_THEORY: Final = RuleSet(repetition=None, turn_limit=None)

# Sources: a Chinese site with two versions (tsivy, tsivy-compulsory), the Youzai club, a German
# two-player page (sivy-v1), and the Maastricht papers of 2006-2008, where a draw is what neither
# side can win (theory). dimy and telo are the two smaller standard sizes.
PROFILES: Final[Mapping[str, RuleSet]] = MappingProxyType(
    {
        "tsivy": RuleSet(),
        "tsivy-compulsory": RuleSet(compulsory=True),
        "youzai": RuleSet(repetition=None, quiet_limit=50, turn_limit=None),
        "sivy-v1": _THEORY,
        "theory": _THEORY,
        "dimy": RuleSet(columns=5, rows=5),
        "telo": RuleSet(columns=3, rows=3),
    }
)
DEFAULT_RULES: Final = PROFILES["tsivy"]

# Of two names for the same rules the later wins: theory, the one that tables and proofs use.
_NAMES: Final = {rules: name for name, rules in PROFILES.items()}

# The rules of the three standard sizes, where nothing else is said.
USUAL_RULES: Final[Mapping[tuple[int, int], RuleSet]] = MappingProxyType(
    {
        (rules.columns, rules.rows): rules
        for rules in (PROFILES["tsivy"], PROFILES["dimy"], PROFILES["telo"])
    }
)


def usual_rules(columns: int, rows: int) -> RuleSet:
    """Return the rules that a game on a board has if nothing is said.

    Raises:
        RulesError: there is no such board.

    Examples:
        >>> usual_rules(5, 5).name
        'dimy'
        >>> usual_rules(3, 5) == RuleSet(columns=3, rows=5)
        True
    """
    return USUAL_RULES.get((columns, rows)) or DEFAULT_RULES.replace(columns=columns, rows=rows)
