"""``fanorona convert``."""

import gc
import io
import itertools
import json
import os
import signal
import stat
import subprocess
import sys
import time
import tracemalloc

import pytest
from cli_runs import COMMAND, environment, invoke, run
from perft_data import DATA

from fanorona_core.formats import FORMATS, read_games
from fanorona_core.game import Game

SGF = DATA / "games" / "boardspace-robot-2008.sgf"
TEXT = (DATA / "games" / "boardspace-robot-2008.txt").read_text("utf-8")
POSIX = pytest.mark.skipif(os.name == "nt", reason="permissions and devices of POSIX")

GOOD = '[White "Ravao"]\n\n1. f2-e3A d5-d4A *\n\n'
BROKEN = '[White "Rabe"]\n\n1. f2-e3A\n1... a1-a2 *\n\n'
NOTED = (
    '[White "Ravao"]\n[Annotator "Rabe"]\n\n'
    "1. f2-e3A! {a comment} ( 1. d3-e3A ) 1... d5-d4A {[%eval 0.30]} *\n"
)


def convert(*args, text=None):
    return invoke("convert", *map(str, args), text=text)


def turns(text, name):
    return [str(turn) for turn in next(read_games(io.StringIO(text), name)).unwrap().turns]


# Every format


@pytest.mark.parametrize("name", FORMATS)
def test_the_real_game_to_every_format_and_back(tmp_path, name):
    there, back = tmp_path / "there", tmp_path / "back.txt"
    result = convert(SGF, there, "--to", name)
    assert result.exit_code == 0, result.output
    result = convert(there, back, "--from", name, "--to", "plain")
    assert result.exit_code == 0, result.output
    assert back.read_text("utf-8") == TEXT


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_by_pipes(name):
    first = convert(SGF, "-", "--to", name)
    second = convert("-", "-", "--from", name, "--to", "plain", text=first.stdout_bytes)
    assert second.exit_code == 0
    assert second.stdout_bytes == TEXT.encode()


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in ("aec", "rust")])
def test_formats_that_are_told_from_the_content(tmp_path, name):
    file = tmp_path / "game"  # a name that says nothing
    convert(SGF, file, "--to", name)
    result = convert(file, "-", "--to", "plain")
    if FORMATS[name].sniff(file.read_text("utf-8")):
        assert result.stdout == TEXT
    else:
        assert result.exit_code == 1
        assert "cannot be told" in result.stderr


@pytest.mark.parametrize("end", [".fgn", ".sgf", ".txt"])
def test_formats_that_are_told_from_the_name(tmp_path, end):
    file = tmp_path / f"game{end}"
    assert convert(SGF, file).exit_code == 0
    assert convert(file, "-", "--to", "plain").stdout == TEXT


# Losses


def test_what_is_left_out_is_told_exactly(tmp_path):
    result = convert("-", tmp_path / "out.txt", text=NOTED)
    assert result.exit_code == 0 and result.stdout == ""
    lines = result.stderr.splitlines()
    assert lines[0].startswith("Left out: standard input: game 1: ")
    lost = lines[0].removeprefix("Left out: standard input: game 1: ").split(", ")
    assert {"tag White", "tag Annotator", "comments", "variations", "glyphs"} <= set(lost)
    assert lines[-1] == f"1 game written to {tmp_path / 'out.txt'}."
    quiet = convert("-", tmp_path / "out.txt", "--force", "--quiet", text=NOTED)
    assert (quiet.exit_code, quiet.output) == (0, "")


@pytest.mark.parametrize("name", ["fgn", "json"])
def test_own_formats_lose_nothing(tmp_path, name):
    out, back = tmp_path / "out", tmp_path / "back.fgn"
    result = convert("-", out, "--to", name, text=NOTED)
    assert result.stderr == f"1 game written to {out}.\n"
    convert(out, back, "--from", name)
    first = next(read_games(io.StringIO(NOTED), "fgn")).unwrap()
    assert next(read_games(back)).unwrap() == first


def test_json_report(tmp_path):
    result = convert("-", tmp_path / "out.aiai", "--to", "aiai", "--json", text=NOTED)
    report = json.loads(result.stdout)
    assert report["schema"] == "fanorona/convert/1"
    assert (report["input"], report["format"], report["games"]) == ("-", "aiai", 1)
    assert {"game": 1, "what": "comments", "count": 1} in report["losses"]
    assert report["errors"] == report["warnings"] == []


