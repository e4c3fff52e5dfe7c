"""Endgame tables: their counts against other programs', and every value against its turns."""

import json
import math
import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest

from fanorona_core import Position, RuleSet, Side
from fanorona_core._tablebase import LoadedTables
from fanorona_core._tablepack import pack_results, unpack_results
from fanorona_core.board import Board
from fanorona_core.errors import CorruptTableError, MissingTableError
from fanorona_core.tablebase import Tables, TableValue, Wdl
from fanorona_core.tablebuild import (
    Builder,
    Pair,
    TableBuildError,
    pairs_up_to,
    sources_of,
)
from fanorona_core.tablefile import TableFile, TableKey

DATA = json.loads((Path(__file__).parent / "data" / "tables.json").read_text("utf-8"))
DRAW = 255


@cache
def built(columns: int, rows: int, compulsory: bool, stones: int) -> Builder:
    builder = Builder(columns, rows, compulsory=compulsory, threads=2)
    builder.build(pairs_up_to(columns, rows, stones))
    return builder


def expected_counts() -> Iterator[object]:
    for entry in DATA["pairs"]:
        columns, rows = map(int, entry["board"].split("x"))
        stones = entry["own"] + entry["enemy"]
        marks = [pytest.mark.slow] if stones > 5 and columns * rows > 25 else []
        name = "{board}-{continuation}-{own}v{enemy}".format(**entry)
        yield pytest.param(columns, rows, entry, id=name, marks=marks)


@pytest.mark.parametrize(("columns", "rows", "entry"), list(expected_counts()))
def test_counts(columns: int, rows: int, entry: dict[str, int | str]) -> None:
    compulsory = entry["continuation"] == "compulsory"
    own, enemy = int(entry["own"]), int(entry["enemy"])
    largest = max(
        e["own"] + e["enemy"]
        for e in DATA["pairs"]
        if (e["board"], e["continuation"]) == (entry["board"], entry["continuation"])
    )
    builder = built(columns, rows, compulsory, largest)
    info = builder.describe((own, enemy), "distance", builder.values[own, enemy], True)
    found = {
        "positions": info.positions,
        "win": info.win,
        "draw": info.draw,
        "loss": info.loss,
        "longest_win": info.longest_win,
        "longest_loss": info.longest_loss,
    }
    assert found == {name: entry[name] for name in found}
    assert info.folded == entry["folded"]
    assert info.positions == math.comb(columns * rows, own) * math.comb(columns * rows - own, enemy)


def loaded(builder: Builder) -> LoadedTables:
    tables = LoadedTables(builder.index, builder.compulsory, builder.no_move_draw)
    for table, values in builder.values.items():
        tables.add(*table, pack_results(values), True, False)
        tables.add(*table, values, True, True)
    return tables


@pytest.mark.parametrize("compulsory", [False, True])
@pytest.mark.parametrize(
    ("columns", "rows", "stones"), [(3, 3, 8), (5, 3, 6), (5, 5, 4), (9, 5, 4)]
)
def test_every_value_follows_from_its_turns(
    columns: int, rows: int, stones: int, compulsory: bool
) -> None:
    builder = built(columns, rows, compulsory, stones)
    tables = loaded(builder)
    for (own, enemy), values in builder.values.items():
        for distances in (False, True):
            assert tables.first_fault(own, enemy, distances, 0, len(values), 1) is None


def test_a_wrong_value_is_found() -> None:
    builder = built(3, 3, False, 4)
    tables = LoadedTables(builder.index, False, False)
    for table, values in builder.values.items():
        altered = bytearray(values)
        if table == (2, 2):
            altered[17] ^= 1
        tables.add(*table, altered, True, True)
    assert tables.first_fault(2, 2, True, 0, len(builder.values[2, 2]), 1) is not None


def test_a_missing_table_is_told_from_a_wrong_one() -> None:
    builder = built(3, 3, False, 4)
    tables = LoadedTables(builder.index, False, False)
    tables.add(2, 2, builder.values[2, 2], True, True)
    with pytest.raises(LookupError, match="2 against 2"):
        tables.first_fault(2, 2, True, 0, 100, 1)


