"""What a click or a key on the board means. Knows no screen, and leaves the rules to the board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from fanorona_core import FanoronaError, IllegalTurnError, NotationError, Step, Turn
from fanorona_core.diagnose import Breach, breach_of_path, breach_of_stone

from .. import sentences
from ..entry import read_entry
from ..i18n import _, ngettext
from ..refusals import breach_of_text, unreadable_text
from .drawing import View, points_of
from .marking import forbidden_line, label, marks_of
from .match import Match

__all__ = ["Controller", "Notice"]

NoticeKind = Literal["info", "wrong", "good"]
Direction = Literal["left", "right", "up", "down"]

_OFFSETS = {"left": (-1, 0), "right": (1, 0), "up": (0, 1), "down": (0, -1)}


@dataclass(frozen=True, slots=True)
class Notice:
    """One line for the player."""

    text: str
    kind: NoticeKind = "info"


class Controller:
    """The state of a hand over the board: the focus, the stone taken up, the choice to make.

    ``on_turn`` is called with each turn that a person finishes here, ``on_change`` after every
    change of the board. ``idle_text`` answers to presses while nobody here may play.
    """

    def __init__(
        self,
        match: Match,
        on_turn: Callable[[Turn], None] | None = None,
        on_change: Callable[[], None] | None = None,
        idle_text: str = "",
    ) -> None:
        self.match = match
        self.focus: int = match.position.geometry.points // 2
        self.selected: int | None = None
        self.choice: tuple[Step, Step] | None = None
        self.hovered: int | None = None
        self.wrong: tuple[int, ...] = ()
        self.hint: tuple[int, ...] = ()
        self.flip = False
        self.notice = Notice("")
        self._on_turn = on_turn
        self._on_change = on_change
        self._idle_text = idle_text

    # What can be done now.

    @property
    def can_act(self) -> bool:
        """Whether a person may move a stone in the position shown."""
        return self.match.view is None and self.match.person_to_move

    def movable(self) -> int:
        """A mask of the stones that may move now."""
        if not self.can_act:
            return 0
        mask = 0
        for step in self.match.board.steps():
            mask |= 1 << step.start
        return mask

    def targets(self) -> dict[int, list[Step]]:
        """The landing points of the stone taken up, with the steps that lead there."""
        found: dict[int, list[Step]] = {}
        if self.selected is not None and self.can_act:
            for step in self.match.board.steps():
                if step.start == self.selected:
                    found.setdefault(step.end, []).append(step)
        return found

    @property
    def can_end_turn(self) -> bool:
        """Whether the chain in progress may end here."""
        return self.can_act and self.match.board.can_stop

    # Moving about.

    def move_focus(self, direction: Direction) -> None:
        """Move the focus to the next point, as the board is seen."""
        position = self.match.position
        across, up = _OFFSETS[direction]
        if self.flip:
            across, up = -across, -up
        row, column = divmod(self.focus, position.columns)
        row = max(0, min(row + up, position.rows - 1))
        column = max(0, min(column + across, position.columns - 1))
        self.focus = row * position.columns + column
        self.hovered = None

    def focus_next(self, back: bool = False) -> None:
        """Move the focus to the next point that something can be done with."""
        wanted = self.movable()
        targets = self.targets()
        if self.choice is not None:
            wanted = self.choice[0].captured | self.choice[1].captured
        elif targets:
            wanted = sum(1 << point for point in targets) | 1 << (self.selected or 0)
        points = list(points_of(wanted))
        if not points:
            return
        later = [p for p in points if p > self.focus] or points
        earlier = [p for p in points if p < self.focus] or points
        self.focus = earlier[-1] if back else later[0]
        self.hovered = None

    def hover(self, point: int | None) -> bool:
        """The pointer is over a point; whether that changes the picture."""
        changed = point != self.hovered
        self.hovered = point
        return changed and self.selected is not None

    # Acting.

    def press(self, point: int) -> None:
        """A click on a point, or Enter or Space while the focus is there."""
        self.focus = point
        self.wrong = ()
        if self.match.view is not None:
            self.notice = Notice(
                _("You are looking back: play on from here, or return to the end.")
            )
        elif not self.can_act:
            self.notice = Notice(self._idle_text or self._why_idle())
        elif self.choice is not None:
            self._press_in_choice(point)
        else:
            self._press(point)

    def _why_idle(self) -> str:
        if self.match.outcome is not None:
            return _("The game is over.")
        return _("The engine is thinking.")

    def _press(self, point: int) -> None:
        targets = self.targets()
        chain = self.match.board.position.chain
        if point in targets:
            steps = targets[point]
            if len(steps) == 1:
                self._play(steps[0])
            else:
                approach, withdrawal = sorted(steps, key=lambda step: step.kind)
                self.choice = approach, withdrawal
                self.notice = Notice(sentences.choice_text(self.match.board.position, steps))
        elif chain is not None and point == chain.end:
            self.end_turn()
        elif point == self.selected:
            self._drop()
        elif self.movable() >> point & 1:
            self.selected = point
            self.notice = self._taken_up()
        else:
            self._refuse(point)

    def _press_in_choice(self, point: int) -> None:
        assert self.choice is not None
        for step in self.choice:
            if step.captured >> point & 1:
                self._play(step)
                return
        target = self.choice[0].end
        self.choice = None
        if point == target:
            self.notice = self._taken_up()
        else:
            self._press(point)

    def choose(self, kind: str) -> None:
        """Settle the choice of capture: "A" or "W"."""
        targets = self.targets()
        if self.choice is None and self.focus in targets and len(targets[self.focus]) > 1:
            approach, withdrawal = sorted(targets[self.focus], key=lambda step: step.kind)
            self.choice = approach, withdrawal
        if self.choice is None:
            self.notice = Notice(_("There is no choice of capture to make now."))
            return
        self._play(self.choice[kind == "W"])

    def end_turn(self) -> None:
        """End the chain in progress."""
        self.wrong = ()
        position = self.match.board.position
        if not self.can_act or position.chain is None:
            self.notice = Notice(_("There is no chain of captures to end."))
        elif not self.match.board.can_stop:
            chain = position.chain
            breach = breach_of_path(position, chain.points, list(chain.kinds))
            # Asked about the chain alone, the answer is that it is in progress.
            if breach.rule == "chain in progress":
                steps = tuple(str(step) for step in position.steps())
                breach = Breach("must go on", points=(chain.end,), steps=steps)
            self._show(breach)
        else:
            self._finished(self.match.stop())

    def back(self) -> bool:
        """Take back as little as possible: the choice, the last step, the stone taken up."""
        self.wrong = ()
        if self.choice is not None:
            self.choice = None
            self.notice = self._taken_up()
            return True
        if self.can_act and self.match.step_back():
            chain = self.match.board.position.chain
            self.selected = chain.end if chain else None
            self.focus = chain.end if chain else self.focus
            self.notice = Notice(_("The last step is taken back."))
            self._changed()
            return True
        if self.selected is not None:
            self._drop()
            return True
        return False

    def type_turn(self, text: str) -> bool:
        """Play a turn or steps as typed; whether that worked."""
        self.wrong = ()
        if not self.can_act:
            self.press(self.focus)
            return False
        try:
            entry = read_entry(self.match.board.position, text)
        except FanoronaError:
            self._refuse_text(text)
            return False
        turn = None
        for step in entry.steps:
            turn = self.match.play_step(step)
        if turn is None and entry.stop and self.match.board.can_stop:
            turn = self.match.stop()
        self._after(turn)
        return True

    def _refuse_text(self, text: str) -> None:
        """Say why a typed turn cannot be played."""
        position = self.match.board.position
        text = text.strip()
        try:
            read_entry(position, text)
        except IllegalTurnError:
            breach = breach_of_text(position, text)
            if breach is not None:
                self._show(breach)
                return
        except NotationError:
            pass
        self.notice = Notice(unreadable_text(position, text), "wrong")

    def play_engine_turn(self, turn: Turn) -> None:
        """The engine has chosen a turn."""
        position = self.match.board.position
        self.match.play(turn)
        self.reset()
        self.focus = turn.end
        self.notice = Notice(sentences.played_text(position, turn))
        self._ended()
        self._changed()

    def reset(self) -> None:
        """Forget what the hand has taken up, after the position changed."""
        self.selected, self.choice, self.hovered = None, None, None
        self.wrong, self.hint = (), ()
        chain = self.match.board.position.chain
        if chain is not None and self.can_act:
            self.selected = self.focus = chain.end
        points = self.match.position.geometry.points
        if self.focus >= points:
            self.focus = points // 2

    # Inside.

    def _play(self, step: Step) -> None:
        self._after(self.match.play_step(step))

    def _after(self, turn: Turn | None) -> None:
        self.choice = None
        if turn is not None:
            self._finished(turn)
            return
        chain = self.match.board.position.chain
        assert chain is not None
        self.selected = self.focus = chain.end
        self.notice = Notice(self.chain_text())
        self._changed()

    def chain_text(self) -> str:
        """How the chain in progress may go on."""
        if self.match.board.can_stop:
            return _("Capture on from here, or end the turn with Enter.")
        return _("The chain must go on: capture again.")

    def _finished(self, turn: Turn) -> None:
        count = len(self.match.board.turns)
        before = self.match.board.position_before(count - 1)
        self.focus = turn.end
        self.reset()
        self.notice = Notice(sentences.played_text(before, turn))
        self._ended()
        if self._on_turn is not None:
            self._on_turn(turn)
        self._changed()

    def _ended(self) -> None:
        outcome = self.match.outcome
        if outcome is not None:
            self.notice = Notice(sentences.outcome_text(outcome), "good")

    def _changed(self) -> None:
        if self._on_change is not None:
            self._on_change()

    def _drop(self) -> None:
        self.selected = None
        self.notice = Notice("")

    def _taken_up(self) -> Notice:
        """What the stone taken up can do."""
        assert self.selected is not None
        name = self.match.position.geometry.name(self.selected)
        count = len(self.targets())
        return Notice(
            f"{name}: " + ngettext("{count} landing point", "{count} landing points", count)
        )

    def _refuse(self, point: int) -> None:
        """Say which rule an attempt breaks, and show where."""
        position = self.match.board.position
        own = position.stones(position.side) >> point & 1
        if position.chain is not None:
            chain = position.chain
            self._show(breach_of_path(position, (*chain.points, point), [*chain.kinds, None]))
            return
        if self.selected is None or own:
            breach = breach_of_stone(position, point)
        else:
            breach = breach_of_path(position, (self.selected, point), [None])
        if breach is not None:
            self._show(breach)

    def _show(self, breach: Breach) -> None:
        self.wrong = breach.points
        self.notice = Notice(sentences.breach_text(breach), "wrong")

    # What to draw.

    def view(self) -> View:
        """Everything that the board has to show now."""
        match = self.match
        position = match.position
        targets = self.targets()
        approach = withdrawal = 0
        labels: dict[int, str] = {}
        if self.choice is not None:
            approach, withdrawal = (step.captured for step in self.choice)
            labels = {self.choice[0].end: label(list(self.choice))}
        else:
            labels = {point: label(steps) for point, steps in targets.items()}
            looked_at = self.hovered if self.hovered in targets else self.focus
            for step in targets.get(looked_at, []):
                if step.kind == "A":
                    approach |= step.captured
                else:
                    withdrawal |= step.captured
        path, taken = marks_of(match)
        chain = position.chain if match.view is None else None
        return View(
            position=position,
            focus=self.focus,
            selected=self.selected,
            movable=self.movable() if self.choice is None else 0,
            targets=labels,
            approach=approach,
            withdrawal=withdrawal,
            path=path,
            taken=taken,
            visited=0 if chain is None else sum(1 << point for point in chain.points[:-1]),
            forbidden=None if chain is None else forbidden_line(position, chain.points),
            wrong=self.wrong,
            hint=self.hint if self.selected is None else (),
        )
