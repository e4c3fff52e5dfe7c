"""Solving positions: known values, and proofs against tables."""

import json
import random
from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from fanorona_cli.main import cli
from fanorona_core import Position, RuleSet, Side
from fanorona_core.solve import Claim, ProofSearch, SolveError, Step, proof_tables, stones_within
from fanorona_core.tablebase import Tables, Wdl
from fanorona_core.tablebuild import Builder


def rules(columns: int, rows: int, compulsory: bool = False) -> RuleSet:
    return RuleSet(columns=columns, rows=rows, compulsory=compulsory)


def proved(position: Position, stones: int, nodes: int = 2_000_000) -> ProofSearch:
    builder = Builder(position.columns, position.rows, compulsory=position.rules.compulsory)
    search = ProofSearch(position, proof_tables(builder, stones), 16)
    for _ in search.run(nodes):
        pass
    return search


@pytest.mark.parametrize(
    ("columns", "rows", "stones", "value"),
    [
        (3, 3, 3, Wdl.WIN),
        (5, 3, 5, Wdl.WIN),
        (3, 5, 5, Wdl.WIN),
        (3, 7, 5, Wdl.WIN),
        (7, 3, 5, Wdl.WIN),
        (5, 5, 5, Wdl.DRAW),
    ],
)
def test_published_values(columns: int, rows: int, stones: int, value: Wdl) -> None:
    assert proved(Position.start(rules(columns, rows)), stones).value is value


@pytest.mark.parametrize("compulsory", [False, True])
def test_proofs_agree_with_tables(compulsory: bool) -> None:
    """Bounds from proofs above tables of 3 stones hold in the tables of all 3x3."""
    rng, tables = random.Random(3), Tables()
    builder = Builder(3, 3, compulsory=compulsory)
    few = proof_tables(builder, 3)
    exact = 0
    for _ in range(400):
        points = rng.sample(range(9), rng.randint(4, 8))
        split = rng.randint(max(1, len(points) - 4), min(4, len(points) - 1))
        white = sum(1 << point for point in points[:split])
        black = sum(1 << point for point in points[split:])
        position = Position(white, black, rng.choice(list(Side)), rules(3, 3, compulsory))
        value = tables.probe(position).wdl
        if position.side is Side.BLACK:
            value = -value
        search = ProofSearch(position, few, 1)
        for _ in search.run(100_000):
            pass
        assert search.lower <= value <= search.upper, position.text()
        exact += search.value is value
    assert exact > 380


def test_a_search_goes_on_where_it_was() -> None:
    position = Position.start(rules(5, 5))
    search = ProofSearch(position, proof_tables(Builder(5, 5), 4), 16)
    for _ in search.run(100):
        pass
    assert search.value is None
    assert 100 <= search.nodes < 200
    for _ in search.run(3_000_000):
        pass
    assert search.value is Wdl.DRAW


def test_what_cannot_be_solved() -> None:
    tables = proof_tables(Builder(9, 5), 2)
    chain = Position.parse("9/9/3w1b3/9/9 w").rules
    with pytest.raises(SolveError, match="restrictions"):
        ProofSearch(Position.start(chain.replace(first_turn="both-single")), tables)


def test_stones_within() -> None:
    assert stones_within(9, 5, 40_000_000) == 5
    assert stones_within(3, 3, 10_000_000) == 8


def solve(*args: str) -> str:
    result = CliRunner().invoke(cli, ["solve", *args])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize(("board", "turns"), [("3x3", 11), ("5x3", 11), ("3x5", 13)])
def test_small_boards_by_tables(board: str, turns: int) -> None:
    lines = solve("--board", board).splitlines()
    assert lines[0] == f"White wins in {turns} turns."
    assert len(lines[1].removeprefix("Best play: ").split()) == turns
    assert lines[2].startswith("By tables of all positions")


def test_verified_by_proof() -> None:
    assert solve("--board", "3x3", "--verify").endswith("\nVerified.\n")


def test_report() -> None:
    data = json.loads(solve("--board", "5x5", "--stones", "4", "--json"))
    assert (data["schema"], data["white"], data["method"]) == ("fanorona/solve/1", "draw", "proof")
    assert {"White at least draws", "Black at least draws"} <= {
        proof["claim"] for proof in data["proofs"] if proof["proved"]
    }


def test_an_interruption(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> Iterator[Step]:
        yield Step(Claim(Side.WHITE, Wdl.DRAW), True, 100)
        raise KeyboardInterrupt

    monkeypatch.setattr(ProofSearch, "run", interrupted)
    result = CliRunner().invoke(cli, ["solve", "--board", "5x5", "--stones", "3", "--verify"])
    assert result.exit_code == 130
    assert result.stdout.startswith("Proved: White at least draws (100 positions).\n")
    assert result.stderr == "\nInterrupted; this is what was proved until then.\n"


def test_the_stones_of_whole_tables() -> None:
    assert json.loads(solve("--board", "3x3", "--json"))["stones"] == 8


def test_too_little_memory() -> None:
    result = CliRunner().invoke(cli, ["solve", "--board", "5x5", "--memory", "512"])
    assert result.exit_code == 2
    assert "expected a size of 1MiB or more" in result.output


def test_giving_up() -> None:
    lines = solve("--board", "5x5", "--stones", "3", "--nodes", "10").splitlines()
    assert lines[0] == "Not solved."


def test_a_position() -> None:
    lines = solve("--position", "bbb/3/ww1 b").splitlines()
    assert lines[0].startswith("Black wins in ")
