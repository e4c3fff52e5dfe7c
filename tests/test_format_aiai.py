"""Ai Ai's notation."""

import pytest
from format_checks import NOISE, check_strict, error_of, read, read_one, real_game, turns, written
from hypothesis import given
from hypothesis import strategies as st
from random_games import tsivy_game

from fanorona_core import ExportError
from fanorona_core.formats._common import reduced
from fanorona_core.game import Game

SEEDS = st.integers(0, 2**32)


class TestReading:
    def test_steps(self):
        text = "f2-e3x\nd5-d4x|Pass\nxg3-f2\nc3-d2x\nxe3-d3\nxd2-d1|d1-e1x"
        result = read_one("aiai", text)
        assert turns(result.game) == [
            "f2-e3A",
            "d5-d4A",
            "g3-f2W",
            "c3-d2A",
            "e3-d3W",
            "d2-d1W-e1A",
        ]
        assert result.warnings == ()

    def test_separators_and_case(self):
        assert turns(read_one("aiai", "F2-E3X, D5-D4X | PASS; Xg3-F2").game) == [
            "f2-e3A",
            "d5-d4A",
            "g3-f2W",
        ]

    def test_a_missing_pass_is_a_warning(self):
        result = read_one("aiai", "f2-e3x\nd5-d4x\nxg3-f2")
        assert turns(result.game) == ["f2-e3A", "d5-d4A", "g3-f2W"]
        assert result.warnings == ("line 3: no Pass after turn 2",)
        assert read_one("aiai", "f2-e3x d5-d4x").warnings == ("no Pass after turn 2",)

    def test_a_needless_pass_is_a_warning(self):
        result = read_one("aiai", "f2-e3x|Pass")
        assert turns(result.game) == ["f2-e3A"]
        assert result.warnings == ("line 1: Pass after a turn that could not go on",)

    def test_games_are_paragraphs(self):
        found = read("aiai", "# one\nf2-e3x\n\n\n# two\nd2-e3x\nzz\n\nd3-e3x\n")
        assert [turns(found[0].game), turns(found[2].game)] == [["f2-e3A"], ["d3-e3A"]]
        assert (found[1].error.line, found[1].error.game) == (7, 2)


class TestWriting:
    def test_pass_only_where_a_chain_could_go_on(self):
        game = Game()
        game.root.add_line(["f2-e3A", "d5-d4A", "g3-f2W"])
        assert written("aiai", game) == ("f2-e3x\nd5-d4x|Pass\nxg3-f2\n", [])

    def test_the_real_game(self):
        game = real_game()
        text, losses = written("aiai", game)
        assert losses == []
        result = read_one("aiai", text)
        assert (result.game, result.warnings) == (game, ())

    def test_an_empty_game_has_no_text(self):
        with pytest.raises(ExportError, match="no turns"):
            written("aiai", Game())

    @given(st.lists(SEEDS, max_size=3))
    def test_what_is_carried_is_read_back(self, seeds):
        games = [game for game in map(tsivy_game, seeds) if len(game)]
        text, losses = written("aiai", *games)
        small = [reduced(game, number, frozenset()) for number, game in enumerate(games, 1)]
        assert losses == [str(loss) for _, lost in small for loss in lost]
        found = read("aiai", text)
        assert [result.game for result in found] == [game for game, _ in small]
        assert all(result.warnings == () for result in found)


BROKEN = {
    "both signs": ("xf2-e3x", "line 1", "expected f2-e3x"),
    "no step": ("f2e3", "line 1", "expected f2-e3x"),
    "pass first": ("Pass", "turn 1", "without a step"),
    "pass twice": ("f2-e3x|Pass|Pass", "turn 2", "without a step"),
    "wrong kind": ("xf2-e3", "turn 1", "not possible"),
    "paika for a capture": ("f2-e3", "turn 1", "not possible"),
    "another stone goes on": ("f2-e3x d5-d4x a1-a2x", "turn 3", "not possible"),
    "off the board": ("f2-j3", "line 1", "expected f2-e3x"),
    "huge row": ("f2-e" + "3" * 5000, "line 1", ""),
}


class TestBrokenGames:
    @pytest.mark.parametrize("name", BROKEN)
    def test_one_clear_error(self, name):
        text, place, reason = BROKEN[name]
        message = str(error_of("aiai", text))
        assert place in message
        assert reason in message

    @pytest.mark.parametrize("name", NOISE)
    def test_noise(self, name):
        assert error_of("aiai", NOISE[name])

    @pytest.mark.parametrize("name", BROKEN)
    def test_the_next_game_is_read(self, name):
        found = read("aiai", f"f2-e3x\n\n{BROKEN[name][0]}\n\nd2-e3x\n")
        assert [turns(found[0].game), turns(found[2].game)] == [["f2-e3A"], ["d2-e3A"]]
        assert found[1].error is not None

    def test_strict(self):
        check_strict("aiai", [text for text, _, _ in BROKEN.values()])

    @given(st.text("abcdefghi12345x-|Pas \n"))
    def test_any_text(self, text):
        read("aiai", text)
