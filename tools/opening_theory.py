"""Find the exact values of the positions after the first turns: python tools/opening_theory.py.

    python tools/opening_theory.py --turns 2 --tables DIR --hash 6144 --seconds 60 --state FILE

Every position that so many turns lead to is asked two questions, whether White holds and whether
Black does, each for so many seconds of search; one hash table serves all of them. What follows from
other answers is not asked: if a side holds, it does after each of the other side's turns, and a
position is worth what the best of its turns is. The state is kept in FILE after each answer, and a
later call with the same rules and turns goes on from there, also with more time. At the end the
tables of docs/proof.md are printed. With --after only the positions after that first turn are asked
about, so that several calls, each with a FILE of its own, can share the work; --state with each of
the files and --seconds 0 then print what all have found. With --certificates what the certificates
in that folder prove is not asked, and one is added for each answer, for as long again as the answer
may take; `fanorona prove --verify` checks them. With --drawn all beginnings of so many turns that
are proved to be draws are written as games, which fanorona match can begin from.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from fanorona_core import Board, FanoronaError, Position, RuleSet, Side, Tables, Turn
from fanorona_core._files import check_writable, replaced
from fanorona_core.fgn import format_game
from fanorona_core.findings import Findings
from fanorona_core.game import Game
from fanorona_core.proof import ProofError, Proofs
from fanorona_core.proofbook import SUFFIX, ProofBook


class WrongState(Exception):
    """What is wrong with a file of the state."""


# What numbers may be given.
LIMITS = (("turns", 1, 5), ("stones", 0, 44), ("hash", 1, 1 << 24), ("seconds", 0, 10**6))


@dataclass
class Node:
    """A position of the first turns, and which sides are known to hold in it."""

    position: Position
    turns: tuple[Turn, ...] = ()
    children: list[Node] = field(default_factory=list)
    holds: dict[Side, bool] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The turns that lead here."""
        return " ".join(map(str, self.turns))

    def findings(self) -> Findings:
        """What is known, as the library says it."""
        return Findings(self.holds.get(Side.WHITE), self.holds.get(Side.BLACK))


def grow(node: Node, plies: int) -> None:
    """Add all that so many turns lead to."""
    if plies:
        for turn in node.position.legal_turns():
            child = Node(node.position.play(turn), (*node.turns, turn))
            node.children.append(child)
            grow(child, plies - 1)


def walk(node: Node) -> Iterator[Node]:
    """Go through a node and all below it, each position once."""
    seen: set[int] = set()
    rest = [node]
    while rest:
        rest.sort(key=lambda each: len(each.turns))
        now = rest.pop(0)
        if now.position.key not in seen:
            seen.add(now.position.key)
            yield now
        rest += now.children


def conclude(node: Node) -> None:
    """Draw all conclusions from what is known: downwards, then upwards."""
    mover = node.position.side
    for child in node.children:
        if node.holds.get(mover.other) is True:
            child.holds[mover.other] = True
        if node.holds.get(mover) is False:
            child.holds[mover] = False
        conclude(child)
    below = [child.holds for child in node.children]
    if any(holds.get(mover) is True for holds in below):
        node.holds[mover] = True
    if any(holds.get(mover.other) is False for holds in below):
        node.holds[mover.other] = False
    for side, answer in ((mover, False), (mover.other, True)):
        if below and all(holds.get(side) is answer for holds in below):
            node.holds[side] = answer
    for side, answer in ((mover, True), (mover.other, False)):
        # What the position is worth, its last turn must be worth if no other can be.
        rest = [child for child in node.children if child.holds.get(side) is not (not answer)]
        if node.holds.get(side) is answer and len({child.position.key for child in rest}) == 1:
            for child in rest:
                child.holds[side] = answer
    for side in Side:
        # Where one side wins the other does not hold, and the winner does.
        if node.holds.get(side) is False:
            node.holds[side.other] = True


def share(root: Node) -> None:
    """Let equal positions, reached by other turns, know the same."""
    known: dict[int, dict[Side, bool]] = {}
    nodes = list(everything(root))
    for node in nodes:
        known.setdefault(node.position.key, {}).update(node.holds)
    for node in nodes:
        node.holds.update(known[node.position.key])


