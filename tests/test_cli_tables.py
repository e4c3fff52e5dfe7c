"""fanorona tables: build, list, verify, count and probe."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fanorona_cli.main import cli


def invoke(*args: str, **env: str) -> Result:
    result = CliRunner(env=env).invoke(cli, ["tables", *args])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("tables"))
    result = invoke("build", "--board", "3x3", "--stones", "8", "--distance", "--dir", path)
    assert result.exit_code == 0, result.output
    assert result.output.startswith("Built 32 tables, ")
    assert result.output.endswith(f" s: {path}\n")
    return path


def report(*args: str) -> dict:
    result = invoke(*args, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_build_again(folder: str) -> None:
    output = invoke("build", "--board", "3x3", "--stones", "8", "--distance", "--dir", folder)
    assert output.output == f"Nothing to build: all is there in {folder}.\n"
    data = report("build", "--board", "3x3", "--stones", "8", "--dir", folder)
    assert (data["schema"], data["written"]) == ("fanorona/tables-build/1", [])


def test_build_refuses_what_memory_cannot_hold(tmp_path: Path) -> None:
    result = invoke("build", "--stones", "7", "--memory", "512MiB", "--dir", str(tmp_path / "new"))
    assert result.exit_code == 1
    assert "4 against 3 stones need about 1.4 GB of memory" in result.stderr
    assert "536.9 MB are allowed" in result.stderr
    assert invoke("build", "--memory", "lots").exit_code == 2


def test_list(folder: str, tmp_path: Path) -> None:
    lines = invoke("list", "--dir", folder).output.splitlines()
    assert len(lines) == 33
    assert lines[-1].startswith("32 tables, ")
    data = report("list", "--dir", folder)["tables"]
    assert {"own": 4, "enemy": 2, "kind": "wdl", "positions": 1260}.items() <= next(
        table for table in data if table["file"] == "3x3-optional-4v2.wdl"
    ).items()
    output = invoke("list", "--dir", str(tmp_path)).output
    assert output.startswith(f"No tables in {tmp_path}; build some with: fanorona tables build")


def test_list_names_broken_files(tmp_path: Path) -> None:
    (tmp_path / "3x3-optional-1v1.wdl").write_text("something else")
    result = invoke("list", "--dir", str(tmp_path))
    assert result.exit_code == 1
    assert result.stderr == (
        f"Error: table {tmp_path / '3x3-optional-1v1.wdl'}: it is not a table\n"
    )


def test_verify(folder: str) -> None:
    args = ("--board", "3x3", "--dir", folder)
    lines = invoke("verify", *args).output.splitlines()
    assert len(lines) == 32
    assert lines[0] == "3x3-optional-1v1.dtw         right (32 positions)"
    assert len(report("verify", *args, "--complete")["tables"]) == 32
    assert len(report("verify", *args, "--stones", "3")["tables"]) == 6
    nothing = invoke("verify", "--board", "5x3", "--dir", folder)
    assert nothing.exit_code == 1
    assert nothing.output == (f"Error: {folder}: no table of these rules, so nothing is verified\n")


def test_verify_finds_an_altered_file(folder: str, tmp_path: Path) -> None:
    for source in Path(folder).iterdir():
        (tmp_path / source.name).write_bytes(source.read_bytes())
    target = tmp_path / "3x3-optional-2v2.dtw"
    data = bytearray(target.read_bytes())
    data[200] ^= 1
    target.write_bytes(data)
    result = invoke("verify", "--board", "3x3", "--dir", str(tmp_path))
    assert result.exit_code == 1
    assert f"Error: table {target}: block 0 is altered" in result.stderr
    assert result.stderr.endswith(": delete it and build it again\n")


def test_stats(folder: str) -> None:
    lines = invoke("stats", "--board", "3x3", "--dir", folder).output.splitlines()
    assert lines[0].split()[:6] == ["stones", "positions", "folded", "win", "draw", "loss"]
    assert lines[1].split()[:8] == ["1-1", "72", "21", "64", "0", "8", "3", "2"]
    assert len(lines) == 17
    markdown = invoke("stats", "--board", "3x3", "--dir", folder, "--markdown", "--stones", "2")
    assert markdown.output.splitlines()[2].startswith("| 1-1 | 72 | 21 | 64 | 0 | 8 | 3 | 2 | `")
    row = report("stats", "--board", "3x3", "--dir", folder)["tables"][-1]
    assert (row["own"], row["enemy"], row["longest_win"]) == (4, 4, 11)


def test_the_example_is_as_long_as_it_says(folder: str) -> None:
    for row in report("stats", "--board", "3x3", "--dir", folder)["tables"]:
        for name in ("win", "loss"):
            if row[f"example_{name}"] is not None:
                data = report("probe", row[f"example_{name}"], "--dir", folder)
                assert data["value"]["wdl"] == name
                assert data["value"]["distance"] == row[f"longest_{name}"]


def test_probe(folder: str) -> None:
    result = invoke("probe", "bbb/b1w/www w", "--dir", folder)
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines[0] == "White: win in 11"
    assert lines[1].split()[1:] == ["win", "in", "11"]


def test_probe_without_tables(tmp_path: Path) -> None:
    folder = str(tmp_path)
    assert invoke("probe", "9/9/9/9/w1b6 w", "--dir", folder).output.startswith("White: win in 1\n")
    result = invoke("probe", "bbb6/9/9/9/www6 w", "--dir", folder)
    assert result.exit_code == 1
    assert "no table with results for 3 against 3 stones" in result.stderr
    assert invoke("probe", "nonsense", "--dir", folder).exit_code == 2


def test_probe_says_when_a_counter_may_end_the_game(folder: str) -> None:
    output = invoke("probe", "bbb/b1w/www w - 0 395", "--dir", folder).output
    assert output.splitlines()[0] == (
        "White: win in 11, if no counter of the rules ends the game before"
    )


def test_probe_says_when_the_game_is_over() -> None:
    lines = invoke("probe", "8b/9/9/9/wb7 b - 50 40 youzai").output.splitlines()
    assert lines[:2] == [
        "Black: win in 1",
        "The game is over. Draw: too many turns without a capture.",
    ]
    assert report("probe", "9/9/9/9/w8 b")["outcome"] == "White wins: Black has no stones left"
    assert report("probe", "8b/9/9/9/wb7 w")["outcome"] is None


@pytest.mark.parametrize("words", [["list"], ["verify"], ["stats"], ["probe", "8b/9/9/9/w8 w"]])
def test_a_folder_that_is_not_there(words: list[str], tmp_path: Path) -> None:
    folder = str(tmp_path / "nowhere")
    result = invoke(*words, "--dir", folder)
    assert result.exit_code == 1
    assert result.output == f"Error: {folder}: there is no such folder of tables\n"


@pytest.mark.parametrize("name", ["list", "verify", "stats"])
def test_a_table_under_another_name(name: str, folder: str, tmp_path: Path) -> None:
    other = tmp_path / "3x3-optional-1v2.wdl"
    other.write_bytes((Path(folder) / "3x3-optional-2v1.wdl").read_bytes())
    result = invoke(name, "--dir", str(tmp_path))
    assert result.exit_code == 1
    reason = "it holds another table, 3x3-optional-2v1.wdl"
    assert result.stderr == f"Error: table {other}: {reason}\n"


def test_the_folder_of_the_environment(folder: str, tmp_path: Path) -> None:
    assert f": {folder}\n" in invoke("list", FANORONA_TABLES_DIR=folder).output
    output = invoke("list", FANORONA_DATA_DIR=str(tmp_path), FANORONA_TABLES_DIR="").output
    assert str(tmp_path / "tables") in output


@pytest.mark.parametrize("name", ["build", "list", "verify", "stats", "probe"])
def test_help(name: str) -> None:
    result = invoke(name, "--help")
    assert result.exit_code == 0
    assert f"fanorona tables {name}" in result.output
