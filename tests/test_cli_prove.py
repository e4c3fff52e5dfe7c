"""``fanorona prove``: answers, limits, certificates and their verification."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fanorona_cli.main import cli


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
    assert "fanorona tables build --stones 6" in refused.output


def test_wrong_turns_and_rules() -> None:
    assert prove("--turns", "a1-a2").exit_code == 2
    result = prove("--rules", "tsivy,first-turn=both-single")
    assert result.exit_code == 1
    assert "restrictions" in result.output