def everything(node: Node) -> Iterator[Node]:
    """Go through a node and all below it, equal positions as often as they come."""
    yield node
    for child in node.children:
        yield from everything(child)


def infer(root: Node) -> None:
    """Draw all conclusions, also from one position to the same one elsewhere."""
    for _ in range(3):
        conclude(root)
        share(root)


def settle(root: Node, proofs: Proofs, options: argparse.Namespace) -> None:
    """Ask what does not follow, of all first turns or some, and keep each answer."""
    after, time_ms = options.after, round(1000 * options.seconds)
    asked: set[tuple[int, Side]] = set()
    while True:
        infer(root)
        open_questions = [
            (node, side)
            for node in walk(root)
            if node.turns and not node.findings().is_settled
            if not after or str(node.turns[0]) in after
            for side in Side
            if side not in node.holds and (node.position.key, side) not in asked
        ]
        if not open_questions:
            return
        node, side = open_questions[0]
        asked.add((node.position.key, side))
        before, began = proofs.nodes, time.monotonic()
        answer = proofs.holds(node.position, side, time_ms=time_ms)
        took = time.monotonic() - began
        said = {True: "yes", False: "no", None: "not settled"}[answer]
        print(
            f"{node.name}: does {side} hold? {said} ({proofs.nodes - before:,} positions, "
            f"{took:.0f} s; {len(open_questions)} open)",
            file=sys.stderr,
            flush=True,
        )
        if answer is None:
            continue
        node.holds[side] = answer
        if options.state:
            save(root, options.state[0])
        if options.certificates is not None:
            certify(node, side, proofs, time_ms, options.certificates)


def certify(node: Node, side: Side, proofs: Proofs, time_ms: int, folder: Path) -> None:
    """Write the certificate of an answer, if it can be put together in time."""
    try:
        certificate = proofs.certificate(node.position, side, time_ms=time_ms)
    except ProofError as error:
        print(error, file=sys.stderr, flush=True)
        return
    if certificate is None:
        print(f"{node.name}: no time for a certificate", file=sys.stderr, flush=True)
        return
    verb = "holds" if certificate.holds else "wins"
    turns = "_".join(map(str, node.turns))
    rules = node.position.rules
    name = f"{rules.columns}x{rules.rows}-{turns}-{str(certificate.side).lower()}-{verb}{SUFFIX}"
    certificate.write(folder / name)
    print(f"{name}: {len(certificate.positions):,} listed", file=sys.stderr, flush=True)


def take_up(root: Node, folder: Path, tables: str | None) -> None:
    """Note what the certificates of a folder prove."""
    book = ProofBook(folder, Tables(tables))
    for node in everything(root):
        for side in Side:
            holds = book.findings(node.position).holds(side)
            if holds is not None:
                node.holds[side] = holds


def save(root: Node, state: Path) -> None:
    """Keep what is known, by the turns."""
    known = {
        node.name: {str(side): answer for side, answer in node.holds.items()}
        for node in everything(root)
        if node.holds
    }
    write(state, json.dumps({"rules": str(root.position.rules), "known": known}, indent=0))


def write(file: Path, text: str) -> None:
    """Write a file, whole or not at all."""
    with replaced(file) as stream:
        stream.write(text.encode())


def load(root: Node, state: Path) -> None:
    """Take up what an earlier call has found; WrongState says why a file is none of its."""
    try:
        content = json.loads(state.read_bytes())
        rules, known = content["rules"], dict(content["known"])
    except (ValueError, TypeError, KeyError):
        raise WrongState(f"{state}: not a state of this tool, or one without its rules") from None
    if rules != str(root.position.rules):
        raise WrongState(f"{state}: of the rules {rules}, expected {root.position.rules}")
    nodes = {node.name: node for node in everything(root)}
    sides = {str(side): side for side in Side}
    for name, answers in known.items():
        if name not in nodes:
            raise WrongState(f"{state}: {name!r} are not turns that --turns and the rules lead to")
        for side, answer in answers.items() if isinstance(answers, dict) else [("", answers)]:
            if side not in sides or not isinstance(answer, bool):
                raise WrongState(
                    f"{state}: {name!r} has {side!r}: {answer!r}, expected a side and true or false"
                )
            nodes[name].holds[sides[side]] = answer


