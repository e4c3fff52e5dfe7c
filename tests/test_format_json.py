"""Our own JSON records."""

import io
import json

import pytest
from format_checks import NOISE, check_strict, error_of, read, read_one, real_game, turns, written
from hypothesis import given
from hypothesis import strategies as st
from random_games import any_game

from fanorona_core import PROFILES, Position, RecordError, fgn
from fanorona_core.formats import jsonio
from fanorona_core.game import Game

SEEDS = st.integers(0, 2**32)
HEAD = '{"format": "fanorona-game", "version": 1, '


class TestRoundTrip:
    @given(st.lists(SEEDS, max_size=4))
    def test_everything_is_read_back(self, seeds):
        games = [any_game(seed) for seed in seeds]
        text, losses = written("json", *games)
        assert losses == []
        assert text.count("\n") == len(games)
        text.encode()  # no halves of surrogate pairs
        assert [result.game for result in read("json", text)] == games
        assert all(result.warnings == () for result in read("json", text))

    @given(SEEDS)
    def test_values_of_python_are_read_back(self, seed):
        game = any_game(seed)
        assert jsonio.from_json(jsonio.to_json(game)) == game
        assert jsonio.from_json(json.loads(json.dumps(jsonio.to_json(game)))) == game

    @given(st.lists(SEEDS, min_size=1, max_size=3), st.sampled_from([None, 1, 2, "\t"]))
    def test_other_layouts(self, seeds, indent):
        games = [any_game(seed) for seed in seeds]
        records = [jsonio.to_json(game) for game in games]
        for text in (
            json.dumps(records, indent=indent),
            "\n".join(json.dumps(record, indent=indent) for record in records),
            json.dumps(records[0], indent=indent),
        ):
            found = [result.game for result in read("json", text)]
            assert found == games[: len(found)]
            assert found

    def test_the_real_game(self):
        game = real_game()
        record = jsonio.to_json(game)
        assert list(record) == ["format", "version", "rules", "result", "termination", "turns"]
        assert record["turns"][:2] == ["f2-e3A", "d5-d4A"]
        assert read_one("json", written("json", game)[0]).game == game


class TestShape:
    def test_a_tree(self):
        game = Game(tags={"White": "Ravao"})
        first = game.root.add_variation("f2-e3A")
        first.comment = "good"
        game.root.add_variation("d2-e3A")
        first.add_variation("d5-d4A")
        first.add_variation("f3-f2A").nags = [2]
        assert jsonio.to_json(game)["turns"] == [
            {"turn": "f2-e3A", "comment": "good"},
            "d5-d4A",
            {"turn": "f3-f2A", "after": 1, "glyphs": [2]},
            {"turn": "d2-e3A", "after": 0},
        ]

    def test_what_is_usual_may_be_left_out(self):
        assert read_one("json", f'{HEAD}"turns": []}}').game == Game()
        other = read_one("json", f'{HEAD}"rules": "telo", "turns": []}}').game
        assert other.initial == Position.start(PROFILES["telo"])

    def test_keys_that_are_not_known_are_a_warning(self):
        result = read_one("json", f'{HEAD}"turns": [{{"turn": "f2-e3A", "x": 1}}], "y": 2}}')
        assert turns(result.game) == ["f2-e3A"]
        assert result.warnings == (
            "'x' of turn 1 of the list is not known and left out",
            "'y' of the record is not known and left out",
        )

    @pytest.mark.parametrize(
        ("name", "value", "field"),
        [("clk", "0:01:00", "clock"), ("emt", "0:00:02", "elapsed"), ("eval", "0.50", "eval")],
    )
    def test_commands_that_fgn_has_a_meaning_for(self, name, value, field):
        commands = f'[["{name}", "{value}"], ["x", ""]]'
        text = f'{HEAD}"turns": [{{"turn": "f2-e3A", "commands": {commands}}}]}}'
        result = read_one("json", text)
        node = result.game.root.next
        assert getattr(node, field) is not None
        assert node.commands == [("x", "")]
        assert result.warnings == (
            f"command {name} of turn 1 of the list is read as what it means in FGN",
        )
        assert fgn.parse_game(fgn.format_game(result.game)) == result.game

    def test_commands_of_these_names_that_say_something_else(self):
        game = fgn.parse_game("1. f2-e3A {[%clk soon] [%emt 0:00:01] [%emt 0:00:02]} *")
        assert game.root.next.commands == [("clk", "soon"), ("emt", "0:00:02")]
        result = read_one("json", written("json", game)[0])
        assert (result.game, result.warnings) == (game, ())

    @pytest.mark.parametrize("shift", range(-3, 4))
    def test_escapes_over_the_parts_of_a_long_line(self, shift):
        from fanorona_core.records import MAX_LINE

        filler = "x" * (MAX_LINE + shift - len(HEAD) - 20)
        text = f'{HEAD}"tags":{{"Event":"{filler}\\"{{y"}},"turns":[]}}'
        assert read_one("json", text).game.tags["Event"] == f'{filler}"{{y'

    def test_streams_of_bytes_and_text(self):
        text = f'{HEAD}"turns": ["f2-e3A"]}}'
        assert turns(next(jsonio.read(io.BytesIO(text.encode("utf-8-sig")))).game) == ["f2-e3A"]
        assert turns(next(jsonio.read(io.StringIO(text))).game) == ["f2-e3A"]

    def test_an_empty_file_holds_no_game(self):
        assert read("json", "") == read("json", "[]") == read("json", "\n\n") == []


