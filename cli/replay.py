"""``fanorona replay``: a record on the full-screen board."""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path
from typing import Any

import click

from fanorona_core import RecordError

from .options import language_option
from .store import data_folder

__all__ = ["command"]


@click.command(
    "replay",
    epilog="""\b
Examples:
  fanorona replay game.fgn             step through a game with the arrow keys
  fanorona replay games.fgn --game 3   begin with the third game of the file
  fanorona replay old.sgf --from boardspace
""",
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option(
    "--game",
    "number",
    type=click.IntRange(1),
    default=1,
    metavar="N",
    help="The game to begin with.",
)
@click.option(
    "--from", "format_name", metavar="FORMAT", help="The file's format, if it cannot be guessed."
)
@click.option(
    "--unicode/--ascii", "unicode", default=None, help="How to draw; usually found out by itself."
)
@language_option
@click.option(
    "--data-dir",
    metavar="FOLDER",
    type=click.Path(file_okay=False),
    help="Where games are kept (otherwise FANORONA_DATA_DIR, or your data folder).",
)
def command(file: str, number: int, format_name: str | None, **options: Any) -> None:
    """Look through a record on the full-screen board.

    Step on and back, follow other lines, read comments, see the evaluations if the record has
    any, and play on from any position. Reads every format that convert reads.
    """
    from fanorona_core.formats import read_games

    from .terminal import can_fill_screen, detect

    if not can_fill_screen():
        raise click.UsageError(
            "replay needs a terminal that it can draw on; 'fanorona show --help' shows positions "
            "as text"
        )
    from .tui.replay_model import Shelf, unwrapped

    shelf = Shelf(read_games(Path(file), format_name))
    result = shelf.get(number - 1)
    if result is None:
        games = next(n for n in count() if shelf.get(n) is None)
        raise RecordError(f"{file}: there is no game {number}, only {games} in all")
    unwrapped(result)
    from .tui.app import FanoronaApp

    ascii_only = None if options["unicode"] is None else not options["unicode"]
    if ascii_only is None and not detect(sys.stdout).unicode:
        ascii_only = True
    app = FanoronaApp(
        data_folder(options["data_dir"]),
        replay=(shelf, number - 1, Path(file).name),
        ascii_only=ascii_only,
        language=options["language"],
    )
    if app.run():
        raise KeyboardInterrupt
