"""The screen of a game: what it shows, and the engines that think behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.geometry import Size
from textual.message import Message
from textual.widgets import Static

from fanorona_core import Board, Info, Limit, Position, Side
from fanorona_core.openingbook import OpeningBook

from .. import sentences
from ..i18n import _
from .actions import offered
from .bars import ActionBar
from .board_widget import BoardWidget
from .controller import Controller, Notice
from .layout import smallest
from .match import Match
from .panel import Panel, ScoreBar
from .room import RoomScreen
from .saving import Keeper
from .thinker import Thinker

if TYPE_CHECKING:
    from fanorona_core.proofbook import ProofBook

    from .app import FanoronaApp

__all__ = ["ADVICE_MS", "PAUSES", "GameTable"]

# Seconds between the turns of two engines, by speed; against a person only so long that the
# answer is seen as one.
PAUSES: Final = (4.0, 1.5, 0.6, 0.15)
ANSWER_PAUSE: Final = 0.3
ADVICE_MS: Final = 500
SCORE_MS: Final = 2500
TICK: Final = 0.1
# What stands around the board, in cells; the panel is wider where there is room.
PANEL_WIDTH: Final = 21
TITLE_HEIGHT: Final = 1
NOTICE_HEIGHT: Final = 2
BAR_HEIGHT: Final = 2


class GameTable(RoomScreen[None]):
    """The board, the panel beside it, and the engines behind it."""

    DEFAULT_CSS = """
    GameTable #title { height: 1; background: $surface; color: $foreground; padding: 0 1; }
    GameTable #notice { height: 2; padding: 0 1; background: $background; }
    GameTable #notice.wrong { color: $error; text-style: bold; }
    GameTable #notice.good { color: $success; text-style: bold; }
    GameTable #main { height: 1fr; }
    GameTable.compact Panel, GameTable.compact #title { display: none; }
    GameTable.low #notice { height: 1; text-wrap: nowrap; text-overflow: ellipsis; }
    GameTable.compact ActionBar { height: 1; }
    GameTable.tiny #notice, GameTable.tiny ActionBar { display: none; }
    """

    class Thought(Message):
        """The engine has something to say, from its thread."""

        def __init__(self, purpose: str, match: Match, position: Position, info: Info) -> None:
            super().__init__()
            self.purpose, self.match, self.position, self.info = purpose, match, position, info

    @property
    def host(self) -> FanoronaApp:
        """The application, for its settings and screens."""
        return cast("FanoronaApp", self.app)

    def __init__(self, match: Match, keeper: Keeper, book: ProofBook | None = None) -> None:
        super().__init__()
        self.match = match
        self.keeper = keeper
        self.controller = self._new_controller(match)
        self._book = book
        self._players = self._new_thinkers(match)
        self._adviser = Thinker(book=book)
        self._scorer = Thinker(hash_mib=8, book=book)
        self._scored: Position | None = None
        self._thinking = False

    def compose(self) -> ComposeResult:
        """A title, the board beside the panel, a notice, and the actions."""
        yield Static(id="title", markup=False)
        with Horizontal(id="main"):
            yield BoardWidget(self.controller, id="board")
            yield Panel()
        yield Static(id="notice", markup=False)
        yield ActionBar()

    def on_mount(self) -> None:
        """Begin."""
        self.query_one(BoardWidget).focus()
        if self.host.flip_first:
            self.controller.flip = not self.controller.flip
            self.host.flip_first = False
        self.set_interval(TICK, self._tick)
        self.call_after_refresh(self.begin, self.match)

    # A match begins.

    def _new_controller(self, match: Match) -> Controller:
        controller = Controller(match, on_change=self._changed)
        controller.flip = match.people == [Side.BLACK]
        return controller

    def _new_thinkers(self, match: Match) -> dict[Side, Thinker]:
        return {
            side: Thinker(
                match.players[side].level,
                None if match.seed is None else match.seed + side,
                book=self._book,
                openings=None if self._book is None else OpeningBook.standard(),
            )
            for side in Side
            if match.is_engine(side)
        }

    def begin(self, match: Match) -> None:
        """Play this match from now on."""
        self._stop_thinking()
        if match is not self.match:
            self.match = match
            self.controller = self._new_controller(match)
            self._players = self._new_thinkers(match)
            self.query_one(BoardWidget).controller = self.controller
        self.controller.reset()
        outcome = match.outcome
        if outcome is not None:
            self.controller.notice = Notice(sentences.outcome_text(outcome), "good")
        elif not self.controller.notice.text:
            self.controller.notice = Notice(self._greeting())
        if match.clock is not None and match.outcome is None and match.board.turns:
            match.clock.start(match.board.side)
        self._changed()
        self.query_one(BoardWidget).focus()

    def _greeting(self) -> str:
        if self.match.person_to_move and self.match.board.position.chain is not None:
            return self.controller.chain_text()
        if self.match.person_to_move:
            return _("Pick a bright stone, then a landing point. ? explains the rules.")
        return sentences.side_to_move(self.match.board.side)

    def _changed(self) -> None:
        """The board has changed: keep the game, show it, let the engine think if it has to."""
        problem = self.keeper.keep(self.match)
        if problem:
            self.controller.notice = Notice(problem, "wrong")
        self.show()
        self._next()

    def show(self) -> None:
        """Show everything as it stands."""
        if not self.is_mounted:
            return
        match, controller = self.match, self.controller
        size = f"{match.rules.columns}x{match.rules.rows}"
        title = f"Fanorona · {sentences.rules_name(match.rules)} · {size} · " + _(
            "turn {number}"
        ).format(number=match.position.turn_number)
        self.query_one("#title", Static).update(title)
        self.query_one(BoardWidget).redraw()
        self._show_notice()
        self.query_one(Panel).fill(match, controller.flip, self.host.ascii, self._thinking_text())
        self.query_one(ScoreBar).set_class(self.host.settings.show_score, "shown")

    def _show_notice(self) -> None:
        notice = self.controller.notice
        line = self.query_one("#notice", Static)
        line.update(notice.text)
        line.set_class(notice.kind == "wrong", "wrong")
        line.set_class(notice.kind == "good", "good")
        self.query_one(ActionBar).offer(offered(self.controller, self._thinking))

    def say(self, text: str, kind: Any = "info") -> None:
        """Show one line to the players."""
        self.controller.notice = Notice(text, kind)
        self._show_notice()

    def on_board_widget_acted(self) -> None:
        """Something was done on the board."""
        self._show_notice()

    def needed_size(self) -> Size:
        """The board alone: everything else goes before it."""
        rules = self.match.rules
        return Size(*smallest(rules.columns, rules.rows))

    def on_resize(self, event: events.Resize) -> None:
        """Leave out what has no room: first the panel, then all but the board."""
        self._fit(event.size.width, event.size.height)

    def _fit(self, width: int, height: int) -> None:
        needed = self.needed_size()
        beside, around = PANEL_WIDTH, TITLE_HEIGHT + NOTICE_HEIGHT + BAR_HEIGHT
        self.set_class(
            width < max(60, needed.width + beside) or height < max(20, needed.height + around),
            "compact",
        )
        self.set_class(height < needed.height + NOTICE_HEIGHT + BAR_HEIGHT + 2, "low")
        self.set_class(height < needed.height + 3, "tiny")
        self.query_one(Panel).set_class(width >= 100, "wide")
        self.query_one(ActionBar).refresh()

    # The engine.

    def _next(self) -> None:
        """Whoever has to think now, thinks."""
        match = self.match
        going_on = match.outcome is None and not match.paused and match.board.turns
        if match.clock is not None and going_on:
            match.clock.start(match.board.side)
        if match.engine_to_move and not match.paused and not self._thinking:
            side = match.board.side
            self._thinking = True
            self._players[side].ask(
                match.board, self._limit(side), self._reporter("play", match.board)
            )
            self.show()
        self._start_scoring()

    def _limit(self, side: Side) -> Limit | None:
        """The engine's time for this turn: its own, and never a large part of its clock."""
        time_ms, clock = self.match.players[side].time_ms, self.match.clock
        if clock is not None:
            share = clock.share_ms(side)
            time_ms = min(share, time_ms or share)
        return None if time_ms is None else Limit(time_ms=time_ms)

    def _ask_adviser(self, purpose: str) -> None:
        board = self.match.board
        self._adviser.ask(board, Limit(time_ms=ADVICE_MS), self._reporter(purpose, board))

    def _reporter(self, purpose: str, board: Board) -> Any:
        """A function for the engine's thread, which sends what it says of a board as a message."""
        match, position = self.match, board.position

        def report(info: Info) -> None:
            self.post_message(self.Thought(purpose, match, position, info))

        return report

    def _start_scoring(self) -> None:
        bar = self.query_one(ScoreBar)
        if not self.host.settings.show_score or not self.match.position.has_turn():
            self._scorer.cancel()
            self._scored = None
            return
        bar.show_score(self.match.position.side, None)
        board = self.match.board
        if self.match.view is not None:
            board = Board.replay(board.root, board.turns[: self.match.view])
        self._scored = board.position
        self._scorer.follow(board, Limit(time_ms=SCORE_MS), self._reporter("score", board))

    def _stop_thinking(self) -> None:
        self._thinking = False
        for thinker in (*self._players.values(), self._adviser, self._scorer):
            thinker.cancel()

    def on_game_table_thought(self, message: Thought) -> None:
        """The engine has an answer; one to a position that is gone is dropped."""
        info = message.info
        if message.match is not self.match:
            return
        if message.purpose == "score":
            if message.position == self._scored:
                self.query_one(ScoreBar).show_score(
                    message.position.side, info.score, info.depth_plies, info.findings
                )
            return
        if message.position != self.match.board.position:
            return
        if message.purpose == "play":
            pause = ANSWER_PAUSE
            if not self.match.people:
                pause = PAUSES[min(self.host.settings.speed, len(PAUSES) - 1)]
            self.set_timer(pause, lambda: self._play_for_engine(message))
        elif message.purpose == "hint" and self.controller.can_act:
            turn = info.turn
            self.controller.hint = turn.points
            self.controller.focus = turn.start
            text = sentences.hint_text(self.match.board.position, turn, info.score, info.findings)
            self.controller.notice = Notice(text)
            self.show()
        elif message.purpose == "draw":
            self.answer_draw(info)

    def answer_draw(self, info: Info) -> None:
        """The engine has judged a draw that it was offered."""

    def _play_for_engine(self, message: Thought) -> None:
        match = self.match
        same = message.match is match and message.position == match.board.position
        if not same or not match.engine_to_move or not self._thinking:
            return
        if match.paused:
            self._thinking = False
            return
        self._thinking = False
        self.controller.play_engine_turn(message.info.turn)

    def _thinking_text(self) -> str:
        return _("thinking ...") if self._thinking else ""

    def _tick(self) -> None:
        """A tenth of a second has gone: clocks, and searches to be stopped."""
        for thinker in (*self._players.values(), self._adviser, self._scorer):
            thinker.nudge()
            if thinker.failure:
                self.say(thinker.failure, "wrong")
                thinker.failure = ""
        match = self.match
        if match.clock is None or match.clock.running is None:
            return
        if match.check_time():
            self._stop_thinking()
            self.controller.reset()
            outcome = match.outcome
            assert outcome is not None
            self.controller.notice = Notice(sentences.outcome_text(outcome), "good")
            self._changed()
        else:
            panel = self.query_one(Panel)
            panel.tick(match, self.controller.flip, self.host.ascii, self._thinking_text())
