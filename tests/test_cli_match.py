"""fanorona match: players, results, adjudication, programs that break down, going on."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli_runs import COMMAND, environment, invoke, run

from fanorona_cli.arena import Seat, TableJudge, Terms, play_game
from fanorona_cli.players import PlayerError, PlayerFailure, PlayerSpec, Reply
from fanorona_core import Board, Reason, Side
from fanorona_core.clock import Clock
from fanorona_core.engine import Limit
from fanorona_core.fgn import parse_game, read
from fanorona_core.tablebase import Tables

FAST = ("--nodes", "200", "--plies", "4", "--window", "200")


def match(*args: str) -> dict:
    result = invoke("match", *args, "--json")
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout.splitlines()[-1])
    assert data["schema"] == "fanorona/match/1"
    return data


def program(tmp_path: Path, body: str) -> str:
    """A player's text for a small program that speaks UGI and answers go with ``body``."""
    path = tmp_path / "program.py"
    path.write_text(
        "import os, sys, time\n"
        "log = open(os.path.join(os.path.dirname(__file__), 'log.txt'), 'a')\n"
        "log.write('begun\\n'); log.flush()\n"
        "for line in sys.stdin:\n"
        "    words = line.split()\n"
        "    if words[0] == 'ugi': print('id name other\\nugiok', flush=True)\n"
        "    elif words[0] == 'isready': print('readyok', flush=True)\n"
        "    elif words[0] == 'setoption': log.write(line); log.flush()\n"
        "    elif words[0] == 'quit': break\n"
        "    elif words[0] == 'go':\n"
        f"        {body}\n",
        encoding="utf-8",
    )
    return f"name=other,Hash=64,cmd:'{sys.executable}' '{path}'"


def begun(tmp_path: Path) -> int:
    return (tmp_path / "log.txt").read_text().count("begun")


# Players' texts.


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("engine", {"name": "engine", "limit": None, "level": None}),
        ("", {"name": "engine"}),
        ("level:10", {"name": "level:10", "level": 10}),
        ("level:5,hash=32,seed=0", {"level": 5, "hash_mib": 32, "seed": 0}),
        ("contempt=40,time=100", {"contempt": 40, "limit": Limit(time_ms=100)}),
        ("time=250, threads=2", {"limit": Limit(time_ms=250), "threads": 2}),
        ("time=0.5s", {"limit": Limit(time_ms=500)}),
        ("depth=6,nodes=1000,name=x", {"limit": Limit(depth_plies=6, nodes=1000), "name": "x"}),
        ("clock=10+0.1", {"clock": Clock(10_000, 100)}),
        ("cmd:./a b 'c d'", {"command": ("./a", "b", "c d"), "options": ()}),
        (
            "Hash=4,time=9,Move Overhead=3,cmd:x,level:3",
            {
                "command": ("x,level:3",),
                "options": (("Hash", "4"), ("Move Overhead", "3")),
                "limit": Limit(time_ms=9),
            },
        ),
    ],
)
def test_players(text, wanted):
    spec = PlayerSpec.parse(text)
    assert {name: getattr(spec, name) for name in wanted} == wanted


@pytest.mark.parametrize(
    "text",
    ["level:0", "level:11", "level:x", "foo", "time=", "time=0", "time=1d", "nodes=0", "hash=0",
     "Hash=5", "cmd:", "cmd:'", "clock=x", "clock=0+1", "depth=1.5", "seed=-1", "level:3,cmd:x",
     "seed=" + "9" * 5000],
)  # fmt: skip
def test_no_players(text):
    with pytest.raises(PlayerError):
        PlayerSpec.parse(text)


def test_wrong_usage():
    for args in (["level:3"], ["level:3", "foo"], ["engine", "engine", "--sprt", "5", "0"],
                 ["engine", "engine", "--clock", "x"], ["engine", "engine", "-n", "3"],
                 ["engine", "engine", "--sprt", "0", "inf"],
                 ["engine", "engine", "--adjudicate", "3", "--tables", "/no/such"]):  # fmt: skip
        result = invoke("match", *args)
        assert result.exit_code == 2
        assert "Traceback" not in result.output


