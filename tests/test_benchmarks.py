"""The benchmarks run, and check what they count; these and the tools say what they are for."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
BENCHMARKS = ROOT / "benchmarks"
NEED_NUMPY = ("selfplay.py", "train.py")
PROGRAMS = [
    path.relative_to(ROOT)
    for folder in ("benchmarks", "tools")
    for path in sorted((ROOT / folder).glob("*.py"))
    if path.name not in NEED_NUMPY
]


def run(name, *args):
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / name), *args], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("program", PROGRAMS, ids=str)
def test_programs_say_what_they_are_for(program):
    done = subprocess.run(
        [sys.executable, ROOT / program, "--help"], capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"usage: {program.name} [-h]")


def test_perft():
    report = json.loads(run("perft.py", "--first", "--runs", "1", "--json"))
    (case,) = report["cases"]
    assert case["nodes"] == 9_205_774
    assert case["turns_per_second"] == [case["best"]] == [case["median"]]


@pytest.mark.slow
def test_perft_of_every_case():
    assert run("perft.py", "--runs", "1").count("best") == 7


def test_random_games():
    report = json.loads(run("random_games.py", "--runs", "1", "--json"))
    assert [way["turns"] for way in report["ways"]] == [40_298, 40_834]
    lines = run("random_games.py", "--runs", "1").splitlines()
    assert len(lines) == 2 and all("games/s" in line for line in lines)


def test_proofs():
    report = json.loads(run("proofs.py", "--json"))
    assert [case["nodes"] for case in report["cases"]] == [889_427, 19_009]
    assert run("proofs.py").count("positions/s") == 2


def test_the_library_brings_nothing_of_the_command_line():
    # Times are for the benchmark itself: a busy machine is no failure.
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / "startup.py"), "--runs", "1", "--json"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    report = json.loads(done.stdout)
    assert report["brought"] == []
    assert report["import_wall_ms"] < 5000
