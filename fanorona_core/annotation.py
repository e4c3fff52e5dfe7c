"""What records say about a turn besides the turn: evaluations, times and marks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from fanorona_core._checks import check_kind, check_whole
from fanorona_core.errors import NotationError
from fanorona_core.score import Score
from fanorona_core.types import Side

__all__ = ["MARKS", "MAX_NAG", "Evaluation", "format_duration", "parse_duration"]

# The traditional marks and their numeric glyphs, as in chess PGN (section 10 of the standard).
MARKS: Final = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}

# PGN defines numeric glyphs from 0 to 255.
MAX_NAG: Final = 255

# The largest numbers of an evaluation: what the texts below have digits for.
_MOST: Final = {"centipawns": 99_999_999, "win_in": 999_999, "depth_plies": 9999}

_EVALUATION = re.compile(
    r"(?:(?P<pawns>[+-]?[0-9]{1,6}(?:\.[0-9]{1,6})?)|#(?P<win>[+-]?[0-9]{1,6}))"
    r"(?:,(?P<depth>[0-9]{1,4}))?"
)
_DURATION = re.compile(
    r"(?P<sign>-?)(?:(?P<hours>[0-9]{1,11}):)?(?P<minutes>[0-9]{1,2}):(?P<seconds>[0-9]{1,2})"
    r"(?:\.(?P<fraction>[0-9]{1,6}))?"
)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How good a position is, from White's point of view.

    Either ``centipawns``, as in `Score`, or ``win_in``, the number of turns of both sides to a
    win: positive where White wins, negative where Black does. ``depth_plies`` says how deep it was
    looked, or is None.

    Raises:
        TypeError: a number that is not whole.
        ValueError: neither or both of the two are given, a win in 0 turns, or a number with more
            digits than its text has: eight, six and four.

    Examples:
        >>> str(Evaluation(centipawns=-43, depth_plies=12))
        '-0.43,12'
        >>> Evaluation.parse("#-5").win_in
        -5
    """

    centipawns: int | None = None
    win_in: int | None = None
    depth_plies: int | None = None

    def __post_init__(self) -> None:
        if (self.centipawns is None) == (self.win_in is None):
            raise ValueError("an evaluation is either centipawns or win_in, one of them")
        if self.win_in == 0:
            raise ValueError("win_in=0: expected a number of turns, negative where Black wins")
        for name, most in _MOST.items():
            value = getattr(self, name)
            check_whole(**{name: value})
            least = 0 if name == "depth_plies" else -most
            if value is not None and not least <= value <= most:
                raise ValueError(f"{name}={value}: expected {least} to {most}")

    @classmethod
    def parse(cls, text: str) -> Evaluation:
        """Read the text of an ``[%eval]`` command; digits beyond hundredths are rounded.

        Raises:
            NotationError: any other text.

        Examples:
            >>> Evaluation.parse("0.5,8")
            Evaluation(centipawns=50, win_in=None, depth_plies=8)
        """
        check_kind("evaluation", text, str)
        match = _EVALUATION.fullmatch(text.strip())
        if match is None or (match["win"] is not None and int(match["win"]) == 0):
            raise NotationError(f"evaluation {text!r}: expected pawns as -0.43, or a win as #5")
        depth = None if match["depth"] is None else int(match["depth"])
        if match["win"] is not None:
            return cls(win_in=int(match["win"]), depth_plies=depth)
        # Rounding may reach beyond six digits of pawns.
        centipawns = round(float(match["pawns"]) * 100)
        return cls(
            centipawns=max(-_MOST["centipawns"], min(_MOST["centipawns"], centipawns)),
            depth_plies=depth,
        )

    @classmethod
    def from_score(cls, score: Score, side: Side, depth_plies: int | None = None) -> Evaluation:
        """Make an evaluation of the score that a search gave for the side to move.

        Raises:
            ValueError: the game is over already, or a number is out of range.

        Examples:
            >>> str(Evaluation.from_score(Score.win(7), Side.BLACK, 20))
            '#-7,20'
        """
        check_kind("side", side, Side)
        white = score if side is Side.WHITE else -score
        if white.end_in is None:
            return cls(centipawns=white.centipawns, depth_plies=depth_plies)
        win_in = white.end_in if white.is_winning else -white.end_in
        return cls(win_in=win_in, depth_plies=depth_plies)

    def for_side(self, side: Side) -> Score:
        """Return the score for one side.

        Examples:
            >>> str(Evaluation(centipawns=-43).for_side(Side.BLACK))
            '+0.43'
        """
        check_kind("side", side, Side)
        if self.win_in is None:
            white = Score(self.centipawns)
        else:
            white = Score(None, abs(self.win_in), self.win_in > 0)
        return white if side is Side.WHITE else -white

    def __str__(self) -> str:
        depth = "" if self.depth_plies is None else f",{self.depth_plies}"
        if self.centipawns is None:
            return f"#{self.win_in}{depth}"
        sign = "-" if self.centipawns < 0 else ""
        pawns, hundredths = divmod(abs(self.centipawns), 100)
        return f"{sign}{pawns}.{hundredths:02}{depth}"


def parse_duration(text: str) -> timedelta:
    """Read ``H:MM:SS`` or ``MM:SS``, with up to six decimals.

    Raises:
        NotationError: any other text.

    Examples:
        >>> parse_duration("1:02:03.5")
        datetime.timedelta(seconds=3723, microseconds=500000)
    """
    check_kind("time", text, str)
    match = _DURATION.fullmatch(text.strip())
    if match is None:
        raise NotationError(f"time {text!r}: expected hours, minutes and seconds as 0:05:00")
    try:
        duration = timedelta(
            hours=int(match["hours"] or 0),
            minutes=int(match["minutes"]),
            seconds=int(match["seconds"]),
            microseconds=int((match["fraction"] or "0").ljust(6, "0")),
        )
        return -duration if match["sign"] else duration
    except OverflowError:
        raise NotationError(f"time {text!r}: longer than {timedelta.max.days} days") from None


def format_duration(duration: timedelta) -> str:
    """Write ``H:MM:SS``, with decimals only where there are any: what `parse_duration` reads.

    Examples:
        >>> format_duration(timedelta(minutes=5, milliseconds=40))
        '0:05:00.04'
        >>> format_duration(timedelta(seconds=-1))
        '-0:00:01'
    """
    check_kind("time", duration, timedelta)
    sign = "-" if duration < timedelta(0) else ""
    seconds, fraction = divmod(abs(duration), timedelta(seconds=1))
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    text = f"{sign}{hours}:{minutes:02}:{seconds:02}"
    if fraction:
        text += f".{fraction // timedelta(microseconds=1):06}".rstrip("0")
    return text
