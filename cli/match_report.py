"""What a match says while it is played and when it is over."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from fanorona_core.elo import Sprt

from .match_store import MatchResults
from .players import PlayerSpec

__all__ = ["Progress", "report_data", "report_lines"]

# Where there is no terminal, a line of progress each minute is enough for a log.
LOG_SECONDS: Final = 60


class Progress:
    """Shows on standard error how far a match is: a bar on a terminal, else now and then a line."""

    def __init__(
        self,
        specs: tuple[PlayerSpec, PlayerSpec],
        wanted_pairs: int,
        results: MatchResults,
        test: Sprt | None,
    ) -> None:
        self._specs = specs
        self._wanted = wanted_pairs
        self._results = results
        self._test = test
        console = Console(stderr=True)
        self._bar = Bar(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=console,
            disable=not console.is_terminal,
            transient=True,
        )
        self._is_terminal = console.is_terminal
        self._logged = time.monotonic()

    def __enter__(self) -> Progress:
        self._bar.start()
        self._task = self._bar.add_task("", total=2 * self._wanted)
        self.show()
        return self

    def __exit__(self, *exc: object) -> None:
        self._bar.stop()

    def show(self) -> None:
        """Show what there is now."""
        self._bar.update(
            self._task, completed=2 * len(self._results.pairs), description=self._status()
        )
        now = time.monotonic()
        if not self._is_terminal and now - self._logged >= LOG_SECONDS:
            self._logged = now
            done = 2 * len(self._results.pairs)
            print(f"{done}/{2 * self._wanted} {self._status()}", file=sys.stderr, flush=True)  # noqa: T201

    def _status(self) -> str:
        games = self._results.games
        text = f"+{games['wins']} ={games['draws']} -{games['losses']}"
        if self._test is not None:
            text += f" LLR {self._test.ratio(self._results.counts):+.2f}"
        return text


def report_data(
    specs: tuple[PlayerSpec, PlayerSpec], results: MatchResults, test: Sprt | None
) -> dict[str, Any]:
    """The report of a match as docs/match.md describes it; what is not finite is null."""
    counts = results.counts
    estimate = counts.estimate()
    sprt = None
    if test is not None:
        sprt = {
            "elo0": test.elo0,
            "elo1": test.elo1,
            "llr": round(test.ratio(counts), 3),
            "bounds": [round(bound, 3) for bound in test.bounds],
            "accepted": test.decision(counts),
        }
    names = ("wins", "draws", "losses")
    return {
        "players": [
            total.report(spec.name) for spec, total in zip(specs, results.totals, strict=True)
        ],
        "games": counts.games,
        **{name: results.games[name] for name in names},
        "score": round(estimate.score, 4),
        "elo": _finite(estimate.elo),
        "elo_low": _finite(estimate.low),
        "elo_high": _finite(estimate.high),
        "superiority": None if estimate.superiority is None else round(estimate.superiority, 4),
        "pairs": list(counts.counts),
        "white": {name: results.white[name] for name in names},
        "ends": dict(results.ends.most_common()),
        "sprt": sprt,
    }


def _finite(value: float | None) -> float | None:
    return round(value, 1) if value is not None and math.isfinite(value) else None


def report_lines(data: dict[str, Any]) -> Iterator[str]:
    """The report for people."""
    first, second = data["players"]
    yield (
        f"{first['name']} against {second['name']}: {data['games']} games, "
        f"+{data['wins']} ={data['draws']} -{data['losses']}, {100 * data['score']:.1f} %"
    )
    if not data["games"]:
        return
    if data["elo"] is not None:
        yield _elo_line(data)
    pairs = ", ".join(
        f"{points}: {count}"
        for points, count in zip(("0", "½", "1", "1½", "2"), data["pairs"], strict=True)
    )
    yield f"Pairs by A's points  {pairs}"
    white = data["white"]
    yield f"White  +{white['wins']} ={white['draws']} -{white['losses']}"
    yield "Ends  " + ", ".join(f"{name}: {count}" for name, count in data["ends"].items())
    for player in data["players"]:
        yield _player_line(player)
    if data["sprt"] is not None:
        sprt = data["sprt"]
        verdict = {"H0": f"not {sprt['elo1']:g} Elo stronger", "H1": "stronger", None: "undecided"}
        yield (
            f"Test of {sprt['elo0']:g} against {sprt['elo1']:g} Elo: LLR {sprt['llr']:+.2f} in "
            f"{sprt['bounds'][0]:.2f} to {sprt['bounds'][1]:.2f}, {verdict[sprt['accepted']]}"
        )


def _elo_line(data: dict[str, Any]) -> str:
    line = f"Elo difference {data['elo']:+.1f}"
    low, high = data["elo_low"], data["elo_high"]
    if low is not None and high is not None:
        line += f", 95 % between {low:+.1f} and {high:+.1f}"
    elif low is not None:
        line += f", 95 % above {low:+.1f}"
    elif high is not None:
        line += f", 95 % below {high:+.1f}"
    if data["superiority"] is not None:
        line += f"; A is stronger with {100 * data['superiority']:.1f} %"
    return line


def _player_line(player: dict[str, Any]) -> str:
    parts = [f"{player['turns']} turns"]
    if player["time_ms"] is not None:
        parts.append(f"{player['time_ms']:g} ms")
    if player["depth_plies"] is not None:
        parts.append(f"depth {player['depth_plies']:g}")
    if player["nps"] is not None:
        parts.append(f"{player['nps']:,} nodes/s")
    for name, what in (("failures", "broken down"), ("losses_on_time", "lost on time")):
        if player[name]:
            parts.append(f"{what} {player[name]} times")
    return f"{player['name']}  {', '.join(parts)}"
