"""fanorona bench: the signature of the search."""

import json
from pathlib import Path

import pytest
from cli_runs import invoke

from fanorona_cli.bench import bench, positions

SIGNATURE = int((Path(__file__).parent / "data" / "signature.txt").read_text("utf-8"))


def test_the_positions_are_of_all_kinds():
    found = [position for _, position in positions()]
    assert len(found) == len(set(found)) >= 20
    assert all(position.has_turn() for position in found)
    assert {position.rules.compulsory for position in found} == {False, True}
    sizes = {(position.columns, position.rows) for position in found}
    assert sizes >= {(9, 5), (5, 5), (3, 3), (7, 5), (5, 7), (9, 3), (3, 9), (3, 5), (5, 3)}


def test_the_search_is_the_one_that_it_was():
    """If this is meant to change: fanorona bench --signature > tests/data/signature.txt."""
    first = [result.nodes for result in bench()]
    assert sum(first) == SIGNATURE


def test_reports(monkeypatch):
    monkeypatch.setattr("fanorona_cli.bench.positions", lambda: list(positions())[-3:])
    result = invoke("bench", "--json")
    assert result.exit_code == 0
    data = json.loads(result.output)
    assert data["schema"] == "fanorona/bench/1"
    assert data["positions"] == 3
    assert data["nodes"] == int(invoke("bench", "--signature").output)
    assert data["nps"] == pytest.approx(data["nodes"] / data["time_ms"] * 1000, rel=0.5)
    each = json.loads(invoke("bench", "--each", "--json").output)["each"]
    assert sum(one["nodes"] for one in each) == data["nodes"]
    assert [one["position"] for one in each] == [p.text() for _, p in positions()][-3:]
    lines = invoke("bench", "--each").output.splitlines()
    assert len(lines) == 3 + 3
    assert f"Signature: {data['nodes']}" in lines
