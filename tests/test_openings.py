"""Random balanced openings."""

from itertools import islice

import pytest

from fanorona_core import PROFILES, EngineError, RuleSet
from fanorona_core.engine import Engine, Limit
from fanorona_core.openings import Openings


def taken(count: int, **settings) -> list[list[str]]:
    return [list(map(str, board.turns)) for board in islice(Openings(**settings), count)]


def test_the_same_seed_gives_the_same_openings():
    first = taken(4, seed=3)
    assert first == taken(4, seed=3)
    assert first != taken(4, seed=4)
    assert all(len(turns) == 4 for turns in first)
    assert len({tuple(turns) for turns in first}) == 4


def test_they_are_balanced_and_not_over():
    engine = Engine(hash_mib=1)
    for board in islice(Openings(seed=9, window=20), 3):
        assert board.outcome() is None
        *_, before, last = engine.analyse(board, Limit(depth_plies=8))
        assert abs(before.score.centipawns + last.score.centipawns) <= 200


@pytest.mark.parametrize("rules", ["tsivy-compulsory", "dimy", "board=7x3"])
def test_other_rules(rules):
    boards = list(islice(Openings(RuleSet.parse(rules), plies=2, window=300), 2))
    assert [str(board.rules) for board in boards] == [str(RuleSet.parse(rules))] * 2


def test_where_there_are_few_they_come_again():
    assert len(taken(5, rules=PROFILES["telo"], plies=0)) == 5


def test_where_there_are_none():
    with pytest.raises(EngineError, match="no balanced opening of 1 turns"):
        taken(1, rules=PROFILES["telo"], plies=1, window=0)


@pytest.mark.parametrize("wrong", [{"plies": -1}, {"window": -1}, {"depth_plies": 1}])
def test_what_cannot_be(wrong):
    with pytest.raises(ValueError, match="expected"):
        Openings(**wrong)