# Whole matches.


def test_a_stronger_player_wins():
    data = match("level:6", "level:1", "-n", "8", "--seed", "3")
    assert data["games"] == 8 == data["wins"] + data["draws"] + data["losses"]
    assert data["score"] > 0.8
    assert sum(data["pairs"]) == 4
    assert sum(data["ends"].values()) == 8
    assert [player["name"] for player in data["players"]] == ["level:6", "level:1"]
    assert data["players"][0]["nps"] > 0 and data["players"][0]["depth_plies"] > 1


def test_the_same_seed_gives_the_same_match():
    def once(*more: str) -> list:
        data = match("nodes=150", "level:2", "-n", "4", "--plies", "2", *more)
        return [data["pairs"], data["ends"], [player["turns"] for player in data["players"]]]

    assert once() == once()
    assert once("-j", "2") == once()
    assert once("--seed", "2") != once()


def test_text_report():
    result = invoke("match", "engine", "engine", "-n", "2", *FAST)
    assert result.exit_code == 0
    assert "engine A against engine B: 2 games, +" in result.stdout
    for part in ("Pairs by A's points", "Ends  ", "nodes/s"):
        assert part in result.stdout


def test_a_decided_test_ends_the_match():
    data = match("level:8", "level:1", "--sprt", "0", "50", "--seed", "1", "-n", "200")
    assert data["sprt"]["accepted"] == "H1"
    assert data["sprt"]["llr"] >= data["sprt"]["bounds"][1]
    assert data["games"] < 100


def test_other_rules_and_clocks():
    data = match("engine", "engine", "-n", "2", "-b", "5x5", "--clock", "0.3+0.01", "--plies", "2")
    assert data["games"] == 2
    assert all(player["time_ms"] < 200 for player in data["players"])