@pytest.mark.parametrize("compulsory", [False, True])
def test_values_by_the_rules_alone(compulsory: bool) -> None:
    """All of 3x3, solved again from ``Position`` only, sweep by sweep."""
    rules = RuleSet(columns=3, rows=3, compulsory=compulsory, repetition=None, turn_limit=None)
    positions = {}
    for own in range(1, 1 << 9):
        for enemy in range(1, 1 << 9):
            if not own & enemy and own.bit_count() + enemy.bit_count() <= 4:
                positions[own, enemy] = Position(own, enemy, Side.WHITE, rules)
    results = {
        key: {
            (after.black, after.white)
            for after in (position.play(turn) for turn in position.legal_turns())
        }
        for key, position in positions.items()
    }
    values: dict[tuple[int, int], int] = {}
    for depth in range(20):
        new = {}
        for key, found in results.items():
            if key in values:
                continue
            known = [0 if not after[0] else values.get(after) for after in found]
            wins = any(v is not None and v % 2 == 0 for v in known)
            # Whoever has no turn has lost at once; all else takes a turn at least.
            if not known or (depth and (wins or None not in known)):
                new[key] = depth
        values |= new
    builder = built(3, 3, compulsory, 8)
    tables = loaded(builder)
    for own, enemy in positions:
        assert tables.value(own, enemy) == values.get((own, enemy), DRAW), (own, enemy)


def test_no_turn_can_be_a_draw() -> None:
    builder = Builder(3, 3, no_move_draw=True)
    builder.build(pairs_up_to(3, 3, 4))
    tables = loaded(builder)
    rules = RuleSet(columns=3, rows=3, no_move_draw=True)
    stuck = [
        position
        for slot in range(builder.index.size(1, 3))
        for position in [builder.index.position(1, 3, slot)]
        if not Position(*position, Side.WHITE, rules).has_turn()
    ]
    assert stuck
    assert all(tables.value(*position) == DRAW for position in stuck)
    for table, values in builder.values.items():
        assert tables.first_fault(*table, True, 0, len(values), 1) is None


def test_threads_change_nothing() -> None:
    one = Builder(5, 5, threads=1)
    one.build(pairs_up_to(5, 5, 4))
    assert one.values == built(5, 5, False, 4).values


def test_results_pack_and_unpack() -> None:
    values = bytes(random.Random(1).choice([0, 1, 2, 3, 8, 97, 255]) for _ in range(1003))
    packed = pack_results(values)
    assert len(packed) == 201
    unpacked = bytearray(len(values))
    unpack_results(packed, unpacked)
    assert list(unpacked) == [255 if v == 255 else 1 if v & 1 else 2 for v in values]
    with pytest.raises(ValueError, match="does not hold five results"):
        unpack_results(bytes([243]), bytearray(5))
    with pytest.raises(ValueError, match="do not hold"):
        unpack_results(bytes([0]), bytearray(6))


def test_pairs() -> None:
    assert pairs_up_to(3, 3, 99)[-1] == Pair(4, 4)
    made: set[tuple[int, int]] = set()
    for pair in pairs_up_to(9, 5, 8):
        assert sources_of(pair) <= made
        made |= set(pair.tables)
    assert len(made) == 28


# Files.


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tables")
    builder = Builder(3, 3, directory=path, distance=True)
    builder.build(pairs_up_to(3, 3, 8))
    Builder(5, 3, directory=path).build(pairs_up_to(5, 3, 5))
    return path


def test_files_hold_what_was_built(folder: Path) -> None:
    builder = built(3, 3, False, 8)
    for (own, enemy), values in builder.values.items():
        file = TableFile(folder / f"3x3-optional-{own}v{enemy}.dtw")
        file.check()
        assert file.values() == values
        counted = builder.describe((own, enemy), "distance", values, True)
        assert replace(file.info, block_slots=0, blocks=0, data_size=0) == counted
        results = TableFile(folder / f"3x3-optional-{own}v{enemy}.wdl")
        assert [v % 2 if v != DRAW else None for v in results.values()] == [
            v % 2 if v != DRAW else None for v in values
        ]
        assert [file.value(slot) for slot in range(len(values))] == list(values)


