"""What all foreign formats share: replaying steps, and saying what a format cannot carry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TextIO

from fanorona_core._turn import Step, Turn
from fanorona_core.errors import ExportError, IllegalTurnError, NotationError
from fanorona_core.game import Game
from fanorona_core.node import Node, Notes
from fanorona_core.position import Position
from fanorona_core.records import Loss, ReadResult, Source, open_text, placed
from fanorona_core.rules import DEFAULT_RULES, usual_rules
from fanorona_core.types import StepKind

__all__ = [
    "Format",
    "Paragraph",
    "Replay",
    "paragraphs",
    "read_each",
    "reduced",
    "steps_of",
]


@dataclass(frozen=True, slots=True)
class Format:
    """A format of game records.

    ``read`` takes a stream, a ``Path``, or the text itself as ``str`` or ``bytes``, and gives
    `ReadResult` objects; ``write`` takes games and a stream and returns what was lost. ``sniff``
    says whether a text surely begins a file of this format.
    ``between`` is what stands between two games in a file, None where a file holds one game.
    """

    name: str
    description: str
    extensions: tuple[str, ...]
    read: Callable[..., Iterator[ReadResult]]
    write: Callable[[Iterable[Game], TextIO], list[Loss]]
    sniff: Callable[[str], bool]
    between: str | None = "\n"


class Replay:
    """Makes whole turns of a game out of single steps.

    Every format that writes a chain step by step is read through this: `step` plays one, `end_turn`
    joins what was played to a turn and adds it to the game, `take_back` undoes the last step.

    Examples:
        >>> replay = Replay(Game())
        >>> replay.step(replay.point("f2"), replay.point("e3"))
        >>> str(replay.end_turn().turn)
        'f2-e3A'
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.node = game.root
        self._steps: list[Step] = []
        self._positions = [game.initial]

    def fork(self) -> Replay:
        """Return another replay that goes on from here in the same game."""
        other = Replay(self.game)
        other.node = self.node
        other._steps, other._positions = list(self._steps), list(self._positions)
        return other

    @property
    def position(self) -> Position:
        """The position after the steps so far, perhaps with a chain in progress."""
        return self._positions[-1]

    @property
    def start(self) -> Position:
        """The position before the turn in progress."""
        return self._positions[0]

    @property
    def begun(self) -> bool:
        """Whether there are steps that `end_turn` would make a turn of."""
        return bool(self._steps) or self.start.chain is not None

    @property
    def finished(self) -> bool:
        """Whether the steps so far are a turn that cannot go on."""
        return bool(self._steps) and self.position.chain is None

    @property
    def last(self) -> Step | None:
        """The last step of the turn in progress."""
        return self._steps[-1] if self._steps else None

    def point(self, name: str) -> int:
        """Return the point of a name, in any case.

        Raises:
            NotationError: there is no such point.
        """
        return self.start.geometry.point(name)

    def candidates(self, start: int, end: int, kind: StepKind | None = None) -> list[Step]:
        """Return the possible steps between two points, of one kind or of any."""
        if self.finished:
            return []
        return [
            step
            for step in self.position.steps()
            if step.start == start and step.end == end and kind in (None, step.kind)
        ]

    def step(self, start: int, end: int, kind: StepKind | None = None) -> None:
        """Play a step; a kind that is not said must follow from the position.

        Raises:
            IllegalTurnError: there is no such step.
            NotationError: approach and withdrawal are both possible and none is said.
        """
        steps = self.candidates(start, end, kind)
        name = self.start.geometry.name
        text = f"{name(start)}-{name(end)}"
        if not steps:
            raise IllegalTurnError(self._why_not(text, start, end, kind))
        if len(steps) > 1:
            raise NotationError(f"step {text} may be {text}A or {text}W: say which")
        self.play(steps[0])

    def play(self, step: Step) -> None:
        """Play one of the `candidates`."""
        self._positions.append(self.position.play_step(step))
        self._steps.append(step)

    def _why_not(self, text: str, start: int, end: int, kind: StepKind | None) -> str:
        text += kind or ""
        if self.finished:
            return f"step {text}: the turn is over after {self._text()}"
        possible = [str(step) for step in self.position.steps() if step.start == start]
        if possible:
            return f"step {text} is not possible: from {text[:2]} there are {', '.join(possible)}"
        steps = self.position.steps()
        if not steps:
            return f"step {text}: the game is over"
        first = ", ".join(map(str, steps[:3]))
        return f"step {text} is not possible; possible are {first}{' ...' * (len(steps) > 3)}"

    def take_back(self) -> None:
        """Undo the last step of the turn in progress.

        Raises:
            IllegalTurnError: there is none.
        """
        if not self._steps:
            raise IllegalTurnError("no step of this turn to take back")
        self._steps.pop()
        self._positions.pop()

    def end_turn(self) -> Node:
        """Add the steps so far to the game as one turn and return its node.

        Raises:
            IllegalTurnError: there are none, or the chain must go on.
        """
        if not self.begun:
            raise IllegalTurnError("a turn ends without a step")
        if not self.finished and not self.position.can_stop:
            must = ", ".join(map(str, self.position.steps()[:3]))
            raise IllegalTurnError(f"the chain must go on while it can: {must}")
        self.node = self.node.add_variation(Turn.from_text(self._text(), self.start.columns))
        self._steps, self._positions = [], [self.node.position]
        return self.node

    def _text(self) -> str:
        parts = [] if self.start.chain is None else [str(self.start.chain)]
        for step in self._steps:
            start, _, rest = str(step).partition("-")
            parts += [rest] if parts else [start, rest]
        return "-".join(parts)


