"""What commands write: JSON reports, and files that are whole or not there."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any, TextIO

import click

from fanorona_core._files import replaced

__all__ = [
    "check_new",
    "is_utf8",
    "json_text",
    "print_json",
    "text_output",
    "write_file",
]


def is_utf8(stream: Any) -> bool:
    """Whether a stream takes every character."""
    encoding = getattr(stream, "encoding", None) or ""
    return encoding.lower().replace("_", "-").startswith(("utf-8", "utf8", "utf-16", "utf-32"))


def json_text(schema: str, data: dict[str, Any], *, ascii_only: bool = False) -> str:
    """A report as one JSON object on one line; ``schema`` names its form, such as ``show/1``.

    The forms are described in docs/cli-json.md. A change that could break a reader gets a new
    number; a new key does not.
    """
    report = {"schema": f"fanorona/{schema}", **data}
    return json.dumps(report, ensure_ascii=ascii_only, allow_nan=False)


def print_json(schema: str, data: dict[str, Any]) -> None:
    """Print a report on standard output; see ``json_text``."""
    click.echo(json_text(schema, data, ascii_only=not is_utf8(sys.stdout)))


def write_file(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file that is at any moment either the old one or the new one, whole.

    Text is written as UTF-8, its line ends as they stand.

    Raises:
        OSError: the file cannot be written; ``filename`` is its path.
    """
    with replaced(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def text_output(path: str, *, force: bool = False) -> Iterator[TextIO]:
    """A stream for text in UTF-8, to standard output for ``-``, else to a file as ``replaced``.

    Raises:
        ClickException: there is such a file, and ``force`` was not given; or there is no standard
            output.
        OSError: the file cannot be written; ``filename`` is its path.
    """
    with ExitStack() as stack:
        if path == "-":
            if sys.stdout is None:
                raise click.ClickException("there is no standard output")
            binary: IO[bytes] = sys.stdout.buffer
        else:
            check_new(path, force=force)
            binary = stack.enter_context(replaced(path))
        # For writing only: detached at the end, it does not close what it did not open.
        text = io.TextIOWrapper(binary, "utf-8", newline="\n")
        try:
            yield text
            text.flush()
        finally:
            text.detach()


def check_new(path: str, *, force: bool) -> None:
    """Refuse to write over a file unless that was asked for; pipes and devices are no files."""
    if not force and path != "-" and Path(path).is_file():
        raise click.ClickException(f"{path} exists already: --force replaces it")
