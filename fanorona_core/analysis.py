"""What each turn of a game was worth: evaluation, best turn, loss, mark, and the players' sums."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from fanorona_core._turn import Turn
from fanorona_core._version import __version__
from fanorona_core.annotation import MARKS, Evaluation
from fanorona_core.board import Board
from fanorona_core.engine import Engine, Limit
from fanorona_core.findings import NOTHING, Findings
from fanorona_core.game import Game
from fanorona_core.node import Node
from fanorona_core.outcome import Outcome
from fanorona_core.position import Position
from fanorona_core.score import Score
from fanorona_core.types import Side

__all__ = [
    "THRESHOLDS",
    "Evaluated",
    "GameAnalysis",
    "Mark",
    "PlayerSummary",
    "TurnAnalysis",
    "analyse_game",
    "annotated",
    "assembled",
    "evaluated",
    "segments",
    "turn_accuracy",
]

Mark = Literal["", "?!", "?", "??"]

# The least loss in expected result, from 0 to 1, that earns each mark: the part of a whole point
# that the turn gave away. Half a point lies between a draw and a loss.
THRESHOLDS: Final[Mapping[Mark, float]] = MappingProxyType({"?!": 0.10, "?": 0.20, "??": 0.30})

# Turns that one engine searches one after the other. Between segments it forgets everything, so
# that they can be searched at the same time and give the same numbers.
SEGMENT: Final = 16

# How fast accuracy falls with the loss: lichess.org's measure for chess, without its small offset.
_ACCURACY_SLOPE: Final = 4.354


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The value of one position for its side to move, and the line that leads to it.

    The line is empty where the game is over. ``depth_plies``, ``nodes`` and ``time_ms`` are those
    of the search, 0 if none was needed. ``findings`` is what the engine's book proves.

    Examples:
        >>> position = Position.parse("9/9/4bw3/9/9 w")
        >>> [value] = evaluated(Game(position), Engine(hash_mib=1), Limit(depth_plies=2), 0, 1)
        >>> str(value.score), [str(turn) for turn in value.line]
        ('win in 1', ['f3-g3W'])
    """

    score: Score
    line: tuple[Turn, ...] = ()
    depth_plies: int = 0
    nodes: int = 0
    time_ms: int = 0
    findings: Findings = NOTHING


@dataclass(frozen=True, slots=True)
class TurnAnalysis:
    """One turn of a game, judged; scores are from the view of the side that played it.

    ``before`` is the score with the best turn, ``after`` that with the turn played. ``loss`` is
    what the turn gave away of the expected result, from 0 to 1; ``loss_centipawns`` the same in
    centipawns, None where one of the scores is a proved win or loss. A forced turn, the only
    legal one, has no loss and no mark. ``proved_before`` and ``proved_after`` are what the engine's
    book proves of the two positions; where it settles both, ``loss`` goes by it.

    Examples:
        >>> game = Game()
        >>> _ = game.root.add_line(["e2-e3A", "f4-e5W"])
        >>> first, _ = analyse_game(game, Engine(hash_mib=1), Limit(depth_plies=4)).turns
        >>> first.number, str(first.turn), first.is_best, first.mark
        (1, 'e2-e3A', False, '')
    """

    number: int
    side: Side
    turn: Turn
    before: Score
    after: Score
    best: Turn
    line: tuple[Turn, ...]
    loss: float
    loss_centipawns: int | None
    mark: Mark
    is_forced: bool
    is_best: bool
    depth_plies: int
    nodes: int
    time_ms: int
    proved_before: Findings = NOTHING
    proved_after: Findings = NOTHING


@dataclass(frozen=True, slots=True)
class PlayerSummary:
    """How one side played. Means leave out forced turns; they are None if nothing is left.

    ``mean_loss`` is in expected result, ``accuracy`` from 0 to 100; see ``turn_accuracy``.

    Examples:
        >>> game = Game(Position.parse("9/9/4bw3/9/9 w"))
        >>> _ = game.root.add_variation("f3-g3W")
        >>> white = analyse_game(game, Engine(hash_mib=1), Limit(depth_plies=4)).white
        >>> white.turns, white.forced, white.accuracy
        (1, 1, None)
    """

    side: Side
    turns: int
    forced: int
    best: int
    mean_loss: float | None
    accuracy: float | None
    marks: Mapping[Mark, int]


@dataclass(frozen=True, slots=True)
class GameAnalysis:
    """All turns of a game's main line, judged, and the sum for each player.

    ``final`` is the value of the last position for the side then to move.

    Examples:
        >>> game = Game(Position.parse("9/9/4bw3/9/9 w"))
        >>> _ = game.root.add_variation("f3-g3W")
        >>> analysis = analyse_game(game, Engine(hash_mib=1), Limit(depth_plies=4))
        >>> analysis.summary(Side.WHITE).turns, str(analysis.final.score)
        (1, 'loss in 0')
    """

    turns: tuple[TurnAnalysis, ...]
    white: PlayerSummary
    black: PlayerSummary
    final: Evaluated

    def summary(self, side: Side) -> PlayerSummary:
        """The sum for one side."""
        return (self.white, self.black)[side]


