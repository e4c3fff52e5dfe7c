"""Damaged input is refused with the errors that are promised, and nothing else happens.

Fixed numbers of runs from fixed seeds: a few always, many as slow tests, which are worth most in a
build with sanitizers (tools/sanitize.sh).
"""

import io
import re
import shutil
import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from importlib import resources
from pathlib import Path

import pytest
from fuzzing import blobs, texts

from fanorona_cli.ugi import UgiSession
from fanorona_core import (
    PROFILES,
    Board,
    FanoronaError,
    Limit,
    Position,
    RuleSet,
    Turn,
    formats,
    parse_turn,
)
from fanorona_core._network import NetworkFile
from fanorona_core.engine import Engine
from fanorona_core.tablebase import Tables
from fanorona_core.tablebuild import Builder, pairs_up_to
from fanorona_core.tablefile import TableFile

DATA = Path(__file__).parent / "data"
START = Position.start()
HEADER = 150  # bytes of a table's header; the last 32 are its checksum
POSITIONS = (
    START.text(),
    "8b/9/bw2b4/9/9 w",
    "bb2bbbbb/b1b4bb/bw3b1bw/4b2ww/wwww1w1ww w - 3 17 youzai",
    "9/7b1/9/5w3/4b4 w - 0 9 board=9x5,continuation=compulsory,no-move=draw,repetition=2",
    "bbb/b1w/www w - 0 1 telo",
    "bbbbb/bbbbb/bw1bw/wwwww/wwwww w - 0 1 dimy",
)
TURNS = ("e2-e3A", "d3-e3W", "d2-e3", "f1-f2A-g3A-f3W-f4A-e3W-e4W-d4A", "d2e3", "D2-E3a")
UGI = (
    "ugi",
    "isready",
    "uginewgame",
    "position startpos turns e2-e3A",
    "position fen bbb/b1w/www w - 0 1 telo",
    "setoption name Rules value tsivy-compulsory",
    "setoption name Level value 3",
    "setoption name MultiPV value 2",
    "go depth 2",
    "go nodes 50 wtime 100 btime 100",
    "go movetime 5",
    "query result",
    "query p1turn",
    "stop",
)


def runs(few: int, many: int) -> pytest.MarkDecorator:
    """Run with few inputs always, with many in a slow test."""
    many_runs = pytest.param(many, 2, marks=pytest.mark.slow, id=f"{many}-runs")
    few_runs = pytest.param(few, 1, id=f"{few}-runs")
    return pytest.mark.parametrize(("count", "seed"), [few_runs, many_runs])


def games() -> list[str]:
    """Records in every format, written from the same game."""
    text = (DATA / "games" / "boardspace-robot-2008.sgf").read_text("utf-8")
    (result,) = formats.read_games(io.StringIO(text), "boardspace")
    assert result.game
    found = [text]
    for name in formats.FORMATS:
        stream = io.StringIO()
        try:
            formats.write_games([result.game], stream, name)
        except FanoronaError:
            continue
        found.append(stream.getvalue())
    return found


@runs(300, 60_000)
def test_positions(count: int, seed: int) -> None:
    for text in texts(POSITIONS, count, seed):
        try:
            position = Position.parse(text)
        except FanoronaError:
            continue
        assert Position.parse(position.text()) == position
        turns = position.legal_turns()
        assert len(turns) == position.count_turns()
        assert all(position.is_legal(turn) for turn in turns[:20])
        for step in position.steps()[:5]:
            position.play_step(step)


@runs(5, 300)
def test_searches(count: int, seed: int) -> None:
    engine = Engine(hash_mib=1)
    for text in texts(POSITIONS, count, seed):
        try:
            engine.best(Board.parse(text), Limit(depth_plies=3, nodes=2000))
        except FanoronaError:
            continue


@runs(300, 60_000)
def test_turns(count: int, seed: int) -> None:
    positions = [Position.parse(text) for text in POSITIONS]
    for number, text in enumerate(texts(TURNS, count, seed)):
        position = positions[number % len(positions)]
        try:
            turn = Turn.from_text(text, position.columns)
        except ValueError:
            pass
        else:
            assert str(turn) == text
            assert position.is_legal(turn) == (turn in position.legal_turns())
        try:
            turn = parse_turn(position, text)
        except FanoronaError:
            continue
        assert position.is_legal(turn)


