"""What holds for every command: loading, help, errors, interruptions, closed pipes."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest
from cli_runs import COMMAND, TESTS, environment, invoke, run

from fanorona_cli import main
from fanorona_cli.main import COMMANDS, cli
from fanorona_core import FanoronaError, __version__

POSIX = pytest.mark.skipif(os.name == "nt", reason="signals and pipes of POSIX")
ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(autouse=True)
def _own_data(tmp_path, monkeypatch):
    monkeypatch.setenv("FANORONA_DATA_DIR", str(tmp_path / "data"))


def loaded(name: str) -> click.Command:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    return command


def test_version():
    assert invoke("--version").output == f"fanorona, version {__version__}\n"


@POSIX
def test_version_loads_no_command():
    code = (
        "import sys; from fanorona_cli.main import cli\n"
        "try: cli(['--version'])\n"
        "except SystemExit: pass\n"
        "print([n for n in sys.modules if n.startswith('fanorona_cli.') or n in "
        "('rich', 'platformdirs')])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=TESTS)
    assert out.stdout.splitlines()[-1] == "['fanorona_cli.main']"


def test_help_lists_every_command():
    output = invoke("--help").output
    assert [line.split()[0] for line in output.splitlines() if re.match(r"  [a-z]", line)] == list(
        COMMANDS
    )
    assert invoke("-h").output == output
    assert "..." not in output.partition("Commands:")[2]  # each says all of its sentence
    assert "fanorona play" in output


def test_without_a_command_there_is_help():
    assert "Commands:" in invoke().output


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_help(name):
    command = loaded(name)
    assert command.name == name
    assert command.help and command.get_short_help_str()
    for param in command.params:
        assert isinstance(param, click.Argument) or param.help, f"{name}: {param.name}"
    result = invoke(name, "--help")
    assert result.exit_code == 0
    assert result.output == invoke(name, "-h").output


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_an_example_that_parses(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = loaded(name)
    lines = [line.strip() for line in (command.epilog or "").splitlines() if "fanorona " in line]
    assert lines, f"fanorona {name}: no example in the epilog"
    for line in lines:
        # Two blanks or more divide an example from what is said of it; it may be part of a pipe.
        found = re.search(rf"fanorona {name}\b.*", line)
        assert found, line
        example = re.split(r"\s{2,}|\s[|<>]", found[0])[0]
        words = shlex.split(example)[2:]
        for word in words:
            if re.fullmatch(r"[\w.-]+\.[a-z]+", word):
                Path(word).write_text("1. f2-e3A *\n")
        with command.make_context(name, words):
            pass


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_is_documented(name):
    assert f"## fanorona {name}\n" in (ROOT / "docs" / "cli.md").read_text("utf-8")


@pytest.mark.parametrize("width", ["10", "300"])
def test_help_at_any_width(width):
    for name in COMMANDS:
        assert invoke(name, "--help", COLUMNS=width).exit_code == 0


def test_wrong_command_is_wrong_usage():
    result = invoke("plya")
    assert result.exit_code == 2
    assert result.stderr.endswith("Error: No such command 'plya'. Did you mean 'play'?\n")
    assert "Did you mean" not in invoke("xyzzy").stderr


@pytest.fixture
def failing(monkeypatch):
    """A command that raises what it is given."""

    def give(error: BaseException):
        @click.command("rules")
        def command() -> None:
            raise error

        monkeypatch.setattr(main, "import_module", lambda *_: type("M", (), {"command": command}))
        return invoke("rules")

    return give


def test_an_error_of_the_library_is_one_line(failing):
    result = failing(FanoronaError("what was wrong"))
    assert (result.exit_code, result.stderr, result.stdout) == (1, "Error: what was wrong\n", "")


def test_an_error_of_a_file_names_it(failing):
    result = failing(PermissionError(13, "Permission denied", "a.fgn"))
    assert (result.exit_code, result.stderr) == (1, "Error: a.fgn: Permission denied\n")


def test_an_error_of_no_file_is_one_line_too(failing):
    result = failing(OSError(28, "No space left on device"))
    assert (result.exit_code, result.stderr) == (1, "Error: No space left on device\n")


@pytest.mark.parametrize("text", ["no memory for a hash table of 9 MiB", ""])
def test_too_little_memory_is_one_line(failing, text):
    result = failing(MemoryError(*([text] if text else [])))
    assert (result.exit_code, result.stderr) == (
        1,
        f"Error: {text or 'there is not enough memory'}\n",
    )


def test_an_interruption_is_one_line(failing):
    result = failing(KeyboardInterrupt())
    assert (result.exit_code, result.stderr) == (130, "\nInterrupted.\n")


def test_other_errors_are_not_hidden(failing):
    with pytest.raises(ZeroDivisionError):
        failing(ZeroDivisionError())


@POSIX
@pytest.mark.parametrize("args", [["rules"], ["show"], ["--help"], ["play", "--no-board"]])
def test_a_closed_pipe_ends_quietly(args):
    """As with ``| head``: the reader goes before everything is written."""
    process = subprocess.Popen(
        [*COMMAND, *args],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        cwd=TESTS,
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait(30) in (0, 1, main.CLOSED_PIPE)
    assert errors == b""


@POSIX
@pytest.mark.parametrize("command", ["rules", "show", "rules --json", "play < /dev/null"])
def test_head(command):
    line = f"{shlex.join(COMMAND)} {command} | head -n 1"
    done = subprocess.run(
        ["sh", "-c", line], capture_output=True, env=environment(), cwd=TESTS, timeout=30
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"\n") == 1


@POSIX
@pytest.mark.parametrize("closing", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("command", ["rules", "show --json", "play --no-board", "ugi", "--version"])
def test_closed_streams(command, closing):
    line = f"{shlex.join(COMMAND)} {command} {closing}"
    done = subprocess.run(
        ["sh", "-c", line], stdin=subprocess.DEVNULL, capture_output=True, env=environment(),
        cwd=TESTS, timeout=30,
    )  # fmt: skip
    assert b"Traceback" not in done.stdout + done.stderr
    assert done.returncode == 0


@POSIX
def test_a_ugi_process_with_nobody_to_answer():
    line = f"echo ugi | {shlex.join(COMMAND)} ugi >&-"
    done = subprocess.run(
        ["sh", "-c", line], capture_output=True, env=environment(), cwd=TESTS, timeout=30
    )
    assert (done.returncode, done.stderr) == (0, b"")


@POSIX
@pytest.mark.parametrize(
    "command",
    [
        "show -",
        "analyze -",
        "validate -",
        "convert - - --to json",
        "match nodes=9 nodes=9 --openings -",
    ],
)
def test_games_from_a_closed_standard_input(command):
    done = subprocess.run(
        ["sh", "-c", f"{shlex.join(COMMAND)} {command} <&-"], stdin=subprocess.DEVNULL,
        capture_output=True, env=environment(), cwd=TESTS, timeout=30, text=True,
    )  # fmt: skip
    assert done.returncode == 1
    assert "there is no standard input" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1", "cp437", "utf-8"])
@pytest.mark.parametrize(
    "args", [["show"], ["rules"], ["play"], ["play", "--unicode"], ["show", "--unicode"]]
)
def test_any_encoding(args, encoding):
    done = run(args, "f2-e3A\nmoves\nhelp\n", PYTHONIOENCODING=encoding, PYTHONUTF8=None)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode(encoding)


@POSIX
def test_sigint_before_any_command_is_no_traceback():
    process = subprocess.Popen(
        [*COMMAND, "play", "--two"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        cwd=TESTS,
    )
    assert process.stdout is not None
    while not process.stdout.readline().startswith(b"Turn 1"):
        pass
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == main.INTERRUPTED
    assert errors.strip() == b"Interrupted."


def test_sigint_while_modules_load_is_no_traceback():
    code = (
        "import sys; from fanorona_cli.start import main\n"
        "class Interrupted:\n"
        "    def find_spec(self, name, *rest):\n"
        "        if name == 'click': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupted())\n"
        "main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=TESTS)
    assert (done.returncode, done.stdout, done.stderr.strip()) == (130, "", "Interrupted.")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell):
    result = invoke("completion", shell)
    assert result.exit_code == 0
    assert "_FANORONA_COMPLETE" in result.output


def completed(*words: str) -> list[str]:
    line = " ".join(["fanorona", *words])
    done = run([], _FANORONA_COMPLETE="bash_complete", COMP_WORDS=line, COMP_CWORD=str(len(words)))
    return [line.split(",", 1)[1] for line in done.stdout.decode().splitlines()]


def test_what_is_completed():
    assert "play" in completed("pl")
    assert completed("play", "--rules", "tsivy-") == ["tsivy-compulsory"]
    assert completed("play", "--board", "5") == ["5x5"]
    assert completed("rules", "yo") == ["youzai"]
    assert completed("play", "--white", "e") == ["engine"]


@pytest.mark.parametrize("args", [["rules", "--json"], ["show", "--json"]])
def test_json_is_one_object_with_a_schema(args):
    text = invoke(*args).output
    assert text.count("\n") == 1
    name = json.loads(text)["schema"]
    assert name.startswith("fanorona/")
    assert f"`{name}`" in (ROOT / "docs" / "cli-json.md").read_text("utf-8")


@POSIX
def test_games_to_a_closed_standard_output(tmp_path):
    (tmp_path / "a.fgn").write_text("1. f2-e3A *\n")
    for command in ("convert a.fgn - --to json", "analyze a.fgn -d 1 --fgn -"):
        done = subprocess.run(
            ["sh", "-c", f"{shlex.join(COMMAND)} {command} >&-"], stdin=subprocess.DEVNULL,
            capture_output=True, env=environment(), cwd=tmp_path, timeout=30, text=True,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (1, "Error: there is no standard output\n")


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="no device that is always full")
@pytest.mark.parametrize("command", ["show", "rules", "perft 1", "completion bash"])
def test_a_full_disk(command):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*COMMAND, *command.split()], stdin=subprocess.DEVNULL, stdout=full,
            stderr=subprocess.PIPE, env=environment(), cwd=TESTS, timeout=30, text=True,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, "Error: No space left on device\n")