def analyse_game(
    game: Game,
    engine: Engine,
    limit: Limit,
    progress: Callable[[int], object] | None = None,
) -> GameAnalysis:
    """Judge every turn of a game's main line.

    Each position is searched once, within the limit; its score ends one turn and begins the next.
    The engine forgets what it knew, so that with a limit in plies or nodes the same game always
    gets the same analysis. ``progress`` is called after each position with the number of those
    searched since the last call.

    Raises:
        ValueError: a limit without a bound in time, plies or nodes.

    Examples:
        >>> game = Game(Position.parse("9/9/4bw3/9/9 w"))
        >>> _ = game.root.add_variation("f3-g3W")
        >>> analysis = analyse_game(game, Engine(hash_mib=1), Limit(depth_plies=4))
        >>> [(str(turn.turn), turn.is_forced, str(turn.before)) for turn in analysis.turns]
        [('f3-g3W', True, 'win in 1')]
    """
    if limit == Limit(end_in=limit.end_in):
        raise ValueError("an analysis needs a limit in time, plies or nodes for each position")
    found: list[Evaluated] = []
    for first, last in segments(game):
        found.extend(evaluated(game, engine, limit, first, last, progress))
    return assembled(game, found)


def segments(game: Game) -> Iterator[tuple[int, int]]:
    """The parts of a game that can be searched at the same time: the first position and the end.

    Examples:
        >>> game = Game()
        >>> _ = game.root.add_line(["f2-e3A", "d5-d4A"])
        >>> list(segments(game))
        [(0, 3)]
    """
    count = len(game) + 1
    for first in range(0, count, SEGMENT):
        yield first, min(first + SEGMENT, count)


def evaluated(
    game: Game,
    engine: Engine,
    limit: Limit,
    first: int,
    last: int,
    progress: Callable[[int], object] | None = None,
) -> list[Evaluated]:
    """Evaluate the positions of the main line from ``first`` up to but not including ``last``.

    0 is the initial position. They are searched from the last to the first: what the engine has
    seen of the later ones helps to judge those that led there.

    Raises:
        ValueError: the main line has no such positions.
    """
    turns = game.turns
    if not 0 <= first < last <= len(turns) + 1:
        raise ValueError(f"positions {first} to {last}: expected some of 0 to {len(turns) + 1}")
    board = Board.replay(game.initial, turns[: last - 1])
    engine.new_game()
    found = []
    for index in range(last - 1, first - 1, -1):
        found.append(_evaluate(board, engine, limit, is_last=index == len(turns)))
        if progress is not None:
            progress(1)
        if index > first:
            board.pop()
    return found[::-1]


def _evaluate(board: Board, engine: Engine, limit: Limit, is_last: bool) -> Evaluated:
    # A record that goes on after a draw by the rules: nobody claimed it, the position counts.
    outcome = board.outcome(draws=is_last)
    if outcome is not None:
        return Evaluated(_final_score(outcome, board.side))
    *_, info = engine.analyse(board, limit)  # as strong as it can, whatever its level
    return Evaluated(
        info.score,
        info.line,
        info.depth_plies,
        info.nodes,
        info.time_ms,
        info.findings or NOTHING,
    )


def _final_score(outcome: Outcome, side: Side) -> Score:
    if outcome.winner is None:
        return Score(0)
    return Score.win(0) if outcome.winner is side else Score.loss(0)


def assembled(game: Game, found: Sequence[Evaluated]) -> GameAnalysis:
    """Judge the turns of a game by the values of all its positions, the initial one included.

    Raises:
        ValueError: not as many values as positions.
    """
    nodes = list(game.mainline())
    if len(found) != len(nodes) + 1:
        raise ValueError(f"{len(found)} positions evaluated, expected {len(nodes) + 1}")
    turns = tuple(
        _judged(node, before, after)
        for node, before, after in zip(nodes, found[:-1], found[1:], strict=True)
    )
    white, black = (_summary(side, turns) for side in Side)
    return GameAnalysis(turns, white, black, found[-1])


