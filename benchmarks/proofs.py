"""Measure proof searches: how many positions a second they expand.

    python benchmarks/proofs.py [--dir FOLDER [--stones 8]] [--json]

Questions that the tables of the package are enough for, with --dir also some above tables of 7
stones, and with --stones 8 one above those of 8: the more memory, the more of the time goes into
waiting for it. An answer or a number of positions that is not the expected one ends it with an
error: then it is another search.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import NamedTuple

from fanorona_core import Position, RuleSet, Side
from fanorona_core.notation import parse_turn
from fanorona_core.proof import Proofs
from fanorona_core.tablebase import Tables


class Question(NamedTuple):
    """Whether a side holds after some turns, and what a search of it counts."""

    board: str
    turns: str
    side: Side
    stones: int
    hash_mib: int
    holds: bool
    nodes: int


QUESTIONS = (
    Question("5x7", "", Side.BLACK, 4, 64, False, 889_427),
    Question("9x5", "d3-e3W c4-c3A-d3W", Side.WHITE, 4, 64, True, 19_009),
)
WITH_FOLDER = (
    Question("9x5", "d3-e3W", Side.BLACK, 7, 512, True, 1_382_332),
    Question("9x5", "e2-e3A", Side.BLACK, 7, 512, True, 3_823_227),
    Question("9x5", "f2-e3A", Side.WHITE, 7, 1536, True, 23_111_095),
    Question("9x5", "d3-e3A", Side.WHITE, 8, 4096, True, 16_850_146),
)


def ask(question: Question, tables: Tables) -> dict[str, object]:
    """Ask, and compare with what is expected."""
    rules = RuleSet.parse(f"theory,board={question.board}")
    position = Position.start(rules)
    for text in question.turns.split():
        position = position.play(parse_turn(position, text))
    loaded = tables.load(rules, question.stones)
    proofs = Proofs(rules, loaded, hash_mib=question.hash_mib)
    begun = time.process_time()
    holds = proofs.holds(position, question.side)
    seconds = time.process_time() - begun
    if (holds, proofs.nodes) != (question.holds, question.nodes):
        sys.exit(f"{question}: another answer or other positions: {holds}, {proofs.nodes}")
    return {
        "board": question.board,
        "turns": question.turns,
        "nodes": proofs.nodes,
        "seconds": round(seconds, 2),
        "nodes_per_second": round(proofs.nodes / seconds),
    }


def main() -> None:
    """Ask one question after the other."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--dir", help="folder of tables up to 7 stones, or 8")
    parser.add_argument("--stones", type=int, choices=(7, 8), default=7)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    cases = [ask(question, Tables()) for question in QUESTIONS]
    if options.dir:
        tables = Tables(options.dir)
        asked = [question for question in WITH_FOLDER if question.stones <= options.stones]
        cases += [ask(question, tables) for question in asked]
    if options.json:
        print(json.dumps({"cases": cases}))
        return
    for case in cases:
        print(
            f"{case['board']} {case['turns'] or 'start'}: {case['nodes']:,} positions, "
            f"{case['seconds']} s, {case['nodes_per_second']:,} positions/s"
        )


if __name__ == "__main__":
    main()