def test_it_goes_on_where_it_stopped(tmp_path):
    folder = tmp_path / "m"
    args = ["nodes=300", "nodes=200", "--plies", "4", "--window", "200", "-o", str(folder)]
    whole = match(*args, "-n", "8")
    file = folder / "games.fgn"
    games = [result.unwrap() for result in read(file)]
    assert len(games) == 8
    assert {game.tags["Round"] for game in games} == {
        f"{pair}.{number}" for pair in (1, 2, 3, 4) for number in (1, 2)
    }
    for game in games:
        assert game.board_at().outcome() is not None
        assert all(node.elapsed is not None for node in list(game.mainline())[4:])
    assert match(*args, "-n", "8") == whole, "nothing is played again"
    # An interruption in the middle of a game.
    text = file.read_text("utf-8")
    file.write_text(text[: len(text) * 7 // 10], "utf-8")
    data = match(*args, "-n", "8")
    assert [data[name] for name in ("games", "pairs", "ends")] == [
        whole[name] for name in ("games", "pairs", "ends")
    ]
    assert len([result.unwrap() for result in read(file)]) == 8
    assert match(*args, "-n", "10")["games"] == 10, "more games may be asked for"
    # Another match has no business there.
    result = invoke("match", *args, "--seed", "2")
    assert result.exit_code == 1
    assert "its seed is 1, not 2" in result.output


def test_a_record_that_somebody_has_changed_is_not_thrown_away(tmp_path):
    folder = tmp_path / "m"
    args = ["nodes=100", "level:1", "--plies", "2", "--window", "900", "-o", str(folder)]
    match(*args, "-n", "6")
    file = folder / "games.fgn"
    games = file.read_text("utf-8").split("\n\n[Event")
    games[2] = games[2].replace("1. ", "1. z9-z8 ", 1)
    changed = "\n\n[Event".join(games)
    file.write_text(changed, "utf-8")
    result = invoke("match", *args, "-n", "6")
    assert result.exit_code == 1
    assert f"{file}: game 3 is no whole game of this match" in result.stderr
    assert file.read_text("utf-8") == changed


def test_folders_of_tables_that_are_not_there():
    result = invoke("match", "nodes=50,tables=/no/such", "nodes=50", "-n", "2")
    assert result.exit_code == 1
    assert "/no/such" in result.stderr and "Traceback" not in result.output


# Openings from a file.


def test_openings_of_a_file(tmp_path):
    file, folder = tmp_path / "openings.fgn", tmp_path / "m"
    lines = ["e2-e3A f4-e5W", "d2-e3A h4-g5W", "d3-e3W"]
    file.write_text("\n".join(f'[Rules "theory"]\n\n{line} *\n' for line in lines))
    args = ("nodes=200", "level:2", "--openings", str(file), "-o", str(folder))
    assert match(*args, "-n", "12")["games"] == 12
    games = [result.unwrap() for result in read(folder / "games.fgn")]
    assert {str(game.rules) for game in games} == {"tsivy"}
    begun = [" ".join(map(str, game.turns)) for game in games]
    for line in lines:
        assert sum(text.startswith(line) for text in begun) == 4, "each twice, with both colours"
    file.write_text("e2-e3A *\n")
    result = invoke("match", *args, "-n", "14")
    assert result.exit_code == 1 and "its openings digest is" in result.output
    result = invoke("match", "nodes=200", "level:2", "-n", "12", "-o", str(folder))
    assert result.exit_code == 1 and f"its opening file is {str(file)!r}, not none" in result.output


def test_openings_without_rules_of_their_own(tmp_path):
    file = tmp_path / "openings.txt"
    file.write_text("b3-c3A")
    data = match("nodes=9", "nodes=9", "-n", "2", "-b", "5x5", "--openings", str(file))
    assert data["games"] == 2


def test_an_opening_that_is_a_position(tmp_path):
    file = tmp_path / "openings.fgn"
    position = "bbbbbbbbb/9/9/9/wwwwwwwww b - 3 9"
    file.write_text(f'[SetUp "1"]\n[FEN "{position}"]\n\n*\n')
    match("nodes=100", "level:2", "-n", "2", "--openings", str(file), "-o", str(tmp_path / "m"))
    for result in read(tmp_path / "m" / "games.fgn"):
        assert result.unwrap().initial.text() == f"{position} tsivy"


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        ("e2-e3A e2-e3A *", (), "game 1, turn 2"),
        ("e2-e3A *", ("-b", "5x5"), "game 1: a board of 9x5, expected 5x5"),
        ("", (), "there is no game in it, expected openings"),
        ('[SetUp "1"]\n[FEN "9/9/9/9/w1b6 w"]\n\na1-b1A *', (), "game 1: the game is over"),
        ("e2-e3A *", ("--plies", "2"), "--plies and --window are for random openings"),
    ],
)
def test_openings_that_cannot_be(text, options, said, tmp_path):
    file = tmp_path / "openings.fgn"
    file.write_text(text)
    result = invoke("match", "nodes=100", "nodes=50", "-n", "2", "--openings", str(file), *options)
    assert result.exit_code != 0
    assert said in result.output
    assert "Traceback" not in result.output


def test_a_folder_of_something_else(tmp_path):
    (tmp_path / "games.fgn").write_text("1. f2-e3A *\n")
    result = invoke("match", "engine", "engine", "-o", str(tmp_path))
    assert result.exit_code == 1 and "no match.json" in result.output
    (tmp_path / "match.json").write_text("[1]")
    result = invoke("match", "engine", "engine", "-o", str(tmp_path))
    assert result.exit_code == 1 and "match.json" in result.output
    (tmp_path / "match.json").write_text("{")
    assert invoke("match", "engine", "engine", "-o", str(tmp_path)).exit_code == 1


# Programs.


