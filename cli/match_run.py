"""The pairs of a match: played one after the other, or side by side in processes."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from functools import partial
from itertools import count, islice
from pathlib import Path

from fanorona_core import Board, FanoronaError, Position, RuleSet
from fanorona_core.clock import Clock
from fanorona_core.elo import Sprt
from fanorona_core.engine import Limit
from fanorona_core.fgn import format_game, parse_game
from fanorona_core.game import Game
from fanorona_core.tablebase import Tables

from .arena import Adjudicator, Seat, TableJudge, Terms, play_game
from .match_store import MatchResults
from .players import Player, PlayerError, PlayerSpec
from .workers import run

__all__ = ["Plan", "play_pairs"]


@dataclass(frozen=True, slots=True)
class Task:
    """A pair to be played: its number, and its opening, a position and turns."""

    number: int
    start: str
    turns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """All that a process needs to play pairs."""

    specs: tuple[PlayerSpec, PlayerSpec]
    limit: Limit | None
    clock: Clock | None
    rules: RuleSet
    terms: Terms
    table_stones: int | None
    tables: Path | None
    seed: int


class PairPlayer:
    """Plays pairs: one opening twice, with the colours changed."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._judges: list[Adjudicator] = [plan.terms.adjudicate]
        if plan.table_stones is not None:
            self._judges.append(TableJudge(Tables(plan.tables), plan.table_stones))
        self._players: list[Player] = []
        try:
            for spec in plan.specs:
                self._players.append(spec.open())
                self._players[-1].prepare(plan.rules)
        except (PlayerError, FanoronaError):
            self.close()
            raise

    def work(self, task: Task) -> tuple[int, list[str]]:
        """Play a pair and return its records as text, which any process can read."""
        opening = Board.replay(Position.parse(task.start), task.turns)
        seats = []
        for spec, player in zip(self._plan.specs, self._players, strict=True):
            limit, clock = spec.pace(self._plan.limit, self._plan.clock)
            seats.append(Seat(player, spec.name, limit, clock))
        records = []
        for index in (0, 1):
            white, black = (seats[0], seats[1]) if index == 0 else (seats[1], seats[0])
            # The same seed for both games would make both players choose alike.
            seed = random.Random(f"{self._plan.seed} {task.number} {index}").getrandbits(30)
            game = play_game(opening, white, black, seed, self._judges)
            _tag(game, f"{task.number}.{index + 1}", white.name, black.name)
            records.append(format_game(game))
        return task.number, records

    def close(self) -> None:
        """End the players."""
        for player in self._players:
            player.close()


def _tag(game: Game, number: str, white: str, black: str) -> None:
    tags = {"Event": "fanorona match", "Date": f"{date.today():%Y.%m.%d}", "Round": number}
    game.tags.update({**tags, "White": white, "Black": black})


def play_pairs(
    plan: Plan,
    openings: Iterable[Board],
    results: MatchResults,
    wanted: int,
    jobs: int,
    test: Sprt | None,
) -> Iterator[tuple[int, tuple[Game, Game]]]:
    """Play the pairs that are missing, until there are enough or the test is decided."""
    if test is not None and test.decision(results.counts):
        return
    numbered = islice(zip(count(1), openings, strict=False), wanted)
    missing = (
        Task(number, opening.root.text(), tuple(map(str, opening.turns)))
        for number, opening in numbered
        if number not in results.pairs
    )
    work = run(partial(PairPlayer, plan), missing, jobs, (PlayerError, FanoronaError))
    with closing(work) as pairs:
        for number, (first, second) in pairs:
            yield number, (parse_game(first), parse_game(second))
            if test is not None and test.decision(results.counts):
                return
