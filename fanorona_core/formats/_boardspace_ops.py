"""The operations of boardspace.net's records, played on a game."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from fanorona_core._turn import Step
from fanorona_core.errors import IllegalTurnError, NotationError, RecordError
from fanorona_core.formats._common import Replay
from fanorona_core.outcome import Reason
from fanorona_core.records import clipped
from fanorona_core.types import Side, StepKind

__all__ = ["Operations"]

_LOST: Final = {Side.WHITE: "0-1", Side.BLACK: "1-0"}


class Operations:
    """What the players did, one operation after the other.

    People pick a stone up and drop it; what is captured follows, or is designated with Remove
    where both kinds are possible. Until Done everything may be taken back: a stone dropped on the
    point before takes the last step back, one dropped where it was picked up has not moved.
    """

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.white: str | None = None  # the label, P0 or P1, of White
        self.hand: int | None = None  # where the stone in the air was picked up
        self.choice: list[Step] = []  # approach and withdrawal, while neither is chosen
        self.asked: Side | None = None  # who offers a draw
        self.answered = False  # an offer or its answer waits for Done
        self.result: str | None = None
        self.reason: Reason | None = None
        self.time: str | None = None  # the TM of the turn in progress
        self.comments: list[str] = []  # comments of the turn in progress

    def fork(self) -> Operations:
        """Return the same state for another branch."""
        other = Operations(self.replay.fork())
        for name, value in vars(self).items():
            if name != "replay":
                setattr(other, name, list(value) if isinstance(value, list) else value)
        return other

    @property
    def name(self) -> Callable[[int], str]:
        return self.replay.start.geometry.name

    def take(self, label: str, text: str) -> str:
        """Execute one operation of a player; return the words behind it that mean nothing.

        Raises:
            NotationError: the operation is malformed or not known.
            IllegalTurnError: the rules, or the operations before, do not allow it.
        """
        words = text.lower().split()
        if words and words[0].isdigit():
            del words[0]
        if not words:
            raise NotationError(f"operation {clipped(text)}: nothing to do")
        verb = words.pop(0)
        action = _ACTIONS.get(verb)
        if action is None:
            if verb in _UNSUPPORTED:
                raise RecordError(f"{verb}: positions that are set up by hand are not supported")
            raise NotationError(f"operation {clipped(text)} is not known")
        if verb != "start":
            self._check_side(label, verb)
        count = _LENGTHS.get(verb, 0)
        action(self, label, words[:count])
        return " ".join(words[count:])

    def side_of(self, label: str) -> Side:
        """Return the side that a label means."""
        return Side.WHITE if label == (self.white or "P0") else Side.BLACK

    def _check_side(self, label: str, verb: str) -> None:
        if self.white is None:
            self.white = label
        if verb in _ANYTIME or self.answered:
            return
        if self.result is not None and verb != "done":
            raise IllegalTurnError(f"{verb} after the end of the game")
        # Done stands after the last step, when the turn may have ended by itself.
        if self.result is None and self.side_of(label) is not self.replay.start.side:
            raise IllegalTurnError(f"{label} {verb}: it is the turn of {self.replay.start.side}")

    # Moving stones.

    def _start(self, label: str, words: list[str]) -> None:
        white = words[0].upper() if words else label
        if white not in ("P0", "P1"):
            raise NotationError(f"Start {clipped(white)}: expected P0 or P1")
        if self.white not in (None, white):
            raise IllegalTurnError(f"Start {white}, but {self.white} has begun")
        self.white = white

    def _capture(self, label: str, words: list[str]) -> None:
        if not words or words[0] not in ("a", "w"):
            raise NotationError("Capture: expected A or W and two points, as in A F 2 E 3")
        self._from_to(words[1:], "A" if words[0] == "a" else "W")

    def _capture_w(self, label: str, words: list[str]) -> None:
        self._from_to(words, "W")

    def _move(self, label: str, words: list[str]) -> None:
        self._from_to(words, None)

    def _from_to(self, words: list[str], kind: StepKind | None) -> None:
        start, rest = self._point(words)
        end, _ = self._point(rest)
        if self.hand is not None or self.choice:
            raise IllegalTurnError("a move while a stone is in the air")
        self.replay.step(start, end, kind)

    def _point(self, words: list[str]) -> tuple[int, list[str]]:
        name = "".join(words[:2])
        if not re.fullmatch(r"[a-i][1-5]", name):
            raise NotationError(f"point {clipped(' '.join(words[:2]))}: expected as E 3")
        return self.replay.point(name), words[2:]

    def _pick(self, label: str, words: list[str]) -> None:
        point, _ = self._point(words)
        last = self.replay.last
        if self.hand is not None:
            raise IllegalTurnError(f"{self.name(point)} is picked up while a stone is in the air")
        if self.choice:
            if point != self.choice[0].end:
                raise IllegalTurnError(f"{self.name(point)} is picked up before Remove")
            self.hand, self.choice = self.choice[0].start, []
        elif last is not None:
            if point != last.end:
                raise IllegalTurnError(
                    f"{self.name(point)} is picked up, but the stone on {self.name(last.end)} moves"
                )
            self.hand = point
            if not last.kind:
                # A move without capture begins anew where it began.
                self.replay.take_back()
                self.hand = last.start
        else:
            position = self.replay.position
            if not position.stones(position.side) >> point & 1:
                raise IllegalTurnError(f"{position.side} has no stone on {self.name(point)}")
            self.hand = point

    def _drop(self, label: str, words: list[str]) -> None:
        point, _ = self._point(words)
        start, last = self.hand, self.replay.last
        if start is None:
            raise IllegalTurnError(f"a drop on {self.name(point)} without a stone in the air")
        self.hand = None
        if point == start:
            return
        if last is not None and point == last.start:
            self.replay.take_back()
            return
        steps = self.replay.candidates(start, point)
        if len(steps) > 1:
            self.choice = steps
        else:
            self.replay.step(start, point)

    def _remove(self, label: str, words: list[str]) -> None:
        point, _ = self._point(words)
        if not self.choice:
            raise IllegalTurnError(f"Remove {self.name(point)} where nothing is to be chosen")
        steps = [step for step in self.choice if step.captured >> point & 1]
        if len(steps) != 1:
            both = " and ".join(map(str, self.choice))
            raise IllegalTurnError(f"Remove {self.name(point)}: neither of {both} takes it")
        self.choice = []
        self.replay.play(steps[0])

    def _reset(self, label: str, words: list[str]) -> None:
        """Take everything back that is not done."""
        self.hand, self.choice = None, []
        while self.replay.last is not None:
            self.replay.take_back()

    def _done(self, label: str, words: list[str]) -> None:
        if self.choice:
            raise IllegalTurnError(f"Done before Remove: {' or '.join(map(str, self.choice))}")
        if self.hand is not None:
            raise IllegalTurnError(f"Done while the stone of {self.name(self.hand)} is in the air")
        answered, self.answered = self.answered, False
        over = self.result is not None or not self.replay.position.has_turn()
        if self.replay.begun or not (answered or over):
            self._end_turn()

    def _end_turn(self) -> None:
        node = self.replay.end_turn()
        node.comment = " ".join(self.comments)
        if self.time is not None:
            node.commands.append(("tm", self.time))
        self.time, self.comments, self.asked = None, [], None

    # Ends.

    def _resign(self, label: str, words: list[str]) -> None:
        self._reset(label, words)
        if self.reason is Reason.RESIGNATION:
            self.result = self.reason = None  # a second one takes it back
        else:
            self.result, self.reason = _LOST[self.side_of(label)], Reason.RESIGNATION

    def _win_on_time(self, label: str, words: list[str]) -> None:
        self._reset(label, words)
        self.result, self.reason = _LOST[self.side_of(label).other], Reason.TIME

    def _offer(self, label: str, words: list[str]) -> None:
        side = self.side_of(label)
        commands = self.replay.node.commands
        if self.answered and self.asked is side:
            self.asked, self.answered = None, False  # a second one takes it back
            commands.remove(("draw", f"offer {side}"))
        else:
            self.asked = side
            self.answered = True
            commands.append(("draw", f"offer {side}"))

    def _accept(self, label: str, words: list[str]) -> None:
        offer = self.asked
        if offer is None or offer is self.side_of(label):
            raise IllegalTurnError(f"{label} accepts a draw that nobody has offered")
        self._reset(label, words)
        self.result, self.reason, self.answered = "1/2-1/2", Reason.AGREEMENT, True
        self.replay.node.commands.remove(("draw", f"offer {offer}"))

    def _decline(self, label: str, words: list[str]) -> None:
        if self.asked is None:
            raise IllegalTurnError(f"{label} declines a draw that nobody has offered")
        self.replay.node.commands.append(("draw", f"decline {self.side_of(label)}"))
        self.asked, self.answered = None, True

    # What stands beside operations.

    @property
    def _is_moving(self) -> bool:
        return self.replay.begun or self.hand is not None or bool(self.choice)

    def take_time(self, text: str) -> None:
        """Keep the time of an operation; that of Done is the one of the turn."""
        if self._is_moving:
            self.time = text
            return
        if self.replay.node.turn is None:
            return
        commands = self.replay.node.commands
        commands[:] = [*(command for command in commands if command[0] != "tm"), ("tm", text)]

    def take_comment(self, text: str) -> None:
        """Keep a comment for the turn in progress, or give it to the last one."""
        if self._is_moving:
            self.comments.append(text)
        else:
            node = self.replay.node
            node.comment = f"{node.comment} {text}" if node.comment else text

    def finish(self, warnings: list[str]) -> None:
        """End a branch: a turn that lacks only its Done counts.

        Raises:
            IllegalTurnError: a turn is not complete.
        """
        if self.choice:
            raise IllegalTurnError(f"no Remove at the end: {' or '.join(map(str, self.choice))}")
        if self.hand is not None:
            if self.replay.begun:
                name = self.name(self.hand)
                raise IllegalTurnError(f"the stone of {name} is in the air at the end")
            warnings.append("a stone is in the air at the end")
        if self.replay.begun and self.result is None:
            self._end_turn()
            warnings.append("no Done after the last turn")


_ANYTIME: Final = {"resign", "winontime", "offerdraw", "acceptdraw", "declinedraw"}
_UNSUPPORTED: Final = {"edit", "pick", "drop"}
# How many words follow an operation; a stone picked up, dropped or removed has a number too.
_LENGTHS: Final = {
    "start": 1,
    "capture": 5,
    "capturew": 4,
    "move": 4,
    "pickb": 3,
    "dropb": 3,
    "remove": 3,
}
_ACTIONS: Final[dict[str, Callable[[Operations, str, list[str]], None]]] = {
    "start": Operations._start,
    "capture": Operations._capture,
    "capturew": Operations._capture_w,
    "move": Operations._move,
    "pickb": Operations._pick,
    "dropb": Operations._drop,
    "remove": Operations._remove,
    "reset": Operations._reset,
    "undo": Operations._reset,
    "done": Operations._done,
    "resign": Operations._resign,
    "winontime": Operations._win_on_time,
    "offerdraw": Operations._offer,
    "acceptdraw": Operations._accept,
    "declinedraw": Operations._decline,
}