def _judged(node: Node, before: Evaluated, after: Evaluated) -> TurnAnalysis:
    turn, parent = node.turn, node.parent
    assert turn is not None and parent is not None
    position = parent.position
    score = -after.score  # from the view of the side that moved
    is_forced = position.count_turns() == 1
    line = before.line or (turn,)
    is_best = _same_result(position, turn, line[0])
    is_blameless = is_forced or is_best
    loss = 0.0 if is_blameless else _loss(before, after, position.side)
    centipawns = None
    if before.score.centipawns is not None and score.centipawns is not None:
        centipawns = 0 if is_blameless else max(before.score.centipawns - score.centipawns, 0)
    return TurnAnalysis(
        number=position.turn_number,
        side=position.side,
        turn=turn,
        before=before.score,
        after=score,
        best=line[0],
        line=line,
        loss=loss,
        loss_centipawns=centipawns,
        mark=mark_of(loss),
        is_forced=is_forced,
        is_best=is_best,
        depth_plies=before.depth_plies,
        nodes=before.nodes,
        time_ms=before.time_ms,
        proved_before=before.findings,
        proved_after=after.findings,
    )


def _loss(before: Evaluated, after: Evaluated, side: Side) -> float:
    """What a side gave away of the expected result: for certain, or by the scores."""
    if before.findings.is_settled and after.findings.is_settled:
        worth = {"won": 1.0, "drawn": 0.5, "lost": 0.0}
        lost = worth[before.findings.word(side)] - worth[after.findings.word(side)]
    else:
        lost = before.score.expected - (-after.score).expected
    return max(lost, 0.0)


def _same_result(position: Position, one: Turn, other: Turn) -> bool:
    """Whether two turns lead to the same position, perhaps by different ways."""
    return one == other or position.play(one).key == position.play(other).key


def mark_of(loss: float) -> Mark:
    """The mark that a loss in expected result earns.

    Examples:
        >>> [mark_of(loss) for loss in (0.05, 0.1, 0.25, 0.9)]
        ['', '?!', '?', '??']
    """
    earned: Mark = ""
    for mark, least in THRESHOLDS.items():
        if loss >= least:
            earned = mark
    return earned


def turn_accuracy(loss: float) -> float:
    """The accuracy of one turn: 100 if it lost nothing, about 65 at a loss of 0.1, 27 at 0.3.

    Examples:
        >>> round(turn_accuracy(0.0)), round(turn_accuracy(0.1)), round(turn_accuracy(1.0))
        (100, 65, 1)
    """
    return 100 * math.exp(-_ACCURACY_SLOPE * loss)


def _summary(side: Side, turns: Sequence[TurnAnalysis]) -> PlayerSummary:
    own = [turn for turn in turns if turn.side is side]
    free = [turn for turn in own if not turn.is_forced]
    return PlayerSummary(
        side=side,
        turns=len(own),
        forced=len(own) - len(free),
        best=sum(turn.is_best for turn in free),
        mean_loss=math.fsum(turn.loss for turn in free) / len(free) if free else None,
        accuracy=math.fsum(turn_accuracy(t.loss) for t in free) / len(free) if free else None,
        marks={mark: sum(turn.mark == mark for turn in own) for mark in THRESHOLDS},
    )


def annotated(game: Game, analysis: GameAnalysis) -> Game:
    """A copy of a game that holds its analysis: evaluations, marks, and better lines.

    After each turn stands the value of the position from White's view, unless the game is over
    there. A turn that earned a mark gets it and, as a variation, the best line, unless the record
    has a mark or that variation already. Comments and variations of the record stay.

    Examples:
        >>> game = Game(Position.parse("9/9/9/3w5/bb7 w"))
        >>> _ = game.root.add_variation("d2-d1")
        >>> analysis = analyse_game(game, Engine(hash_mib=1), Limit(depth_plies=4))
        >>> turn = annotated(game, analysis).end()
        >>> turn.nags, str(turn.eval)
        ([4], '#-1,1')
    """
    copy = game.copy()
    annotator = f"fanorona {__version__}"
    names = [name for name in copy.tags.get("Annotator", "").split("; ") if name]
    copy.tags["Annotator"] = "; ".join(names if annotator in names else [*names, annotator])
    # The value after a turn comes from the search of the next position.
    depths = [*(turn.depth_plies for turn in analysis.turns), analysis.final.depth_plies]
    nodes = list(copy.mainline())
    for index, (node, turn) in enumerate(zip(nodes, analysis.turns, strict=True)):
        evaluation = _evaluation(turn.after, turn.side, depths[index + 1])
        if evaluation is not None:
            node.eval = evaluation
        if turn.mark:
            _mark(node, turn)
    return copy


def _evaluation(score: Score, side: Side, depth_plies: int) -> Evaluation | None:
    """A score from one side's view, as records have it; None where the game is over."""
    return None if score.end_in == 0 else Evaluation.from_score(score, side, depth_plies or None)


def _mark(node: Node, turn: TurnAnalysis) -> None:
    if not set(MARKS.values()) & set(node.nags):
        node.nags.insert(0, MARKS[turn.mark])
    parent = node.parent
    assert parent is not None
    if all(other.turn != turn.best for other in parent.variations):
        first = parent.add_variation(turn.best)
        first.eval = _evaluation(turn.before, turn.side, turn.depth_plies)
        first.add_line(turn.line[1:])