def test_memory_does_not_grow_with_the_file():
    from fanorona_cli.convert import _Conversion
    from fanorona_cli.sources import Faults, Found

    game = next(read_games(io.StringIO(NOTED), "fgn")).unwrap()

    def peak(count):
        told = itertools.count()
        faults = Faults(say=lambda text: next(told), keep=False)
        found = (Found("x.fgn", number, 1, game, ("a warning",)) for number in range(1, count + 1))
        work = _Conversion("aiai", False, faults)
        tracemalloc.start()
        for _ in work.texts(found, lambda: None):
            if work.written % 100 == 0:
                gc.collect()  # trees wait for it
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert next(told) == work.written == count
        return size

    peak(10)
    assert peak(1500) < peak(150) + 20_000


# Broken games


def test_a_broken_game_is_told_and_the_others_are_converted(tmp_path):
    out = tmp_path / "out.fgn"
    result = convert("-", out, "--from", "fgn", text=GOOD + BROKEN + GOOD)
    assert result.exit_code == 1
    assert "Error: standard input: line " in result.stderr
    assert "game 2, turn 2: " in result.stderr
    assert len([found.unwrap() for found in read_games(out)]) == 2
    assert "2 games written" in result.stderr


@pytest.mark.parametrize("value", ["a\x1b[2J\x07b\u202e" * 2000, "x" * 3_000_000])
def test_an_error_is_one_line_that_can_be_shown(tmp_path, value):
    for tag in ("Rules", "Variant", "FEN"):
        text = f'[{tag} "{value}"]\n\n*\n'
        result = convert("-", tmp_path / "out.fgn", "--from", "fgn", text=text)
        error, rest, *_ = result.stderr.splitlines()
        assert result.exit_code == 1 and rest.startswith("Nothing was written")
        assert error.startswith("Error: standard input: line 1")
        assert error.isprintable() and len(error) < 450


def test_what_is_left_out_is_lines_that_can_be_shown(tmp_path):
    text = f'[Termination "{"y" * 10_000}\x1b"]\n\n1. f2-e3A *\n'
    result = convert("-", tmp_path / "out.aiai", "--from", "fgn", text=text)
    assert result.exit_code == 0
    assert all(line.isprintable() and len(line) < 450 for line in result.stderr.splitlines()[:-1])


def test_broken_games_in_the_json_report(tmp_path):
    out = tmp_path / "out.fgn"
    result = convert("-", out, "--from", "fgn", "--json", text=GOOD + BROKEN + GOOD)
    assert result.exit_code == 1
    report = json.loads(result.stdout)
    assert report["games"] == 2
    (error,) = report["errors"]
    assert (error["file"], error["game"], error["turn"]) == ("-", 2, 2)
    assert error["line"] and "a1" in error["reason"]


@pytest.mark.parametrize("text", [BROKEN, "", "\n\n"])
def test_nothing_to_write_leaves_no_file(tmp_path, text):
    out = tmp_path / "out.fgn"
    result = convert("-", out, "--from", "fgn", text=text)
    assert result.exit_code == 1
    assert "Nothing was written" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_game_that_the_format_cannot_express(tmp_path):
    small = '[Rules "dimy"]\n\n1. b3-c3A *\n\n'
    out = tmp_path / "out.aec"
    result = convert("-", out, "--from", "fgn", "--to", "aec", text=small + GOOD)
    assert result.exit_code == 1
    assert "game 1: a board of 5x5" in result.stderr
    assert turns(out.read_text("utf-8"), "aec") == ["f2-e3A", "d5-d4A"]


def test_a_format_of_one_game(tmp_path):
    out = tmp_path / "out.txt"
    result = convert("-", out, "--from", "fgn", text=GOOD + GOOD)
    assert result.exit_code == 1
    assert "plain holds one game" in result.stderr
    assert not out.exists()


@pytest.mark.parametrize("variant", ["Vela", "Fanorona Vela"])
def test_other_games_are_refused(tmp_path, variant):
    result = convert(
        "-", tmp_path / "out.fgn", "--from", "fgn", text=f'[Variant "{variant}"]\n\n{GOOD[17:]}'
    )
    assert result.exit_code == 1 and "vela" in result.stderr.lower()


# Files


