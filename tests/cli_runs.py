"""How the tests run the command: in this process, or as a process of its own."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from click.testing import CliRunner, Result

from fanorona_cli.main import cli

COMMAND = [sys.executable, "-m", "fanorona_cli"]
TESTS = Path(__file__).parent


def invoke(*args: str, text: str | bytes | None = None, **env: str) -> Result:
    """Run the command in this process; ``text`` is what is typed."""
    result = CliRunner(env=env).invoke(cli, args, input=text)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def environment(**changes: str | None) -> dict[str, str]:
    """The environment without what changes how the command looks, and with some changes."""
    dropped = {"COLUMNS", "LINES", "TERM", "NO_COLOR", "PYTHONIOENCODING", "PYTHONUTF8"}
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    kept["PYTHONUTF8"] = "1"
    for name, value in changes.items():
        kept.pop(name, None)
        if value is not None:
            kept[name] = value
    return kept


def run(
    args: Sequence[str], text: str | bytes = b"", **env: str | None
) -> "subprocess.CompletedProcess[bytes]":
    """Run the command as a process of its own, away from the source folder."""
    return subprocess.run(
        [*COMMAND, *args],
        input=text.encode() if isinstance(text, str) else text,
        capture_output=True,
        env=environment(**env),
        cwd=TESTS,
        timeout=60,
        check=False,
    )
