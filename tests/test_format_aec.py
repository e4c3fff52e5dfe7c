"""fanorona-aec: codes, actions and board texts."""

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
from random_games import random_game, tsivy_game
from strategies import any_position, positions_with_chains

from fanorona_core import (
    PROFILES,
    ExportError,
    InvalidPositionError,
    NotationError,
    Position,
    Side,
)
from fanorona_core.formats import aec
from fanorona_core.formats._common import reduced
from fanorona_core.game import Game

CHAIN = "bbbb1bb1b/bbbbbb2b/bwbw1b2w/wwww1w2w/wwwwww3 b g4-g3A-f4W"
SEEDS = st.integers(0, 2**32)
START = "WWWWWWWWW/WWWWWWWWW/BWBW1BWBW/BBBBBBBBB/BBBBBBBBB W - - - 0"


class TestActions:
    @pytest.mark.parametrize(
        ("code", "number"), [("A1100", 0), ("C3410", 490), ("G5820", 1028), ("I5921", 1080)]
    )
    def test_numbers(self, code, number):
        # Some lead off the board: the environment has a number for them all the same.
        assert aec.action(code) == number

    def test_other_codes_have_none(self):
        for code in ("", "A1500", "J1100", "A110"):
            with pytest.raises(NotationError):
                aec.action(code)

    @given(SEEDS)
    def test_numbers_are_read_as_codes_are(self, seed):
        game = tsivy_game(seed, variations=False, notes=False, tags=False)
        if not len(game):
            return
        codes, _ = written("aec", game)
        numbers = "\n".join(
            " ".join(str(aec.action(code)) for code in line.split()) for line in codes.splitlines()
        )
        assert read_one("aec", numbers).game == read_one("aec", codes).game


class TestReading:
    def test_codes(self):
        text = "D2910 I5921 C5320 i5921"
        assert turns(read_one("aec", "d2910 I5921").game) == ["d2-e3A"]
        assert read_one("aec", text).error is not None

    def test_a_missing_end_is_a_warning(self):
        result = read_one("aec", "F2710 D5210 G3120")
        assert turns(result.game) == ["f2-e3A", "d5-d4A", "g3-f2W"]
        assert [warning[-14:] for warning in result.warnings] == [
            "1 after turn 1",
            "1 after turn 2",
            "1 after turn 3",
        ]

    def test_an_end_after_a_paika_is_a_warning(self):
        result = read_one("aec", "W8/9/9/9/8B W - - - 0\nA1800 1080")
        assert turns(result.game) == ["a1-a2"]
        assert result.warnings == ("line 2: 1080 after a turn that could not go on",)

    def test_a_game_from_a_board(self):
        result = read_one("aec", "W8/9/9/9/8B B - - - 7\nI5200\nA1800\n")
        assert turns(result.game) == ["i5-i4", "a1-a2"]
        assert result.game.initial.text() == "8b/9/9/9/w8 b - 0 8 tsivy"


class TestWriting:
    def test_the_real_game(self):
        game = real_game()
        text, losses = written("aec", game)
        assert losses == []
        assert text.startswith("F2710 I5921\nD5210 I5921\n")
        assert text.endswith("A2200\nC3110 I5921\n")
        result = read_one("aec", text)
        assert (result.game, result.warnings) == (game, ())

    def test_an_empty_game_is_its_board(self):
        assert written("aec", Game())[0] == f"{START}\n"
        assert read_one("aec", START).game == Game()

    @given(st.lists(SEEDS, max_size=3))
    def test_what_is_carried_is_read_back(self, seeds):
        games = [tsivy_game(seed) for seed in seeds]
        text, losses = written("aec", *games)
        small = [
            reduced(game, number, frozenset({"start", "turn number"}))
            for number, game in enumerate(games, 1)
        ]
        assert losses == [str(loss) for _, lost in small for loss in lost]
        found = read("aec", text)
        assert [result.game for result in found] == [game for game, _ in small]
        assert all(result.warnings == () for result in found)

    @given(positions_with_chains())
    def test_a_game_that_begins_in_a_chain(self, position):
        check_start_in_a_chain("aec", aec._CODEC.counters | {"start"}, position)

    def test_a_chain_that_its_board_does_not_tell(self):
        with pytest.raises(ExportError, match="several chains are possible"):
            written("aec", Game(Position.parse(CHAIN)))

    def test_other_boards(self):
        with pytest.raises(ExportError, match="3x3"):
            written("aec", Game(PROFILES["telo"]))
        with pytest.raises(ExportError, match="3x3"):
            aec.format_position(Position.start(PROFILES["telo"]))


