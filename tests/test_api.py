"""The public surface is what docs/api.md says, and typed programs can be written against it."""

import importlib
import io
import re
import subprocess
import sys
from pathlib import Path

import pytest

import fanorona_core
from fanorona_core import annotation, fgn, formats
from fanorona_core.clock import Clock
from fanorona_core.counting import divide
from fanorona_core.elo import Sprt
from fanorona_core.findings import Findings
from fanorona_core.openingbook import OpeningBook
from fanorona_core.proof import Proofs, check_provable
from fanorona_core.proofbook import ProofBook
from fanorona_core.tablebuild import Builder
from fanorona_core.validation import validate_game, validate_position

PAGE = Path(__file__).resolve().parents[1] / "docs" / "api.md"
MODULE_ROW = re.compile(r"^\| `(fanorona_core\.[\w.]+)` \|[^|]*\| (.+) \|$", re.M)


def page() -> str:
    return PAGE.read_text("utf-8")


def test_the_page_lists_every_public_name() -> None:
    section = page().partition("## fanorona_core\n")[2].partition("\n## ")[0]
    listed = re.findall(r"^\| `(\w+)` \| \S", section, re.M)
    assert sorted(listed) == sorted(fanorona_core.__all__)
    assert len(set(listed)) == len(listed)


def test_all_is_sorted_out_and_real() -> None:
    assert all(hasattr(fanorona_core, name) for name in fanorona_core.__all__)
    public = {name for name in vars(fanorona_core) if not name.startswith("_")}
    modules = {name for name in public if type(getattr(fanorona_core, name)) is type(re)}
    undeclared = public - modules - set(fanorona_core.__all__)
    assert undeclared == set()


@pytest.mark.parametrize(("module", "names"), MODULE_ROW.findall(page()))
def test_the_page_lists_the_names_of_its_modules(module: str, names: str) -> None:
    listed = re.findall(r"`(\w+)`", names)
    assert sorted(listed) == sorted(importlib.import_module(module).__all__)


def test_the_manual_imports_what_is_public() -> None:
    listed = {"fanorona_core", *(module for module, _ in MODULE_ROW.findall(page()))}
    for path in sorted(PAGE.parent.glob("*.md")):
        text = path.read_text("utf-8")
        for module, names in re.findall(r"^>>> from (fanorona_core\S*) import (.+)$", text, re.M):
            assert module in listed, path.name
            public = importlib.import_module(module).__all__
            for name in names.split(", "):
                assert name in public or f"{module}.{name}" in listed, f"{path.name}: {name}"


@pytest.mark.parametrize("name", [n for n in fanorona_core.__all__ if n != "__version__"])
def test_every_public_name_says_what_it_is(name: str) -> None:
    value = getattr(fanorona_core, name)
    if callable(value):
        assert value.__doc__, name


