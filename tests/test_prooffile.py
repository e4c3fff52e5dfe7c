"""Certificates: what is cut, altered or wrong is refused, by both checkers."""

import contextlib
import hashlib
import importlib.util
import io
import struct
import zlib
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from fanorona_core import (
    CorruptProofError,
    MissingTableError,
    Position,
    ProofError,
    RuleSet,
    Side,
    Tables,
)
from fanorona_core._index import SetIndex
from fanorona_core._proofset import PositionSet
from fanorona_core._tablebase import LoadedTables
from fanorona_core.proof import Proofs
from fanorona_core.prooffile import Certificate
from fanorona_core.solve import proof_tables
from fanorona_core.tablebuild import Builder

ROOT = Path(__file__).resolve().parents[1]
HEADER = struct.Struct("<8sH8BQQQQQ")
DRAWN = RuleSet.parse("theory,board=5x5")
WON = RuleSet.parse("theory,board=7x3")


@cache
def slow() -> ModuleType:
    spec = importlib.util.spec_from_file_location("verify_proof", ROOT / "tools/verify_proof.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def made(rules: RuleSet, side: Side) -> tuple[Certificate, LoadedTables]:
    tables = proof_tables(Builder(rules.columns, rules.rows), 4)
    certificate = Proofs(rules, tables, hash_mib=16).certificate(Position.start(rules), side)
    assert certificate is not None
    return certificate, tables


CASES = [(DRAWN, Side.WHITE), (DRAWN, Side.BLACK), (WON, Side.BLACK)]


def without(certificate: Certificate, place: int, rank: int = 0) -> Certificate:
    """Return the certificate without one position, or with another rank of it."""
    rules = certificate.position.rules
    positions = PositionSet(SetIndex(rules.columns, rules.rows), certificate.positions.ranked)
    for i in range(len(certificate.positions)):
        own, enemy, had = certificate.positions.member(i)
        if i != place:
            positions.add(own, enemy, had)
        elif rank:
            positions.add(own, enemy, rank)
    positions.sort()
    return Certificate(
        certificate.position, certificate.side, certificate.holds, certificate.stones, positions
    )


@pytest.mark.parametrize(("rules", "side"), CASES)
def test_both_checkers_accept(
    rules: RuleSet, side: Side, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    certificate, tables = made(rules, side)
    certificate.write(tmp_path / "proof")
    Certificate.read(tmp_path / "proof").check(tables)
    assert slow().main([str(tmp_path / "proof"), "--sample", "150"]) == 0
    assert capsys.readouterr().out.startswith(f"Right: {certificate.side} ")


@pytest.mark.parametrize(("rules", "side"), CASES)
def test_a_position_left_out_is_missed(rules: RuleSet, side: Side) -> None:
    """Most positions are needed; where one is not, the rest is a proof all the same."""
    certificate, tables = made(rules, side)
    missed = 0
    for place in range(0, len(certificate.positions), len(certificate.positions) // 20):
        try:
            without(certificate, place).check(tables)
        except ProofError as error:
            missed += 1
            assert "the proof is wrong" in str(error)
    assert missed >= 18


def test_the_first_position_that_fails_is_named() -> None:
    certificate, tables = made(DRAWN, Side.WHITE)
    start = Position.start(DRAWN)
    index = SetIndex(5, 5)
    none = Certificate(start, Side.WHITE, True, certificate.stones, PositionSet(index, False))
    with pytest.raises(ProofError, match=r"in bbbbb/bbbbb/bw1bw/wwwww/wwwww w no turn of White"):
        none.check(tables)
    extra = PositionSet(index, False)
    for i in range(len(certificate.positions)):
        extra.add(*certificate.positions.member(i)[:2])
    lost = Position.parse("bbbbb/bb3/5/5/w4 w", DRAWN)
    assert extra.add(lost.white, lost.black)
    extra.sort()
    with pytest.raises(ProofError, match=r"in .* w no turn of White keeps the draw within it"):
        Certificate(start, Side.WHITE, True, certificate.stones, extra).check(tables)


def test_ranks_must_fall(tmp_path: Path) -> None:
    certificate, tables = made(WON, Side.BLACK)
    assert not certificate.holds
    ranks = [certificate.positions.member(i)[2] for i in range(len(certificate.positions))]
    top = ranks.index(max(ranks))
    broken = without(certificate, top, rank=1)
    with pytest.raises(ProofError, match="keeps the win"):
        broken.check(tables)
    broken.write(tmp_path / "proof")
    assert slow().main([str(tmp_path / "proof")]) == 1


def test_claims_that_are_false() -> None:
    certificate, tables = made(DRAWN, Side.WHITE)
    start = Position.start(DRAWN)
    with pytest.raises(ProofError):
        Certificate(start, Side.BLACK, True, 4, certificate.positions).check(tables)
    with pytest.raises(MissingTableError, match="leans on tables"):
        Certificate(start, Side.WHITE, True, 5, certificate.positions).check(tables)


def sealed(fields: list[object], packed: bytes) -> bytes:
    header = HEADER.pack(*fields)
    return header + hashlib.sha256(header + packed).digest() + packed


def refused_slowly(path: Path) -> bool:
    """Whether the other reader refuses a file, and says why in one line."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            status = slow().main([str(path), "--sample", "1"])
        except SystemExit as end:
            status = end.code
    return status == 1 and said.getvalue().count("\n") == 1 and str(path) in said.getvalue()


def test_the_slow_reader_refuses_what_the_fast_one_does(tmp_path: Path) -> None:
    certificate, _ = made(DRAWN, Side.BLACK)
    path = tmp_path / "proof"
    certificate.write(path)
    data = path.read_bytes()
    fields, packed = list(HEADER.unpack(data[: HEADER.size])), data[HEADER.size + 32 :]
    read = slow().Proof
    raw = zlib.decompress(packed)

    def listed(content: bytes) -> bytes:
        body = zlib.compress(content)
        return sealed([*fields[:-2], len(content), len(body)], body)

    def changed(place: int, value: object) -> bytes:
        return sealed([*fields[:place], value, *fields[place + 1 :]], packed)

    read(listed(raw))
    for content, reason in (
        (changed(2, 4), "impossible value"),
        (changed(3, 2), "impossible value"),
        (changed(6, 2), "impossible value"),
        (changed(9, 1), "impossible value"),
        (changed(10, 1 << 50), "the claim: stones outside the board"),
        (changed(10, fields[11]), "the claim: both colours on a point"),
        (changed(10, 0), "the claim: a side has no stones"),
        (changed(12, 1), "positions, expected 1"),
        (listed(raw[:-1]), "position|within a number"),
        (listed(raw + b"\x81"), "ends within a number"),
        (listed(raw + b"\x00\x00"), "out of order"),
        (listed(b"\x00" + raw), "a side has no stones"),
        (listed(b"\x10\x01"), "listed position 1: it is not folded"),
        (listed(b"\x01\x01"), "both colours"),
        (listed(b"\xff" * 20), "more than 63 bits"),
        (sealed([*fields[:-2], 1 << 63, len(packed)], packed), "another length"),
        (sealed([*fields[:-1], 3], b"abc"), "cannot be unpacked"),
    ):
        with pytest.raises(slow().WrongProof, match=reason):
            read(content)
        path.write_bytes(content)
        with pytest.raises((CorruptProofError, ProofError)):
            Certificate.read(path).check(made(DRAWN, Side.BLACK)[1])


def test_the_slow_checker_without_a_file_or_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for missing in (tmp_path / "none", tmp_path):
        with pytest.raises(SystemExit, match="1"):
            slow().main([str(missing)])
        assert capsys.readouterr().err.startswith(f"{missing}: ")
    certificate, _ = made(DRAWN, Side.BLACK)
    certificate.write(tmp_path / "proof")
    for sample in ("0", "-1"):
        with pytest.raises(SystemExit, match="2"):
            slow().main([str(tmp_path / "proof"), "--sample", sample])
        assert "expected 1 or more" in capsys.readouterr().err
    for pair in ("1v1", "2v1", "1v2", "2v2", "3v1", "1v3"):
        (tmp_path / f"5x5-optional-{pair}.dtw").write_bytes(b"no table")
    with pytest.raises(SystemExit, match="1"):
        slow().main([str(tmp_path / "proof"), "--dir", str(tmp_path)])
    assert "it is not a table" in capsys.readouterr().err


def test_broken_files(tmp_path: Path) -> None:
    certificate, _ = made(DRAWN, Side.BLACK)
    path = tmp_path / "proof"
    certificate.write(path)
    data = path.read_bytes()
    fields, packed = list(HEADER.unpack(data[: HEADER.size])), data[HEADER.size + 32 :]
    assert sealed(fields, packed) == data
    raw = zlib.decompress(packed)

    def refused(content: bytes, reason: str) -> None:
        """By both readers."""
        path.write_bytes(content)
        with pytest.raises(CorruptProofError, match=reason) as caught:
            Certificate.read(path)
        assert str(path) in str(caught.value)
        assert refused_slowly(path)

    def changed(place: int, value: object) -> list[object]:
        return [*fields[:place], value, *fields[place + 1 :]]

    def listed(content: bytes, count: int | None = None) -> bytes:
        body = zlib.compress(content)
        new = [*fields[:-3], fields[-3] if count is None else count, len(content), len(body)]
        return sealed(new, body)

    refused(b"", "not a proof")
    refused(b"FNTABLE\n" + data[8:], "not a proof")
    refused(data[:-1], "cut or overlong")
    refused(data + b"x", "cut or overlong")
    refused(data[: HEADER.size + 10], "cut or overlong")
    for place in (9, 30, HEADER.size + 3, HEADER.size + 40, len(data) - 1):
        flipped = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        refused(flipped, "checksum|version")
    refused(sealed(changed(1, 2), packed), "version 2")
    refused(sealed(changed(3, 2), packed), "impossible value")
    refused(sealed(changed(2, 4), packed), "impossible value")
    refused(sealed(changed(9, 1), packed), "impossible value")
    refused(sealed(changed(4, 4), packed), "odd")
    refused(sealed(changed(10, 1 << 50), packed), "outside")
    refused(sealed(changed(10, fields[11]), packed), "both colours")
    refused(sealed(changed(12, 1), packed), "expected 1")
    refused(listed(raw[:-1]), "positions, expected|cut")
    refused(listed(raw + b"\x01"), "cut|position")
    refused(listed(b"\x00" + raw), "position")
    refused(listed(b"\xff" * 20), "63 bits")
    refused(listed(raw[:0], 0)[:-2], "cut")
    path.write_bytes(listed(raw))
    Certificate.read(path)


def test_sets() -> None:
    positions = PositionSet(SetIndex(3, 3), True)
    assert positions.add(0b1, 0b10, 5)
    assert not positions.add(0b100, 0b10, 7)
    assert (len(positions), positions.rank(0b100, 0b10), positions.rank(0b1, 0b100)) == (1, 5, None)
    with pytest.raises(IndexError):
        positions.member(1)
    with pytest.raises(IndexError):
        positions.encoded(0, 2)
    again = PositionSet(SetIndex(3, 3), True)
    again.decode(positions.encoded(0, 1))
    assert again.member(0) == positions.member(0)
    for data, reason in ((b"\x00\x01\x01", "not a position"), (b"\x01\x02\x00", "rank 0")):
        with pytest.raises(ValueError, match=reason):
            PositionSet(SetIndex(3, 3), True).decode(data)


KEPT = sorted((ROOT / "proofs").glob("*.proof"))


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_kept_certificates(path: Path) -> None:
    """They can be read; those above small tables are checked."""
    certificate = Certificate.read(path)
    rules = certificate.position.rules
    assert path.name.startswith(f"{rules.columns}x{rules.rows}-")
    if certificate.stones <= 4:
        builder = Builder(rules.columns, rules.rows, compulsory=rules.compulsory)
        certificate.check(proof_tables(builder, certificate.stones))


@pytest.mark.parametrize(
    "other", ["board=3x3", "board=5x5,continuation=compulsory", "board=5x5,no-move=draw"]
)
def test_tables_of_another_board_or_other_rules_prove_nothing(other: str) -> None:
    rules = RuleSet.parse(f"theory,{other}")
    tables = Tables().load(rules, 4)
    with pytest.raises(ValueError, match="expected those of board=5x5"):
        made(DRAWN, Side.WHITE)[0].check(tables)
    with pytest.raises(ValueError, match="expected those of board=5x5"):
        Proofs(DRAWN, tables, hash_mib=1)
    with pytest.raises(TypeError, match="tables: Tables, expected LoadedTables"):
        Proofs(DRAWN, Tables(), hash_mib=1)  # type: ignore[arg-type]


def test_certificates_are_values(tmp_path: Path) -> None:
    for rules, side in CASES:
        certificate = made(rules, side)[0]
        certificate.write(tmp_path / "same.proof")
        again = Certificate.read(tmp_path / "same.proof")
        assert again == certificate != without(certificate, 0)
        assert len(without(certificate, 0).positions) == len(certificate.positions) - 1
        assert (
            repr(certificate.positions) == f"<PositionSet: {len(certificate.positions)} positions>"
        )
    if certificate.positions.ranked:
        assert without(certificate, 0, rank=999) != certificate


def test_members_that_are_not_there() -> None:
    certificate = made(DRAWN, Side.WHITE)[0]
    for place in (-1, len(certificate.positions)):
        with pytest.raises(IndexError, match=f"place {place}: expected 0 to"):
            certificate.member(place)