def steps_of(position: Position, turn: Turn) -> tuple[list[Step], bool]:
    """Take a turn apart: its steps, and whether it was ended while it could have gone on.

    Steps of a chain that was in progress already are left out.

    Raises:
        IllegalTurnError: the turn is not legal in the position.

    Examples:
        >>> position = Position.parse("9/9/3bbw3/4b4/3w1b3 w")
        >>> steps, open_end = steps_of(position, Turn.from_text("d1-d2A"))
        >>> [str(step) for step in steps], open_end
        (['d1-d2A'], True)
    """
    position.play(turn)
    steps: list[Step] = []
    done = 0 if position.chain is None else len(position.chain)
    for index in range(done, len(turn)):
        wanted = (turn.points[index], turn.points[index + 1], turn.kinds[index : index + 1])
        for step in position.steps():
            if (step.start, step.end, step.kind) == wanted:
                steps.append(step)
                position = position.play_step(step)
                break
    return steps, position.chain is not None


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines that belong together: the number of the first and the texts."""

    line: int
    lines: tuple[str, ...]

    def numbered(self) -> Iterator[tuple[int, str]]:
        """Iterate over the lines with their numbers in the file."""
        return enumerate(self.lines, self.line)


# One game of a format without tags; longer texts are refused rather than kept in memory.
MAX_PARAGRAPH: Final = 1 << 24


def paragraphs(stream: TextIO) -> Iterator[Paragraph]:
    """Split a stream at empty lines; lines that begin with # are left out.

    Before a paragraph they are no part of it, inside one they become empty lines of it.

    Raises:
        RecordError: a paragraph is too long to be a game.
    """
    lines: list[str] = []
    first, number, size = 1, 0, 0
    while text := stream.readline(MAX_PARAGRAPH):
        number += 1
        text = text.removeprefix("\ufeff").strip()
        size += len(text)
        if size >= MAX_PARAGRAPH:
            raise placed(ValueError(f"a game of more than {MAX_PARAGRAPH} characters"), first)
        is_comment = text.startswith("#")
        if not lines:
            if is_comment or not text:
                size = 0
                continue
            first = number
        if text:
            # Comments keep their place, so that lines count on.
            lines.append("" if is_comment else text)
        else:
            yield Paragraph(first, tuple(lines))
            lines, size = [], 0
    if lines:
        yield Paragraph(first, tuple(lines))


def read_each(
    source: Source, parse: Callable[[Paragraph, list[str]], Game]
) -> Iterator[ReadResult]:
    """Read a file whose games are paragraphs; ``parse`` makes a game and may add warnings."""
    with open_text(source) as stream:
        chunks = paragraphs(stream)
        number = 0
        while True:
            warnings: list[str] = []
            number += 1
            chunk = Paragraph(1, ())
            try:
                chunk = next(chunks)
                game = parse(chunk, warnings)
            except StopIteration:
                return
            except ValueError as fault:
                error = placed(fault, chunk.line)
                error.game = number
                yield ReadResult(number, chunk.line, None, error, tuple(warnings))
            else:
                yield ReadResult(number, chunk.line, game, None, tuple(warnings))


Commands = tuple[tuple[str, str], ...]

# What a game may hold beside its turns, as `_features` calls it.
_NOTES: Final = {
    "comments": "comment",
    "comments before turns": "comment_before",
    "glyphs": "nags",
    "clocks": "clock",
    "times": "elapsed",
    "evaluations": "eval",
}


def reduced(
    game: Game,
    number: int,
    carries: frozenset[str],
    *,
    boards: tuple[tuple[int, int], ...] | None = ((9, 5),),
    terminations: frozenset[str] = frozenset(),
    commands: Callable[[Node], Commands] = lambda node: (),
) -> tuple[Game, list[Loss]]:
    """Return what of a game a format can carry, and what is lost.

    ``carries`` names what it can: ``tags`` or ``tag White``, ``variations``, ``rules``, ``start``,
    with it ``quiet counter`` and ``turn number``, ``result``, and the kinds of notes. ``boards``
    are the sizes that it knows, None for any; ``terminations`` the reasons that it can say,
    ``commands`` picks those of a node that it can.
    The reduced game is what reading gives back.

    Raises:
        ExportError: the board or the initial position has no place in the format.
    """
    size = (game.rules.columns, game.rules.rows)
    if boards is not None and size not in boards:
        known = " or ".join(f"{columns}x{rows}" for columns, rows in boards)
        raise ExportError(f"game {number}: a board of {size[0]}x{size[1]}, expected {known}")
    rules = game.rules if "rules" in carries else usual_rules(*size)
    if "start" in carries:
        initial = _with_counters(game.initial.with_rules(rules), carries)
    elif game.initial.text().rsplit(" ", 1)[0] == Position.start(rules).text().rsplit(" ", 1)[0]:
        initial = Position.start(rules)
    else:
        raise ExportError(
            f"game {number}: begins from {game.initial.text()}, expected the usual start"
        )
    small = Game(initial)
    for name, value in game.tags.known():
        if "tags" in carries or f"tag {name}" in carries:
            small.tags[name] = value
    copies = {id(game.root): small.root}
    for node in game.nodes() if "variations" in carries else [game.root, *game.mainline()]:
        if node.turn is not None:
            assert node.parent is not None
            copies[id(node)] = copies[id(node.parent)].add_variation(node.turn)
        blank = {_NOTES[what]: getattr(Notes(), _NOTES[what]) for what in _NOTES.keys() - carries}
        copies[id(node)].set_notes(node.notes()._replace(**blank, commands=commands(node)))
    decided = small.decided()[0]
    small.result = game.result if "result" in carries else decided
    if game.termination in terminations:
        small.termination = game.termination
    before, after = _features(game), _features(small)
    if "rules" not in carries:
        del after[f"rules {rules}"]  # another board is lost too, unless the reader knows of it
    losses = [
        Loss(number, what, count - after[what])
        for what, count in before.items()
        if count > after[what]
    ]
    return small, losses


def _with_counters(position: Position, carries: frozenset[str]) -> Position:
    """Return the position without the counters that a format has no place for."""
    return Position(
        position.white,
        position.black,
        position.side,
        position.rules,
        chain=position.chain,
        quiet=position.quiet if "quiet counter" in carries else 0,
        turn_number=position.turn_number if "turn number" in carries else 1,
    )


def _features(game: Game) -> Counter[str]:
    """Count everything in a game that a format may have no place for."""
    found: Counter[str] = Counter()
    for name, _ in game.tags.known():
        found[f"tag {name}"] += 1
    if game.rules != DEFAULT_RULES:
        found[f"rules {game.rules}"] += 1
    if game.initial.quiet:
        found["quiet counter"] += 1
    if game.initial.turn_number != 1:
        found["turn number"] += 1
    found[f"result {game.result}"] += 1
    if game.termination is not None:
        found[f"termination {game.termination}"] += 1
    for node in game.nodes():
        found["variations"] += max(len(node.variations) - 1, 0)
        for what, field in _NOTES.items():
            value = getattr(node, field)
            if isinstance(value, list):
                found[what] += len(value)
            elif value not in ("", None):
                found[what] += 1
        for name, _ in node.commands:
            found[f"command {name}"] += 1
    return found
