"""The numbers of turn sequences of tests/data, under every policy and both continuations."""

import pytest
from perft_data import Count, all_entries, deepest_counts

from fanorona_core import Position, RuleSet, perft
from fanorona_core._reference import ReferencePosition

SMALL = [entry for entry in all_entries() if not entry.id.startswith("many")]
SIXES = {"distinct": 9_205_774, "merged": 9_204_447, "steps": 6884}


def position_of(entry):
    return Position.parse(entry.position, entry_rules(entry))


def entry_rules(entry):
    return RuleSet.parse(entry.rules)


def check(count: Count) -> None:
    position = position_of(count.entry)
    found = position.perft(count.depth, count.policy)
    if found == count.nodes:
        return
    split = position.divide(count.depth, count.policy)
    lines = "\n".join(f"  {name}: {nodes}" for name, nodes in split.items())
    pytest.fail(f"{count}: found {found}, expected {count.nodes}; by the first ply:\n{lines}")


def shallower(count: Count) -> list[Count]:
    """The counts of the same entry and policy at each depth up to this one."""
    nodes = count.entry.counts[count.policy]
    return [Count(count.entry, count.policy, d, nodes[d - 1]) for d in range(1, count.depth + 1)]


@pytest.mark.parametrize("count", deepest_counts(max_nodes=2_000_000), ids=str)
def test_counts(count):
    for one in shallower(count):
        check(one)


@pytest.mark.slow
@pytest.mark.parametrize("count", deepest_counts(min_nodes=2_000_001, max_nodes=10**12), ids=str)
def test_deep_counts(count):
    for one in shallower(count):
        if one.nodes > 2_000_000:
            check(one)


@pytest.mark.parametrize("policy", SIXES)
def test_six_plies_from_the_start(policy):
    assert Position.start().perft(6, policy) == SIXES[policy]


def test_the_data_hold_every_policy_and_continuation():
    counts = deepest_counts(max_nodes=2_000_000)
    kinds = {(count.policy, position_of(count.entry).rules.compulsory) for count in counts}
    assert kinds >= {("distinct", False), ("distinct", True), ("merged", False), ("steps", False)}
    assert len({entry.id for entry in all_entries()}) == len(all_entries())


# Divide


@pytest.mark.parametrize("policy", ["distinct", "merged", "steps"])
@pytest.mark.parametrize("entry", SMALL, ids=lambda entry: entry.id)
def test_divide_adds_up(entry, policy):
    position = position_of(entry)
    for depth in (1, 2, 3):
        split = position.divide(depth, policy)
        assert sum(split.values()) == position.perft(depth, policy)
    if policy == "steps":
        assert split.keys() == {str(step) for step in position.steps()}
    else:
        assert split.keys() <= {str(turn) for turn in position.legal_turns()}


def test_divide_merges_turns_with_the_same_result():
    entry = next(e for e in all_entries() if e.id == "many-turns-1-optional")
    split = position_of(entry).divide(1, "merged")
    assert len(split) == sum(split.values()) == 13_835


def test_divide_from_the_middle_of_a_chain():
    start = Position.parse("bb2bbbbb/b1b4bb/bw3b1bw/4b2ww/wwww1w1ww w")
    middle = start.play_step(next(step for step in start.steps() if str(step) == "b3-c3W"))
    steps = middle.divide(3, "steps")
    assert list(steps)[-1] == "stop" and set(steps) == {"stop", *map(str, middle.steps())}
    assert sum(steps.values()) == middle.perft(3, "steps")
    turns = middle.divide(2)
    assert turns.keys() == {str(turn) for turn in middle.legal_turns()}
    whole = start.divide(2)
    assert turns == {name: whole[name] for name in turns}


@pytest.mark.parametrize(("depth", "policy"), [(0, "distinct"), (-1, "merged"), (1, "other")])
def test_divide_refuses(depth, policy):
    with pytest.raises(ValueError, match=r"depth|policy"):
        Position.start().divide(depth, policy)


@pytest.mark.parametrize(
    ("depth", "policy"), [(-1, "distinct"), (1001, "merged"), (1, "other"), (1, "")]
)
def test_perft_refuses(depth, policy):
    with pytest.raises(ValueError, match=r"depth|policy"):
        perft(Position.start(), depth, policy)


@pytest.mark.parametrize("policy", ["distinct", "merged", "steps"])
def test_no_ply_is_one_way(policy):
    assert perft(Position.start(), 0, policy) == 1
    assert perft(Position.parse("9/4w4/9/9/9 b"), 0, policy) == 1
    assert perft(Position.parse("9/4w4/9/9/9 b"), 1, policy) == 0


@pytest.mark.parametrize("policy", ["distinct", "merged", "steps"])
@pytest.mark.parametrize("entry", all_entries(), ids=lambda entry: entry.id)
def test_each_policy_equals_the_reference(entry, policy):
    """The data lack some policies for some entries: the slow rules have them all."""
    fast, slow = position_of(entry), ReferencePosition.parse(entry.position, entry_rules(entry))
    depth = max(d for d in (1, 2, 3) if d == 1 or fast.perft(d, "distinct") <= 3000)
    assert fast.perft(depth, policy) == slow.perft(depth, policy)
