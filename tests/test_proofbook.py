"""The proof book: what certificates say of positions, and that its turns keep to them."""

import random
from functools import cache
from pathlib import Path

import pytest

from fanorona_core import (
    Board,
    CorruptProofError,
    Engine,
    Limit,
    MissingTableError,
    Position,
    RuleSet,
    Side,
)
from fanorona_core._index import SetIndex
from fanorona_core._proofset import PositionSet
from fanorona_core.findings import Findings
from fanorona_core.proof import Proofs
from fanorona_core.proofbook import PROOFS_VARIABLE, ProofBook
from fanorona_core.prooffile import Certificate, Heading
from fanorona_core.tablebase import Tables

STONES = 4
TABLES = Tables()
DRAWN = "theory,board=5x5"
WON = "theory,board=5x7"


def start(rules: str) -> Position:
    return Position.start(RuleSet.parse(rules))


@cache
def certificate(rules: str, side: Side) -> Certificate:
    position = start(rules)
    proofs = Proofs(position.rules, TABLES.load(position.rules, STONES), hash_mib=64)
    made = proofs.certificate(position, side)
    assert made is not None
    return made


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """5x5: both hold; 3x7, 5x7 and 7x3: White wins."""
    place = tmp_path_factory.mktemp("proofs")
    certificate(DRAWN, Side.WHITE).write(place / "5x5-white.proof")
    certificate(DRAWN, Side.BLACK).write(place / "5x5-black.proof")
    for board in ("3x7", "5x7", "7x3"):
        certificate(f"theory,board={board}", Side.BLACK).write(place / f"{board}.proof")
    (place / "README").write_text("something else")
    return place


@pytest.fixture(scope="module")
def book(folder: Path) -> ProofBook:
    return ProofBook(folder, TABLES)


def in_tables(position: Position) -> bool:
    try:
        TABLES.probe(position)
    except MissingTableError:
        return False
    return True


def folded(position: Position) -> int:
    return min(position.transformed(symmetry).key for symmetry in range(4))


def holding_walk(book: ProofBook, side: Side, position: Position) -> int:
    """Play one turn that the book keeps to, and every answer; count the positions above tables.

    In each of them the book must know that the side holds.
    """
    met, open_positions = set(), [position]
    while open_positions:
        position = open_positions.pop()
        if folded(position) in met:
            continue
        met.add(folded(position))
        assert book.findings(position).holds(side), position.text()
        if in_tables(position):
            continue
        turns = position.legal_turns()
        if position.side is side:
            turns = (book.keeping(position) or turns)[:1]
        open_positions += map(position.play, turns)
    return len(met)


def winning_walk(
    book: ProofBook, side: Side, position: Position, longest: dict[int, int | None]
) -> int:
    """The longest line that the other side can play against a win by the book, up to the tables."""
    key = folded(position)
    if key not in longest:
        longest[key] = None
        assert book.findings(position).wins(side), position.text()
        turns = position.legal_turns()
        if position.side is side:
            turns = (book.keeping(position) or turns)[:1]
        after = map(position.play, turns) if not in_tables(position) else ()
        longest[key] = max(
            (1 + winning_walk(book, side, each, longest) for each in after), default=0
        )
    found = longest[key]
    assert found is not None, "a win that goes in circles"
    return found


@pytest.mark.parametrize("side", Side)
def test_a_side_that_holds_never_leaves_the_book(book: ProofBook, side: Side) -> None:
    assert holding_walk(book, side, start(DRAWN)) > 1000


@pytest.mark.parametrize(("board", "least"), [("3x7", 5), ("7x3", 9), ("5x7", 15)])
def test_a_win_by_the_book_comes_to_its_end(book: ProofBook, board: str, least: int) -> None:
    assert winning_walk(book, Side.WHITE, start(f"theory,board={board}"), {}) >= least


def test_what_is_said_of_positions_and_turns(book: ProofBook) -> None:
    position = start(DRAWN)
    assert book.findings(position) == Findings(True, True)
    values = {str(found.turn): str(found.findings) for found in book.turns(position)}
    kept = [str(turn) for turn in book.keeping(position) or ()]
    assert kept
    assert all(values[turn] == "drawn" for turn in kept)
    assert set(values.values()) <= {"drawn", "not settled: Black at least draws"}
    # Folded by the symmetries and by roles.
    after = position.play(book.keeping(position)[0])  # type: ignore[index]
    for same in (after.transformed(1), after.swapped(), after.swapped().transformed(3)):
        assert book.findings(same) == Findings(True, True)