class TestBoards:
    def test_row_1_is_first(self):
        assert aec.format_position(Position.start()) == START
        assert aec.parse_position(START) == Position.start()
        position = aec.parse_position("W8/9/9/9/8B W - - - 3")
        assert position.stones(Side.WHITE) == 1

    def test_a_chain_in_progress(self):
        position = Position.start()
        for text in ("f2-e3A", "d5-d4A", "g3-f2W"):
            position = position.play_step(
                next(step for step in position.steps() if str(step) == text)
            )
            if position.chain is not None:
                position = position.stop()
        first = next(step for step in position.steps() if str(step) == "f3-g3W")
        middle = position.play_step(first)
        text = aec.format_position(middle)
        assert text.split()[1:] == ["B", "G3", "E", "F3,G3", "3"]
        assert aec.parse_position(text).chain == middle.chain

    @given(any_position)
    def test_texts_are_read_back(self, position):
        if (position.columns, position.rows) != (9, 5):
            with pytest.raises(ExportError):
                aec.format_position(position)
            return
        text = aec.format_position(position)
        try:
            again = aec.parse_position(text, position.rules)
        except NotationError as error:
            # The order and the kinds of a chain's steps are not in the text.
            assert position.chain is not None
            assert "several chains" in str(error)
            return
        assert aec.format_position(again) == text
        assert (again.white, again.black, again.side) == (
            position.white,
            position.black,
            position.side,
        )
        if position.chain is None:
            assert again.turn_number == position.turn_number
        else:
            assert again.chain.points[-2:] == position.chain.points[-2:]
            assert set(again.chain.points) == set(position.chain.points)

    def test_a_chain_that_cannot_go_on_is_over(self):
        position = Position.start()
        step = next(step for step in position.steps() if str(step) == "f2-e3A")
        after = position.play_step(step)
        assert after.side is Side.BLACK
        rows = aec.format_position(after).split()[0]
        assert aec.parse_position(f"{rows} W E3 NW E3,F2 0").side is Side.BLACK

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("", "fields"),
            ("9/9/9/9/9 W - - 0", "fields"),
            ("9/9/9/9 W - - - 0", "rows"),
            ("9/9/9/9/9 W - - - 0", "no stones"),
            ("W7/9/9/9/9 W - - - 0", "row 1"),
            ("W9/9/9/9/9 W - - - 0", "row 1"),
            ("WX7/9/9/9/9 W - - - 0", "'X'"),
            ("W²7/9/9/9/9 W - - - 0", "²"),
            ("W8/9/9/9/9 R - - - 0", "side"),
            ("W8/9/9/9/9 W - - - x", "turns"),
            ("W8/9/9/9/9 W - - - " + "9" * 99, "turns"),
            ("W8/9/9/9/9 W A1 - - 0", "a chain needs"),
            ("W8/9/9/9/9 W A1 X A1 0", "direction"),
            ("W8/9/9/9/9 W A9 N A1,A2 0", "A9"),
            ("W8/9/9/9/9 W A1 N A1,A2 0", "last step"),
            ("W8/9/9/9/9 W A1 E A1,I1 0", "last step"),
            ("1W7/9/9/9/8B W B1 E A1 0", "last step"),
            ("9" * 6000 + " W - - - 0", "row 1"),
        ],
    )
    def test_malformed(self, text, reason):
        with pytest.raises((NotationError, InvalidPositionError), match=reason):
            aec.parse_position(text)

    def test_many_visited_points_do_not_take_for_ever(self):
        names = {f"{column}{row}" for column in "ABCDEFGHI" for row in range(1, 6)} - {"F3"}
        board = f"WB7/9/4W1B2/9/9 W E3 N {','.join(sorted(names))} 0"
        with pytest.raises(NotationError, match="several chains are possible"):
            aec.parse_position(board)


BROKEN = {
    "code": ("D2X10", "line 1", "expected point"),
    "off the board": ("A1410", "line 1", "no point lies"),
    "over the edge": ("I2600", "line 1", "no point lies"),
    "no direction": ("A1510", "line 1", "no point lies"),
    "action": ("1081", "line 1", "expected 0 to 1080"),
    "huge action": ("9" * 5000, "line 1", ""),
    "wrong kind": ("F2720", "turn 1", "not possible"),
    "end first": ("I5921", "turn 1", "without a step"),
    "end twice": ("F2710 I5921 I5921", "turn 2", "without a step"),
    "board": ("9/9 W - - - 0\nF2710", "line 1", "rows"),
    "second board": (f"{START}\n{START}", "line 2", ""),
}


class TestBrokenGames:
    @pytest.mark.parametrize("name", BROKEN)
    def test_one_clear_error(self, name):
        text, place, reason = BROKEN[name]
        message = str(error_of("aec", text))
        assert place in message
        assert reason in message

    @pytest.mark.parametrize("name", NOISE)
    def test_noise(self, name):
        assert error_of("aec", NOISE[name])

    @pytest.mark.parametrize("name", BROKEN)
    def test_the_next_game_is_read(self, name):
        found = read("aec", f"F2710 I5921\n\n{BROKEN[name][0]}\n\nD2910 I5921\n")
        assert [turns(found[0].game), turns(found[2].game)] == [["f2-e3A"], ["d2-e3A"]]
        assert found[1].error is not None

    def test_strict(self):
        check_strict("aec", [text for text, _, _ in BROKEN.values()])

    @given(st.text("ABCDEFGHI0123456789 \n/W-"))
    def test_any_text(self, text):
        read("aec", text)

    @given(SEEDS)
    def test_games_from_anywhere(self, seed):
        game = random_game(seed, initial=Position.parse("8b/9/bw2b4/9/9 w"), notes=False)
        assert read_one("aec", written("aec", game)[0]).game.turns == game.turns
