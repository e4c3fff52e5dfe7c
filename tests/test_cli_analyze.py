"""``fanorona analyze``."""

import io
import json
import os
import signal
import subprocess
import time

import pytest
from cli_runs import COMMAND, TESTS, environment, invoke, run
from perft_data import DATA

from fanorona_core.formats import FORMATS, read_games
from fanorona_core.game import Game

SGF = DATA / "games" / "boardspace-robot-2008.sgf"
GOOD = '[White "Ravao"]\n[Black "Rabe"]\n\n1. f2-e3A d5-d4A 2. g3-f2W *\n\n'
BROKEN = '[White "Rabe"]\n\n1. f2-e3A\n1... a1-a2 *\n\n'


def analyze(*args, text=None):
    return invoke("analyze", *map(str, args), text=text)


def report(*args, text=None):
    result = analyze(*args, "--json", text=text)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def without_times(found):
    for game in found["games"]:
        for turn in game["turns"]:
            turn.pop("time_ms")
    return found


@pytest.fixture(scope="module")
def in_every_format():
    """The real game as each format writes it."""
    game = next(read_games(SGF)).unwrap()
    texts = {}
    for name, known in FORMATS.items():
        stream = io.StringIO()
        known.write([game], stream)
        texts[name] = stream.getvalue()
    return texts


@pytest.mark.parametrize("name", FORMATS)
def test_the_real_game_from_every_format(in_every_format, name):
    found = report("-", "--from", name, "--depth", "2", text=in_every_format[name])
    (game,) = found["games"]
    expected = [str(turn) for turn in next(read_games(SGF)).unwrap().turns]
    assert [turn["turn"] for turn in game["turns"]] == expected
    assert game["result"] == "0-1" and game["final"]["winning"] is False


def test_the_report_for_people():
    result = analyze("-", "--depth", "3", text=GOOD)
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert "standard input: game 1: Ravao - Rabe, *, 3 turns" in lines
    assert lines[2] == "Limit for each position: 3 turns ahead."
    body = [line for line in lines if line.startswith(("1. f2-e3A", "1... d5-d4A", "2. g3-f2W"))]
    assert len(body) == 3
    assert all(len(line) <= 80 for line in lines)
    summary = lines[-3:]
    words = "turns only one best ?! ? ?? mean loss accuracy"
    assert summary[0].split() == words.split()
    assert summary[1].split()[:2] == ["White", "2"] and summary[2].split()[:2] == ["Black", "1"]


def test_the_real_game_for_people():
    result = analyze(SGF, "--depth", "3")
    assert result.exit_code == 0
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["19...", "c3-b2A", "Black", "wins", "(the", "only", "legal", "turn)"] in lines
    assert ["19.", "a2-a1", "Black", "in", "1"] in lines


def test_json():
    found = report("-", "--depth", "4", text=GOOD)
    assert found["schema"] == "fanorona/analyze/1"
    assert found["limit"] == {"time_ms": None, "depth_plies": 4, "nodes": None}
    assert found["errors"] == []
    (game,) = found["games"]
    assert (game["file"], game["number"], game["white"], game["black"]) == (
        "-",
        1,
        "Ravao",
        "Rabe",
    )
    first, second, third = game["turns"]
    assert (first["side"], second["side"], first["number"], third["number"]) == (
        "white",
        "black",
        1,
        3,
    )
    for turn in game["turns"]:
        assert turn["line"][0] == turn["best"]
        assert turn["mark"] in ("", "?!", "?", "??")
        assert 0 <= turn["loss"] <= 1 and 0 <= turn["before"]["expected"] <= 1
        assert turn["depth_plies"] == 4 and turn["nodes"] > 0
    assert second["before"]["centipawns"] == -first["after"]["centipawns"]
    assert game["summary"]["white"]["turns"] == 2


