"""Elo, its error, and the sequential test, against figures published elsewhere."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanorona_core.elo import PairCounts, Sprt, elo_of_score, score_of_elo

COUNTS = st.tuples(*[st.integers(0, 500)] * 5)


@pytest.mark.parametrize(
    ("score", "elo"), [(0.5, 0), (0.75, 190.85), (0.9, 381.70), (0.99, 798.25), (0.25, -190.85)]
)
def test_elo_of_known_scores(score, elo):
    assert elo_of_score(score) == pytest.approx(elo, abs=0.01)
    assert score_of_elo(elo) == pytest.approx(score, abs=1e-4)


def test_elo_ends():
    assert elo_of_score(0) == -math.inf
    assert elo_of_score(1) == math.inf
    assert score_of_elo(-1e9) == score_of_elo(-math.inf) == 0
    assert score_of_elo(1e9) == score_of_elo(math.inf) == 1


# Tests of Stockfish in 2020, when the bounds were logistic Elo, as its pull requests 2493, 2920,
# 2971, 3098 and 3209 report them: the bounds, the pairs, the number of games, the ratio.
STOCKFISH = [
    (-0.25, 1.25, (253, 4282, 17604, 4431, 286), 53712, 2.94),
    (0.25, 1.25, (58, 3302, 33130, 3518, 84), 80184, 2.97),
    (-0.50, 1.50, (665, 4806, 9333, 4893, 747), 40888, 2.95),
    (0.25, 1.75, (328, 4564, 15580, 4789, 371), 51264, 2.98),
    (-1.00, 3.00, (424, 2948, 5832, 3045, 460), 25418, 2.94),
    (0.00, 2.00, (1284, 17437, 55536, 18085, 1292), 187268, 2.94),
    (-0.50, 1.50, (17, 253, 1042, 337, 39), 3376, 2.96),
    (-0.25, 1.25, (491, 7345, 29693, 7670, 465), 91328, 2.96),
]


@pytest.mark.parametrize(("elo0", "elo1", "pairs", "games", "ratio"), STOCKFISH)
def test_ratios_of_published_tests(elo0, elo1, pairs, games, ratio):
    counts = PairCounts(pairs)
    assert counts.games == games
    assert Sprt(elo0, elo1).ratio(counts) == pytest.approx(ratio, abs=0.0051)


def test_a_published_page_of_statistics():
    """Test 69d3c8dc7c5b3724e29d2712 of montytest.muzhen.org, "raw statistics"."""
    counts = PairCounts((13, 37, 50, 25, 3))
    assert counts.score == 0.4375
    assert counts.variance == pytest.approx(0.05762, abs=5e-6)
    assert counts.estimate().elo == pytest.approx(-43.6578, abs=5e-5)
    assert Sprt(0, 2.716).ratio(counts) == pytest.approx(-0.53772, abs=1e-4)


def test_bounds():
    assert Sprt(0, 5).bounds == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert Sprt(0, 5, alpha=0.01, beta=0.1).bounds == pytest.approx((-2.293, 4.500), abs=1e-3)


@pytest.mark.parametrize("elos", [(0, math.inf), (-math.inf, 5), (0, 1e300), (5, 5)])
def test_hypotheses_that_cannot_be(elos):
    with pytest.raises(ValueError, match="expected"):
        Sprt(*elos)


def test_decisions():
    assert Sprt(0, 10).decision(PairCounts((0, 0, 0, 0, 0))) is None
    assert Sprt(0, 10).decision(PairCounts((10, 90, 200, 190, 60))) == "H1"
    assert Sprt(0, 10).decision(PairCounts((60, 190, 200, 90, 10))) == "H0"


def test_pairs_are_counted_by_their_points():
    pairs = [(0, 0), (0.5, 0), (1, 0), (0.5, 0.5), (0, 1), (0.5, 1), (1, 1), (1, 1)]
    assert PairCounts.of(pairs).counts == (1, 1, 3, 1, 2)
    for wrong in [(-1, -1), (0.25, 0.25), (1, 2)]:
        with pytest.raises(ValueError, match="expected 0"):
            PairCounts.of([wrong])


def test_nothing_and_certainty():
    empty = PairCounts().estimate()
    assert (empty.score, empty.elo, empty.low, empty.error, empty.superiority) == (
        0.5, 0, None, None, None,
    )  # fmt: skip
    all_won = PairCounts((0, 0, 0, 0, 3)).estimate()
    assert (all_won.elo, all_won.low, all_won.error) == (math.inf, None, None)
    nearly = PairCounts((0, 0, 0, 1, 9)).estimate()
    assert nearly.high == math.inf and nearly.error is None and nearly.low > 200


@given(COUNTS)
def test_the_other_view_is_the_opposite(pairs):
    counts, mirrored = PairCounts(pairs), PairCounts(pairs[::-1])
    assert counts.score == pytest.approx(1 - mirrored.score)
    assert counts.estimate().elo == pytest.approx(-mirrored.estimate().elo, abs=1e-6)
    assert Sprt(-5, 5).ratio(counts) == pytest.approx(-Sprt(-5, 5).ratio(mirrored), abs=1e-6)
    assert math.isfinite(Sprt(0, 10).ratio(counts))


@pytest.mark.parametrize(
    "make",
    [
        lambda: PairCounts((1, 2, 3)),
        lambda: PairCounts((1, 2, 3, 4, -5)),
        lambda: Sprt(5, 5),
        lambda: Sprt(0, 5, alpha=0),
        lambda: Sprt(0, 5, beta=0.5),
    ],
)
def test_what_cannot_be(make):
    with pytest.raises(ValueError, match="expected"):
        make()
