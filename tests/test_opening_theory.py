"""The tool that finds the values of the first turns, on small boards."""

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from tool_modules import TOOLS, load_tool

from fanorona_core import Position, RuleSet, Side, Tables, fgn
from fanorona_core.proof import Proofs
from fanorona_core.prooffile import Certificate

TOOL = TOOLS / "opening_theory.py"
pytestmark = pytest.mark.skipif(not TOOL.exists(), reason="needs the sources")


def run(*arguments: str | Path) -> tuple[list[list[str]], list[str]]:
    """The cells of the printed rows, and what was asked."""
    command = [sys.executable, TOOL, "--stones", "4", "--hash", "16", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in done.stdout.splitlines()]
    return rows[2:], done.stderr.splitlines()


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    return load_tool(TOOL.stem)


def test_the_values_are_right_and_are_kept(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    rows, asked = run("--rules", "theory,board=3x5", "--turns", "2", "--state", state)
    assert rows[0][:3] == ["the start", "White", "White wins"]
    assert "White wins: `b2-b3A`" in rows[0][3]
    assert asked
    again, nothing = run("--rules", "theory,board=3x5", "--turns", "2", "--state", state)
    assert (again, nothing) == (rows, [])


def test_each_value_of_a_drawn_board(tmp_path: Path) -> None:
    beginnings = tmp_path / "drawn.fgn"
    rows, _ = run("--rules", "theory,board=5x5", "--turns", "1", "--drawn", beginnings)
    rules = RuleSet.parse("theory,board=5x5")
    proofs = Proofs(rules, Tables().load(rules, 4), hash_mib=16)
    start = Position.start(rules)
    drawn = set()
    for turn in start.legal_turns():
        after = start.play(turn)
        if all(proofs.holds(after, side) for side in Side):
            drawn.add(str(turn))
    groups = dict(group.split(": ") for group in rows[0][3].split("; "))
    assert drawn == set(groups["drawn"].replace("`", "").split(", "))
    games = [result.game for result in fgn.read(beginnings, strict=True)]
    assert {str(game.turns[0]) for game in games if game} <= drawn


def test_calls_share_the_work(tmp_path: Path) -> None:
    rules = ("--rules", "theory,board=3x5", "--turns", "2")
    start = Position.start(RuleSet.parse("theory,board=3x5"))
    found: list[str | Path] = []
    for turn in map(str, start.legal_turns()):
        state = tmp_path / f"{turn}.json"
        _, asked = run(*rules, "--after", turn, "--state", state)
        assert all(line.startswith(turn) for line in asked)
        found += ["--state", state]
    rows, asked = run(*rules, "--seconds", "0", *found)
    assert asked == []
    assert rows == run(*rules)[0]


def test_certificates_of_all_answers(tmp_path: Path) -> None:
    folder = tmp_path / "proofs"
    arguments = ("--rules", "theory,board=5x5", "--turns", "1", "--certificates", folder)
    rows, asked = run(*arguments)
    certificates = [Certificate.read(path) for path in folder.iterdir()]
    assert len(asked) == 2 * len(certificates) > 4
    assert {each.holds for each in certificates} == {True, False}
    tables = Tables().load(RuleSet.parse("theory,board=5x5"), 4)
    for each in certificates:
        each.check(tables)
    assert run(*arguments) == (rows, [])


def test_no_time_for_a_certificate(
    tool: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = RuleSet.parse("theory,board=5x5")
    root = tool.Node(Position.start(rules))
    tool.grow(root, 1)
    proofs = Proofs(rules, Tables().load(rules, 4), hash_mib=16)
    proofs.stop()
    tool.certify(root.children[0], Side.WHITE, proofs, 1, tmp_path)
    assert capsys.readouterr().err.endswith(": no time for a certificate\n")
    assert list(tmp_path.iterdir()) == []


def refused(*arguments: str | Path) -> str:
    """What is said where nothing is done."""
    command = [sys.executable, TOOL, *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) in ((1, ""), (2, ""))
    assert "Traceback" not in done.stderr
    last = done.stderr.splitlines()[-1]
    assert done.returncode == 2 or done.stderr == f"{last}\n"
    return last


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("nonsense", "not a state of this tool"),
        ("[]", "not a state of this tool"),
        ('{"": {"White": true}}', "one without its rules"),
        ('{"rules": "telo", "known": {}}', "of the rules telo, expected board=3x5"),
        ('{"rules": RULES, "known": {"a1-a2": {"White": true}}}', "'a1-a2' are not turns"),
        ('{"rules": RULES, "known": {"b2-b3A a5-b4W": {}}}', "'b2-b3A a5-b4W' are not turns"),
        ('{"rules": RULES, "known": {"b2-b3A": {"White": 1}}}', "expected a side and true or"),
        ('{"rules": RULES, "known": {"b2-b3A": {"Green": true}}}', "expected a side and true or"),
        ('{"rules": RULES, "known": {"b2-b3A": true}}', "expected a side and true or false"),
    ],
)
def test_a_state_that_is_not_its_own(content: str, reason: str, tmp_path: Path) -> None:
    rules, state = "theory,board=3x5", tmp_path / "state.json"
    state.write_text(content.replace("RULES", f'"{RuleSet.parse(rules)}"'))
    said = refused("--rules", rules, "--turns", "1", "--state", state)
    assert said.startswith(f"{state}: ")
    assert reason in said


def test_wrong_arguments(tmp_path: Path) -> None:
    for name in ("--turns", "--hash", "--stones", "--seconds"):
        assert f"{name}: expected " in refused(name, "-1")
    assert "there is no such folder" in refused("--tables", tmp_path / "none")
    assert "--after a1-a2: no first turn" in refused("--after", "a1-a2")
    assert "'nonsense' is not one of the profiles" in refused("--rules", "nonsense")
    assert str(tmp_path / "none") in refused("--state", tmp_path / "none" / "state.json")


@pytest.mark.parametrize("wins", [False, True])
def test_the_last_turn_left_is_worth_what_its_position_is(tool: ModuleType, wins: bool) -> None:
    root = tool.Node(Position.start(RuleSet.parse("theory,board=5x5")))
    tool.grow(root, 1)
    *others, last = root.children
    assert last.position.key not in {child.position.key for child in others}
    white, black = Side.WHITE, Side.BLACK
    root.holds[black if wins else white] = not wins
    for child in others:
        child.holds[black if wins else white] = wins
    tool.infer(root)
    assert last.holds == ({black: False, white: True} if wins else {white: True})
    assert all(child.holds.get(white) is not True for child in others)
