"""Driving the full-screen board in tests, and pictures of it as text."""

import asyncio
import html
import os
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

from textual.pilot import Pilot

from fanorona_cli.opponent import PlayerSpec
from fanorona_cli.tui.app import FanoronaApp
from fanorona_cli.tui.board_widget import BoardWidget
from fanorona_cli.tui.match import Match
from fanorona_cli.wrapping import cell_width
from fanorona_core import Board, Step, Turn

PICTURES = Path(__file__).parent / "data" / "screens"
PEOPLE = (PlayerSpec(), PlayerSpec())

Drive = Callable[[FanoronaApp, Pilot], Awaitable[None]]


def drive(app: FanoronaApp, script: Drive, size: tuple[int, int] = (80, 24)) -> None:
    """Run an application without a terminal, and a script against it."""

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(app, pilot)
            app.exit()

    asyncio.run(run())


def people(board: Board | None = None, **options: object) -> Match:
    return Match(board or Board(), PEOPLE, **options)


def board_of(app: FanoronaApp) -> BoardWidget:
    return app.screen.query_one(BoardWidget)


def text_of(app: FanoronaApp) -> str:
    """What the screen shows, as text: from the picture that the application exports."""
    svg = app.export_screenshot()
    cells: dict[tuple[int, int], str] = {}
    lines = re.findall(r'<text ([^>]*\bclip-path="[^>]*)>', svg)
    rows = sorted({float(re.search(r'\by="([0-9.]+)"', line)[1]) for line in lines})
    for attributes, content in re.findall(r"<text ([^>]*)>([^<]*)</text>", svg):
        found = re.search(r'\bx="([0-9.]+)"', attributes), re.search(r'\by="([0-9.]+)"', attributes)
        if found[0] is None or found[1] is None or "clip-path" not in attributes:
            continue
        column, row = round(float(found[0][1]) / 12.2), rows.index(float(found[1][1]))
        for char in html.unescape(content).replace("\xa0", " "):
            cells[row, column] = char
            for extra in range(1, cell_width(char)):
                cells[row, column + extra] = ""
            column += cell_width(char)
    height = max(row for row, _ in cells) + 1
    pictured = []
    for row in range(height):
        columns = [column for r, column in cells if r == row]
        width = max(columns, default=-1) + 1
        pictured.append("".join(cells.get((row, column), " ") for column in range(width)).rstrip())
    return "\n".join(pictured).strip("\n") + "\n"


def check_picture(app: FanoronaApp, name: str) -> None:
    """Compare the screen with a kept picture; FANORONA_UPDATE_SCREENS=1 keeps new ones."""
    path, now = PICTURES / f"{name}.txt", text_of(app)
    if os.environ.get("FANORONA_UPDATE_SCREENS") == "1":
        path.parent.mkdir(exist_ok=True)
        path.write_text(now, "utf-8")
    kept = path.read_text("utf-8")
    assert now == kept, f"{path.name} differs; now:\n{now}\nkept:\n{kept}"


def steps_of(board: Board, turn: Turn) -> list[Step]:
    """The steps of a legal turn of a board."""
    position, found = board.position, []
    kinds = turn.kinds or " "
    for index in range(len(turn)):
        start, end, kind = *turn.points[index : index + 2], kinds[index].strip()
        step = next(s for s in position.steps() if (s.start, s.end, s.kind) == (start, end, kind))
        found.append(step)
        position = position.play_step(step)
    return found
