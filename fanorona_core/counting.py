"""Perft split by the first ply: where two move generators differ, this shows under which turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from fanorona_core._checks import check_kind, check_whole
from fanorona_core._perft import POLICIES, perft
from fanorona_core._position import RawPosition

if TYPE_CHECKING:
    from fanorona_core.position import Position

__all__ = ["STOP", "Policy", "divide"]

Policy = Literal["distinct", "merged", "steps"]

# What the ply is called that ends a chain early; only the policy "steps" has it.
STOP: Final = "stop"


def divide(position: Position, depth_plies: int, policy: Policy = "distinct") -> dict[str, int]:
    """The count of ``perft`` for each first ply.

    The values add up to ``perft(depth_plies, policy)``. The names are turns in canonical text;
    with ``merged`` one turn of each group of equal results, the first in the alphabet; with
    ``steps`` single steps, and ``stop`` where the chain in progress may end.

    Raises:
        ValueError: the depth is less than 1, or the policy has no such name.

    Examples:
        >>> from fanorona_core.position import Position
        >>> divide(Position.start(), 2)
        {'d2-e3A': 10, 'e2-e3A': 2, 'f2-e3A': 5, 'd3-e3A': 4, 'd3-e3W': 18}
    """
    check_kind("position", position, RawPosition)
    check_whole(depth_plies=depth_plies)
    if depth_plies < 1:
        raise ValueError(f"divide depth {depth_plies}: expected 1 or more")
    if policy not in POLICIES:
        raise ValueError(f"no counting policy {policy!r}: use one of {', '.join(POLICIES)}")
    if policy == "steps":
        after = {str(step): position.play_step(step) for step in position.steps()}
        if position.chain is not None and position.can_stop:
            after[STOP] = position.stop()
    elif policy == "merged":
        after = {}
        seen: set[tuple[int, int]] = set()
        for turn in sorted(position.legal_turns(), key=str):
            result = position.play(turn)
            # Turns of one stone that lead to the same position are those with the same result.
            group = turn.start, result.key
            if group not in seen:
                seen.add(group)
                after[str(turn)] = result
    else:
        after = {str(turn): position.play(turn) for turn in position.legal_turns()}
    return {name: perft(position, depth_plies - 1, policy) for name, position in after.items()}
