"""What goes to other processes, what stays, and that what stays says so."""

import copy
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from fanorona_core import Engine, Limit, MissingTableError, Position, RuleSet, Side, Tables
from fanorona_core.diagnose import breach_of_stone
from fanorona_core.formats import FORMATS
from fanorona_core.openingbook import OpeningBook
from fanorona_core.proof import Proofs
from fanorona_core.proofbook import ProofBook
from fanorona_core.prooffile import Certificate, Heading
from fanorona_core.tablebuild import Builder, pairs_up_to

RULES = RuleSet.parse("theory,board=3x5")
START = Position.start(RULES)


def pickled(value: object) -> object:
    return pickle.loads(pickle.dumps(value))


WAYS = [pickled, copy.copy, copy.deepcopy]


def certificate() -> Certificate:
    made = Proofs(RULES, Tables().load(RULES, 4), hash_mib=1).certificate(START, Side.BLACK)
    assert made is not None
    return made


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("stays", "says"),
    [
        (lambda: Engine(hash_mib=1), "make one in each process"),
        (lambda: Proofs(RULES, Tables().load(RULES, 4), hash_mib=1), "save it and load it"),
        (lambda: Tables().load(RULES, 4), "pickle the Tables"),
        (lambda: certificate().positions, "write its certificate"),
    ],
)
def test_what_stays_says_so(
    stays: Callable[[], object], says: str, way: Callable[[object], object]
) -> None:
    with pytest.raises(TypeError, match=says):
        way(stays())


def test_a_certificate_goes_by_its_file() -> None:
    with pytest.raises(TypeError, match="write its certificate"):
        pickle.dumps(certificate())


@pytest.mark.parametrize("way", WAYS)
def test_tables_open_their_folder_again(way: Callable[[Tables], Tables], tmp_path: Path) -> None:
    Builder(3, 3, directory=tmp_path).build(pairs_up_to(3, 3, 5))
    tables, five = Tables(tmp_path, instant_slots=0), Position.parse("bb1/1w1/w1b w")
    again = way(tables)
    assert again is not tables
    assert again.probe(five) == tables.probe(five)
    with pytest.raises(MissingTableError):
        again.probe(Position.parse("8b/9/9/9/wb7 w"))


@pytest.mark.parametrize("way", WAYS)
def test_a_book_of_proofs_opens_its_files_again(
    way: Callable[[ProofBook], ProofBook], tmp_path: Path
) -> None:
    certificate().write(tmp_path / "3x5.proof")
    book = ProofBook(tmp_path)
    again = way(book)
    assert again.headings == book.headings == {p: Heading.read(p) for p in tmp_path.iterdir()}
    assert str(again.findings(START)) == "White wins"


@pytest.mark.parametrize("way", WAYS)
def test_values_are_equal_to_their_copies(way: Callable[[object], object]) -> None:
    values = [
        breach_of_stone(Position.start(), 0),
        Engine(hash_mib=1).best(START, Limit(nodes=100)),
        *FORMATS.values(),
    ]
    for value in values:
        assert way(value) == value
    book = OpeningBook.standard()
    again = way(book)
    assert isinstance(again, OpeningBook)
    assert str(again) == str(book)
    assert again.turns(Position.start()) == book.turns(Position.start())