def test_a_program_as_a_player():
    command = " ".join(f"'{word}'" for word in [*COMMAND, "ugi"])
    data = match(f"name=other,nodes=300,Hash=2,cmd:{command}", "nodes=300", "-n", "2")
    assert data["games"] == 2
    other, ours = data["players"]
    assert other["failures"] == ours["failures"] == 0
    assert other["turns"] > 2 and other["nps"] > 0 and other["depth_plies"] > 1


@pytest.mark.parametrize(
    ("body", "end", "times"),
    [
        ("sys.exit(3)", "crash", 3),
        ("print('bestmove z9-z8', flush=True)", "illegal turn", 1),
        ("print('bestmove', flush=True)", "illegal turn", 1),
        ("time.sleep(60)", "no answer", 3),
        ("[print('info depth 1 score cp 0') for _ in iter(int, 1)]", "no answer", 3),
    ],
)
def test_a_program_that_breaks_down_has_lost(body, end, times, tmp_path, monkeypatch):
    monkeypatch.setattr("fanorona_cli.ugi_player.GRACE_MS", 150)
    folder = tmp_path / "m"
    data = match("nodes=50", program(tmp_path, body), "-n", "4", "--time", "50ms", "--plies", "2",
                 "-o", str(folder))  # fmt: skip
    assert data["wins"] == 4 and data["ends"] == {end: 4}
    assert data["players"][1]["failures"] == 4
    # It is started anew for the next game, not before that.
    assert times <= begun(tmp_path) <= 4
    assert "setoption name Hash value 64" in (tmp_path / "log.txt").read_text()
    records = [result.unwrap() for result in read(folder / "games.fgn")]
    assert all(str(game.termination).startswith(end) for game in records)


@pytest.mark.skipif(os.name != "posix", reason="groups of processes")
def test_what_a_program_has_started_ends_with_it(tmp_path, monkeypatch):
    monkeypatch.setattr("fanorona_cli.ugi_player.GRACE_MS", 150)
    inner = program(tmp_path, "time.sleep(600)").partition("cmd:")[2]
    wrapper = tmp_path / "wrapper.sh"
    wrapper.write_text(f"#!/bin/sh\n{inner}\nexit 0\n")
    data = match("nodes=50", f"cmd:/bin/sh {wrapper}", "-n", "2", "--time", "50ms", "--plies", "2")
    assert data["ends"] == {"no answer": 2}


def test_what_does_not_speak_the_protocol(monkeypatch):
    monkeypatch.setattr("fanorona_cli.ugi_player.START_MS", 300)
    silent = f"cmd:'{sys.executable}' -c 'import sys; sys.stdin.read()'"
    for text, message in ((silent, "does not speak UGI"), ("cmd:/no/such/file", "cannot start")):
        result = invoke("match", "engine", text)
        assert result.exit_code == 1 and message in result.output


def test_a_broken_program_in_a_process_of_its_own(tmp_path):
    result = run(["match", "engine", "cmd:/no/such/file", "-j", "2"])
    assert result.returncode == 1
    assert b"cannot start '/no/such/file'" in result.stderr
    assert b"Traceback" not in result.stderr


# Games.


class Scripted:
    """A player who plays the first legal turn, or fails."""

    def __init__(self, fails: str = "") -> None:
        self.fails = fails

    def new_game(self, seed: int) -> None:
        pass

    def choose(self, board, limit, clocks) -> Reply:
        if self.fails:
            raise PlayerFailure(self.fails)
        return Reply(board.legal_turns[0])

    def close(self) -> None:
        pass


def test_draws_by_agreement_of_the_arbiters():
    board = Board.parse("8b/9/9/9/w8 w")
    seat = Seat(Scripted(), "x")
    game = play_game(board, seat, seat, 1, [Terms(max_turns=2).adjudicate])
    assert (game.result, game.termination, len(game)) == ("1/2-1/2", Reason.ADJUDICATION, 2)
    game = play_game(board, seat, seat, 1, [Terms(max_quiet=3).adjudicate])
    assert (game.result, game.termination, len(game)) == ("1/2-1/2", Reason.ADJUDICATION, 3)
    assert parse_game_of(game) == game