def test_quiet_only_files_give_the_same_values(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fanorona_core.tablebuild._COMPLETE_SLOTS", 60)
    builder = Builder(3, 3, directory=tmp_path, distance=True)
    pairs = pairs_up_to(3, 3, 8)
    # In two runs: the second loads and fills in what the first has written.
    builder.build(pairs[:5])
    again = Builder(3, 3, directory=tmp_path, distance=True)
    again.build(pairs)
    assert not TableFile(tmp_path / "3x3-optional-3v2.dtw").info.complete
    reference = built(3, 3, False, 8)
    for table, values in reference.values.items():
        assert Builder(3, 3, directory=tmp_path, distance=True).load(*table) == values
    reader, memory = Tables(tmp_path), Tables(folder)
    for table in reference.values:
        for slot in range(0, reference.index.size(*table), 3):
            own, enemy = reference.index.position(*table, slot)
            position = Position(own, enemy, Side.WHITE, RuleSet(columns=3, rows=3))
            assert reader.probe(position) == memory.probe(position)
    quiet = Tables(tmp_path)
    quiet.load(RuleSet(columns=3, rows=3), 8, "distance")
    loaded_too = quiet.load(RuleSet(columns=3, rows=3), 8)
    for table in reference.values:
        for slot in range(0, reference.index.size(*table), 3):
            own, enemy = reference.index.position(*table, slot)
            value = reference.values[table][slot]
            assert loaded_too.value(own, enemy) == value
            assert loaded_too.result(own, enemy) == (0 if value == DRAW else value % 2 * 2 - 1)


def test_results_alone_are_built_the_same_from_files(tmp_path: Path) -> None:
    """Without distances, what is loaded again knows only who wins; that must be enough."""
    pairs = pairs_up_to(5, 3, 6)
    for count in range(1, len(pairs) + 1):
        Builder(5, 3, directory=tmp_path).build(pairs[:count])
    reference = built(5, 3, False, 6)
    for table, values in reference.values.items():
        file = TableFile(tmp_path / f"5x3-optional-{table[0]}v{table[1]}.wdl")
        counted = reference.describe(table, "wdl", values, True)
        assert (file.info.win, file.info.draw, file.info.loss) == (
            counted.win,
            counted.draw,
            counted.loss,
        )
        assert [v == DRAW or v % 2 for v in file.values()] == [v == DRAW or v % 2 for v in values]


def test_what_is_there_is_not_built_again(folder: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    builder = Builder(3, 3, directory=folder, distance=True)
    builder.build(pairs_up_to(3, 3, 8))
    assert builder.written == []
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == before


def test_an_interrupted_build_leaves_no_file_that_looks_whole(tmp_path: Path) -> None:
    def stop(pair: Pair, done: float) -> None:
        if pair == Pair(2, 2) and done > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Builder(3, 3, directory=tmp_path).build(pairs_up_to(3, 3, 5), progress=stop)
    assert not (tmp_path / "3x3-optional-2v2.wdl").exists()
    assert not list(tmp_path.glob("*.part"))
    builder = Builder(3, 3, directory=tmp_path)
    builder.build(pairs_up_to(3, 3, 5))
    assert "3x3-optional-2v1.wdl" not in [path.name for path in builder.written]
    assert "3x3-optional-2v2.wdl" in [path.name for path in builder.written]


def altered(source: Path, target: Path, at: int) -> None:
    data = bytearray(source.read_bytes())
    data[at] ^= 0x10
    target.write_bytes(data)


def test_every_altered_byte_is_found(folder: Path, tmp_path: Path) -> None:
    source = folder / "3x3-optional-2v1.wdl"
    target = tmp_path / source.name
    for at in range(source.stat().st_size):
        altered(source, target, at)
        with pytest.raises(CorruptTableError, match=r"3x3-optional-2v1\.wdl"):
            TableFile(target).check()


def test_what_to_do_about_a_damaged_table(folder: Path, tmp_path: Path) -> None:
    """A build takes it for whole, since it looks at the header only."""
    source = folder / "3x3-optional-2v1.dtw"
    target = tmp_path / source.name
    altered(source, target, 200)
    for work in (TableFile(target).check, TableFile(target).values):
        with pytest.raises(CorruptTableError, match=r"altered.*: delete it and build it again"):
            work()


def test_truncated_and_foreign_files_are_refused(folder: Path, tmp_path: Path) -> None:
    whole = (folder / "3x3-optional-2v1.dtw").read_bytes()
    target = tmp_path / "3x3-optional-2v1.dtw"
    for data, reason in (
        (b"", "not a table"),
        (b"PK\3\4 something else", "not a table"),
        (whole[:20], "not a table"),
        (whole[:-1], "bytes, expected"),
        (whole + b"x", "bytes, expected"),
        (whole[:8] + b"\2" + whole[9:], "its format is 2"),
    ):
        target.write_bytes(data)
        with pytest.raises(CorruptTableError, match=reason):
            Tables(tmp_path).probe(Position.parse("3/3/wbw w"))


def test_a_table_under_another_name_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "3x3-optional-1v2.wdl").write_bytes((folder / "3x3-optional-2v1.wdl").read_bytes())
    key = TableKey(3, 3, False, False, 1, 2, "wdl")
    with pytest.raises(CorruptTableError, match=r"another table, 3x3-optional-2v1\.wdl"):
        TableFile(tmp_path / key.file_name, key)


def test_a_broken_table_is_built_again(folder: Path, tmp_path: Path) -> None:
    for source in folder.glob("3x3-*"):
        (tmp_path / source.name).write_bytes(source.read_bytes())
    broken = tmp_path / "3x3-optional-2v1.wdl"
    broken.write_bytes(b"")
    builder = Builder(3, 3, directory=tmp_path, distance=True)
    builder.build(pairs_up_to(3, 3, 8))
    assert broken.read_bytes() == (folder / broken.name).read_bytes()


def test_what_does_not_fit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    builder = Builder(9, 5, directory=tmp_path)
    (tmp_path / "full").mkdir()
    few = Builder(3, 3, directory=tmp_path / "full")
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=1))
    with pytest.raises(TableBuildError, match=r"need about 645 B in .* where 1 B are free"):
        few.build(pairs_up_to(3, 3, 8))
    (tmp_path / "full").rmdir()
    monkeypatch.undo()
    with pytest.raises(TableBuildError, match=r"4 against 3 stones need about 1\.\d GB of memory"):
        builder.build(pairs_up_to(9, 5, 7), memory=1 << 30)
    assert not list(tmp_path.iterdir())


