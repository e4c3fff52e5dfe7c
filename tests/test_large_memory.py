"""Large buffers: zeros, and of a kind that large pages are for."""

import os

import pytest

from fanorona_core._memory import zeros

LARGE = 1 << 23


@pytest.mark.parametrize("size", [0, 5, LARGE])
def test_zeros_that_can_be_written(size: int) -> None:
    memory = zeros(size)
    assert len(memory) == size
    if size:
        assert (memory[0], memory[size - 1]) == (0, 0)
        memory[size - 1] = 7
        assert memory[size - 1] == 7


def test_too_much() -> None:
    with pytest.raises(MemoryError, match="do not fit"):
        zeros(1 << 62)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a child that inherits memory")
def test_it_is_private() -> None:
    # Shared memory gets no large pages.
    memory = zeros(LARGE)
    child = os.fork()
    if not child:
        memory[0] = 1
        os._exit(0)
    os.waitpid(child, 0)
    assert memory[0] == 0