def test_one_half_only(folder: Path) -> None:
    book = ProofBook([folder / "5x5-white.proof"], TABLES)
    assert book.findings(start(DRAWN)) == Findings(True, None)
    assert book.findings(start("theory,board=3x7")) == Findings()
    assert book.keeping(start("theory,board=3x7")) is None


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("theory", "White wins"),
        ("theory,repetition=3", "White wins"),
        ("theory,turns=400", "not settled: White at least draws"),
        ("theory,quiet=50", "not settled: White at least draws"),
        ("theory,continuation=compulsory", "not settled"),
        ("theory,first-turn=white-single", "not settled"),
    ],
)
def test_a_win_counts_where_no_draw_comes_first(book: ProofBook, rules: str, expected: str) -> None:
    assert str(book.findings(start(f"{rules},board=7x3"))) == expected


@pytest.mark.parametrize(
    "rules", ["tsivy", "youzai", "theory,no-move=draw", "theory,quiet=5", "theory,turns=30"]
)
def test_a_hold_counts_wherever_there_are_more_draws(book: ProofBook, rules: str) -> None:
    assert book.findings(start(f"{rules},board=5x5")) == Findings(True, True)


def test_a_win_that_may_meet_a_repetition() -> None:
    """No list: the tables of few stones. What was there twice already could come a third time."""
    book = ProofBook((), TABLES)
    board = Board(
        Position.parse("5/b4/5/1w3/3w1 b", RuleSet.parse("theory,board=5x5,repetition=3"))
    )
    assert book.findings(board).word(board.side) == "lost"
    for turn in 2 * ("a4-a5", "b2-b3", "a5-a4", "b3-b2"):
        board.push_text(turn)
    assert board.outcome() is not None
    board.pop()
    assert book.findings(board).word(board.side) == "at least drawn"


def test_a_counter_that_a_distance_outruns() -> None:
    book = ProofBook((), TABLES)
    text = "5/b4/5/1w3/3w1 b"
    value = TABLES.probe(Position.parse(text, RuleSet.parse(DRAWN)))
    assert value.distance is not None
    for limit, word in ((value.distance, "lost"), (value.distance - 1, "at most drawn")):
        position = Position.parse(text, RuleSet.parse(f"theory,board=5x5,quiet={limit}"))
        assert book.findings(position).word(Side.BLACK) == word


def test_chains_in_progress(book: ProofBook) -> None:
    """What is proved of one is what its turns lead to."""
    line = [start(DRAWN)]
    while not (steps := [s for s in line[-1].steps() if line[-1].play_step(s).chain is not None]):
        line.append(line[-1].play((book.keeping(line[-1]) or line[-1].legal_turns())[0]))
    inside = line[-1].play_step(steps[0])
    assert inside.chain is not None
    found = [each.findings for each in book.turns(inside)]
    kept = any(each.holds(inside.side) for each in found)
    assert bool(book.findings(inside).holds(inside.side)) is kept
    assert len(book.turns(inside)) == inside.count_turns()


def test_broken_files(folder: Path, tmp_path: Path) -> None:
    data = (folder / "5x5-white.proof").read_bytes()
    (tmp_path / "altered.proof").write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    book = ProofBook(tmp_path, TABLES)
    assert not book.findings(start("theory,board=3x7")).is_settled  # of another board: not read
    with pytest.raises(CorruptProofError, match=r"altered\.proof: the checksum"):
        book.findings(start(DRAWN))
    (tmp_path / "none.proof").write_bytes(b"something")
    with pytest.raises(CorruptProofError, match=r"none\.proof: not a proof"):
        ProofBook(tmp_path)
    with pytest.raises(FileNotFoundError):
        ProofBook(tmp_path / "nowhere")


def test_a_false_proof_is_believed(tmp_path: Path) -> None:
    """Reading checks the file, not what it claims: that is for ``Certificate.check``."""
    position = start("theory,board=3x7")
    positions = PositionSet(SetIndex(3, 7), True)
    positions.add(position.white, position.black, 1)
    positions.sort()
    Certificate(position, Side.WHITE, False, STONES, positions).write(tmp_path / "x.proof")
    book = ProofBook(tmp_path, TABLES)
    assert str(book.findings(position)) == "White wins"
    assert book.keeping(position) is None


def test_the_folder_of_the_environment(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PROOFS_VARIABLE, str(folder))
    assert len(ProofBook().headings) == 5
    monkeypatch.delenv(PROOFS_VARIABLE)
    assert not ProofBook().headings


