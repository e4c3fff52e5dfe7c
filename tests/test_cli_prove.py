"""``fanorona prove``: answers, limits, certificates and their verification."""

import errno
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fanorona_cli.main import cli
from fanorona_core.proof import Findings, Proofs


@pytest.fixture(autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FANORONA_TABLES_DIR", str(tmp_path_factory.mktemp("tables")))


def prove(*args: str) -> Result:
    return CliRunner().invoke(cli, ["prove", *args])


def test_a_board() -> None:
    result = prove("--board", "5x5", "--hash", "16MiB", "--stones", "4")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "Drawn."
    assert "positions above tables of up to 4 stones" in lines[1]


def test_certificates_of_a_draw(tmp_path: Path) -> None:
    name = str(tmp_path / "draw.proof")
    result = prove("--board", "5x5", "--hash", "16MiB", "--stones", "3", "--certificate", name)
    assert result.exit_code == 0, result.output
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "draw-black.proof",
        "draw-white.proof",
    ]
    for side in ("white", "black"):
        file = str(tmp_path / f"draw-{side}.proof")
        checked = prove("--verify", file)
        assert checked.stdout.startswith(f"Right: {side.capitalize()} holds at least a draw in ")
        data = json.loads(prove("--verify", file, "--json").stdout)
        assert (data["schema"], data["verified"], data["stones"]) == (
            "fanorona/prove-verify/1",
            True,
            3,
        )
    again = prove("--board", "5x5", "--certificate", name)
    assert again.exit_code == 1
    assert "--force" in again.output


def test_a_win(tmp_path: Path) -> None:
    name = str(tmp_path / "win.proof")
    result = prove(
        *("--board", "3x5", "--turns", "b2-b3A", "--hash", "1MiB", "--certificate", name, "--json")
    )
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert (data["schema"], data["value"], data["black_holds"]) == (
        "fanorona/prove/1",
        "White wins",
        False,
    )
    assert [made["claim"] for made in data["certificates"]] == ["wins"]
    assert prove("--verify", name).stdout.startswith("Right: White wins in ")


def test_one_side() -> None:
    lines = prove("--board", "5x5", "--side", "black", "--hash", "8MiB", "--stones", "4").stdout
    assert lines.startswith("Black at least draws.\n")


@pytest.mark.parametrize("limit", [("--nodes", "100"), ("--time", "1ms")])
def test_limits(limit: tuple[str, str]) -> None:
    result = prove("--rules", "theory", "--hash", "1MiB", *limit)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("Not settled")
    data = json.loads(prove("--rules", "theory", "--hash", "1MiB", *limit, "--json").stdout)
    assert (data["value"], data["certificates"]) == (None, [])


@pytest.mark.parametrize("side", ["white", "both"])
def test_no_certificate_of_what_is_not_settled(side: str, tmp_path: Path) -> None:
    name = tmp_path / "x.proof"
    limit = ("--rules", "theory", "--hash", "1MiB", "--nodes", "100")
    result = prove(*limit, "--side", side, "--certificate", str(name))
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("Not settled")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("taken", ["win.proof", "win-white.proof", "win-black.proof"])
def test_no_certificate_is_overwritten(taken: str, tmp_path: Path) -> None:
    """Which of the names it will be is known only after the search: all are looked at."""
    (tmp_path / taken).write_bytes(b"precious")
    options = ("--board", "3x5", "--hash", "1MiB", "--certificate", str(tmp_path / "win.proof"))
    result = prove(*options)
    assert result.exit_code == 1
    assert result.output == f"Error: {tmp_path / taken} exists already: --force replaces it\n"
    assert (tmp_path / taken).read_bytes() == b"precious"
    assert prove(*options, "--force").exit_code == 0


@pytest.mark.parametrize("name", ["x.proof", "x-white.proof", "link"])
def test_a_checkpoint_is_no_certificate(name: str, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "x-black.proof")
    files = ("--certificate", str(tmp_path / "x.proof"), "--checkpoint", str(tmp_path / name))
    result = prove("--board", "5x5", *files)
    assert result.exit_code == 2
    assert "--checkpoint and --certificate both name" in result.output


@pytest.mark.parametrize("option", ["--certificate", "--checkpoint"])
@pytest.mark.parametrize("name", ["", ".", "-"])
def test_names_of_no_file(option: str, name: str) -> None:
    result = prove("--board", "3x5", option, name)
    assert result.exit_code == 2
    assert f"Invalid value for '{option}': {name!r}: expected the name of a file" in result.output


@pytest.mark.parametrize("option", ["--certificate", "--checkpoint"])
def test_a_folder_that_is_missing_is_told_before_the_search(option: str, tmp_path: Path) -> None:
    name = tmp_path / "none" / "file"
    result = prove("--rules", "theory", "--hash", "1MiB", option, str(name))
    assert result.exit_code == 1
    assert result.output.startswith(f"Error: {tmp_path / 'none' / 'file'}")
    assert result.output.count("\n") == 1


