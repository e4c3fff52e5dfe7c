"""The opening book, and the engine that plays by it."""

import pytest

from fanorona_core import PROFILES, Board, Engine, Limit, Position
from fanorona_core.openingbook import OpeningBook

START = Position.start()


def known(position):
    return [str(one.turn) for one in OpeningBook.standard().turns(position)]


def test_every_position_is_reached_and_every_turn_is_legal():
    book = OpeningBook.standard()
    front, seen = [START], set()
    while front:
        position = front.pop()
        turns = book.turns(position)
        if not turns or position.stones_text() in seen:
            continue
        seen.add(position.stones_text())
        scores = [one.score for one in turns]
        assert scores == sorted(scores, reverse=True)
        front.extend(position.play(one.turn) for one in turns)
    assert len(seen) == len(book) > 10


def test_nothing_where_its_scores_do_not_hold():
    assert len(known(START)) > 1
    assert known(Position.start(PROFILES["tsivy-compulsory"])) == []
    assert known(Position.start(PROFILES["dimy"])) == []
    chain = Position.parse("bb1bbbbbb/bbbbbbbbb/bw1wwbwbw/w1www1www/1wwwwwwww b c3-d4W 0 2 tsivy")
    book = OpeningBook({chain.stones_text(): (("c3-d4W-c5W", 5),)})
    assert chain.chain is not None and book.turns(chain) == ()


def test_turns_that_a_restriction_forbids_are_left_out():
    restricted = Position.start(PROFILES["youzai"])
    assert known(restricted)
    book = OpeningBook({restricted.stones_text(): (("d3-e3A", 5), ("d2-e3A-e4A", 900))})
    assert [str(one.turn) for one in book.turns(restricted)] == ["d3-e3A"]


def test_its_text_is_read_back():
    book = OpeningBook.standard()
    again = OpeningBook.parse(str(book))
    assert str(again) == str(book) and len(again) == len(book)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "line 1"),
        ("a list of turns", "line 1"),
        ("# fanorona opening book 12\n", "line 1"),
        ("# fanorona opening book 1\n9/9/9/9/w8 w d3-e3A", "line 2"),
        ("# fanorona opening book 1\n9/9/9/9/w8 w d3-e3A x", "line 2"),
        ("# fanorona opening book 1\n9/9/9/9/w w d3-e3A 5", "line 2"),
        ("# fanorona opening book 1\n9/9/9/9/w8 w d3-e9A 5", "line 2"),
        ("# fanorona opening book 1\n\n", "line 2"),
    ],
)
def test_other_texts_are_refused_by_line(text, reason):
    with pytest.raises(ValueError, match=reason):
        OpeningBook.parse(text)


def test_the_full_engine_and_the_highest_level_play_all_its_turns_and_no_others():
    for level in (None, 10):
        played = {
            str(
                Engine(1, level=level, seed=seed, openings=OpeningBook.standard())
                .best(Board(), Limit(nodes=1))
                .turn
            )
            for seed in range(40)
        }
        assert played == set(known(START))


def test_a_seed_repeats_the_choice_and_a_lower_level_searches():
    def chosen(seed):
        engine = Engine(1, seed=seed, openings=OpeningBook.standard())
        return [str(engine.best(Board(), Limit(nodes=1)).turn) for _ in range(8)]

    assert chosen(3) == chosen(3)
    info = Engine(1, level=3, seed=1, openings=OpeningBook.standard()).best(Board())
    assert info.nodes > 0


def test_beyond_the_book_and_in_analysis_the_engine_searches():
    engine = Engine(1, openings=OpeningBook.standard())
    beyond = Position.parse("9/9/4w4/9/8b w")
    assert engine.opening(beyond) is None
    assert engine.best(beyond, Limit(nodes=100)).nodes > 0
    *_, info = engine.analyse(START, Limit(nodes=100))
    assert info.nodes > 0