BROKEN = {
    "not an object": ("[1, 2]", "expected a JSON object"),
    "another format": ('{"format": "x", "version": 1, "turns": []}', "not a record"),
    "no format": ('{"turns": []}', "has no format"),
    "no turns": ('{"format": "fanorona-game", "version": 1}', "has no turns"),
    "version 2": ('{"format": "fanorona-game", "version": 2, "turns": []}', "expected 1"),
    "version true": ('{"format": "fanorona-game", "version": true, "turns": []}', "whole number"),
    "turns of text": (f'{HEAD}"turns": "f2-e3A"}}', "expected a list"),
    "illegal turn": (f'{HEAD}"turns": ["f2-e3A", "f2-e3A"]}}', "turn 2"),
    "a row that the board has not": (
        f'{HEAD}"rules": "telo", "turns": ["a4-a3"]}}',
        "a4-a3: no such point on a 3x3 board",
    ),
    "lenient turn": (f'{HEAD}"turns": ["f2e3"]}}', "canonical"),
    "turn of number": (f'{HEAD}"turns": [7]}}', "expected an object"),
    "turn of nothing": (f'{HEAD}"turns": [{{}}]}}', "has no turn"),
    "after itself": (f'{HEAD}"turns": [{{"turn": "f2-e3A", "after": 1}}]}}', "expected 0 to 0"),
    "after nothing": (f'{HEAD}"turns": [{{"turn": "f2-e3A", "after": -1}}]}}', "expected 0 to 0"),
    "huge after": (f'{HEAD}"turns": [{{"turn": "f2-e3A", "after": {"9" * 99}}}]}}', "expected 0"),
    "huge number": (f'{HEAD}"turns": [{{"turn": "f2-e3A", "after": {"9" * 9999}}}]}}', ""),
    "bad result": (f'{HEAD}"result": "2-0", "turns": []}}', "2-0"),
    "bad tag": (f'{HEAD}"tags": {{"a b": "x"}}, "turns": []}}', "a b"),
    "tag of the game": (f'{HEAD}"tags": {{"Result": "x"}}, "turns": []}}', "follows from"),
    "tag of number": (f'{HEAD}"tags": {{"Round": 1}}, "turns": []}}', "expected a text"),
    "bad rules": (f'{HEAD}"rules": "x", "turns": []}}', "rules"),
    "vela": (f'{HEAD}"rules": "vela", "turns": []}}', "not supported"),
    "bad position": (f'{HEAD}"initial": "9/9 w", "turns": []}}', "rows"),
    "huge position": (f'{HEAD}"initial": "{"9" * 9999} w", "turns": []}}', ""),
    "two rules": (
        f'{HEAD}"rules": "tsivy", "initial": "8b/9/9/9/w8 w - 0 1 youzai", "turns": []}}',
        "o",
    ),
    "bad glyph": (f'{HEAD}"turns": [{{"turn": "f2-e3A", "glyphs": [256]}}]}}', "glyph 256"),
    "glyph true": (f'{HEAD}"turns": [{{"turn": "f2-e3A", "glyphs": [true]}}]}}', "glyph True"),
    "bad clock": (f'{HEAD}"turns": [{{"turn": "f2-e3A", "clock": "x"}}]}}', "time"),
    "bad eval": (f'{HEAD}"turns": [{{"turn": "f2-e3A", "eval": "x"}}]}}', "evaluation"),
    "bad command": (f'{HEAD}"turns": [{{"turn": "f2-e3A", "commands": [["x"]]}}]}}', "command"),
    "bad comment": (f'{HEAD}"turns": [{{"turn": "f2-e3A", "comment": []}}]}}', "expected a text"),
    "truncated": (f'{HEAD}"turns": ["f2-e3A"', "without an end"),
    "truncated text": (f'{HEAD}"turns": ["f2-', "without an end"),
    "a text over a line": (f'{HEAD}"turns": ["f2-\ne3A"]}}', "over the end of a line"),
    "a comma too many": (f'{HEAD}"turns": ["f2-e3A",]}}', "not JSON"),
    "not a number": (f'{HEAD}"turns": [NaN]}}', "expected an object"),
    "deep": (f'{HEAD}"turns": {"[" * 100_000}{"]" * 100_000}}}', "too deep"),
    "not so deep": (f'{HEAD}"turns": {"[" * 900}{"]" * 900}}}', "expected an object"),
    "deep objects": ('{"a": ' * 50_000 + "1" + "}" * 50_000, "too deep"),
    "a key twice": (f'{HEAD}"turns": [], "turns": ["f2-e3A"]}}', "key 'turns' is there twice"),
    "a tag twice": (
        f'{HEAD}"tags": {{"White": "a", "White": "b"}}, "turns": []}}',
        "key 'White' is there twice",
    ),
    "NUL": (f'{HEAD}"turns": ["\x00"]}}', "not JSON"),
}


