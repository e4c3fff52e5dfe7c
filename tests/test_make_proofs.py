"""The tool that makes all certificates anew."""

import sys
from pathlib import Path
from types import ModuleType

import pytest
from tool_modules import TOOLS, load_tool

TOOL = TOOLS / "make_proofs.py"
pytestmark = [
    pytest.mark.skipif(not TOOL.exists(), reason="needs the sources"),
    pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX"),
]


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    return load_tool(TOOL.stem)


def test_a_certificate(
    tool: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tool.main(["--tables", str(tmp_path), "--out", str(tmp_path / "out"), "3x5-compulsory"])
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["3x5-compulsory.proof"]
    line = capsys.readouterr().out.splitlines()[2]
    assert line.startswith("| 3x5-compulsory | White wins | 4 | 64MiB | 5 | 16 |")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--tables", "nowhere"], "--tables nowhere: there is no such folder"),
        (["4x4"], "4x4: no certificate has that in its name, such as 3x3-optional"),
    ],
)
def test_wrong_arguments(
    tool: ModuleType,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    reason: str,
) -> None:
    out = tmp_path / "out"
    with pytest.raises(SystemExit, match="2"):
        tool.main(["--tables", str(tmp_path), "--out", str(out), *arguments])
    assert capsys.readouterr().err.splitlines()[-1].endswith(reason)
    assert not out.exists()


def test_a_folder_that_cannot_be(
    tool: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SystemExit, match="1"):
        tool.main(["--tables", str(tmp_path), "--out", str(tmp_path / "file"), "3x3"])
    assert str(tmp_path / "file") in capsys.readouterr().err
