"""Read the .perft files of tests/data: positions with known numbers of turns.

The format stands at the top of each file.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, cast

Policy = Literal["distinct", "merged", "steps"]

DATA = Path(__file__).parent / "data"
POLICIES = ("distinct", "merged", "steps")


@dataclass(frozen=True)
class Entry:
    """A position, its rules as text, and for each policy the counts of depth 1, 2, 3, ..."""

    id: str
    position: str
    rules: str
    counts: dict[Policy, list[int]] = field(default_factory=dict)


@dataclass(frozen=True)
class Count:
    """One number to check: ``nodes`` sequences of ``depth`` plies."""

    entry: Entry
    policy: Policy
    depth: int
    nodes: int

    def __str__(self) -> str:
        return f"{self.entry.id}-{self.policy}-{self.depth}"


def read_perft(path: Path) -> list[Entry]:
    """The entries of one file; a line that does not fit the format is a ValueError."""
    entries: list[Entry] = []
    values: dict[str, str] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        key, _, value = line.partition(" ")
        match key:
            case "" | "#":
                continue
            case "id" | "pos":
                values[key] = value
            case "rules":
                entries.append(Entry(values.pop("id"), values.pop("pos"), value))
            case "perft":
                depth, nodes, policy = value.split()
                counts = entries[-1].counts.setdefault(cast(Policy, policy), [])
                counts.append(int(nodes))
                if policy not in POLICIES or int(depth) != len(counts):
                    raise ValueError(f"{path.name}:{number}: {line!r} is out of order")
            case _:
                raise ValueError(f"{path.name}:{number}: unknown key {key!r}")
    return entries


def all_entries() -> list[Entry]:
    """The entries of every file."""
    return [entry for path in sorted(DATA.glob("*.perft")) for entry in read_perft(path)]


def deepest_counts(max_nodes: int, min_nodes: int = 0) -> list[Count]:
    """For each entry and policy the deepest count in the range, which includes those before it."""
    chosen = []
    for entry in all_entries():
        for policy, counts in entry.counts.items():
            depths = [d for d, n in enumerate(counts, start=1) if min_nodes <= n <= max_nodes]
            if depths:
                chosen.append(Count(entry, policy, depths[-1], counts[depths[-1] - 1]))
    return chosen
