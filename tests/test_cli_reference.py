"""docs/cli.md says what the commands say."""

import importlib.util
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def test_the_page_is_current():
    path = ROOT / "tools" / "cli_reference.py"
    spec = importlib.util.spec_from_file_location("cli_reference", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    current = module.page()
    assert module.PAGE.read_text("utf-8") == current, "run: python tools/cli_reference.py"