# The facade.


def test_probe_sees_the_position_from_the_side_to_move(folder: Path) -> None:
    tables = Tables(folder)
    position = Position.parse("3/3/wwb b")
    value = tables.probe(position)
    assert value == tables.probe(position.swapped())
    assert value == tables.probe(Board(position))
    for symmetry in range(4):
        assert tables.probe(position.transformed(symmetry)) == value


def test_turns_are_sorted_and_agree_with_the_position(folder: Path) -> None:
    tables = Tables(folder)
    position = Position.start(RuleSet(columns=3, rows=3))
    value, turns = tables.probe(position), tables.turns(position)
    assert str(value) == "win in 11"
    assert turns[0].value == value
    assert sorted(turns, key=lambda turn: turn.value.rank, reverse=True) == turns
    assert {turn.turn for turn in turns} == set(position.legal_turns())
    assert len(tables.best_line(position)) == 11


def test_a_chain_in_progress(folder: Path) -> None:
    tables = Tables(folder)
    rng, seen = random.Random(5), 0
    for _ in range(200):
        position = Position.start(RuleSet(columns=3, rows=3))
        while position.has_turn():
            step = rng.choice(position.steps())
            whole = tables.probe(position)
            position = position.play_step(step)
            if position.chain is not None:
                seen += 1
                # What is left is no better than the whole turn was.
                assert tables.probe(position).rank <= whole.rank
                if position.can_stop and rng.random() < 0.5:
                    position = position.stop()
    assert seen > 20


def test_ended_positions() -> None:
    tables = Tables()
    assert tables.probe(Position.parse("9/4w4/9/9/9 b")) == TableValue(Wdl.LOSS, 0)
    assert tables.probe(Position.parse("9/4w4/9/9/9 w")) == TableValue(Wdl.WIN, 0)
    assert tables.turns(Position.parse("9/4w4/9/9/9 w")) == []
    assert str(tables.probe(Position.parse("9/9/9/bb7/wb7 w"))) == "loss in 0"


def test_counters_make_a_value_unsure() -> None:
    tables = Tables()
    stones = next(
        position
        for position in (
            Position(*tables_position, Side.WHITE) for tables_position in two_against_one()
        )
        if (tables.probe(position).distance or 0) > 20
    ).stones_text()
    distance = tables.probe(Position.parse(stones)).distance
    assert distance is not None
    for quiet, sure in ((0, True), (50 - distance, True), (51 - distance, False)):
        value = tables.probe(Position.parse(f"{stones} - {quiet} 1 youzai"))
        assert (value.wdl, value.sure) == (Wdl.WIN, sure)
    assert not tables.probe(Position.parse(f"{stones} - 0 {402 - distance} tsivy")).sure
    assert tables.probe(Position.parse(f"{stones} - 0 {401 - distance} tsivy")).sure