@pytest.mark.parametrize(
    ("args", "limit"),
    [
        ([], (200, None, None)),
        (["--time", "5ms"], (5, None, None)),
        (["-n", "500"], (None, None, 500)),
        (["-d", "2", "-t", "1"], (1000, 2, None)),
    ],
)
def test_limits(args, limit):
    text = "1. f2-e3A *"
    found = report("-", "--from", "fgn", *args, text=text)["limit"]
    assert (found["time_ms"], found["depth_plies"], found["nodes"]) == limit


def test_several_files(tmp_path):
    file = tmp_path / "two.fgn"
    file.write_text(GOOD + GOOD)
    found = report(file, "-", "--depth", "1", text=GOOD)
    assert [(game["file"], game["number"]) for game in found["games"]] == [
        (str(file), 1),
        (str(file), 2),
        ("-", 1),
    ]


def test_a_broken_game_does_not_stop_the_others():
    result = analyze("-", "--from", "fgn", "--depth", "1", text=GOOD + BROKEN + GOOD)
    assert result.exit_code == 1
    assert "Error: standard input: line " in result.stderr and "game 2, turn 2" in result.stderr
    assert "game 1: Ravao" in result.stdout and "game 3: Ravao" in result.stdout


def test_a_position_without_turns():
    text = '[FEN "9/4w4/9/9/9 b"]\n[SetUp "1"]\n\n1-0\n'
    result = analyze("-", "--from", "fgn", "--depth", "1", text=text)
    assert result.exit_code == 0 and "No turns. Value: White wins." in result.stdout


# Annotated records


def test_annotated_fgn(tmp_path):
    out = tmp_path / "out.fgn"
    result = analyze(SGF, "--depth", "6", "--fgn", out)
    assert result.exit_code == 0
    assert result.stderr == f"1 game written to {out}.\n"
    game = next(read_games(out)).unwrap()
    assert game.turns == next(read_games(SGF)).unwrap().turns
    nodes = list(game.mainline())
    assert all(node.eval is not None for node in nodes[:-1]) and nodes[-1].eval is None
    marked = [node for node in nodes if node.nags]
    assert all(len(node.parent.variations) == 2 for node in marked)
    assert "fanorona" in game.tags["Annotator"]


def test_several_annotated_games(tmp_path):
    out = tmp_path / "out.fgn"
    result = analyze("-", "--depth", "1", "--fgn", out, text=GOOD + GOOD)
    assert result.exit_code == 0
    assert len(list(read_games(out))) == 2


def test_annotated_fgn_on_standard_output():
    result = analyze("-", "--depth", "1", "--fgn", "-", text=GOOD)
    game = next(read_games(io.StringIO(result.stdout), "fgn")).unwrap()
    assert len(game) == 3 and result.stderr == ""


def test_an_existing_file_is_kept(tmp_path):
    out = tmp_path / "out.fgn"
    out.write_text("precious")
    result = analyze("-", "--depth", "1", "--fgn", out, text=GOOD)
    assert result.exit_code == 1 and "--force" in result.stderr
    assert result.stdout == "" and out.read_text() == "precious"
    assert analyze("-", "--depth", "1", "--fgn", out, "--force", text=GOOD).exit_code == 0
    assert out.read_text().startswith("[Event")


def test_nothing_analysed_leaves_no_file(tmp_path):
    result = analyze("-", "--from", "fgn", "--fgn", tmp_path / "out.fgn", text=BROKEN)
    assert result.exit_code == 1 and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("args", "status", "message"),
    [
        ([], 2, "Missing argument 'FILE...'"),
        (["missing.fgn"], 1, "missing.fgn: No such file"),
        ([SGF, "--time", "soon"], 2, "expected seconds"),
        ([SGF, "--depth", "0"], 2, "'--depth'"),
        ([SGF, "--jobs", "-1"], 2, "'--jobs'"),
        ([SGF, "--fgn", "-", "--json"], 2, "both want standard output"),
    ],
)
def test_wrong_usage(args, status, message):
    result = analyze(*args)
    assert result.exit_code == status
    assert message in result.stderr and "Traceback" not in result.output


# Processes


