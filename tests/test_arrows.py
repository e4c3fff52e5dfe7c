"""What may import what, and how large a file may grow."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PURE = sorted((ROOT / "fanorona_core").rglob("*.py"))
STUBS = sorted((ROOT / "fanorona_core").rglob("*.pyi"))
CLI = sorted((ROOT / "cli").rglob("*.py"))
CYTHON = sorted(
    path for path in (ROOT / "src").rglob("*") if path.suffix in {".pyx", ".pxd", ".pxi"}
)
SIZED = [*PURE, *CLI, *CYTHON, *sorted((ROOT / "tests").glob("*.py"))]
MAX_LINES = 600
# The command line and what only it may use; the core runs on the standard library alone.
FORBIDDEN = ("fanorona_cli", "cli", "click", "rich", "textual", "platformdirs")


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (line, dotted name) of each import; relative ones start with a dot."""
    text = path.read_text("utf-8")
    if path.suffix in {".py", ".pyi"}:
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                yield from ((node.lineno, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                yield node.lineno, "." * node.level + (node.module or "")
        return
    for number, line in enumerate(text.splitlines(), 1):
        if match := re.match(r"\s*(?:from\s+([\w.]+)\s+c?import|c?import\s+([\w.]+))", line):
            yield number, match[1] or match[2]


@pytest.mark.parametrize("path", [*PURE, *STUBS, *CYTHON], ids=name_of)
def test_core_does_not_import_the_command_line(path: Path) -> None:
    found = [
        f"line {line}: {name}" for line, name in imports(path) if name.split(".")[0] in FORBIDDEN
    ]
    assert not found


@pytest.mark.parametrize("path", CYTHON, ids=name_of)
def test_compiled_modules_do_not_import_the_facade(path: Path) -> None:
    """Only compiled modules and the two leaves of the facade, which import nothing of it."""
    leaves = {"fanorona_core.errors", "fanorona_core.types"}
    found = [
        f"line {line}: {name}"
        for line, name in imports(path)
        if name.startswith("fanorona_core.")
        and name not in leaves
        and not (ROOT / "src" / Path(*name.split("."))).with_suffix(".pxd").exists()
        and not (ROOT / "src" / Path(*name.split("."))).with_suffix(".pyx").exists()
    ]
    assert not found


@pytest.mark.parametrize("path", CLI, ids=name_of)
def test_command_line_imports_itself_relatively(path: Path) -> None:
    """The folder is called cli, the package fanorona_cli: only relative imports fit both."""
    found = [
        f"line {line}: {name}"
        for line, name in imports(path)
        if name.split(".")[0] in {"cli", "fanorona_cli"}
    ]
    assert not found


@pytest.mark.parametrize("path", [*PURE, *CYTHON], ids=name_of)
def test_core_does_not_print(path: Path) -> None:
    """Docstrings may: their examples print."""
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        lines = [
            node.lineno
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "print"
        ]
    else:
        lines = [
            number
            for number, line in enumerate(text.splitlines(), 1)
            if re.match(r"\s*print\s*\(", line)
        ]
    assert not lines, "lines that print"


def test_importing_the_core_loads_no_command_line() -> None:
    code = (
        "import sys, fanorona_core; "
        f"sys.stdout.write(' '.join(n for n in {FORBIDDEN!r} if n in sys.modules))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT / "tests"
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


@pytest.mark.parametrize("path", SIZED, ids=name_of)
def test_file_size(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= MAX_LINES
