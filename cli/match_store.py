"""What a match is and has brought so far: a folder with its settings and the games played."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from fanorona_core import Side
from fanorona_core.elo import PairCounts
from fanorona_core.fgn import format_game, read
from fanorona_core.game import Game

from .arena import FAILURES
from .output import write_file

__all__ = ["MatchResults", "MatchSettings", "MatchStore", "StoreError"]

_SCHEMA: Final = "fanorona/match-settings/1"
_POINTS: Final = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}


class StoreError(Exception):
    """A folder that holds another match, or none that can be read."""


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """What must stay the same for a match to go on: who plays what, and how."""

    first: str
    second: str
    pace: str
    rules: str
    seed: int
    plies: int
    window: int
    opening_file: str | None
    openings_digest: str | None
    max_turns: int | None
    max_quiet: int | None
    adjudicate: int | None


@dataclass(slots=True)
class _Totals:
    """What the records say of one player's turns; only turns with a number count towards it."""

    turns: int = 0
    time_ms: float = 0
    depths: int = 0
    depth_plies: int = 0
    counted_ms: float = 0
    nodes: int = 0
    failures: int = 0
    losses_on_time: int = 0

    def report(self, name: str) -> dict[str, Any]:
        """The means, as a part of the match's report."""
        return {
            "name": name,
            "turns": self.turns,
            "time_ms": round(self.time_ms / self.turns, 1) if self.turns else None,
            "depth_plies": round(self.depth_plies / self.depths, 1) if self.depths else None,
            "nps": round(self.nodes / self.counted_ms * 1000) if self.counted_ms else None,
            "failures": self.failures,
            "losses_on_time": self.losses_on_time,
        }


@dataclass(slots=True)
class MatchResults:
    """The results of the pairs finished so far, from the first player's view."""

    pairs: dict[int, tuple[float, float]] = field(default_factory=dict)
    games: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    white: Counter[str] = field(default_factory=Counter)
    totals: tuple[_Totals, _Totals] = field(default_factory=lambda: (_Totals(), _Totals()))

    def add(self, number: int, games: tuple[Game, Game]) -> None:
        """Count a pair; the first player has White in its first game."""
        points = []
        for index, game in enumerate(games):
            of_white = _POINTS[game.result]
            point = 1 - of_white if index else of_white
            points.append(point)
            self.games["wins" if point == 1 else "losses" if point == 0 else "draws"] += 1
            self.white["wins" if of_white == 1 else "losses" if of_white == 0 else "draws"] += 1
            end = str(game.termination or "unknown").partition(":")[0]
            self.ends[end] += 1
            if point != 0.5:
                loser = self.totals[0 if point == 0 else 1]
                loser.failures += end in FAILURES
                loser.losses_on_time += end == "time"
            self._count_turns(game, index)
        self.pairs[number] = (points[0], points[1])

    def _count_turns(self, game: Game, index: int) -> None:
        for node in game.mainline():
            if node.elapsed is None:
                continue  # of the opening
            total = self.totals[index ^ (node.side is Side.BLACK)]
            elapsed_ms = node.elapsed.total_seconds() * 1000
            total.turns += 1
            total.time_ms += elapsed_ms
            if node.eval is not None and node.eval.depth_plies is not None:
                total.depths += 1
                total.depth_plies += node.eval.depth_plies
            for name, value in node.commands:
                if name == "nodes" and re.fullmatch(r"[0-9]{1,15}", value):
                    total.counted_ms += max(elapsed_ms, 1)
                    total.nodes += int(value)

    @property
    def counts(self) -> PairCounts:
        """The pairs by their points."""
        return PairCounts.of(self.pairs.values())


class MatchStore:
    """The folder of a match: ``match.json`` and ``games.fgn``, to which each pair is added.

    A pair is there only when both its games are; what an interruption left of one is dropped.
    """

    def __init__(self, folder: Path, settings: MatchSettings) -> None:
        self._games = folder / "games.fgn"
        self._check(folder, settings)

    def _check(self, folder: Path, settings: MatchSettings) -> None:
        path = folder / "match.json"
        wanted = {"schema": _SCHEMA, **asdict(settings)}
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            if self._games.exists():
                raise StoreError(f"{folder} has games.fgn but no match.json: choose another folder")
            write_file(path, json.dumps(wanted, indent=2, ensure_ascii=False) + "\n")
            return
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise StoreError(f"{path}: {error}") from None
        if not isinstance(found, dict):
            raise StoreError(f"{path}: expected the settings of a match")
        for name, value in wanted.items():
            if found.get(name) != value:
                raise StoreError(
                    f"{folder} holds another match: its {name.replace('_', ' ')} is "
                    f"{_shown(found.get(name))}, not {_shown(value)}; choose another folder"
                )

    def load(self) -> MatchResults:
        """Read the pairs that are finished, and drop the rest of an unfinished one.

        Raises:
            StoreError: a game before the last pair cannot be counted: somebody has changed it.
            OSError: the games cannot be read or written.
        """
        results = MatchResults()
        if not self._games.exists():
            return results
        found: dict[int, dict[int, Game]] = {}
        at: dict[int, int] = {}  # where the last game of each pair stands
        odd = []  # the games that count for nothing
        count = 0
        for result in read(self._games):
            count += 1
            place = None if result.game is None else _place(result.game)
            if result.game is not None and place is not None:
                found.setdefault(place[0], {})[place[1]] = result.game
                at[place[0]] = count
            else:
                odd.append(count)
        whole = {number: (g[1], g[2]) for number, g in sorted(found.items()) if len(g) == 2}
        odd += [place for number, place in at.items() if number not in whole]
        if odd and min(odd) < count - 1:
            raise StoreError(
                f"{self._games}: game {min(odd)} is no whole game of this match; put it right or "
                "choose another folder"
            )
        if 2 * len(whole) != count:
            text = "\n".join(format_game(game) for pair in whole.values() for game in pair)
            write_file(self._games, text)
        for number, games in whole.items():
            results.add(number, games)
        return results

    def add(self, games: Iterable[Game]) -> None:
        """Append the games of a finished pair."""
        text = "\n".join(format_game(game) for game in games)
        with self._games.open("a", encoding="utf-8", newline="\n") as file:
            if file.tell():
                text = "\n" + text
            file.write(text)


def _shown(setting: object) -> str:
    return "none" if setting is None else repr(setting)


def _place(game: Game) -> tuple[int, int] | None:
    """The pair and the game in it that a record's round says; None if its end is missing."""
    pair, _, number = game.tags["Round"].partition(".")
    if (
        not re.fullmatch(r"[0-9]{1,9}", pair)
        or number not in ("1", "2")
        or game.result not in _POINTS
    ):
        return None
    return int(pair), int(number)