class TestBrokenRecords:
    @pytest.mark.parametrize("name", BROKEN)
    def test_one_clear_error(self, name):
        text, reason = BROKEN[name]
        error = error_of("json", text)
        assert reason in str(error)
        assert error.line == 1

    @pytest.mark.parametrize("name", NOISE)
    def test_noise(self, name):
        if not set(NOISE[name]) <= set("["):  # nothing but brackets is an array without a game
            assert error_of("json", NOISE[name])

    @pytest.mark.parametrize("name", BROKEN)
    def test_the_next_game_is_read(self, name):
        good = f'{HEAD}"turns": ["f2-e3A"]}}'
        found = read("json", f"{good}\n{BROKEN[name][0]}\n{good}\n")
        assert [turns(result.game) for result in (found[0], found[-1])] == [["f2-e3A"]] * 2
        assert any(result.error for result in found[1:-1])

    def test_a_broken_record_over_many_lines(self):
        good = json.dumps(jsonio.to_json(real_game()), indent=2)
        found = read("json", f"{good}\n{good[:300]}\n{good}")
        assert [result.game is not None for result in found] == [True, False, True]
        assert found[1].error.line == good.count("\n") + 2

    def test_lines_of_faults_in_json(self):
        error = error_of("json", '{"format": "fanorona-game",\n "version": 1,\n "turns": nothing}')
        assert error.line == 3

    def test_values_of_python(self):
        for value in (None, [], 3, "x", {"format": 3}):
            with pytest.raises(RecordError):
                jsonio.from_json(value)

    def test_strict(self):
        check_strict("json", [text for text, _ in BROKEN.values()])

    @given(SEEDS, st.data())
    def test_any_part_of_a_file(self, seed, data):
        text = written("json", any_game(seed))[0]
        read("json", text[: data.draw(st.integers(0, len(text)))])

    @given(st.text('{}[]",: \n\\01ab'))
    def test_any_text(self, text):
        read("json", text)
