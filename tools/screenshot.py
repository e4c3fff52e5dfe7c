"""The picture of the README: python tools/screenshot.py writes docs/images/board.svg."""

from __future__ import annotations

import argparse
import asyncio
import re
import tempfile
from pathlib import Path

from fanorona_cli.opponent import PlayerSpec
from fanorona_cli.tui.app import FanoronaApp
from fanorona_cli.tui.game_screen import GameScreen
from fanorona_cli.tui.match import Match
from fanorona_core import Board

TARGET = Path(__file__).resolve().parents[1] / "docs" / "images" / "board.svg"
# After these turns the stone on f4 may take by approach or by withdrawal.
TURNS = ("d3-e3A", "f4-f3A", "g3-f4A", "e4-e5W")
SIZE = (88, 25)


async def picture() -> str:
    """A game in progress with a choice of capture open."""
    board = Board()
    for turn in TURNS:
        board.push_text(turn)
    match = Match(board, (PlayerSpec(), PlayerSpec(True, 5)))
    with tempfile.TemporaryDirectory() as folder:
        app = FanoronaApp(Path(folder), match, language="en")
        async with app.run_test(size=SIZE) as pilot:
            await pilot.pause()
            assert isinstance(app.screen, GameScreen)
            controller = app.screen.controller
            point = match.position.geometry.point
            controller.press(point("f4"))
            controller.press(point("e4"))
            app.screen.show()
            await pilot.pause()
            return app.export_screenshot()


def main() -> None:
    """Write the picture, without fonts from elsewhere."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    svg = re.sub(r"@font-face \{.*?\}\s*", "", asyncio.run(picture()), flags=re.S)
    svg = svg.replace("Fira Code", "DejaVu Sans Mono, Menlo, Consolas")
    svg = svg.replace("<text ", '<text xml:space="preserve" ')
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(svg, "utf-8")


if __name__ == "__main__":
    main()
