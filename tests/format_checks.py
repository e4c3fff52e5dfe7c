"""What must hold for every format of game records."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path

from fanorona_core import ExportError, Position, RecordError
from fanorona_core.formats import FORMATS, Loss, plain
from fanorona_core.formats._common import reduced
from fanorona_core.game import Game
from fanorona_core.records import ReadResult

GAMES = Path(__file__).parent / "data" / "games"
LISTING = (GAMES / "boardspace-robot-2008.txt").read_text("utf-8")
SGF = (GAMES / "boardspace-robot-2008.sgf").read_text("utf-8")

NOISE = {
    "noise": "\x00\x01\x02\ufffd",
    "binary": (bytes(9) + bytes(range(160, 256))) * 40,
    "words": "this is no game\nat all",
    "a long line": "z" * (1 << 20),
    "parentheses": "(" * 50_000,
    "brackets": "[" * 50_000,
    "braces": "{" * 50_000,
    "numbers": "9" * 5000,
    "an open quote": '"',
}


def real_game() -> Game:
    """The 38 turns of a game between two robots, from their listing."""
    return next(plain.read(LISTING)).unwrap()


def written(name: str, *games: Game) -> tuple[str, list[str]]:
    """The text that a format makes of games, and what it says that it lost."""
    stream = io.StringIO()
    losses = FORMATS[name].write(games, stream)
    assert all(isinstance(loss, Loss) for loss in losses)
    return stream.getvalue(), [str(loss) for loss in losses]


def read(name: str, text: str | bytes) -> list[ReadResult]:
    """All results of a text; each is either a game or an error that says where."""
    found = list(FORMATS[name].read(text))
    for number, result in enumerate(found, 1):
        assert (result.game is None) != (result.error is None)
        assert result.number == number
        assert result.line >= 1
        if result.error is not None:
            assert result.error.game == number
            assert "\n" not in str(result.error)
            assert len(str(result.error)) < 450
    return found


def read_one(name: str, text: str | bytes) -> ReadResult:
    found = read(name, text)
    assert len(found) == 1
    return found[0]


def turns(game: Game | None) -> list[str]:
    assert game is not None
    return [str(turn) for turn in game.turns]


def error_of(name: str, text: str | bytes) -> RecordError:
    """The one error of a text that holds one broken game."""
    error = read_one(name, text).error
    assert error is not None
    assert error.line is not None
    return error


def check_strict(name: str, texts: Iterable[str | bytes]) -> None:
    """With ``strict`` every broken text raises its error."""
    for text in texts:
        raised = False
        try:
            for _ in FORMATS[name].read(text, strict=True):
                pass
        except RecordError:
            raised = True
        assert raised


def check_start_in_a_chain(name: str, carried: frozenset[str], position: Position) -> None:
    """A game without turns that begins in a chain is read back, or refused by its writer."""
    game = Game(position)
    try:
        text, losses = written(name, game)
    except ExportError:
        return
    small, lost = reduced(game, 1, carried)
    assert losses == list(map(str, lost))
    assert read_one(name, text).game == small
