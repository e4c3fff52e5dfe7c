"""Numbering positions: slots and positions correspond one to one, symmetries share them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanorona_core._index import SetIndex

FULL = [(3, 3, 4, 4), (3, 3, 8, 1), (3, 5, 3, 3), (5, 3, 4, 2), (5, 5, 2, 2), (9, 5, 2, 1)]


def naive_transformed(mask: int, columns: int, rows: int, symmetry: int) -> int:
    turned = 0
    for point in range(columns * rows):
        row, column = divmod(point, columns)
        if symmetry & 1:
            column = columns - 1 - column
        if symmetry & 2:
            row = rows - 1 - row
        turned |= (mask >> point & 1) << row * columns + column
    return turned


@pytest.mark.parametrize(("columns", "rows"), [(3, 3), (5, 3), (3, 5), (5, 5), (15, 3), (9, 5)])
@given(data=st.data())
def test_transformed(columns: int, rows: int, data: st.DataObject) -> None:
    index = SetIndex(columns, rows)
    mask = data.draw(st.integers(0, (1 << columns * rows) - 1))
    for symmetry in range(4):
        expected = naive_transformed(mask, columns, rows, symmetry)
        assert index.transformed(mask, symmetry) == expected
        assert index.transformed(expected, symmetry) == mask


@pytest.mark.parametrize(("columns", "rows", "own", "enemy"), FULL)
def test_every_slot_is_one_position(columns: int, rows: int, own: int, enemy: int) -> None:
    index = SetIndex(columns, rows)
    for mover, other in ((own, enemy), (enemy, own)):
        seen = set()
        for slot in range(index.size(mover, other)):
            position = index.position(mover, other, slot)
            assert [mask.bit_count() for mask in position] == [mover, other]
            assert position[0] & position[1] == 0
            assert index.slot(*position) in (
                slot,
                # A larger set that a symmetry keeps has its twins under other slots.
                *(index.slot(*twin) for twin in twins(index, position)),
            )
            seen.add(position)
        assert len(seen) == index.size(mover, other)


def twins(index: SetIndex, position: tuple[int, int]) -> list[tuple[int, int]]:
    return [
        (index.transformed(position[0], s), index.transformed(position[1], s)) for s in range(4)
    ]


@pytest.mark.parametrize(("columns", "rows", "own", "enemy"), FULL)
def test_slot_and_position_are_inverse(columns: int, rows: int, own: int, enemy: int) -> None:
    """A representative is its own place, so its slot leads to it and back."""
    index = SetIndex(columns, rows)
    for mover, other in ((own, enemy), (enemy, own)):
        for slot in range(index.size(mover, other)):
            assert index.slot(*index.position(mover, other, slot)) == slot


@pytest.mark.parametrize(("own", "enemy"), [(4, 3), (3, 4), (4, 4), (6, 1), (1, 6), (5, 2), (7, 1)])
@given(data=st.data())
def test_large_pairs(own: int, enemy: int, data: st.DataObject) -> None:
    index = LARGE
    slot = data.draw(st.integers(0, index.size(own, enemy) - 1))
    position = index.position(own, enemy, slot)
    assert index.slot(*position) == slot
    larger = position[0] if own >= enemy else position[1]
    own_symmetries = sum(index.transformed(larger, s) == larger for s in range(4))
    for twin in twins(index, position):
        # All four are the same slot, but where a symmetry keeps the larger set.
        again = index.position(own, enemy, index.slot(*twin))
        assert again in twins(index, position)
        assert own_symmetries > 1 or again == position


LARGE = SetIndex(9, 5)


@pytest.mark.parametrize(("own", "enemy"), [(1, 1), (2, 1), (2, 2), (3, 2), (3, 3), (4, 3), (5, 2)])
def test_slots_are_nearly_as_few_as_can_be(own: int, enemy: int) -> None:
    placements = math.comb(45, own) * math.comb(45 - own, enemy)
    waste = LARGE.size(own, enemy) * 4 / placements - 1
    assert waste < {1: 0.34, 2: 0.11, 3: 0.04, 4: 0.02, 5: 0.006}[max(own, enemy)]


def test_position_refuses_other_slots() -> None:
    index = SetIndex(3, 3)
    with pytest.raises(IndexError, match="no slot"):
        index.position(1, 1, index.size(1, 1))
    with pytest.raises(IndexError, match="no slot"):
        index.position(1, 1, -1)


@pytest.mark.parametrize(("own", "enemy"), [(-1, 2), (5, 5), (0, 10)])
def test_counts_that_do_not_fit(own: int, enemy: int) -> None:
    with pytest.raises(ValueError, match=r"do not fit|expected"):
        SetIndex(3, 3).size(own, enemy)


def test_slot_refuses_stones_that_are_not_on_the_board() -> None:
    index = SetIndex(3, 3)
    for own, enemy in ((1, 1), (1 << 9, 1)):
        with pytest.raises(ValueError, match="overlap or are not on the board"):
            index.slot(own, enemy)