def test_a_checkpoint_that_fails_costs_no_certificate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: object, path: str) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", path)

    monkeypatch.setattr(Proofs, "save", full)
    state, name = str(tmp_path / "state"), str(tmp_path / "x.proof")
    result = prove(
        *("--board", "3x5", "--hash", "1MiB", "--checkpoint", state, "--certificate", name)
    )
    assert (result.exit_code, result.stderr) == (1, f"Error: {state}: No space left on device\n")
    assert f"{name}: White wins" in result.stdout
    assert prove("--verify", name).exit_code == 0


@pytest.mark.parametrize("option", ["--certificate", "--checkpoint"])
def test_a_full_disk(option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was proved is told first, then the error; no parts of files stay."""

    def full(*_: object) -> bytes:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("fanorona_core._files.os.fsync", full)
    name = str(tmp_path / "file")
    for json_option in ([], ["--json"]):
        result = prove("--board", "3x5", "--hash", "1MiB", option, name, *json_option)
        assert result.exit_code == 1
        assert "White wins" in result.stdout
        assert result.stderr == f"Error: {name}: No space left on device\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("side", ["white", "both"])
def test_an_interruption(side: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> Iterator[Findings]:
        yield Findings(True, None)
        raise KeyboardInterrupt

    monkeypatch.setattr(Proofs, "stretches", interrupted)
    files = "--checkpoint", str(tmp_path / "state"), "--certificate", str(tmp_path / "x.proof")
    result = prove("--board", "5x5", "--hash", "1MiB", "--side", side, *files)
    assert result.exit_code == 130
    assert "White at least draws.\n" in result.stdout
    assert result.stderr == (
        "\nInterrupted; this is what was proved until then. No certificate was written.\n"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["state"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX")
def test_sigterm_and_checkpoints_on_the_way(tmp_path: Path) -> None:
    state = tmp_path / "state"
    program = (
        "import fanorona_cli.prove as prove; from fanorona_cli.main import cli\n"
        "prove._SAVE_SECONDS = 1\n"
        f"cli(['prove', '--rules', 'theory', '--hash', '8MiB', '--checkpoint', {str(state)!r}])"
    )
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        began = time.monotonic()
        while not state.exists() and time.monotonic() - began < 60:
            time.sleep(0.1)
        saved = state.exists()
        running.send_signal(signal.SIGTERM)
        output, errors = running.communicate(timeout=60)
    assert saved
    assert running.returncode == 130
    assert output.startswith(b"Not settled")
    assert b"Interrupted" in errors and b"Traceback" not in errors
    assert [path.name for path in tmp_path.iterdir()] == ["state"]


def test_a_checkpoint_that_cannot_be_written_on_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("fanorona_cli.prove._SAVE_SECONDS", 1)
    monkeypatch.setattr(Proofs, "save", full)
    files = "--checkpoint", str(tmp_path / "state")
    result = prove("--rules", "theory", "--hash", "1MiB", "--time", "3", *files)
    assert result.exit_code == 1
    assert result.stdout.startswith("Not settled")
    assert "Warning: " in result.stderr
    assert result.stderr.endswith("Error: No space left on device\n")


@pytest.mark.parametrize("size", ["0", "512", "3.5kB"])
def test_a_hash_that_is_too_small(size: str) -> None:
    result = prove("--board", "3x5", "--hash", size)
    assert result.exit_code == 2
    assert f"{size!r}: expected a size of 1MiB or more, such as 512MiB" in result.output


def test_numbers_that_are_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "1000000000000000000" in prove("--nodes", "9223372036854775808").output
    assert prove("--hash", "999999999TiB").exit_code == 2

    def none_left(*_: object, **__: object) -> None:
        raise MemoryError("no memory for a hash table of 4194304 MiB")

    monkeypatch.setattr(Proofs, "__init__", none_left)
    result = prove("--board", "3x5", "--hash", "4TiB")
    assert result.exit_code == 1
    assert result.output == "Error: no memory for a hash table of 4194304 MiB\n"


def test_more_stones_than_there_are_tables() -> None:
    result = prove("--rules", "theory", "--stones", "24", "--hash", "1MiB")
    assert result.exit_code == 1
    assert "--stones 24: there are tables of up to 4 stones only" in result.output
    assert prove("--board", "3x3", "--stones", "44", "--hash", "1MiB").exit_code == 0


def test_a_position_that_no_game_has() -> None:
    result = prove("--board", "3x3", "--position", "1ww/wbw/bww w")
    assert result.exit_code == 1
    assert "White has 6 stones in 1ww/wbw/bww w: a proof knows of 4 at most" in result.output


def test_no_certificate_of_a_finished_game(tmp_path: Path) -> None:
    name = str(tmp_path / "x.proof")
    result = prove("--position", "9/9/9/9/w8 b", "--hash", "1MiB", "--certificate", name)
    assert result.exit_code == 1
    assert result.stdout.startswith("White wins.")
    assert "the game is over in 9/9/9/9/w8 b: it needs no certificate" in result.stderr


def test_verify_takes_no_other_options(tmp_path: Path) -> None:
    result = prove("--verify", str(tmp_path / "x"), "--side", "white")
    assert result.exit_code == 2
    assert "--verify takes only --dir and --json, not --side" in result.output
    assert prove("--verify", str(tmp_path / "x"), "--board", "3x3").exit_code == 2


def test_checkpoint(tmp_path: Path) -> None:
    options = ["--board", "5x5", "--hash", "8MiB", "--stones", "4", "--side", "white", "--json"]
    options += ["--checkpoint", str(tmp_path / "state")]
    first = json.loads(prove(*options, "--nodes", "20000").stdout)
    assert first["white_holds"] is None
    second = json.loads(prove(*options).stdout)
    assert second["white_holds"] is True
    third = json.loads(prove(*options).stdout)
    assert third["nodes"] < second["nodes"]


def test_broken_certificate(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"FNPROOF\n" + bytes(100))
    result = prove("--verify", str(tmp_path / "x"))
    assert result.exit_code == 1
    assert result.output.count("\n") == 1
    assert "certificate" in result.output
    assert prove("--verify", str(tmp_path / "none")).exit_code == 1


def test_all_certificates_of_a_folder(tmp_path: Path) -> None:
    assert f"{tmp_path}: no certificate" in prove("--verify", str(tmp_path)).output
    for board, name in (("3x3", "a.proof"), ("3x5", "b.proof"), ("3x3", "d.proof")):
        file = str(tmp_path / name)
        assert prove("--board", board, "--hash", "1MiB", "--certificate", file).exit_code == 0
    result = prove("--verify", str(tmp_path))
    assert result.exit_code == 0, result.output
    *lines, last = result.stdout.splitlines()
    assert [line.startswith("Right: ") for line in lines] == [True] * 3
    assert last.startswith("3 right, 0 not verified, in ")
    (tmp_path / "c.proof").write_bytes(b"FNPROOF\n" + bytes(100))
    whole = (tmp_path / "d.proof").read_bytes()
    (tmp_path / "d.proof").write_bytes(whole[:-1])
    result = prove("--verify", str(tmp_path))
    assert result.exit_code == 1
    *lines, last = result.stdout.splitlines()
    assert sum(line.startswith("Not verified: ") for line in lines) == 2
    assert last.startswith("2 right, 2 not verified, in ")
    data = json.loads(prove("--verify", str(tmp_path), "--json").stdout)
    assert data["schema"] == "fanorona/prove-verify-all/1"
    told = {Path(each["file"]).name: each for each in data["certificates"]}
    assert {name: each["verified"] for name, each in told.items()} == {
        "a.proof": True,
        "b.proof": True,
        "c.proof": False,
        "d.proof": False,
    }
    assert told["a.proof"]["claim"] == "wins"
    assert "d.proof" in told["d.proof"]["error"]


def test_missing_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = str(tmp_path / "proof")
    tables = tmp_path / "many"
    run = CliRunner().invoke(
        cli, ["tables", "build", "--board", "9x3", "--stones", "6", "--dir", str(tables)]
    )
    assert run.exit_code == 0, run.output
    position = "4b4/3bbb3/1ww1w1w2 w"
    made = prove(
        "--position",
        position,
        "--dir",
        str(tables),
        "--hash",
        "8MiB",
        "--side",
        "white",
        "--certificate",
        name,
    )
    assert made.exit_code == 0, made.output
    assert prove("--verify", name, "--dir", str(tables)).exit_code == 0
    refused = prove("--verify", name)
    assert refused.exit_code == 1
    assert "fanorona tables build --stones 6 --board 9x3\n" in refused.output
    refused = prove("--verify", name, "--dir", str(tmp_path))
    assert f"--board 9x3 --dir {tmp_path}\n" in refused.output
    (tmp_path / "proof").rename(tmp_path / "one.proof")
    refused = prove("--verify", str(tmp_path))
    assert refused.exit_code == 1
    assert "fanorona tables build --stones 6 --board 9x3\n" in refused.stdout


def test_wrong_turns_and_rules() -> None:
    assert prove("--turns", "a1-a2").exit_code == 2
    result = prove("--rules", "tsivy,first-turn=both-single")
    assert result.exit_code == 1
    assert "restrictions" in result.output
