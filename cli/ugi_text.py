"""What commands of the Universal Game Interface say, and what is answered to them, as text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from fanorona_core import Board, Position, RuleSet, Turn
from fanorona_core.engine import MAX_CONTEMPT, Info
from fanorona_core.levels import LEVELS
from fanorona_core.score import Score

__all__ = [
    "CLOCK_NUMBERS",
    "EMPTY",
    "ENGINE_SPINS",
    "FOLDERS",
    "SETTING",
    "SPINS",
    "ProtocolError",
    "Spin",
    "at_least_1",
    "info_text",
    "name_in",
    "position_under",
    "push",
    "read_go",
    "read_number",
    "shortened",
]


@dataclass(frozen=True, slots=True)
class Spin:
    """An option that is a number."""

    default: int
    least: int
    most: int

    def describe(self) -> str:
        """What the engine says of it."""
        return f"type spin default {self.default} min {self.least} max {self.most}"


SPINS: Final = {
    "Hash": Spin(16, 1, 1 << 20),
    "Threads": Spin(1, 1, 1024),
    "Level": Spin(0, 0, max(LEVELS)),
    "Seed": Spin(0, 0, (1 << 31) - 1),
    "MultiPV": Spin(1, 1, 500),
    "Contempt": Spin(0, -MAX_CONTEMPT, MAX_CONTEMPT),
}
# The folders of endgame tables and of certificates; without one, what the environment names.
FOLDERS: Final = ("TablesDir", "ProofsDir")
EMPTY: Final = "<empty>"
# What follows "setoption": the name of the option, and the text of its value.
SETTING: Final = re.compile(r"name\s+(.*?)(?:\s+value(?:\s+(.*?))?)?\s*", re.DOTALL)
# Those that the engine is made with; a change of one makes a new engine.
ENGINE_SPINS: Final = ("Hash", "Threads", "Level", "Seed", "Contempt")
# What go may be told of the clocks.
CLOCK_NUMBERS: Final = frozenset(("p1time", "p2time", "p1inc", "p2inc", "movestogo"))
_GO_NUMBERS: Final = CLOCK_NUMBERS | {"movetime", "depth", "nodes", "mate"}


class ProtocolError(Exception):
    """A command that cannot be followed; the text says why."""


def info_text(info: Info) -> str:
    """What the engine tells of a search."""
    return (
        f"info depth {info.depth_plies} multipv {info.rank} score {_score_text(info.score)} "
        f"nodes {info.nodes} nps {info.nodes_per_second} hashfull {info.hash_permille} "
        f"time {info.time_ms} pv {' '.join(map(str, info.line))}"
    )


def name_in(names: Iterable[str], wanted: str) -> str | None:
    """The one of the names that is so in small letters."""
    return next((name for name in names if name.lower() == wanted), None)


def _score_text(score: Score) -> str:
    if score.is_decided:
        return f"mate {'' if score.is_winning else '-'}{score.end_in}"
    return f"cp {score.centipawns}"


def read_go(words: list[str]) -> tuple[dict[str, int], bool]:
    """The numbers of a go command, and whether it says infinite."""
    numbers: dict[str, int] = {}
    infinite = False
    rest = iter(words)
    for word in rest:
        if word == "infinite":
            infinite = True
        elif word in _GO_NUMBERS:
            numbers[word] = read_number(f"go {word}", next(rest, ""))
        else:
            raise ProtocolError(f"go: unknown word {shortened(word)}")
    return numbers, infinite


def read_number(what: str, text: str) -> int:
    """A whole number; ``what`` names it in the complaint."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 15):
        raise ProtocolError(f"{what}: expected a number, not {shortened(text)}")
    return int(text)


def at_least_1(number: int | None) -> int | None:
    """A number that is told, made positive."""
    return None if number is None else max(number, 1)


def position_under(text: str, rules: RuleSet) -> Position:
    """The position of a text; where it names no rules, those of the option if the board fits."""
    position = Position.parse(text)
    named = len(text.split()) == 6
    if named or (position.columns, position.rows) != (rules.columns, rules.rows):
        return position
    return Position.parse(text, rules)


def push(board: Board, text: str) -> None:
    """Play a turn as a runner writes it, or in any other spelling."""
    with suppress(ValueError):  # not canonical, or not legal: the lenient reader knows or says why
        board.push(Turn.from_text(text, board.position.columns))
        return
    board.push_text(text)


def shortened(text: str) -> str:
    """A text in quotes, to be told in a complaint."""
    return repr(text if len(text) <= 40 else text[:37] + "...")
