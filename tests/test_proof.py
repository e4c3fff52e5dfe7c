"""Proof search: against the tables of whole boards, limits, sharing, checkpoints."""

import random
import threading
import time
from functools import cache
from pathlib import Path

import pytest

from fanorona_core import CorruptProofError, Position, ProofError, RuleSet, Side, Tables
from fanorona_core._index import SetIndex
from fanorona_core._proofhash import ProofTable
from fanorona_core._tablebase import LoadedTables
from fanorona_core._tablepack import pack_results
from fanorona_core.proof import Findings, Proofs, stones_covered
from fanorona_core.tablebuild import Builder, pairs_up_to


def rules(columns: int, rows: int, compulsory: bool = False, draw: bool = False) -> RuleSet:
    return RuleSet.parse("theory").replace(
        columns=columns, rows=rows, compulsory=compulsory, no_move_draw=draw
    )


@cache
def tables(of: RuleSet, stones: int, few: int) -> tuple[LoadedTables, LoadedTables, Builder]:
    """Return tables of up to ``stones`` stones, and of up to ``few``."""
    builder = Builder(of.columns, of.rows, compulsory=of.compulsory, no_move_draw=of.no_move_draw)
    builder.build(pairs_up_to(of.columns, of.rows, stones))
    whole, part = (LoadedTables(builder.index, of.compulsory, of.no_move_draw) for _ in range(2))
    for table, values in builder.values.items():
        packed = pack_results(values)
        whole.add(*table, packed, True, False)
        if sum(table) <= few:
            part.add(*table, packed, True, False)
    return whole, part, builder


def placed(own: int, enemy: int, side: Side, of: RuleSet) -> Position:
    white, black = (own, enemy) if side is Side.WHITE else (enemy, own)
    return Position(white, black, side, of)


@pytest.mark.parametrize("draw", [False, True])
@pytest.mark.parametrize("compulsory", [False, True])
@pytest.mark.parametrize("few", [0, 4])
def test_every_position_of_3x3(compulsory: bool, draw: bool, few: int) -> None:
    of = rules(3, 3, compulsory, draw)
    whole, part, builder = tables(of, 8, few)
    proofs = Proofs(of, part, hash_mib=1)
    assert proofs.stones == few
    rng = random.Random(1)
    for own, enemy in builder.values:
        for slot in range(builder.index.size(own, enemy)):
            masks = builder.index.position(own, enemy, slot)
            result = whole.result(*masks)
            assert result is not None
            if rng.random() < 0.05:
                proofs.hash_table.clear()
            position = placed(*masks, rng.choice(list(Side)), of)
            assert proofs.holds(position, position.side) is (result >= 0)
            assert proofs.holds(position, position.side.other) is (result <= 0)


@pytest.mark.parametrize(
    ("columns", "rows", "stones", "few"),
    [(3, 5, 7, 0), (5, 3, 7, 3), (5, 5, 6, 3), (3, 7, 6, 2)],
)
@pytest.mark.parametrize("compulsory", [False, True])
def test_positions_with_certificates(
    columns: int, rows: int, stones: int, few: int, compulsory: bool, tmp_path: Path
) -> None:
    """Each answer agrees with the tables, and its certificate is right, also after reading it."""
    from fanorona_core.prooffile import Certificate

    of = rules(columns, rows, compulsory)
    whole, part, builder = tables(of, stones, few)
    rng = random.Random(7)
    pairs = [table for table in builder.values if sum(table) > few]
    for _ in range(60):
        pair = rng.choice(pairs)
        masks = builder.index.position(*pair, rng.randrange(builder.index.size(*pair)))
        result = whole.result(*masks)
        assert result is not None
        position = placed(*masks, rng.choice(list(Side)), of)
        side = rng.choice(list(Side))
        proofs = Proofs(of, part, hash_mib=1, threads=rng.choice((1, 1, 3)))
        certificate = proofs.certificate(position, side)
        assert certificate is not None
        holds = (result if side is position.side else -result) >= 0
        assert (certificate.holds, certificate.side) == (holds, side if holds else side.other)
        certificate.check(part)
        certificate.write(tmp_path / "proof")
        again = Certificate.read(tmp_path / "proof")
        assert (again.position, again.side, again.holds, again.stones) == (
            placed(*masks, position.side, of),
            certificate.side,
            holds,
            few,
        )
        again.check(part)


@pytest.mark.parametrize(
    ("columns", "rows", "value"),
    [
        (3, 3, "White wins"),
        (5, 3, "White wins"),
        (3, 5, "White wins"),
        (3, 7, "White wins"),
        (7, 3, "White wins"),
        (5, 5, "drawn"),
    ],
)
def test_known_values_of_boards(columns: int, rows: int, value: str) -> None:
    of = rules(columns, rows)
    found = Proofs(of, tables(of, 4, 4)[1], hash_mib=32).settle(Position.start(of))
    assert str(found) == value
    assert found.is_settled