@runs(300, 60_000)
def test_small_boards(count: int, seed: int) -> None:
    seeds = [text for text in POSITIONS if Position.parse(text).geometry.points < 45]
    seeds += ["3/1bw/3 w a2-a1A 0 3", "1b1/1bw/w2 b c2-a4W-b3A 0 9", "bbb/b1w/www w a4-a1A"]
    paths = ("a2-a3", "a4-a3", "a1-b2A-c15W", "e9-e8A", "c2-b2A", "c1b2", "a4 a3a")
    found = texts(paths, count, seed + 10)
    for position_text, text in zip(texts(seeds, count, seed), found, strict=True):
        with suppress(FanoronaError):
            Position.parse(f"bbb/b1w/www w {text.replace(' ', '')}")
        try:
            position = Position.parse(position_text)
        except FanoronaError:
            position = Position.start(PROFILES["telo"])
        with suppress(FanoronaError):
            Board(position).push_text(text)
        try:
            turn = Turn.from_text(text, position.columns)
        except ValueError:
            continue
        for use in (position.play, position.captured, Board(position).push):
            with suppress(FanoronaError):
                use(turn)


@runs(300, 20_000)
def test_rules(count: int, seed: int) -> None:
    seeds = ("tsivy", "dimy,continuation=compulsory", str(RuleSet(columns=3, rows=7, turn_limit=9)))
    for text in texts(seeds, count, seed):
        try:
            rules = RuleSet.parse(text)
        except FanoronaError:
            continue
        assert RuleSet.parse(str(rules)) == rules


@runs(100, 6_000)
def test_records(count: int, seed: int) -> None:
    for text in texts(games(), count, seed):
        try:
            for result in formats.read_games(io.StringIO(text)):
                assert result.game or result.error
        except FanoronaError:
            continue


@runs(60, 4_000)
def test_ugi(count: int, seed: int) -> None:
    told: list[str] = []
    session = UgiSession(told.append)
    for line in texts(UGI, count, seed):
        if re.search(r"(hash|threads).*\d{2}|tables", line, re.I):
            continue  # as much memory, as many threads as that
        session.handle(line)
        session.stop()
    del told[:]
    session.handle("isready")
    assert told == ["readyok"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the tables of three stones on 5x5."""
    target = tmp_path_factory.mktemp("tables")
    Builder(5, 5, directory=target).build(pairs_up_to(5, 5, 3))
    return target


def signed(data: bytes) -> bytes:
    """Make a table's header agree with what it has become, as an attacker would."""
    if len(data) < HEADER:
        return data
    size, blocks = int.from_bytes(data[74:82], "little"), int.from_bytes(data[22:26], "little")
    places = data[HEADER + size : HEADER + size + 4 * blocks]
    unsigned = data[: HEADER - 32] + bytes(32)
    return unsigned[:-32] + sha256(unsigned + places).digest() + data[HEADER:]


@runs(100, 10_000)
def test_table_files(folder: Path, tmp_path: Path, count: int, seed: int) -> None:
    position = Position.parse("5/1b3/5/3w1/w4 w - 0 1 board=5x5")
    names = sorted(path.name for path in folder.iterdir())
    assert names
    for number, name in enumerate(names):
        shutil.copytree(folder, tmp_path / name)
        path = tmp_path / name / name
        for run, data in enumerate(blobs(path.read_bytes(), count // len(names), seed + number)):
            path.write_bytes(signed(data) if run % 2 else data)
            for use in uses(path, position):
                try:
                    use()
                except FanoronaError:
                    continue


def uses(path: Path, position: Position) -> Iterator[Callable[[], object]]:
    """Yield what can be done with a table file."""

    def read() -> None:
        file = TableFile(path)
        try:
            file.values()
            file.check()
        finally:
            file.close()

    yield read
    yield lambda: Tables(path.parent).probe(position)
    yield lambda: Tables(path.parent).load(position.rules, 3)


@runs(30, 2_000)
def test_networks(count: int, seed: int) -> None:
    data = (resources.files("fanorona_core") / "data" / "evaluation.net").read_bytes()
    for number, blob in enumerate(blobs(data, count, seed)):
        changed = blob
        if number % 2 and len(blob) >= 16:
            changed = blob[:12] + struct.pack("<I", zlib.crc32(blob[16:])) + blob[16:]
        try:
            NetworkFile(changed)
        except ValueError:
            continue
