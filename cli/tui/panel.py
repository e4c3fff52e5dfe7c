"""The panel beside the board: players, stones, clocks, evaluation, and the turns played."""

from __future__ import annotations

from typing import Any, Final

from rich.segment import Segment
from rich.style import Style
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from fanorona_core import Score, Side, Turn
from fanorona_core.findings import Findings

from ..game_clock import clock_text
from ..i18n import _, ngettext
from ..sentences import player_name, proved_text, side_name
from ..wrapping import cell_width
from .bars import clipped
from .dialogs import Link
from .match import Match
from .themes import PALETTES

__all__ = ["Panel", "ScoreBar", "TurnList", "stone_sign"]

_SIGNS: Final = {False: ("○", "●"), True: ("W", "B")}


def stone_sign(side: Side, ascii_only: bool) -> str:
    """How a stone is written in a text."""
    return _SIGNS[ascii_only][side]


class PlayerCard(Widget):
    """Two lines on one side: who plays it and the clock; its stones and those it took."""

    DEFAULT_CSS = """
    PlayerCard { height: 2; width: 1fr; padding: 0 1; }
    PlayerCard.to-move { background: $primary 25%; text-style: bold; }
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._parts: tuple[tuple[str, ...], str, str] = (("",), "", "")

    def fill(self, match: Match, side: Side, ascii_only: bool, thinking: str) -> None:
        """Show a side as the match stands."""
        position = match.position
        to_move = match.outcome is None and position.side is side
        arrow = ">" if to_move else " "
        who = thinking if thinking and to_move else player_name(match.players[side])
        mark, colour = f"{arrow}{stone_sign(side, ascii_only)}", side_name(side)
        names = f"{mark} {colour}: {who}", f"{mark} {who}", f"{mark} {colour}"
        clock = "" if match.clock is None else clock_text(match.clock.left_ms(side))
        stones = position.stones(side).bit_count()
        before = match.board.root.stones(side.other).bit_count()
        taken = before - position.stones(side.other).bit_count()
        counts = ngettext("{count} stone", "{count} stones", stones)
        counts += ", " + _("{taken} taken").format(taken=taken)
        self.set_class(to_move, "to-move")
        if self._parts != (names, clock, counts):
            self._parts = names, clock, counts
            self.refresh()

    def render(self) -> Content:
        """The two lines, cut to the width that there is."""
        names, clock, counts = self._parts
        width = self.content_size.width
        room = max(width - len(clock) - 1, 1) if clock else width
        # The sign says the side already: rather the whole player than half of both.
        name = next((name for name in names if cell_width(name) <= room), names[-1])
        name = f"{clipped(name, room)} {clock}" if clock else name
        return Content(f"{clipped(name, width)}\n{clipped(f' {counts}', width)}")


class ScoreBar(Widget):
    """Who stands better, as a bar: White's share from the left."""

    DEFAULT_CSS = """
    ScoreBar { height: 1; width: 1fr; margin: 0 1; display: none; }
    ScoreBar.shown { display: block; }
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._share = 0.5
        self._text = ""

    def show_score(
        self,
        side: Side,
        score: Score | None,
        depth: int = 0,
        findings: Findings | None = None,
    ) -> None:
        """Show a score of the side to move, None while it is not known, or what is proved."""
        if score is None:
            self._text = "..."
        elif findings is not None and findings.is_settled and not score.is_decided:
            self._share = {"won": 1.0, "drawn": 0.5, "lost": 0.0}[findings.word(Side.WHITE)]
            self._text = proved_text(findings).rstrip(".。")
        else:
            white = score if side is Side.WHITE else -score
            self._share = white.expected
            deep = f"  {depth}" if depth else ""
            sign = "+" if white > Score(0) else "-"
            if white.is_by_tables:
                self._text = f"{sign}#"
            else:
                self._text = (f"{sign}#{white.end_in}" if white.is_decided else str(white)) + deep
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Paint the bar."""
        palette = PALETTES[getattr(self.app, "theme_key", "dark")]
        width = self.size.width
        white = round(self._share * width)
        text = self._text.center(width)[:width]
        light = Style(color="#000000", bgcolor="#f4efe4")
        dark = Style(
            color="#f4efe4", bgcolor="#2a2420" if palette["board"] != "#2a2420" else "#000"
        )
        return Strip([Segment(text[:white], light), Segment(text[white:], dark)], width)


class TurnList(OptionList):
    """The turns played; choosing one looks at the position after it."""

    DEFAULT_CSS = """
    TurnList { height: 1fr; border: none; padding: 0; background: $background;
        scrollbar-size-vertical: 1; text-wrap: nowrap; text-overflow: ellipsis;
    }
    TurnList:focus { border: none; }
    TurnList > .option-list--option-highlighted { background: $primary 40%; }
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._turns: tuple[Turn, ...] = ()
        self._key: object = None

    def fill(self, match: Match, ascii_only: bool) -> None:
        """Show the turns of a match, the one looked at marked."""
        turns = match.board.turns
        root = match.board.root
        key = (root, ascii_only)
        known = len(self._turns)
        if key != self._key or self._turns != turns[:known] or not self.option_count:
            self.clear_options()
            self.add_option(Option(_("Start"), id="turn-0"))
            known = 0
        added = []
        for index in range(known, len(turns)):
            side = root.side if index % 2 == 0 else root.side.other
            number = root.turn_number + index
            text = f"{number:>3} {stone_sign(side, ascii_only)} {turns[index]}"
            added.append(Option(text, id=f"turn-{index + 1}"))
        self.add_options(added)
        self._turns, self._key = turns, key
        if self.highlighted != match.shown_turns:
            self.highlighted = match.shown_turns


class Panel(Vertical):
    """Everything beside the board."""

    DEFAULT_CSS = """
    Panel { width: 21; height: 1fr; background: $background; }
    Panel.wide { width: 30; }
    Panel > Horizontal { height: 1; width: 1fr; align-horizontal: center; }
    """

    def compose(self) -> ComposeResult:
        """Cards, bar, list, and a row of links to look about."""
        yield PlayerCard(id="card-top")
        yield PlayerCard(id="card-bottom")
        yield ScoreBar(id="score")
        yield TurnList(id="turns", markup=False)
        with Horizontal():
            names = {"|<": "first", "<": "back", ">": "on", ">|": "end"}
            for text, name in names.items():
                link = Link(text, f"screen.do('look_{name}')", id=f"link-{name}")
                link.can_focus = False
                yield link

    def fill(self, match: Match, flip: bool, ascii_only: bool, thinking: str = "") -> None:
        """Show how the match stands; the card of the side at the bottom of the board is below."""
        top, bottom = (Side.WHITE, Side.BLACK) if flip else (Side.BLACK, Side.WHITE)
        self.query_one("#card-top", PlayerCard).fill(match, top, ascii_only, thinking)
        self.query_one("#card-bottom", PlayerCard).fill(match, bottom, ascii_only, thinking)
        self.query_one(TurnList).fill(match, ascii_only)

    def tick(self, match: Match, flip: bool, ascii_only: bool, thinking: str) -> None:
        """Show the clocks."""
        top, bottom = (Side.WHITE, Side.BLACK) if flip else (Side.BLACK, Side.WHITE)
        self.query_one("#card-top", PlayerCard).fill(match, top, ascii_only, thinking)
        self.query_one("#card-bottom", PlayerCard).fill(match, bottom, ascii_only, thinking)
