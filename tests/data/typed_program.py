"""A program as a user would write it, for type checkers in their strictest mode."""

from __future__ import annotations

import io
from collections.abc import Iterator

from fanorona_core import (
    DEFAULT_RULES,
    Board,
    Engine,
    FanoronaError,
    IllegalTurnError,
    Info,
    Limit,
    Outcome,
    Position,
    RuleSet,
    Score,
    Side,
    Step,
    Turn,
    perft,
)
from fanorona_core.formats import read_games
from fanorona_core.tablebase import Tables, TableValue


def first_steps(position: Position) -> Iterator[tuple[str, int]]:
    """Yield each possible step with how many stones it takes."""
    for step in position.steps():
        one: Step = step
        taken: int = one.captured
        yield str(one), taken.bit_count()


def play(rules: RuleSet, depth_plies: int) -> Outcome | None:
    """Let the engine play a few turns against itself."""
    board, engine = Board(rules), Engine(hash_mib=1, seed=1)
    for _ in range(4):
        if board.outcome() is not None:
            break
        info: Info = engine.best(board, Limit(depth_plies=depth_plies))
        score: Score = info.score
        assert 0.0 <= score.expected <= 1.0
        turn: Turn = board.push_text(str(info.turn))
        assert turn in board.turns
    return board.outcome()


def main() -> None:
    """Use a little of everything."""
    board = Board()
    turn = board.push_text("e2-e3A")
    print(turn, board.side is Side.BLACK, len(list(board.legal_turns)))
    try:
        board.push_text("a1-a2")
    except IllegalTurnError as error:
        print(error)
    print(list(first_steps(board.position))[:2], play(DEFAULT_RULES, 2))
    count: int = perft(Position.start(), 2)
    value: TableValue = Tables().probe(Position.parse("8b/9/9/9/wb7 w"))
    print(count, value.wdl.name)
    for result in read_games(io.StringIO("1. f2-e3A *\n")):
        print(result.error if result.game is None else result.game.result)
    try:
        Position.parse("nothing")
    except FanoronaError as error:
        print(type(error).__name__)


if __name__ == "__main__":
    main()