def test_an_existing_file_is_kept(tmp_path):
    out = tmp_path / "out.fgn"
    out.write_text("precious")
    result = convert(SGF, out)
    assert result.exit_code == 1
    assert result.stderr == f"Error: {out} exists already: --force replaces it\n"
    assert out.read_text() == "precious"
    assert convert(SGF, out, "--force").exit_code == 0
    assert out.read_text().startswith("[Event")


def test_the_input_is_not_overwritten(tmp_path):
    file = tmp_path / "game.fgn"
    file.write_text(NOTED)
    assert convert(file, file).exit_code == 1
    assert file.read_text() == NOTED
    assert convert(file, file, "--force").exit_code == 0
    assert "a comment" in file.read_text()


def test_a_failure_keeps_the_old_file(tmp_path):
    out = tmp_path / "out.txt"
    out.write_text("precious")
    result = convert("-", out, "--from", "fgn", "--force", text=GOOD + GOOD)
    assert result.exit_code == 1
    assert out.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [out]


@POSIX
def test_a_new_file_has_the_usual_permissions(tmp_path):
    plain = tmp_path / "plain"
    plain.touch()
    convert(SGF, tmp_path / "out.fgn")
    assert stat.S_IMODE((tmp_path / "out.fgn").stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)


@POSIX
def test_a_device_is_no_existing_file():
    assert convert(SGF, "/dev/null", "--to", "fgn").exit_code == 0


def test_a_link_stays_one(tmp_path):
    real, link = tmp_path / "real.fgn", tmp_path / "link.fgn"
    real.write_text("old")
    try:
        link.symlink_to(real)
    except OSError:
        pytest.skip("no links here")
    assert convert(SGF, link, "--force").exit_code == 0
    assert link.is_symlink() and real.read_text().startswith("[Event")


@pytest.mark.parametrize(
    ("args", "status", "message"),
    [
        (["missing.fgn", "out.fgn"], 1, "missing.fgn: No such file"),
        ([".", "out.fgn"], 1, ""),
        ([SGF, "out.unknown"], 2, "say --to"),
        ([SGF, "-"], 2, "say --to"),
        ([SGF, "out.json"], 2, "cannot be told: --to json or --to abstractplay"),
        ([SGF, "-", "--to", "fgn", "--json"], 2, "both want standard output"),
        ([SGF, "no-such-folder/out.fgn"], 1, "no-such-folder"),
        ([SGF, "out.fgn", "--from", "pgn"], 2, "'pgn' is not one of"),
        ([SGF], 2, "Missing argument 'OUT'"),
    ],
)
def test_wrong_usage(tmp_path, monkeypatch, args, status, message):
    monkeypatch.chdir(tmp_path)
    result = convert(*args)
    assert result.exit_code == status
    assert message in result.stderr and "Traceback" not in result.output
    assert list(tmp_path.iterdir()) == []


def test_the_rules_of_a_format_without_rules(tmp_path):
    out = tmp_path / "out.fgn"
    convert("-", out, "--from", "plain", "--rules", "tsivy-compulsory", text="1. f2-e3A")
    assert next(read_games(out)).unwrap().rules.name == "tsivy-compulsory"


def test_many_games_in_a_process_of_its_own(tmp_path):
    """Through real pipes, in UTF-8 whatever the locale says."""
    game = Game(tags={"White": "Andriantompokoindrindra – ½"})
    game.root.add_line(["f2-e3A", "d5-d4A"])
    text = io.StringIO()
    FORMATS["fgn"].write([game] * 50, text)
    done = run(["convert", "-", "-", "--to", "json"], text.getvalue(), PYTHONUTF8="0", LC_ALL="C")
    assert done.returncode == 0, done.stderr
    back = list(read_games(io.BytesIO(done.stdout), "json"))
    assert len(back) == 50 and back[-1].unwrap() == game
    assert sys.platform == "win32" or b"\r" not in done.stdout


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
def test_an_interruption_leaves_no_part_of_a_file(tmp_path, number):
    process = subprocess.Popen(
        [*COMMAND, "convert", "-", "out.fgn", "--from", "fgn"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        cwd=tmp_path,
    )
    assert process.stdin is not None
    end = time.monotonic() + 30
    while not list(tmp_path.iterdir()) and time.monotonic() < end:
        time.sleep(0.02)
    process.send_signal(getattr(signal, number))
    _, said = process.communicate(timeout=30)
    assert (process.returncode, said) == (130, b"\nInterrupted.\n")
    assert not list(tmp_path.iterdir())