def report(root: Node) -> None:
    """Print a table: each position that has turns below it, its value, and its turns by theirs."""
    print("| after | to move | value | its turns |\n|---|---|---|---|")
    for node in walk(root):
        if not node.children:
            continue
        side = node.position.side
        groups: dict[str, list[str]] = {}
        for child in sorted(node.children, key=lambda each: _rank(each, side)):
            groups.setdefault(_value(child), []).append(f"`{child.turns[-1]}`")
        turns = "; ".join(f"{value}: {', '.join(group)}" for value, group in groups.items())
        after = f"`{node.name}`" if node.turns else "the start"
        print(f"| {after} | {side} | {_value(node)} | {turns} |")


def write_drawn(root: Node, plies: int, file: Path) -> None:
    """Write the beginnings of so many turns that are drawn, each position once."""
    drawn = [
        format_game(Game.from_board(Board.replay(root.position, node.turns)))
        for node in walk(root)
        if len(node.turns) == plies and node.findings().is_settled and all(node.holds.values())
    ]
    write(file, "\n".join(drawn))


def _value(node: Node) -> str:
    return str(node.findings()).removeprefix("not settled: ")


def _rank(node: Node, side: Side) -> tuple[int, str]:
    """The order of turns: won, at least drawn, drawn, not settled, at most drawn, lost."""
    found = node.findings()
    order = ("won", "at least drawn", "drawn", "", "at most drawn", "lost")
    return order.index(found.word(side)), str(node.turns[-1])


def main(arguments: list[str] | None = None) -> None:
    """Read the arguments and do what they say; errors are one line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=2, help="how deep the tables go")
    parser.add_argument("--rules", default="theory")
    parser.add_argument("--tables", help="folder of endgame tables")
    parser.add_argument("--stones", type=int, default=8, help="tables of up to so many stones")
    parser.add_argument("--hash", type=int, default=1024, help="MiB")
    parser.add_argument("--seconds", type=float, default=10, help="for each question")
    parser.add_argument(
        "--after", action="append", default=[], help="ask only after this first turn, or these"
    )
    parser.add_argument(
        "--state",
        type=Path,
        action="append",
        default=[],
        help="file of what is known; of several all are read and the first is written",
    )
    parser.add_argument(
        "--certificates", type=Path, help="folder of certificates: they count, and are added to"
    )
    parser.add_argument("--drawn", type=Path, help="file for the beginnings that are drawn")
    options = parser.parse_args(arguments)
    for name, least, most in LIMITS:
        if not least <= getattr(options, name) <= most:
            parser.error(f"--{name}: expected {least} to {most}")
    if options.tables is not None and not Path(options.tables).is_dir():
        parser.error(f"--tables {options.tables}: there is no such folder")
    try:
        run(options)
    except (WrongState, FanoronaError, OSError, MemoryError) as error:
        parser.exit(1, f"{error}\n")
    except KeyboardInterrupt:
        parser.exit(130, "Interrupted.\n")


def run(options: argparse.Namespace) -> None:
    """Ask what is to be asked, and print the tables."""
    rules = RuleSet.parse(options.rules)
    root = Node(Position.start(rules))
    grow(root, options.turns)
    for turn in options.after:
        if turn not in [str(child.turns[0]) for child in root.children]:
            raise FanoronaError(f"--after {turn}: no first turn under {rules}")
    for state in options.state:
        if state.exists():
            load(root, state)
    if options.certificates is not None:
        options.certificates.mkdir(parents=True, exist_ok=True)
        take_up(root, options.certificates, options.tables)
    for file in (options.drawn, *(options.state[:1] if options.seconds else [])):
        if file is not None:
            check_writable(file)
    if options.seconds:
        tables = Tables(options.tables).load(rules, options.stones)
        proofs = Proofs(rules, tables, hash_mib=options.hash)
        settle(root, proofs, options)
    infer(root)
    report(root)
    if options.drawn is not None:
        write_drawn(root, options.turns, options.drawn)


if __name__ == "__main__":
    main()
