"""Hypothesis strategies for rule sets and positions; failing examples shrink to few stones."""

from __future__ import annotations

from hypothesis import strategies as st
from random_positions import FIRST_TURNS, LONG_SIZES, SIZES

from fanorona_core import PROFILES, Position, RuleSet, Side


def _rules(
    size: tuple[int, int],
    compulsory: bool,
    no_move_draw: bool,
    repetition: int | None,
    quiet_limit: int | None,
    turn_limit: int | None,
    first_turn: str,
) -> RuleSet:
    return RuleSet(*size, compulsory, no_move_draw, repetition, quiet_limit, turn_limit, first_turn)  # type: ignore[arg-type]


any_rules = st.one_of(
    st.sampled_from(list(PROFILES.values())),
    st.builds(
        _rules,
        st.sampled_from([*SIZES, *LONG_SIZES]),
        st.booleans(),
        st.booleans(),
        st.none() | st.integers(2, 9),
        st.none() | st.integers(1, 99),
        st.none() | st.integers(1, 999),
        st.sampled_from(FIRST_TURNS),
    ),
)


@st.composite
def positions(draw: st.DrawFn, rules: st.SearchStrategy[RuleSet] = any_rules) -> Position:
    """A position without a chain in progress."""
    chosen = draw(rules)
    size = chosen.columns * chosen.rows
    letters = draw(st.text("..wb", min_size=size, max_size=size).filter(lambda t: set(t) != {"."}))
    white, black = (
        sum(1 << point for point, found in enumerate(letters) if found == letter) for letter in "wb"
    )
    counters = {"quiet": draw(st.integers(0, 99)), "turn_number": draw(st.integers(1, 999))}
    return Position(white, black, draw(st.sampled_from(Side)), chosen, **counters)


@st.composite
def positions_with_chains(draw: st.DrawFn) -> Position:
    """A position in the middle of a turn where there is one, else at the end of the first step."""
    position = draw(positions())
    for _ in range(draw(st.integers(1, 5))):
        steps = position.steps()
        if not steps:
            break
        after = position.play_step(draw(st.sampled_from(steps)))
        if after.chain is None:
            return position if position.chain is not None else after
        position = after
    return position


any_position = st.one_of(positions(), positions_with_chains())
