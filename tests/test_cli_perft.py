"""``fanorona perft``."""

import json

import pytest
from cli_runs import invoke, run

from fanorona_core import Position, RuleSet


def report(*args):
    result = invoke("perft", *args, "--json")
    assert result.exit_code == 0
    return json.loads(result.stdout)


def test_the_count_of_the_start():
    result = invoke("perft", "4")
    assert result.exit_code == 0
    assert result.stdout.startswith("perft 4 (distinct): 18026 in 0.")


def test_json():
    found = report("5", "--policy", "merged")
    assert found.pop("seconds") >= 0
    assert found == {
        "schema": "fanorona/perft/1",
        "position": Position.start().text(),
        "policy": "merged",
        "depth": 5,
        "nodes": 431_830,
    }


@pytest.mark.parametrize(
    ("args", "nodes"),
    [
        (["0"], 1),
        (["6", "--policy", "steps"], 6884),
        (["5", "--board", "5x5"], 34_608),
        (["4", "--continuation", "compulsory"], 2844),
        (["4", "--rules", "tsivy-compulsory"], 2844),
        (["3", "--position", "1b2bbbb1/1b4bbb/1ww1wb1b1/1b2w1www/1w1w1wwww w"], 5590),
        (
            [
                *["3", "--position", "1b2bbbb1/1b4bbb/1ww1wb1b1/1b2w1www/1w1w1wwww w"],
                *["--continuation", "compulsory"],
            ],
            624,
        ),
        (["2", "--position", "9/4w4/9/9/9 b"], 0),
        (["1", "--position", "9/9/9/bb7/wb7 w"], 0),
    ],
)
def test_positions_rules_and_policies(args, nodes):
    assert report(*args)["nodes"] == nodes


def test_divide():
    result = invoke("perft", "2", "--divide")
    assert result.stdout.splitlines()[:-1] == [
        "d2-e3A  10",
        "e2-e3A  2",
        "f2-e3A  5",
        "d3-e3A  4",
        "d3-e3W  18",
    ]
    assert result.stdout.splitlines()[-1].startswith("perft 2 (distinct): 39 in")


@pytest.mark.parametrize("policy", ["distinct", "merged", "steps"])
def test_divide_in_json(policy):
    found = report("3", "--divide", "--policy", policy, "--board", "3x3")
    position = Position.start(RuleSet.parse("telo"))
    assert found["divide"] == position.divide(3, policy)
    assert sum(found["divide"].values()) == found["nodes"] == position.perft(3, policy)


def test_a_chain_in_progress():
    start = Position.parse("bb2bbbbb/b1b4bb/bw3b1bw/4b2ww/wwww1w1ww w")
    middle = start.play_step(next(step for step in start.steps() if str(step) == "b3-c3W"))
    assert report("2", "--position", middle.text())["nodes"] == middle.perft(2)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["x"], "'x' is not a valid integer"),
        (["-1"], "No such option"),
        (["1001"], "1001 is not in the range"),
        (["0", "--divide"], "--divide needs a DEPTH of 1 or more"),
        (["3", "--position", "hello w"], "'--position'"),
        (["3", "--policy", "all"], "'all' is not one of"),
        (["3", "--board", "4x4"], "columns=4"),
        ([], "Missing argument 'DEPTH'"),
    ],
)
def test_wrong_usage(args, message):
    result = invoke("perft", *args)
    assert result.exit_code == 2
    assert message in result.stderr and "Traceback" not in result.output


def test_as_a_process():
    done = run(["perft", "3"])
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"perft 3 (distinct): 724 in 0.")