def test_jobs_change_nothing_but_the_time(tmp_path):
    file = tmp_path / "games.fgn"
    stream = io.StringIO()
    game = next(read_games(SGF)).unwrap()
    small = Game()
    small.root.add_line(game.turns[:5])
    FORMATS["fgn"].write([game, small, small], stream)
    file.write_text(stream.getvalue())
    one = run(["analyze", str(file), "--depth", "3", "--json"])
    two = run(["analyze", str(file), "--depth", "3", "--json", "--jobs", "2"])
    assert (one.returncode, two.returncode, two.stderr) == (0, 0, b"")
    assert without_times(json.loads(one.stdout)) == without_times(json.loads(two.stdout))


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interruption_ends_it_soon(tmp_path, jobs, number):
    """What is done by then is kept."""
    file, out = tmp_path / "games.fgn", tmp_path / "out.fgn"
    short = '[FEN "9/9/4bw3/9/9 w"]\n[SetUp "1"]\n\n1. f3-g3W 1-0\n\n'
    file.write_text(short + GOOD)
    process = subprocess.Popen(
        [*COMMAND, "analyze", str(file), "--time", "60", "--fgn", str(out), "-j", jobs],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(PYTHONUNBUFFERED="1"),
        cwd=TESTS,
        start_new_session=True,
    )
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith(b"Black"):  # the sum of the first game
            break
    time.sleep(0.3)
    started = time.monotonic()
    if number == "SIGINT":
        os.killpg(process.pid, signal.SIGINT)  # as Ctrl-C does: to all of them
    else:
        process.terminate()
    _, errors = process.communicate(timeout=30)
    assert time.monotonic() - started < 30  # each position has a minute
    assert process.returncode == 130
    assert errors.decode() == f"\nInterrupted. 1 game written to {out}.\n"
    assert len(list(read_games(out))) == 1
    assert sorted(tmp_path.iterdir()) == [file, out]


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_an_interrupted_report_is_still_json(tmp_path):
    file = tmp_path / "games.fgn"
    short = '[FEN "9/9/4bw3/9/9 w"]\n[SetUp "1"]\n\n1. f3-g3W 1-0\n\n'
    file.write_text(short + GOOD)
    out = tmp_path / "out.fgn"
    process = subprocess.Popen(
        [*COMMAND, "analyze", str(file), "--time", "60", "--json", "--fgn", str(out)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        cwd=TESTS,
        start_new_session=True,
    )
    end = time.monotonic() + 60
    while time.monotonic() < end and not any(
        part.stat().st_size for part in tmp_path.glob("*out.fgn*")
    ):
        time.sleep(0.05)
    time.sleep(0.3)
    os.killpg(process.pid, signal.SIGINT)
    printed, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert errors.decode() == f"\nInterrupted. 1 game written to {out}.\n"
    report = json.loads(printed)
    assert report["schema"] == "fanorona/analyze/1" and len(report["games"]) == 1


@pytest.mark.skipif(os.name == "nt", reason="terminals of POSIX")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_bar_is_drawn_on_a_terminal_only(tmp_path, jobs):
    """Standard error is a terminal, standard output a pipe: each gets its own."""
    import pty

    file = tmp_path / "games.fgn"
    file.write_text(GOOD + BROKEN + GOOD)
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "analyze", str(file), "--depth", "2", "--jobs", jobs],
        stdout=subprocess.PIPE,
        stderr=follower,
        env=environment(TERM="xterm", COLUMNS="100"),
        cwd=TESTS,
    )
    os.close(follower)
    seen = b""
    try:
        while part := os.read(leader, 65536):
            seen += part
    except OSError:  # the other end was closed
        pass
    os.close(leader)
    output, _ = process.communicate(timeout=30)
    assert process.returncode == 1
    assert b"Analysing positions" in seen and b"game 2, turn 2" in seen
    assert b"Analysing" not in output and b"game 3: Ravao - Rabe" in output
    assert b"Ravao" not in seen
