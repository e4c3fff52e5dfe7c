"""Plain turns, in any spelling."""

import io

import pytest
from format_checks import LISTING, NOISE, check_strict, error_of, read, read_one, turns, written
from hypothesis import given
from hypothesis import strategies as st
from random_games import tsivy_game

from fanorona_core import PROFILES, ExportError, Position, RuleSet
from fanorona_core.formats import plain
from fanorona_core.formats._common import reduced
from fanorona_core.game import Game

SEEDS = st.integers(0, 2**32)
OPENING = ["f2-e3A", "d5-d4A", "g3-f2W"]


class TestReading:
    @pytest.mark.parametrize(
        "text",
        [
            "f2-e3A d5-d4A g3-f2W",
            "1. f2-e3A d5-d4A\n2. g3-f2W",
            "f2e3Ad5d4Ag3f2W",
            "F2 E3 A, D5 D4 A, G3 F2 W",
            "f2>e3a;d5>d4a;g3>f2w",
            "f2xe3 d5xd4 g3xf2",
            "f2 e3\nd5 d4\ng3 f2",
            "1) f2-e3A 1... d5-d4A 2… g3–f2W",
            "# a game\nf2-e3A\n# and on\nd5-d4A g3-f2W",
            "f2e3 | d5d4 | g3f2 *",
        ],
    )
    def test_spellings(self, text):
        assert turns(read_one("plain", text).game) == OPENING

    def test_chains_end_where_the_next_point_has_a_stone(self):
        assert turns(read_one("plain", "f2e3 d5d4Ac5W g3f2").game) == [
            "f2-e3A",
            "d5-d4A-c5W",
            "g3-f2W",
        ]

    def test_the_stone_may_be_named_at_each_step(self):
        assert turns(read_one("plain", "f2e3 d5d4A d4c5W").game) == ["f2-e3A", "d5-d4A-c5W"]

    def test_a_is_a_column_before_a_digit(self):
        start = "8b/9/9/9/b1w6 w"
        rules = PROFILES["tsivy"].replace(start=start)
        assert turns(next(plain.read("c1 b1 a", rules=rules)).game) == ["c1-b1A"]
        empty = PROFILES["tsivy"].replace(start="8b/9/9/1w7/9 w")
        assert turns(next(plain.read("b2a2", rules=empty)).game) == ["b2-a2"]

    def test_results(self):
        assert read_one("plain", "f2e3 1-0").game.result == "1-0"
        assert read_one("plain", "f2e3 ½-½").game.result == "1/2-1/2"
        assert read_one("plain", "f2e3").game.result == "*"

    def test_other_boards_need_their_rules(self):
        result = next(plain.read("a2-b2A", rules=PROFILES["telo"]))
        assert result.game is None or result.game.rules == PROFILES["telo"]
        rules = RuleSet.parse("board=15x3")
        position = Position.start(rules)
        text = str(position.legal_turns()[0])
        assert turns(next(plain.read(text, rules=rules)).game) == [text]

    def test_an_empty_text_holds_no_game(self):
        assert read("plain", "") == read("plain", "\n# nothing\n") == []


class TestWriting:
    def test_the_listing_is_written_as_it_was(self):
        text, losses = written("plain", read_one("plain", LISTING).game)
        assert (text, losses) == (LISTING, [])

    def test_black_may_begin(self):
        rules = PROFILES["tsivy"]
        game = Game(Position.start(rules).swapped())
        with pytest.raises(ExportError, match="expected the usual start"):
            written("plain", game)

    def test_one_game_only(self):
        with pytest.raises(ExportError, match="a second"):
            written("plain", Game(), Game())

    def test_no_game_is_no_text(self):
        assert written("plain") == ("", [])

    @given(SEEDS)
    def test_what_is_carried_is_read_back(self, seed):
        game = tsivy_game(seed)
        text, losses = written("plain", game)
        small, lost = reduced(game, 1, frozenset({"result"}), boards=None)
        assert losses == [str(loss) for loss in lost]
        assert read_one("plain", text).game == small

    @given(SEEDS)
    def test_other_boards_are_read_back_under_their_rules(self, seed):
        rules = PROFILES[["dimy", "telo"][seed % 2]]
        game = Game(rules)
        from random import Random

        from random_games import grow

        grow(Random(seed), game.root, 20)
        text, losses = written("plain", game)
        assert losses[0] == f"game 1: rules {rules}"
        assert losses[1:] in ([], ["game 1: result *"])
        assert next(plain.read(io.StringIO(text), rules=rules)).game.turns == game.turns


BROKEN = {
    "illegal step": ("f2e3 e3e4", "turn 2", "not possible"),
    "no such step": ("a1a2", "turn 1", "possible are"),
    "ambiguous": ("d3e3 d5d4", "turn 1", "say which"),
    "wrong kind": ("f2-e3W", "turn 1", "not possible"),
    "letter without a step": ("A", "line 1", "letter A"),
    "half a turn": ("f2e3 d5", "line 1", "does not move"),
    "off the board": ("f2-e9", "line 1", "e9"),
    "huge row": ("f" + "9" * 3000, "line 1", ""),
    "text after the result": ("f2e3 1-0 d5d4", "line 1", "after the result"),
    "a comment": ("f2e3 {x}", "line 1", "cannot read"),
    "the third line": ("f2e3\nd5d4\ng3g4\n", "line 3", ""),
}


class TestBrokenTexts:
    @pytest.mark.parametrize("name", BROKEN)
    def test_one_clear_error(self, name):
        text, place, reason = BROKEN[name]
        message = str(error_of("plain", text))
        assert place in message
        assert reason in message

    @pytest.mark.parametrize("name", NOISE)
    def test_noise(self, name):
        assert error_of("plain", NOISE[name])

    def test_strict(self):
        check_strict("plain", [text for text, _, _ in BROKEN.values()])

    def test_what_came_before_is_kept_apart(self):
        result = read_one("plain", "f2e3 d5d4 a1a2")
        assert result.game is None
        assert turns(result.partial) == ["f2-e3A", "d5-d4A"]

    @given(st.text("abcdefghi12345AW-. \n*0/"))
    def test_any_text(self, text):
        read("plain", text)
