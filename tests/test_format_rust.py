"""rust-fanorona: codes and board texts."""

import pytest
from format_checks import (
    NOISE,
    check_start_in_a_chain,
    check_strict,
    error_of,
    read,
    read_one,
    real_game,
    turns,
    written,
)
from hypothesis import given
from hypothesis import strategies as st
from random_games import tsivy_game
from strategies import any_position, positions_with_chains

from fanorona_core import PROFILES, ExportError, InvalidPositionError, NotationError, Position, Side
from fanorona_core.formats import rust
from fanorona_core.formats._common import reduced
from fanorona_core.game import Game

CHAIN = "bb1b3bb/bbb1b1bbb/bwww3b1/w1w1wbw1w/1wwww1ww1 b f5-f4A-g3A-h3A 0 6"
SEEDS = st.integers(0, 2**32)
START = "WWWWWWWWW/WWWWWWWWW/BWBW1BWBW/BBBBBBBBB/BBBBBBBBB W - -"


class TestReading:
    def test_codes(self):
        result = read_one("rust", "F2NWF X\nD5SF X\nG3SWB X")
        assert turns(result.game) == ["f2-e3A", "d5-d4A", "g3-f2W"]
        assert result.warnings == ()

    def test_kinds_may_be_left_out_where_one_is_possible(self):
        assert turns(read_one("rust", "e2n x").game) == ["e2-e3A"]
        assert "say which" in str(error_of("rust", "D3E X"))

    def test_a_missing_end_is_a_warning(self):
        result = read_one("rust", "F2NWF D5SF X")
        assert turns(result.game) == ["f2-e3A", "d5-d4A"]
        assert result.warnings == ("line 1: no X after turn 1",)

    def test_a_game_from_a_board(self):
        result = read_one("rust", "W8/9/9/9/8B B - -\nI5S\nA1N")
        assert turns(result.game) == ["i5-i4", "a1-a2"]


class TestWriting:
    def test_the_real_game(self):
        game = real_game()
        text, losses = written("rust", game)
        assert losses == []
        assert text.startswith("F2NWF X\nD5SF X\nG3SWB X\nC3SEF X\nE3WB X\nD2SB D1EF X\n")
        result = read_one("rust", text)
        assert (result.game, result.warnings) == (game, ())

    @given(st.lists(SEEDS, max_size=3))
    def test_what_is_carried_is_read_back(self, seeds):
        games = [tsivy_game(seed) for seed in seeds]
        text, losses = written("rust", *games)
        small = [
            reduced(game, number, frozenset({"start"})) for number, game in enumerate(games, 1)
        ]
        assert losses == [str(loss) for _, lost in small for loss in lost]
        found = read("rust", text)
        assert [result.game for result in found] == [game for game, _ in small]

    @given(positions_with_chains())
    def test_a_game_that_begins_in_a_chain(self, position):
        check_start_in_a_chain("rust", rust._CODEC.counters | {"start"}, position)

    def test_counters_are_lost(self):
        game = Game(Position.parse("w8/9/9/9/8b w - 3 17"))
        text, losses = written("rust", game)
        assert losses == ["game 1: quiet counter", "game 1: turn number"]
        assert read_one("rust", text).game.initial == Position.parse("w8/9/9/9/8b w")

    def test_a_chain_that_its_board_does_not_tell(self):
        with pytest.raises(ExportError, match="several chains are possible"):
            written("rust", Game(Position.parse(CHAIN)))

    def test_other_boards(self):
        with pytest.raises(ExportError, match="5x5"):
            written("rust", Game(PROFILES["dimy"]))


class TestBoards:
    def test_row_1_is_first(self):
        assert rust.format_position(Position.start()) == START
        assert rust.parse_position(START) == Position.start()
        assert rust.parse_position("W8/9/9/9/8B W - -").stones(Side.WHITE) == 1

    @given(any_position)
    def test_texts_are_read_back(self, position):
        if (position.columns, position.rows) != (9, 5):
            return
        text = rust.format_position(position)
        try:
            again = rust.parse_position(text, position.rules)
        except NotationError as error:
            assert position.chain is not None
            assert "several chains" in str(error)
            return
        assert rust.format_position(again) == text
        if position.chain is not None and len(position.chain) == 1:
            assert again.chain == position.chain

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("", "fields"),
            ("W8/9/9/9/9 W -", "fields"),
            ("W8/9/9/9/9 W A1 -", "a chain needs"),
            ("W8/9/9/9/9 W A1 X", "last capture"),
            ("W8/9/9/9/9 W A1 A1Q", "expected point"),
            ("W8/9/9/9/9 W Z1 A1N", "Z1"),
            ("1W7/9/9/9/8B W C1 A1NF", "last step"),
        ],
    )
    def test_malformed(self, text, reason):
        with pytest.raises((NotationError, InvalidPositionError), match=reason):
            rust.parse_position(text)


BROKEN = {
    "code": ("F2QF", "line 1", "expected point"),
    "off the board": ("A1SF", "line 1", "no point lies"),
    "over the edge": ("I2E", "line 1", "no point lies"),
    "wrong kind": ("F2NWB X", "turn 1", "not possible"),
    "end first": ("X", "turn 1", "without a step"),
    "end twice": ("F2NWF X X", "turn 2", "without a step"),
    "board": ("9/9 W - -\nF2NWF", "line 1", "rows"),
    "huge row": ("F" + "2" * 5000 + "N", "line 1", ""),
}


class TestBrokenGames:
    @pytest.mark.parametrize("name", BROKEN)
    def test_one_clear_error(self, name):
        text, place, reason = BROKEN[name]
        message = str(error_of("rust", text))
        assert place in message
        assert reason in message

    @pytest.mark.parametrize("name", NOISE)
    def test_noise(self, name):
        assert error_of("rust", NOISE[name])

    @pytest.mark.parametrize("name", BROKEN)
    def test_the_next_game_is_read(self, name):
        found = read("rust", f"F2NWF X\n\n{BROKEN[name][0]}\n\nD2NEF X\n")
        assert [turns(found[0].game), turns(found[2].game)] == [["f2-e3A"], ["d2-e3A"]]
        assert found[1].error is not None

    def test_strict(self):
        check_strict("rust", [text for text, _, _ in BROKEN.values()])

    @given(st.text("ABCDEFGHI12345NSEWFBX \n/-"))
    def test_any_text(self, text):
        read("rust", text)
