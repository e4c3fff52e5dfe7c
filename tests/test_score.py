"""Scores as values: order, and fields that go together."""

import math

import pytest

from fanorona_core import Score


@pytest.mark.parametrize(
    "fields",
    [(None, None, None), (3, 4, True), (3, None, True), (None, 4, None), (None, -1, False)],
)
def test_fields_that_do_not_go_together_are_refused(fields):
    with pytest.raises(ValueError, match=r"score|end_in"):
        Score(*fields)


def test_order():
    assert sorted([Score.win(3), Score(5), Score.loss(4), Score.loss(2)]) == [
        Score.loss(2),
        Score.loss(4),
        Score(5),
        Score.win(3),
    ]
    with pytest.raises(TypeError):
        assert Score(3) >= 5


def test_every_score_has_an_expected_result():
    assert Score(99_999_999).expected == 1
    assert Score(-99_999_999).expected == 0
    assert Score(-1200).expected == pytest.approx(1 / (1 + math.e**2))
