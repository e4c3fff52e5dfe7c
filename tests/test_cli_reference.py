"""docs/cli.md says what the commands say."""

import importlib.util
import re
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parents[1]
NAME = re.compile(r"\bFANORONA_[A-Z_]+\b")
SCHEMA = re.compile(r"\b(?:print_json|json_text)\(\s*\"([a-z-]+/\d+)\"")


def reference():
    path = ROOT / "tools" / "cli_reference.py"
    spec = importlib.util.spec_from_file_location("cli_reference", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_current():
    module = reference()
    current = module.page()
    assert module.PAGE.read_text("utf-8") == current, "run: python tools/cli_reference.py"


def test_defaults_are_told_as_in_the_help():
    cell = reference().default
    assert cell(click.Option(["--stones"], default=5, show_default=True)) == " [default: 5]"
    assert cell(click.Option(["--threads"], show_default="as many as fit"))[1:] == (
        "[default: as many as fit]"
    )
    assert cell(click.Option(["--stones"], default=5)) == ""


def test_examples_can_be_run_as_they_stand():
    """What an example says about itself is a comment of the shell."""
    page = reference().PAGE.read_text("utf-8")
    for block in re.findall(r"^```sh\n(.*?)^```$", page, re.M | re.S):
        for line in block.splitlines():
            assert not re.search(r"\S {2,}(?!#)\S", line), line


def test_every_variable_is_listed():
    sources = [*ROOT.glob("cli/**/*.py"), *ROOT.glob("fanorona_core/**/*.py")]
    found = {name for path in sources for name in NAME.findall(path.read_text("utf-8"))}
    page = reference().PAGE.read_text("utf-8")
    assert {name for name in found if f"| `{name}` |" not in page} == set()


def test_every_report_is_described():
    sources = ROOT.glob("cli/**/*.py")
    found = {name for path in sources for name in SCHEMA.findall(path.read_text("utf-8"))}
    assert len(found) > 10
    page = (ROOT / "docs" / "cli-json.md").read_text("utf-8")
    headings = "".join(re.findall(r"^## .*$", page, re.M))
    assert {name for name in found if f"`fanorona/{name}`" not in headings} == set()
