"""One game between two players: whose turn it is, whose time is up, and when it is over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from fanorona_core import Board, MissingTableError, Outcome, Reason, Side
from fanorona_core.annotation import Evaluation
from fanorona_core.clock import Clock
from fanorona_core.engine import Limit
from fanorona_core.game import Game
from fanorona_core.node import Node
from fanorona_core.score import Score
from fanorona_core.tablebase import Tables, Wdl

from .players import Player, PlayerFailure, Reply, monotonic_ms

__all__ = ["FAILURES", "Adjudicator", "Seat", "TableJudge", "Terms", "play_game"]

# What ends a game early: a look at the board gives an outcome, or None to go on.
Adjudicator = Callable[[Board], Outcome | None]

# The first words of a record's Termination where a player broke down.
FAILURES: Final = ("crash", "no answer", "illegal turn")


@dataclass(frozen=True, slots=True)
class Seat:
    """A player in a game, with the limit of each turn and the clock of the whole game."""

    player: Player
    name: str
    limit: Limit | None = None
    clock: Clock | None = None


@dataclass(frozen=True, slots=True)
class Terms:
    """When a game that the rules would let go on is called a draw; None is never."""

    max_turns: int | None = None
    max_quiet: int | None = None

    def adjudicate(self, board: Board) -> Outcome | None:
        """The adjudicator of these terms."""
        long = self.max_turns is not None and len(board.turns) >= self.max_turns
        quiet = self.max_quiet is not None and board.position.quiet >= self.max_quiet
        return Outcome(None, Reason.ADJUDICATION) if long or quiet else None


class TableJudge:
    """An adjudicator that knows how positions of up to ``stones`` stones end."""

    def __init__(self, tables: Tables, stones: int) -> None:
        self._tables = tables
        self._stones = stones

    def __call__(self, board: Board) -> Outcome | None:
        """The end that the tables see, if they have the position and its counters allow it."""
        position = board.position
        if (position.white | position.black).bit_count() > self._stones:
            return None
        try:
            value = self._tables.probe(position)
        except MissingTableError:
            return None
        if value.wdl is Wdl.DRAW:
            return Outcome(None, Reason.ADJUDICATION)
        if not value.sure:
            return None
        winner = board.side if value.wdl is Wdl.WIN else board.side.other
        return Outcome(winner, Reason.ADJUDICATION)


def play_game(
    opening: Board, white: Seat, black: Seat, seed: int, adjudicators: Sequence[Adjudicator] = ()
) -> Game:
    """Play a game on from an opening and return its record.

    A player who breaks down, or whose clock runs out, has lost.

    Raises:
        PlayerError: a program cannot be started again.
    """
    seats = (white, black)
    for index, seat in enumerate(seats):
        seat.player.new_game(2 * seed + index)
    board = opening.copy()
    clocks = [white.clock, black.clock]
    replies: list[tuple[Reply, float]] = []
    ended: tuple[Outcome, str] | None = None
    while ended is None:
        outcome = board.outcome() or _adjudicated(board, adjudicators)
        if outcome is not None:
            ended = outcome, outcome.reason
            break
        side = board.side
        begun = monotonic_ms()
        try:
            reply = seats[side].player.choose(board, seats[side].limit, _both(clocks, side))
        except PlayerFailure as failure:
            ended = Outcome(side.other, Reason.ADJUDICATION), str(failure)
            break
        spent_ms = monotonic_ms() - begun
        clock = clocks[side]
        if clock is not None:
            clocks[side] = clock = clock.after(round(spent_ms))
            if clock.remaining_ms < 0:
                outcome = board.lose_on_time(side)
                ended = outcome, outcome.reason
                break
        board.push(reply.turn)
        replies.append((reply, spent_ms))
    return _record(opening, board, replies, ended)


def _adjudicated(board: Board, adjudicators: Sequence[Adjudicator]) -> Outcome | None:
    return next(filter(None, (adjudicate(board) for adjudicate in adjudicators)), None)


def _both(clocks: list[Clock | None], side: Side) -> tuple[Clock, Clock] | None:
    """Both clocks, where the side to move has one; a player without is shown the other's."""
    own = clocks[side]
    if own is None:
        return None
    return clocks[Side.WHITE] or own, clocks[Side.BLACK] or own


def _record(
    opening: Board, board: Board, replies: list[tuple[Reply, float]], ended: tuple[Outcome, str]
) -> Game:
    outcome, termination = ended
    game = Game(board.root, result=outcome.result, termination=termination)
    game.root.add_line(board.turns)
    nodes = list(game.mainline())[len(opening.turns) :]
    for node, (reply, spent_ms) in zip(nodes, replies, strict=True):
        _annotate(node, reply, spent_ms)
    return game


def _annotate(node: Node, reply: Reply, spent_ms: float) -> None:
    node.elapsed = timedelta(milliseconds=round(spent_ms))
    if reply.score is not None:
        node.eval = _evaluation(reply.score, node.side, reply.depth_plies)
    if reply.nodes is not None:
        node.commands.append(("nodes", str(reply.nodes)))


def _evaluation(score: Score, side: Side, depth_plies: int | None) -> Evaluation | None:
    """The score from White's view, as records have it; None if they have no place for it."""
    try:
        return Evaluation.from_score(score, side, depth_plies)
    except ValueError:
        return None
