"""Every example in a docstring, in README.md and in docs/ does what it shows."""

import ast
import doctest
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import fanorona_cli
import fanorona_core
from fanorona_core.formats import FORMATS, guess_format

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("benchmarks/*.md"), *ROOT.glob("docs/**/*.md")])
MODULES = sorted(
    {
        "fanorona_core",
        *(m.name for m in pkgutil.walk_packages(fanorona_core.__path__, "fanorona_core.")),
        *(m.name for m in pkgutil.walk_packages(fanorona_cli.__path__, "fanorona_cli.")),
    }
)
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


def page_id(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def run(test: doctest.DocTest) -> None:
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    runner.run(test, out=report.append)
    assert not runner.failures, "".join(report)


def blocks(path: Path) -> Iterator[tuple[str, int, str]]:
    """Yield (language, line of the fence, text) of the fenced blocks of a Markdown page."""
    fence, language, start, body = "", "", 0, [""]
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if fence:
            if line.strip() == fence:
                yield language, start, "\n".join(body) + "\n"
                fence = ""
            else:
                body.append(line)
        elif match := re.match(r"\s*(```+|~~~+)\s*(\w*)", line):
            fence, language, start, body = match[1], match[2], number, []
    assert not fence, f"{page_id(path)}:{start}: block without an end"


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for test in doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(name)):
        run(test)


@pytest.mark.parametrize("path", PAGES, ids=page_id)
def test_examples_of_page(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The ``pycon`` blocks of a page are one session, in order."""
    monkeypatch.chdir(tmp_path)
    session: list[str] = []
    for language, line, text in blocks(path):
        if language == "pycon":
            # Pad with empty lines, so that a failure names the line of the page.
            session += [""] * (line - len(session)) + text.splitlines()
    run(doctest.DocTestParser().get_doctest("\n".join(session), {}, page_id(path), str(path), 0))


@pytest.mark.parametrize("path", PAGES, ids=page_id)
def test_blocks_of_page(path: Path) -> None:
    """Python blocks parse, and no session hides in a block that is not run."""
    for language, line, text in blocks(path):
        where = f"{page_id(path)}:{line}"
        assert language == "pycon" or ">>> " not in text, f"{where}: mark this block as pycon"
        if language == "python":
            ast.parse(text, where)


@pytest.mark.parametrize("path", PAGES, ids=page_id)
def test_records_of_page(path: Path) -> None:
    """A block that begins like a record is one, without a fault."""
    for _, line, text in blocks(path):
        name = guess_format(text)
        if name in ("fgn", "json", "boardspace", "abstractplay"):
            for result in FORMATS[name].read(text):
                assert (result.error, result.warnings) == (None, ()), f"{page_id(path)}:{line}"


@pytest.mark.parametrize("path", PAGES, ids=page_id)
def test_links_of_page(path: Path) -> None:
    """Links within the project lead to a file, and to a heading that it has."""
    missing = []
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(path)):
        target, _, anchor = link.partition("#")
        file = path.parent / target if target else path
        if target == "proofs" and not file.exists():
            continue  # not part of the source distribution
        if "://" not in link and not (file.exists() and (not anchor or anchor in anchors(file))):
            missing.append(link)
    assert not missing


def prose(path: Path) -> str:
    return re.sub(r"```.*?```", "", path.read_text("utf-8"), flags=re.S)


def anchors(path: Path) -> set[str]:
    """The names that a page's headings get where Markdown is shown."""
    headings = re.findall(r"^#+ (.*)$", prose(path), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