def parse_game_of(game):
    from fanorona_core.fgn import format_game

    return parse_game(format_game(game))


def test_tables_end_games():
    judge = TableJudge(Tables(None), 3)
    seat = Seat(Scripted(), "x")
    won = Board.parse("9/9/9/9/w1b6 w")
    game = play_game(won, seat, seat, 1, [judge])
    assert (game.result, game.termination, len(game)) == ("1-0", Reason.ADJUDICATION, 0)
    drawn = Board.parse("8b/9/9/9/wb7 w")
    assert judge(drawn).winner is None
    assert TableJudge(Tables(None), 2)(drawn) is None
    # The counter ends the game first.
    late = Board.parse("9/9/9/9/w1b6 w - 0 400 tsivy,turns=400")
    outcome = judge(late)
    assert outcome is None or outcome.winner is Side.WHITE


def test_time_runs_out(monkeypatch):
    times = iter(range(0, 10_000, 700))
    monkeypatch.setattr("fanorona_cli.arena.monotonic_ms", lambda: next(times))
    slow = Seat(Scripted(), "x", None, Clock(1000))
    game = play_game(Board(), slow, Seat(Scripted(), "y"), 1)
    assert (game.result, game.termination) == ("0-1", Reason.TIME)
    assert len(game) == 2


def test_a_failure_ends_the_game():
    seats = Seat(Scripted(), "x"), Seat(Scripted("crash: gone"), "y")
    game = play_game(Board(), *seats, 1)
    assert (game.result, game.termination, len(game)) == ("1-0", "crash: gone", 1)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
def test_an_interrupted_match_leaves_no_process_and_no_traceback(number, tmp_path):
    command = [*COMMAND, "match", "time=500", "time=500", "-n", "20", "-j", "2", "-o", "m"]
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=environment(), cwd=tmp_path, start_new_session=True,
    )  # fmt: skip
    end = time.monotonic() + 30
    while not (tmp_path / "m" / "match.json").exists() and time.monotonic() < end:
        time.sleep(0.02)
    process.send_signal(getattr(signal, number))
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"the same command goes on from here" in said and b"Traceback" not in said
    with pytest.raises(ProcessLookupError):
        for _ in range(100):
            os.killpg(process.pid, 0)
            time.sleep(0.1)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_an_interrupted_match_tells_what_was_played(tmp_path):
    # It is begun anew for each of its games, all of which it gives up.
    other = program(tmp_path, "sys.exit(3)")
    command = [*COMMAND, "match", "nodes=50", other, "-n", "1000000", "--plies", "2", "--json"]
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=environment(), start_new_session=True,
    )  # fmt: skip
    log = tmp_path / "log.txt"
    end = time.monotonic() + 60
    while time.monotonic() < end and not (log.exists() and log.read_text().count("begun") > 4):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    printed, said = process.communicate(timeout=30)
    assert (process.returncode, said) == (130, b"\nInterrupted.\n")
    data = json.loads(printed)
    assert data["games"] == 2 * sum(data["pairs"]) > 0


def test_a_match_that_fails_tells_what_was_played(tmp_path):
    other = program(tmp_path, "sys.exit(3)")
    path = tmp_path / "program.py"
    path.write_text(
        path.read_text("utf-8").replace(
            "for line", "if open(log.name).read().count('begun') > 4: sys.exit(4)\nfor line", 1
        ),
        "utf-8",
    )
    result = invoke("match", "nodes=50", other, "-n", "100", "--plies", "2", "--json")
    assert result.exit_code == 1
    assert "program.py' does not speak UGI: crash" in result.stderr.splitlines()[-1]
    data = json.loads(result.stdout)
    assert (data["games"], data["wins"], data["pairs"]) == (4, 4, [0, 0, 0, 0, 2])