def test_a_typed_program_runs() -> None:
    """The sample that CI gives to mypy and pyright, against the installed wheel."""
    sample = Path(__file__).parent / "data" / "typed_program.py"
    done = subprocess.run([sys.executable, "-P", sample], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("e2-e3A")


@pytest.mark.parametrize(
    ("module", "says"),
    [("None", "the compiled core of fanorona is missing"), ("re", "cannot import name 'Geometry'")],
)
def test_only_a_missing_core_is_said_to_be_missing(module: str, says: str) -> None:
    program = f"import re, sys; sys.modules['fanorona_core._geometry'] = {module}"
    done = subprocess.run(
        [sys.executable, "-c", f"{program}; import fanorona_core"], capture_output=True, text=True
    )
    assert done.stderr.splitlines()[-1].startswith(f"ImportError: {says}")


START, BOARD = fanorona_core.Position.start(), fanorona_core.Board()
WRONG_KINDS = {
    "Position.parse": lambda: fanorona_core.Position.parse(None),
    "Position": lambda: fanorona_core.Position(1, 2, fanorona_core.Side.WHITE, None),
    "RuleSet.parse": lambda: fanorona_core.RuleSet.parse(None),
    "Board": lambda: fanorona_core.Board(5),
    "Board.resign": lambda: fanorona_core.Board().resign(7),
    "Game": lambda: fanorona_core.Game(5),
    "Side.from_letter": lambda: fanorona_core.Side.from_letter(5),
    "parse_turn": lambda: fanorona_core.parse_turn(START, None),
    "fgn.read": lambda: next(fgn.read(5)),
    "Evaluation.parse": lambda: annotation.Evaluation.parse(None),
    "OpeningBook.parse": lambda: OpeningBook.parse(None),
    "Engine.best": lambda: fanorona_core.Engine(1).best(None, fanorona_core.Limit(nodes=1)),
    "Engine.analyse": lambda: next(fanorona_core.Engine(1).analyse(START, None)),
    "Engine with a folder": lambda: fanorona_core.Engine(1, tables="folder"),
    "Engine with a folder of proofs": lambda: fanorona_core.Engine(1, book="folder"),
    "Engine with the text of a book": lambda: fanorona_core.Engine(1, openings=""),
    "Engine with a part of a level": lambda: fanorona_core.Engine(1, level=3.0),
    "Limit": lambda: fanorona_core.Limit(nodes=1e6),
    "Clock": lambda: Clock(60_000.5),
    "Score": lambda: fanorona_core.Score(3) < 5,
    "Score of a half": lambda: fanorona_core.Score(0.5),
    "Evaluation": lambda: annotation.Evaluation(0.5),
    "Evaluation.from_score": lambda: annotation.Evaluation.from_score(fanorona_core.Score(1), 0),
    "Evaluation.for_side": lambda: annotation.Evaluation(1).for_side("white"),
    "Findings.holds": lambda: Findings(True, None).holds(0),
    "Findings.wins": lambda: Findings(True, None).wins("white"),
    "Outcome": lambda: fanorona_core.Outcome(0, fanorona_core.Reason.TIME),
    "Board.replay": lambda: fanorona_core.Board.replay(START, [], declared="time"),
    "Game.termination": lambda: fanorona_core.Game(termination=5),
    "Position.stones": lambda: START.stones("w"),
    "Position.start": lambda: fanorona_core.Position.start("dimy"),
    "Position.parse under rules": lambda: fanorona_core.Position.parse("8b/9/9/9/w8 w", "theory"),
    "Position.with_rules": lambda: START.with_rules("theory"),
    "Position with a chain": lambda: fanorona_core.Position(1, 2, 0, chain="a1-a2A"),
    "Position with a half": lambda: fanorona_core.Position(1, 2, 0, quiet=0.5),
    "divide": lambda: START.divide(1.5),
    "divide of a board": lambda: divide(BOARD, 1),
    "parse_turn on a board": lambda: fanorona_core.parse_turn(BOARD, "d3e3w"),
    "format_turn": lambda: fanorona_core.format_turn(None),
    "format_position": lambda: fanorona_core.format_position(BOARD),
    "RuleSet.start_count": lambda: START.rules.start_count(0),
    "Game.from_board": lambda: fanorona_core.Game.from_board(START),
    "OpeningBook.turns": lambda: OpeningBook.standard().turns(BOARD),
    "Engine.load": lambda: fanorona_core.Engine(1).load("tsivy"),
    "Tables.probe": lambda: fanorona_core.Tables().probe("8b/9/9/9/wb7 w"),
    "Tables.load": lambda: fanorona_core.Tables().load("theory", 4),
    "ProofBook.findings": lambda: ProofBook(()).findings("8b/9/9/9/wb7 w"),
    "ProofBook.load": lambda: ProofBook(()).load("theory"),
    "ProofBook": lambda: ProofBook((), "folder"),
    "check_provable": lambda: check_provable(BOARD),
    "Builder": lambda: Builder(3, 3, threads=1.5),
    "validate_position": lambda: validate_position(BOARD),
    "validate_game": lambda: validate_game(BOARD),
    "read_games": lambda: next(formats.read_games(io.StringIO("1. f2-e3A *"), 5)),
    "aec.parse_position": lambda: formats.aec.parse_position(None),
    "aec.format_position": lambda: formats.aec.format_position(BOARD),
    "aec.action": lambda: formats.aec.action(None),
    "rust.parse_position": lambda: formats.rust.parse_position(None),
    "Game.board_at": lambda: fanorona_core.Game().board_at("f2-e3A"),
    "Node": lambda: fanorona_core.Node(BOARD),
    "Node.set_notes": lambda: fanorona_core.Game().root.set_notes({}),
    "Sprt.ratio": lambda: Sprt(0, 5).ratio((1, 2, 3, 4, 5)),
    "perft": lambda: START.perft(1.5),
    "geometry": lambda: fanorona_core.geometry(9.0, 5),
    "Geometry.name": lambda: fanorona_core.geometry(9, 5).name(0.5),
    "Step": lambda: fanorona_core.Step(0.5, 1, "A", 2),
    "Turn.from_text": lambda: fanorona_core.Turn.from_text("a1-b1A", 9.5),
}


@pytest.mark.parametrize("name", WRONG_KINDS)
def test_an_argument_of_the_wrong_kind_is_a_type_error(name: str) -> None:
    with pytest.raises(TypeError):
        WRONG_KINDS[name]()


FAR = (1 << 32) + 9  # as 32 bits, 9
NO_TABLES = fanorona_core.Tables().load(START.rules, 0)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: START.perft(FAR), ValueError),
        (lambda: fanorona_core.geometry(FAR, 5), ValueError),
        (lambda: fanorona_core.geometry(9, 5).name(FAR), IndexError),
        (lambda: fanorona_core.Step(FAR, 1, "A", 2), ValueError),
        (lambda: fanorona_core.Turn.from_text("a1-b1A", FAR), ValueError),
        (lambda: fanorona_core.Engine(FAR), MemoryError),
        (lambda: Proofs(START.rules, NO_TABLES, hash_mib=FAR), MemoryError),
    ],
)
def test_a_number_out_of_range_is_named(call, error):
    with pytest.raises(error, match=str(FAR)):
        call()