@pytest.mark.parametrize("hash_mib", [4, 64])
def test_a_win_is_put_together_from_a_hash_table_that_has_lost_parts(hash_mib: int) -> None:
    of = rules(5, 7)
    few = Tables().load(of, 4)
    proofs = Proofs(of, few, hash_mib=hash_mib)
    assert proofs.holds(Position.start(of), Side.BLACK) is False
    searched = proofs.nodes
    certificate = proofs.certificate(Position.start(of), Side.BLACK)
    assert certificate is not None and not certificate.holds
    certificate.check(few)
    # More than was needed has been left out again.
    assert len(certificate.positions) < 10_000
    assert proofs.nodes > searched  # something had to be proved anew


def test_findings() -> None:
    assert str(Findings(None, True)) == "not settled: Black at least draws"
    assert str(Findings(False, None)) == "Black wins"
    assert Findings(False, None).holds(Side.BLACK) is True
    assert Findings(None, True).holds(Side.WHITE) is None
    assert not Findings(True, None).is_settled


def test_limits_and_going_on() -> None:
    of = rules(5, 5)
    proofs = Proofs(of, tables(of, 4, 4)[1], hash_mib=32)
    start = Position.start(of)
    assert proofs.holds(start, Side.WHITE, nodes=1000) is None
    assert proofs.nodes < 2000
    assert proofs.holds(start, Side.WHITE, nodes=0) is None
    assert proofs.certificate(start, Side.WHITE, nodes=-1) is None
    with pytest.raises(TypeError, match="side: int, expected Side"):
        proofs.holds(start, 0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="nodes: float, expected int"):
        proofs.holds(start, Side.WHITE, nodes=1e6)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="stones -1: expected 0 or more"):
        Proofs(of, tables(of, 4, 4)[1], stones=-1)
    assert proofs.settle(start, nodes=1500).is_settled is False
    assert proofs.holds(start, Side.WHITE, nodes=10**30, time_ms=10**30) is True
    asked = proofs.nodes
    assert proofs.holds(start, Side.WHITE) is True
    assert proofs.nodes - asked < 10_000
    hard = Proofs(of, tables(of, 3, 0)[1], hash_mib=1)
    began = time.monotonic()
    hard.holds(start, Side.WHITE, time_ms=50)
    assert time.monotonic() - began < 5


def test_the_same_search_twice() -> None:
    of = rules(5, 5)
    counts = []
    for _ in range(2):
        proofs = Proofs(of, tables(of, 4, 4)[1], hash_mib=4)
        proofs.settle(Position.start(of))
        counts.append(proofs.nodes)
    assert counts[0] == counts[1]


def test_stopping_from_another_thread_and_by_a_report() -> None:
    of = rules(9, 5)
    proofs = Proofs(of, LoadedTables(SetIndex(9, 5), False, False), hash_mib=1)
    timer = threading.Timer(0.2, proofs.stop)
    timer.start()
    assert proofs.holds(Position.start(of), Side.BLACK) is None
    timer.join()
    seen = []

    def report(progress: object) -> None:
        seen.append(progress)
        if len(seen) > 2:
            raise KeyboardInterrupt

    proofs = Proofs(of, LoadedTables(SetIndex(9, 5), False, False), hash_mib=1)
    with pytest.raises(KeyboardInterrupt):
        proofs.holds(Position.start(of), Side.BLACK, report=report)
    assert len(seen) == 3
    assert proofs.nodes > 0


def test_several_threads_answer_one_question() -> None:
    of = rules(5, 5)
    part = tables(of, 4, 4)[1]
    for threads in (1, 2, 5):
        for side in Side:
            proofs = Proofs(of, part, hash_mib=16, threads=threads)
            assert proofs.holds(Position.start(of), side) is True
            certificate = proofs.certificate(Position.start(of), side)
            assert certificate is not None and certificate.holds
            certificate.check(part)
    proofs = Proofs(of, part, hash_mib=16, threads=3)
    assert proofs.holds(Position.start(of), Side.WHITE, nodes=300) is None
    assert 100 <= proofs.nodes <= 300 + 3
    proofs.stop()
    assert proofs.holds(Position.start(of), Side.WHITE) is None
    with pytest.raises(ValueError, match="threads 0: expected 1 or more"):
        Proofs(of, part, threads=0)