def test_headings(folder: Path) -> None:
    heading = Heading.read(folder / "5x5-black.proof")
    assert (heading.side, heading.holds, heading.stones) == (Side.BLACK, True, STONES)
    assert heading.positions == len(certificate(DRAWN, Side.BLACK).positions)
    assert heading.rules == RuleSet.parse(DRAWN)


def test_sets_that_are_joined() -> None:
    index = SetIndex(3, 3)
    one, other = PositionSet(index, True), PositionSet(index, True)
    one.add(0b1, 0b10, 5)
    one.add(0b1, 0b1000, 5)
    other.add(0b1, 0b10, 3)
    other.add(0b1, 0b1000, 7)
    other.add(0b10, 0b1, 1)
    one.update(other)
    assert len(one) == 3
    ranks = [one.rank(*pair) for pair in ((0b1, 0b10), (0b1, 0b1000), (0b10, 0b1))]
    assert ranks == [3, 5, 1]


def test_the_engine_plays_by_the_book(book: ProofBook) -> None:
    """Against every first answer; a level plays as it does, but for the highest."""
    engine = Engine(hash_mib=1, book=book)
    board = Board(start(DRAWN))
    kept = book.keeping(board)
    assert kept is not None
    info = engine.best(board, Limit(depth_plies=2))
    assert info.turn in kept
    assert info.findings == Findings(True, True)
    ranked = {each.rank: each.turn for each in engine.analyse(board, Limit(depth_plies=1), 9)}
    assert len(ranked) == len(kept)
    free = list(engine.analyse(board, Limit(depth_plies=1), 9, by_book=False))
    assert len(free) > len(kept)
    assert free[0].findings is None
    assert Engine(hash_mib=1, level=1, book=book).best(board).findings is None
    assert Engine(hash_mib=1, level=10, book=book).best(board, Limit(nodes=10)).turn in kept


def test_the_engine_leaves_a_hold_for_a_win_only(book: ProofBook) -> None:
    """The book keeps a draw with one turn; another one wins, as three turns show."""
    position = Position.parse("3b1/1wbw1/b4/3w1/3ww w", RuleSet.parse(DRAWN))
    kept = book.keeping(position)
    assert kept is not None
    assert book.findings(position) == Findings(True, None)
    engine = Engine(hash_mib=1, book=book)
    assert engine.best(position, Limit(depth_plies=1)).turn in kept
    info = engine.best(position, Limit(depth_plies=3))
    assert (str(info.turn), str(info.score)) == ("b4-a4W-a5W", "win in 3")
    assert info.turn not in kept
    for nodes in (1, 300, 3000):
        engine.new_game()
        *_, last = engine.analyse(position, Limit(nodes=nodes), 5)
        assert last.nodes <= max(nodes, 200)
    assert str(last.score) == "win in 3"
    two = Engine(hash_mib=1, book=book, threads=2)
    assert str(two.best(position, Limit(depth_plies=3)).score) == "win in 3"


@pytest.mark.parametrize("side", Side)
def test_the_engine_does_not_lose(book: ProofBook, side: Side) -> None:
    """Shallow searches against deeper ones that know no book, under rules with draws."""
    rules = RuleSet.parse("board=5x5,quiet=20")
    for seed in range(4):
        board = Board(rules)
        mine = Engine(hash_mib=1, book=book)
        other = Engine(hash_mib=1, level=7, seed=seed)
        while (outcome := board.outcome()) is None:
            info = (
                mine.best(board, Limit(depth_plies=1)) if board.side is side else other.best(board)
            )
            if board.side is side:
                assert info.findings is not None and info.findings.holds(side)
            board.push(info.turn)
        assert outcome.winner is not side.other


def test_the_engine_ends_a_chain_by_the_book(book: ProofBook) -> None:
    engine = Engine(hash_mib=1, book=book)
    chance = random.Random(1)
    seen = 0
    while seen < 10:
        position = start(DRAWN)
        for _ in range(chance.randrange(12)):
            turns = book.keeping(position) or position.legal_turns()
            position = position.play(chance.choice(turns)) if turns else position
        for inside in map(position.play_step, position.steps()):
            kept = None if inside.chain is None else book.keeping(inside)
            if kept is not None:
                turn = engine.best(inside, Limit(depth_plies=2)).turn
                assert inside.play(turn).key in {inside.play(each).key for each in kept}
                seen += 1
