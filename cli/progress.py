"""A progress bar on standard error, where somebody can see it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

__all__ = ["Bar", "progress_bar"]


class Bar:
    """Counts what is done; draws it if standard error is a terminal."""

    def __init__(self, progress: Progress | None = None, label: str = "") -> None:
        self._progress = progress
        self._total = 0
        self._task: TaskID | None = None
        if progress is not None:
            self._task = progress.add_task(label, total=None)

    def expect(self, more: int) -> None:
        """Say that so much more is to be done."""
        self._total += more
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, total=self._total)

    def advance(self, count: int = 1) -> None:
        """Say that so much more has been done."""
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, advance=count)

    def print(self, text: str) -> None:
        """Write on standard output, with the bar out of the way if that is the same terminal."""
        if self._progress is not None and sys.stdout.isatty():
            self._progress.stop()
            click.echo(text)
            self._progress.start()
        else:
            click.echo(text)

    def say(self, text: str) -> None:
        """Write a line on standard error, above the bar."""
        if self._progress is not None:
            self._progress.console.print(text, markup=False, highlight=False, soft_wrap=True)
        else:
            click.echo(text, err=True)


@contextmanager
def progress_bar(label: str, *, is_wanted: bool = True) -> Iterator[Bar]:
    """A bar that stays as long as the block; it draws nothing away from a terminal."""
    if not is_wanted or sys.stderr is None or not sys.stderr.isatty():
        yield Bar()
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    # Without the redirections: what is printed on a redirected standard output belongs there.
    with Progress(
        *columns,
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    ) as progress:
        yield Bar(progress, label)