def test_threads_share_what_they_learn() -> None:
    of = rules(5, 5)
    proofs = Proofs(of, tables(of, 4, 4)[1], hash_mib=32)
    answers: dict[Side, bool | None] = {}

    def ask(side: Side) -> None:
        answers[side] = proofs.holds(Position.start(of), side)

    threads = [threading.Thread(target=ask, args=(side,)) for side in Side]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {Side.WHITE: True, Side.BLACK: True}


def test_checkpoints(tmp_path: Path) -> None:
    of = rules(5, 5)
    start, few = Position.start(of), tables(of, 4, 4)[1]
    proofs = Proofs(of, few, hash_mib=4)
    assert proofs.holds(start, Side.WHITE) is True
    proofs.save(tmp_path / "state")
    again = Proofs(of, few, hash_mib=4)
    again.load(tmp_path / "state")
    assert again.holds(start, Side.WHITE) is True
    assert again.nodes < proofs.nodes / 4
    other = "made with .* 4 stones .* 4 MiB; expected .* 4 stones .* 5 MiB"
    with pytest.raises(CorruptProofError, match=other):
        Proofs(of, few, hash_mib=5).load(tmp_path / "state")
    (tmp_path / "foreign").write_bytes(bytes(1 << 16))
    with pytest.raises(CorruptProofError, match="not a checkpoint"):
        again.load(tmp_path / "foreign")
    data = (tmp_path / "state").read_bytes()
    for broken in (data[:-1], data[: len(data) // 2], data[:-40] + b"x" + data[-39:], b""):
        (tmp_path / "broken").write_bytes(broken)
        with pytest.raises(CorruptProofError, match="broken"):
            again.load(tmp_path / "broken")


def test_what_cannot_be_proved() -> None:
    of = rules(5, 5)
    proofs = Proofs(of, tables(of, 3, 3)[1], hash_mib=1)
    single = Position.start(of.replace(first_turn="both-single"))
    with pytest.raises(ProofError, match="restrictions"):
        proofs.holds(single, Side.WHITE)
    with pytest.raises(ProofError, match="not played under"):
        proofs.holds(Position.start(rules(5, 5, compulsory=True)), Side.WHITE)
    chain = Position.start(of).play_step(Position.start(of).steps()[0])
    if chain.chain is not None:
        with pytest.raises(ProofError, match="chain"):
            proofs.holds(chain, Side.WHITE)
    three = rules(3, 3)
    many = Position.parse("1ww/wbw/bww w", three)
    whole = Proofs(three, tables(three, 8, 8)[0], hash_mib=1)
    with pytest.raises(ProofError, match=r"White has 6 stones in .*: a proof knows of 4 at most"):
        whole.certificate(many, Side.WHITE)
    with pytest.raises(ValueError, match="hash size"):
        Proofs(of, tables(of, 3, 3)[1], hash_mib=0)


def test_a_game_that_is_over() -> None:
    of = rules(5, 5)
    proofs = Proofs(of, tables(of, 3, 3)[1], hash_mib=1)
    over = Position(1, 0, Side.BLACK, of)
    assert (proofs.holds(over, Side.WHITE), proofs.holds(over, Side.BLACK)) == (True, False)


def test_a_finished_game_needs_no_certificate() -> None:
    of = rules(5, 5)
    proofs = Proofs(of, tables(of, 3, 3)[1], hash_mib=1)
    for over in (placed(1, 0, Side.WHITE, of), placed(0, 1, Side.WHITE, of)):
        with pytest.raises(ProofError, match="the game is over in "):
            proofs.certificate(over, Side.WHITE)


def test_stretches_of_one_question_and_of_a_length() -> None:
    of = rules(5, 5)
    start, few = Position.start(of), tables(of, 4, 4)[1]
    lone = Proofs(of, few, hash_mib=16)
    assert list(lone.stretches(start, Side.BLACK)) == [Findings(None, True)]
    asked = Proofs(of, few, hash_mib=16)
    assert asked.holds(start, Side.BLACK) is True
    assert lone.nodes == asked.nodes
    short = list(Proofs(of, few, hash_mib=16).stretches(start, Side.BLACK, longest_ms=5))
    assert len(short) > 1
    assert short[-1] == Findings(None, True)


def test_stones_covered() -> None:
    of = rules(5, 5)
    whole, part, _ = tables(of, 4, 3)
    assert (stones_covered(whole, 5, 5), stones_covered(part, 5, 5)) == (4, 3)
    assert stones_covered(LoadedTables(SetIndex(5, 5), False, False), 5, 5) == 0


@pytest.mark.parametrize("entries", range(5))
def test_how_full_a_table_is_counts_every_place_of_a_bucket(entries: int) -> None:
    table = ProofTable(1)
    bucket = (bytes(8) + b"\x01" * 8) * entries + bytes(16) * (4 - entries)
    table.write(0, bucket * table.buckets)
    assert table.used() == entries / 4