def two_against_one() -> Iterator[tuple[int, int]]:
    index = built(9, 5, False, 4).index
    for slot in range(index.size(2, 1)):
        yield index.position(2, 1, slot)


def test_missing_tables_say_what_to_do(folder: Path) -> None:
    position = Position.parse("bbb6/9/9/9/www6 w")
    with pytest.raises(MissingTableError, match=r"3 against 3 .*build it with .*--stones 6"):
        Tables().probe(position)
    with pytest.raises(MissingTableError, match="3 against 3"):
        Tables(folder).turns(position)
    other = RuleSet(columns=7, rows=5, compulsory=True, no_move_draw=True)
    with pytest.raises(MissingTableError) as caught:
        Tables(folder).probe(Position.start(other))
    assert str(caught.value).endswith(
        "build it with fanorona tables build --stones 34 --rules theory,no-move=draw --board 7x5 "
        f"--continuation compulsory --dir {folder}"
    )


def test_tables_that_are_never_made(folder: Path) -> None:
    position = Position.parse("1ww/wbw/bww w", RuleSet(columns=3, rows=3))
    with pytest.raises(MissingTableError, match="none is made of more than 4 stones on a side"):
        Tables(folder).probe(position)


def test_a_first_turn_restriction_is_refused(folder: Path) -> None:
    tables = Tables(folder)
    rules = RuleSet(columns=3, rows=3, first_turn="both-single")
    with pytest.raises(MissingTableError, match="both-single"):
        tables.probe(Position.start(rules))
    assert tables.probe(Position.parse("3/3/wbw w", rules)).wdl is Wdl.WIN
    white = RuleSet(columns=3, rows=3, first_turn="white-single")
    with pytest.raises(MissingTableError, match="white-single"):
        tables.probe(Position.parse("3/3/wbw w", white))
    assert tables.probe(Position.parse("3/3/wbw w - 0 3", white)).wdl is Wdl.WIN


def test_the_folder_comes_from_the_environment(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FANORONA_TABLES_DIR", str(folder))
    assert Tables().directory == folder
    assert Tables().probe(Position.start(RuleSet(columns=3, rows=3))).distance == 11


def test_results_without_distances(folder: Path) -> None:
    value = Tables(folder, instant_slots=0).probe(
        Position.parse("b3b/5/w2w1 w", RuleSet(columns=5, rows=3))
    )
    assert value.distance is None
    assert str(value) in ("win", "draw", "loss")


def test_a_win_that_is_seen_goes_before_one_of_unknown_length(tmp_path: Path) -> None:
    Builder(3, 3, directory=tmp_path).build(pairs_up_to(3, 3, 4))
    tables = Tables(tmp_path, instant_slots=0)
    position = Position.parse("1w1/3/bb1 w", RuleSet(columns=3, rows=3))
    turns = [(str(turn.turn), str(turn.value)) for turn in tables.turns(position)]
    assert turns == [("b3-b2A-c3W", "win in 1"), ("b3-b2A", "win")]
    chain = position.play_step(next(step for step in position.steps() if str(step) == "b3-b2A"))
    assert str(tables.probe(chain)) == "win in 1"


def test_folders_are_named_in_any_way(tmp_path: Path) -> None:
    for number, folder in enumerate((str(tmp_path / "a"), tmp_path / "b")):
        builder = Builder(3, 3, directory=folder)
        builder.build(pairs_up_to(3, 3, 3))
        assert len(builder.written) == 3, number
        assert Tables(folder, instant_slots=0).probe(Position.parse("b2/3/1w1 w")).wdl is Wdl.WIN


def test_arguments_out_of_range() -> None:
    with pytest.raises(ValueError, match="kind 'dtw': expected wdl or distance"):
        Tables().load(RuleSet(), 3, "dtw")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="threads 0: expected 1 or more"):
        Builder(3, 3, threads=0)


def test_the_best_line_of_a_board_is_that_of_its_position() -> None:
    board = Board.parse("9/9/9/3w5/bb7 w")
    assert Tables().best_line(board) == Tables().best_line(board.position) != []
