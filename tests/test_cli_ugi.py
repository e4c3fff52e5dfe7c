"""fanorona ugi: the protocol, line by line and as a process."""

import random
import re
import subprocess
import time
from collections.abc import Iterator

import pytest
from cli_runs import COMMAND, TESTS, environment, run

from fanorona_cli.ugi import UgiSession
from fanorona_core import Board, Turn

INFO = re.compile(
    r"info depth \d+ multipv \d+ score (cp -?\d+|mate -?\d+) nodes \d+ nps \d+ hashfull \d+ "
    r"time \d+ pv \S+( \S+)*"
)


class Talk:
    """A session and all that it has said."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.session = UgiSession(self.lines.append)

    def say(self, *lines: str) -> list[str]:
        """Say lines and return the answers that came at once."""
        before = len(self.lines)
        for line in lines:
            assert self.session.handle(line)
        return self.lines[before:]

    def go(self, words: str, *, stop: bool = False) -> list[str]:
        """Search and return what was said up to the best turn."""
        before = len(self.lines)
        self.say(f"go {words}")
        end = time.monotonic() + 30
        while not stop and not any(line.startswith("bestmove") for line in self.lines[before:]):
            assert time.monotonic() < end, "no bestmove"
            time.sleep(0.001)
        self.say("stop")
        return self.lines[before:]


@pytest.fixture
def talk() -> Iterator[Talk]:
    talk = Talk()
    yield talk
    talk.session.stop()


def best(said: list[str]) -> str:
    assert said[-1].startswith("bestmove ")
    assert sum(line.startswith("bestmove") for line in said) == 1
    return said[-1].removeprefix("bestmove ")


def test_hello(talk):
    said = talk.say("ugi")
    assert said[0].startswith("id name fanorona ")
    assert said[-1] == "ugiok"
    for name in ("Hash", "Threads", "Level", "Seed", "MultiPV", "Contempt", "Rules"):
        assert any(line.startswith(f"option name {name} type ") for line in said)
    assert talk.say("isready") == ["readyok"]
    assert talk.say("", "   ", "\t\n") == []
    assert talk.session.handle("quit") is False


def test_a_search(talk):
    said = talk.go("depth 4")
    assert len(said) == 5
    assert all(INFO.fullmatch(line) for line in said[:-1])
    assert Turn.from_text(best(said)) in Board().legal_turns


@pytest.mark.parametrize(
    "words",
    [
        "movetime 20",
        "movetime 0",
        "movetime -5",
        "nodes 500",
        "nodes 0",
        "depth 0",
        "p1time 200 p2time 200",
        "p1time 200 p2time 200 p1inc 10 p2inc 10",
        "p1time 60000 p2time 1 p1inc -3 movestogo 1000 depth 3",
        "p2time 100",
        "p1inc 1",
        "movestogo 0",
        "p1time -100",
        "depth 3 nodes 1000 movetime 100",
    ],
)
def test_limits_that_end(talk, words):
    assert Turn.from_text(best(talk.go(words))) in Board().legal_turns


def test_depth_and_nodes_repeat(talk):
    def once() -> list[str]:
        talk.say("uginewgame")
        said = talk.go("nodes 3000")
        return [re.sub(r"nps \d+|time \d+", "", line) for line in said]

    assert once() == once()


def test_mate(talk):
    talk.say("position fen 9/9/4bw3/9/9 w")
    said = talk.go("mate 3")
    assert " score mate 1 " in said[-2]
    assert best(said) == "f3-g3W"
    # The side to move loses in any case.
    talk.say("position fen 9/9/9/2bb5/wb7 b")
    assert " score mate 1 " in talk.go("depth 5")[-2]


def test_infinite_waits_for_stop(talk):
    talk.say("position fen 9/9/4bw3/9/9 w")
    before = len(talk.lines)
    talk.say("go infinite")
    time.sleep(0.2)
    assert not any(line.startswith("bestmove") for line in talk.lines[before:])
    assert talk.say("isready") == ["readyok"]
    assert talk.say("stop") == ["bestmove f3-g3W"]
    assert talk.say("stop") == []


def test_stop_may_come_at_any_moment(talk):
    for pause in (0, 0.001, 0.05, 0.1, 0.2):
        talk.say("go infinite")
        time.sleep(pause)
        talk.say("stop")
        assert talk.lines[-1].startswith("bestmove ")


def test_a_command_ends_the_search_that_runs(talk):
    talk.say("go infinite")
    said = talk.say("position startpos moves f2-e3A", "go depth 1")
    talk.say("stop")
    assert sum(line.startswith("bestmove ") for line in talk.lines) == 2
    assert said
    for command in ("uginewgame", "setoption name Hash value 2", "setoption name Clear Hash"):
        talk.say("go infinite", command)
        assert talk.lines[-1].startswith("bestmove ")


def test_positions(talk):
    talk.say("position startpos moves f2-e3A d5-d4A")
    assert talk.say("query p1turn") == ["response true"]
    talk.say("position startpos moves F2E3 d5d4")  # any spelling
    assert talk.say("query p1turn") == ["response true"]
    talk.say("position fen 9/1b7/9/3bw4/9 w - 3 17 tsivy moves e2-f2W")
    assert talk.say("query p1turn", "query gameover") == ["response false", "response false"]
    talk.say("position fen 9/1b1b5/bw2b4/3w5/4b2b1 w")
    assert talk.say("query gameover") == ["response false"]


def test_results(talk):
    for text, answer in (
        ("9/4w4/9/9/9 b", "p1win"),
        ("9/9/9/bb7/wb7 w", "p2win"),
        ("9/9/9/bb7/wb7 w - 0 1 tsivy,no-move=draw", "draw"),
        ("8b/9/9/9/w8 w", "none"),
    ):
        talk.say(f"position fen {text}")
        over = "false" if answer == "none" else "true"
        assert talk.say("query gameover", "query result") == [
            f"response {over}",
            f"response {answer}",
        ]
    moves = " ".join(["a1-a2", "i5-i4", "a2-a1", "i4-i5"] * 2)
    talk.say(f"position fen 8b/9/9/9/w8 w moves {moves}")
    assert talk.say("query result") == ["response draw"]


def test_no_turn_to_find(talk):
    talk.say("position fen 9/9/9/bb7/wb7 w")
    assert best(talk.go("depth 3")) == "0000"


def test_options(talk):
    assert talk.say(
        "setoption name Hash value 4",
        "setoption name threads value 2",
        "setoption name MultiPV value 3",
        "setoption name Seed value 7",
        "setoption name Contempt value -40",
    ) == []  # fmt: skip
    said = talk.go("depth 3")
    assert [line.split()[4] for line in said[:-1]] == ["1", "2", "3"] * 3
    talk.say("setoption name Rules value telo")
    assert Turn.from_text(best(talk.go("depth 3")), 3)
    talk.say("setoption name Rules value tsivy-compulsory", "position fen 8b/9/9/9/w8 w")
    assert best(talk.go("depth 2"))


def test_a_folder_keeps_the_blanks_in_its_name(talk, tmp_path):
    folder = tmp_path / "value  of value"
    refused = talk.say(f"setoption name TablesDir value {folder}")
    assert len(refused) == 1 and "TablesDir" in refused[0]
    folder.mkdir()
    assert talk.say(f"  setoption   name  tablesdir  value {folder} ") == []


def test_levels(talk):
    talk.say("setoption name Level value 2", "setoption name Seed value 5")
    for words in ("", "movetime 50"):
        said = talk.go(words)
        assert len(said) == 2 and INFO.fullmatch(said[0])
        assert Turn.from_text(best(said)) in Board().legal_turns


MALFORMED = [
    "foo",
    "ugi\x00",
    "\u0661\u0662 \U0001f40c",
    "setoption",
    "setoption name",
    "setoption value 3",
    "setoption name Hash",
    "setoption name Hash value",
    "setoption name Hash value x",
    "setoption name Hash value 0",
    "setoption name Hash value \u0661",
    "setoption name Hash value 99999999999999999999999999",
    "setoption name Nothing value 3",
    "setoption name Level value 11",
    "setoption name Rules value vela",
    "setoption name Rules value board=100x100",
    f"setoption name Rules value start={'9' * 5000}:w",
    "position",
    "position moves d2-e3A",
    "position startpos d2-e3A",
    "position startpos moves d2-e3A d2-e3A",
    "position startpos moves d3e3",
    "position startpos moves zz99",
    "position fen",
    "position fen x",
    "position fen 9/9/9/9/9 w",
    "position fen 9/9/9/9/8 w",
    "position fen 9/9/9/9/w8 w - 0 1 vela",
    "position fen 9/9/9/9/w8 w - -1 1 tsivy",
    "position fen " + "9/" * 5000 + "9 w",
    "go depth",
    "go depth x",
    "go depth 1.5",
    "go movetime 9999999999999999999999999999",
    "go fast",
    "go infinite now",
    "query",
    "query x",
    "query gameover result",
]


@pytest.mark.parametrize("line", MALFORMED, ids=lambda line: ascii(line)[:40])
def test_malformed(talk, line):
    talk.say("position startpos moves f2-e3A")
    said = talk.say(line)
    assert len(said) == 1 and said[0].startswith("info string ") and "\n" not in said[0]
    assert len(said[0]) < 6000
    assert talk.say("query p1turn") == ["response false"], "a refused command changes nothing"


WORDS = [
    *("ugi", "isready", "setoption", "name", "value", "Level", "Seed", "MultiPV", "Rules"),
    *("uginewgame", "position", "startpos", "fen", "moves", "go", "stop", "query", "gameover"),
    *("p1turn", "result", "infinite", "depth", "nodes", "movetime", "p1time", "p2time", "p1inc"),
    *("mate", "movestogo", "1", "2", "3", "0", "-5", "99999999999999999999", "\x00", "-", "w"),
    *("9/9/4w4/9/8b", "bbb/b1w/www", "b", "telo", "dimy", "d3-e3A", "d2e3", "f2-e3A"),
]


def test_any_words(talk):
    chance = random.Random(1)
    for _ in range(1500):
        line = " ".join(chance.choices(WORDS, k=chance.randrange(1, 8)))
        if chance.random() < 0.05:
            line = chance.choice(["go depth 2", "go infinite", "go nodes 50", "go"])
        before = len(talk.lines)
        talk.say(line)
        assert all("\n" not in said for said in talk.lines[before:])
    talk.say("uginewgame", "setoption name Level value 0", "setoption name Rules value tsivy")
    assert best(talk.go("depth 1"))


# As a process.


def test_a_process_ends_with_its_input():
    result = run(["ugi"], "ugi\nposition startpos\ngo infinite\n")
    assert result.returncode == 0 and result.stderr == b""
    lines = result.stdout.decode().splitlines()
    assert "ugiok" in lines and lines[-1].startswith("bestmove ")
    assert run(["ugi"], "").stdout == b""
    assert run(["ugi"], "isready").stdout == b"readyok\n"
    assert run(["ugi"], "quit\nisready\n").stdout == b""


def test_a_line_that_is_too_long_is_not_followed():
    long = "position startpos moves f2-e3A" + " " * (1 << 20) + "d5-d4A\n"
    said = run(["ugi"], f"{long}query p1turn\nquit\n").stdout.decode().splitlines()
    assert said == ["info string a line of more than 1048576 bytes: not followed", "response true"]


def test_a_turn_comes_whatever_happens(talk, monkeypatch):
    def broken(*_):
        raise RuntimeError("out of luck")

    monkeypatch.setattr("fanorona_core.engine.Engine.analyse", broken)
    assert talk.go("depth 3") == ["info string out of luck", f"bestmove {Board().legal_turns[0]}"]


def test_a_process_survives_bytes_of_any_kind():
    noise = b"\xff\xfe\x00\xe9\n" + b"position " + b"x" * 3_000_000 + b"\nisready\r\n"
    result = run(["ugi"], noise)
    assert result.returncode == 0 and result.stderr == b""
    lines = result.stdout.decode().splitlines()
    assert lines[-1] == "readyok"
    assert len(lines) == 3 and all(len(line) < 200 for line in lines)


def test_a_conversation():
    with subprocess.Popen(
        [*COMMAND, "ugi"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=environment(),
        cwd=TESTS,
    ) as process:
        assert process.stdin is not None and process.stdout is not None

        def ask(line: str, word: str) -> str:
            process.stdin.write(line + "\n")
            process.stdin.flush()
            while not (said := process.stdout.readline()).startswith(word):
                assert said, "the process has ended"
            return said.strip()

        ask("ugi", "ugiok")
        process.stdin.write("go infinite\n")
        process.stdin.flush()
        ask("isready", "readyok")
        time.sleep(0.1)
        ask("stop", "bestmove ")
        ask("go movetime 50", "bestmove ")
        process.stdin.write("quit\n")
        process.stdin.flush()
        assert process.wait(10) == 0
