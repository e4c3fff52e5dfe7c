"""How much of a clock is spent on a turn."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanorona_core.clock import Clock


@given(
    st.integers(-1000, 10_000_000),
    st.integers(0, 100_000),
    st.one_of(st.none(), st.integers(1, 100)),
)
def test_there_is_time_left_after_the_turn(remaining, increment, to_go):
    spent = Clock(remaining, increment, to_go).time_for_turn()
    assert spent >= 1
    assert spent == 1 or spent < remaining


@pytest.mark.parametrize("increment", [0, 50, 1000])
def test_a_long_game_does_not_run_out(increment):
    clock = Clock(10_000, increment)
    for _ in range(300):
        spent = clock.time_for_turn()
        assert spent <= 10_000
        clock = clock.after(spent)
        assert clock.remaining_ms >= 0


def test_the_last_turn_before_more_time_may_take_nearly_all():
    assert Clock(10_000, 0, 1).time_for_turn() > 9_000
    assert Clock(10_000, 0, 2).time_for_turn() < 6_000


def test_after():
    assert Clock(1000, 100, 2).after(1001) == Clock(-1, 100, 1)
    assert Clock(1000, 100, 1).after(1000) == Clock(100, 100, 1)


@pytest.mark.parametrize("values", [(1000, -1), (1000, 0, 0)])
def test_what_cannot_be(values):
    with pytest.raises(ValueError, match="expected"):
        Clock(*values)
