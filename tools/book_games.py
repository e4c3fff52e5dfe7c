"""Show that the engine with certificates and tables does not lose: python tools/book_games.py.

It plays from the start against a strong opponent (itself without a book), weak ones (its levels)
and one that plays at random, with both colours as far as the certificates cover them. After each of
its turns the book must still know that it holds, or the search that it wins. The first game that is
lost, or in which the book is left without a win, is printed, and the exit status is 1.

Certificates are believed here; `fanorona prove --verify` checks them.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from fanorona_core import (
    Board,
    Engine,
    FanoronaError,
    Limit,
    Outcome,
    Position,
    RuleSet,
    Side,
    Tables,
    Turn,
)
from fanorona_core.levels import LEVELS
from fanorona_core.proofbook import ProofBook
from fanorona_core.score import Score

Chooser = Callable[[Board], Turn]
# An opponent: its name, and how it chooses its turn.
Opponent = tuple[str, Chooser]
# So that games differ, fewer than so many of an opponent's first turns are random.
LOOSE = 4
# Games, and milliseconds for a turn.
MOST = 10**9


class Failure(Exception):
    """A game that was lost, or in which the book was left."""


def covered(book: ProofBook, rules: RuleSet) -> list[tuple[Side, tuple[Turn, ...]]]:
    """Return where games may begin: a side, and the turns before which the book begins."""
    start = Position.start(rules)
    found: list[tuple[Side, tuple[Turn, ...]]] = []
    if book.findings(start).holds(start.side):
        found.append((start.side, ()))
    second = start.side.other
    firsts = [each for each in book.turns(start) if each.findings.holds(second)]
    # As many games with the one colour as with the other.
    found += [(start.side, ())] * (len(firsts) - 1 if found else 0)
    return [*found, *((second, (each.turn,)) for each in firsts)]


def opponents(time_ms: int, seed: int) -> list[Sequence[Opponent]]:
    """Return the strong one, the weak ones and the random one."""
    chance = random.Random(seed)
    strong = Engine(hash_mib=32)
    weak = [(number, Engine(hash_mib=4, level=number, seed=seed)) for number in LEVELS]
    return [
        [("strong", lambda board: strong.best(board, Limit(time_ms=time_ms)).turn)],
        [
            (f"level {number}", lambda board, e=engine: e.best(board, Limit(time_ms=time_ms)).turn)
            for number, engine in weak[:-1]
        ],
        [("random", lambda board: chance.choice(board.legal_turns))],
    ]


def loosened(choose: Chooser, chance: random.Random) -> Chooser:
    """Return an opponent that plays a few random turns first."""
    left = chance.randrange(LOOSE)

    def chosen(board: Board) -> Turn:
        nonlocal left
        left -= 1
        return choose(board) if left < 0 else chance.choice(board.legal_turns)

    return chosen


def play(
    engine: Engine,
    book: ProofBook,
    side: Side,
    board: Board,
    opponent: Chooser,
    limit: Limit,
) -> Outcome:
    """Play a game on; raise Failure if it goes wrong."""
    while (outcome := board.outcome()) is None:
        if board.side is not side:
            board.push(opponent(board))
            continue
        info = engine.best(board, limit)
        board.push(info.turn)
        if not (book.findings(board).holds(side) or _wins(info.score)):
            raise Failure(f"the book does not know that {side} holds")
    if outcome.winner is side.other:
        raise Failure(f"{side} has lost")
    return outcome


def _wins(score: Score) -> bool:
    return score > Score(0) and (score.is_decided or score.is_by_tables)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments and play; errors are one line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--proofs", required=True, help="folder of certificates")
    parser.add_argument("--tables", help="folder of tables, or FANORONA_TABLES_DIR")
    parser.add_argument("--rules", default="tsivy")
    parser.add_argument("--time-ms", type=int, default=20, help="for each turn of both")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    for name, number in (("games", options.games), ("time-ms", options.time_ms)):
        if not 1 <= number <= MOST:
            parser.error(f"--{name} {number}: expected 1 to {MOST}")
    for name in ("proofs", "tables"):
        folder = getattr(options, name)
        if folder is not None and not Path(folder).is_dir():
            parser.error(f"--{name} {folder}: there is no such folder")
    try:
        return play_all(options)
    except (FanoronaError, OSError, MemoryError) as error:
        parser.exit(1, f"{error}\n")
    except KeyboardInterrupt:
        parser.exit(130, "Interrupted.\n")


def play_all(options: argparse.Namespace) -> int:
    """Play the games and print the sums; return the exit status."""
    rules = RuleSet.parse(options.rules)
    book = ProofBook(options.proofs, Tables(options.tables))
    beginnings = covered(book, rules)
    if not beginnings:
        print(f"no certificate covers the start of {rules}", file=sys.stderr)
        return 1
    for side, first in dict.fromkeys(beginnings):
        print(f"{side} by the book" + (f" after {first[0]}" if first else ""))
    kinds = opponents(options.time_ms, options.seed)
    limit = Limit(time_ms=options.time_ms)
    engine = Engine(hash_mib=32, book=book)
    sums: Counter[tuple[str, Side, str]] = Counter()
    turns, began = 0, time.monotonic()
    for number in range(options.games):
        # A game with each kind of opponent, then the next beginning.
        round_, kind = divmod(number, len(kinds))
        side, first = beginnings[round_ % len(beginnings)]
        name, choose = kinds[kind][round_ % len(kinds[kind])]
        opponent = loosened(choose, random.Random(f"{options.seed} {number}"))
        board = Board.replay(Position.start(rules), first)
        engine.new_game()
        try:
            outcome = play(engine, book, side, board, opponent, limit)
        except Failure as failure:
            print(f"game {number + 1}, {side} against {name}: {failure}", file=sys.stderr)
            print(" ".join(map(str, board.turns)), file=sys.stderr)
            return 1
        sums[name, side, "won" if outcome.winner is side else "drawn"] += 1
        turns += len(board.turns)
    print("opponent  side   won drawn")
    for name, side in dict.fromkeys((name, side) for name, side, _ in sorted(sums)):
        won, drawn = (sums[name, side, result] for result in ("won", "drawn"))
        print(f"{name:9} {side!s:5} {won:4} {drawn:5}")
    seconds = time.monotonic() - began
    print(f"{options.games} games, none lost; {turns} turns, {seconds:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
