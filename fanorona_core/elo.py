"""What the results of a match say: Elo with its error, and a sequential test, on pairs of games.

The two games of a pair begin from one opening with the colours changed, so they are not
independent and the pair is what is counted. Sources: the pentanomial model and the generalized
sequential test as Fishtest uses them; M. Van den Bergh, "A practical introduction to the GSPRT".
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from fanorona_core._checks import check_kind

__all__ = ["Estimate", "PairCounts", "Sprt", "elo_of_score", "score_of_elo"]

# A pair scores 0, 1/2, 1, 3/2 or 2 points of 2.
PAIR_SCORES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
# Stands for a count of 0 in the sequential test, whose formula needs every outcome possible.
UNSEEN: Final = 1e-3
# Hypotheses beyond differ by less than a test can see.
MOST_ELO: Final = 1000
Z_95: Final = 1.959964  # standard errors on either side of the mean that hold 95 %


def score_of_elo(elo: float) -> float:
    """Return the expected score, 0 to 1, of a player who is ``elo`` points stronger.

    Examples:
        >>> round(score_of_elo(191), 2)
        0.75
    """
    if elo < -100_000:
        return 0.0  # the power would not fit a float
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of_score(score: float) -> float:
    """Return the difference in Elo that a score from 0 to 1 means; infinite at both ends.

    Examples:
        >>> round(elo_of_score(0.75), 2), elo_of_score(1)
        (190.85, inf)
    """
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return 400 * math.log10(score / (1 - score))


@dataclass(frozen=True, slots=True)
class Estimate:
    """The strength of the first player as a match shows it.

    ``score`` from 0 to 1; ``elo`` its difference in Elo, between ``low`` and ``high`` with 95 %
    probability; ``superiority`` the probability of being the stronger one. What the games
    do not tell yet is None.

    Examples:
        >>> estimate = PairCounts((5, 10, 40, 30, 15)).estimate()
        >>> round(estimate.score, 2), round(estimate.elo), round(estimate.error)
        (0.6, 70, 36)
    """

    score: float
    elo: float
    low: float | None
    high: float | None
    superiority: float | None

    @property
    def error(self) -> float | None:
        """Half the width of the interval, or None if that is not known or not finite."""
        if self.low is None or self.high is None:
            return None
        width = self.high - self.low
        return width / 2 if math.isfinite(width) else None


@dataclass(frozen=True, slots=True)
class PairCounts:
    """How many pairs of games brought the first player 0, 1/2, 1, 3/2 and 2 points.

    Raises:
        ValueError: not five counts, or a negative one.

    Examples:
        >>> counts = PairCounts.of([(1, 0.5), (0.5, 0.5), (1, 1)])
        >>> counts.counts, counts.games, round(counts.score, 3)
        ((0, 0, 1, 1, 1), 6, 0.75)
    """

    counts: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

    def __post_init__(self) -> None:
        if len(self.counts) != len(PAIR_SCORES) or any(count < 0 for count in self.counts):
            raise ValueError(f"pair counts {self.counts}: expected five numbers, 0 or more")

    @classmethod
    def of(cls, pairs: Iterable[tuple[float, float]]) -> PairCounts:
        """Count pairs, each the first player's points in the two games: 0, 0.5 or 1.

        Raises:
            ValueError: other points.
        """
        counts = [0, 0, 0, 0, 0]
        for first, second in pairs:
            if not {first, second} <= {0, 0.5, 1}:
                raise ValueError(f"points {first} and {second}: expected 0, 0.5 or 1")
            counts[round(2 * (first + second))] += 1
        return cls((counts[0], counts[1], counts[2], counts[3], counts[4]))

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return sum(self.counts)

    @property
    def games(self) -> int:
        """The number of games."""
        return 2 * self.pairs

    @property
    def score(self) -> float:
        """The mean score, 0 to 1; a half while there are no games."""
        return _mean(self.counts) if self.pairs else 0.5

    @property
    def variance(self) -> float:
        """The variance of the score of one pair."""
        mean = self.score
        squares = sum(
            count * (score - mean) ** 2
            for count, score in zip(self.counts, PAIR_SCORES, strict=True)
        )
        return squares / self.pairs if self.pairs else 0.0

    def estimate(self) -> Estimate:
        """Estimate the difference in Elo from these pairs.

        Examples:
            >>> estimate = PairCounts((13, 37, 50, 25, 3)).estimate()
            >>> f"{estimate.elo:.2f} ± {estimate.error:.0f}, {estimate.superiority:.4f}"
            '-43.66 ± 29, 0.0016'
        """
        mean, variance = self.score, self.variance
        elo = elo_of_score(mean)
        if not variance:
            return Estimate(mean, elo, None, None, None)
        deviation = math.sqrt(variance / self.pairs)
        return Estimate(
            mean,
            elo,
            elo_of_score(mean - Z_95 * deviation),
            elo_of_score(mean + Z_95 * deviation),
            0.5 * math.erfc((0.5 - mean) / deviation / math.sqrt(2)),
        )


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test that ends as soon as the first player is known to be ``elo0`` or ``elo1`` up.

    ``alpha`` is the probability of accepting ``elo1`` where ``elo0`` is true, ``beta`` that of
    accepting ``elo0`` where ``elo1`` is true.

    Raises:
        ValueError: elo0 not below elo1, one of them beyond 1000, or a probability not between 0
            and 0.5.

    Examples:
        >>> counts = PairCounts((2, 20, 60, 40, 18)), PairCounts((2, 20, 80, 60, 30))
        >>> [Sprt(0, 10).decision(each) for each in counts]
        [None, 'H1']
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0={self.elo0:g}, elo1={self.elo1:g}: expected elo0 below elo1")
        for name in ("elo0", "elo1"):
            if abs(getattr(self, name)) > MOST_ELO:
                raise ValueError(
                    f"{name}={getattr(self, name):g}: expected {-MOST_ELO} to {MOST_ELO}"
                )
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise ValueError(f"{name}={getattr(self, name):g}: expected between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The likelihood ratios at which the test ends.

        Examples:
            >>> [round(bound, 3) for bound in Sprt(0, 5).bounds]
            [-2.944, 2.944]
        """
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, counts: PairCounts) -> float:
        """Return the logarithm of the likelihood ratio of ``elo1`` against ``elo0``.

        Examples:
            >>> round(Sprt(-0.25, 1.25).ratio(PairCounts((253, 4282, 17604, 4431, 286))), 2)
            2.94
        """
        check_kind("counts", counts, PairCounts)
        if not counts.pairs:
            return 0.0
        seen = [count or UNSEEN for count in counts.counts]
        total = sum(seen)
        shares = [count / total for count in seen]
        under0 = _likeliest(shares, score_of_elo(self.elo0))
        under1 = _likeliest(shares, score_of_elo(self.elo1))
        return total * sum(
            share * math.log(one / zero)
            for share, zero, one in zip(shares, under0, under1, strict=True)
        )

    def decision(self, counts: PairCounts) -> Literal["H0", "H1"] | None:
        """Return which hypothesis is accepted, or None while the test must go on."""
        ratio = self.ratio(counts)
        lower, upper = self.bounds
        return "H1" if ratio >= upper else "H0" if ratio <= lower else None


def _mean(weights: Sequence[float]) -> float:
    return sum(w * s for w, s in zip(weights, PAIR_SCORES, strict=True)) / sum(weights)


def _likeliest(shares: Sequence[float], mean: float) -> list[float]:
    """The distribution with a given mean under which the observed shares are likeliest.

    It is share / (1 + x (score - mean)) with the x that makes the mean right, which lies where
    all denominators are positive (Van den Bergh, "The GSPRT", proposition 1.1).
    """
    offsets = [score - mean for score in PAIR_SCORES]
    low, high = -1 / max(offsets), -1 / min(offsets)
    for _ in range(200):
        x = (low + high) / 2
        slope = sum(p * a / (1 + x * a) for p, a in zip(shares, offsets, strict=True))
        if slope > 0:
            low = x
        else:
            high = x
        if high - low < 1e-13 * (abs(low) + 1):
            break
    return [p / (1 + x * a) for p, a in zip(shares, offsets, strict=True)]
