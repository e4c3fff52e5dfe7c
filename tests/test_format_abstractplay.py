"""Abstract Play's records."""

import json

import pytest
from format_checks import NOISE, check_strict, error_of, read, read_one, real_game, turns, written
from hypothesis import given
from hypothesis import strategies as st
from random_games import tsivy_game

from fanorona_core import PROFILES, ExportError, Position, Reason, UnsupportedVariantError
from fanorona_core.formats import abstractplay
from fanorona_core.formats._common import reduced
from fanorona_core.game import Game

SEEDS = st.integers(0, 2**32)
MOVES = [["f2e3+", "d5d4+"], ["g3f2-"]]


def record(moves=MOVES, results=(1, 0), **header):
    players = [
        {"name": name, "userid": f"id-{name}", "result": result}
        for name, result in zip(("Ravao", "Rabe"), results, strict=True)
    ]
    return {
        "header": {
            "game": {"name": "Fanorona", "variants": []},
            "site": {"name": "Abstract Play", "gameid": "g-1"},
            "date-start": "2023-06-22T12:34:56.789Z",
            "date-end": "2023-07-01T00:00:00.000Z",
            "date-generated": "2023-07-02T00:00:00.000Z",
            "unrated": False,
            "players": players,
            **header,
        },
        "moves": moves,
    }


def text(*arguments, **options):
    return json.dumps(record(*arguments, **options))


class TestReading:
    def test_a_record(self):
        result = read_one("abstractplay", text())
        assert result.warnings == ()
        game = result.game
        assert turns(game) == ["f2-e3A", "d5-d4A", "g3-f2W"]
        assert game.result == "1-0"
        assert dict(game.tags.known()) == {
            "Site": "Abstract Play",
            "Date": "2023.06.22",
            "White": "Ravao",
            "Black": "Rabe",
            "GameId": "g-1",
            "UTCTime": "12:34:56",
            "EndDate": "2023.07.01",
            "WhiteId": "id-Ravao",
            "BlackId": "id-Rabe",
        }

    def test_chains(self):
        assert abstractplay.turn_text(real_game().turns[6]) == "f2f3+, g3+, f4+, e3-"
        moves = [["f2e3+", "D5D4+,c5-"], ["g3 f2 -"]]
        assert turns(read_one("abstractplay", text(moves)).game) == [
            "f2-e3A",
            "d5-d4A-c5W",
            "g3-f2W",
        ]

    def test_moves_as_objects(self):
        moves = [
            [{"sequence": 1, "move": "f2e3+", "result": [{"type": "move"}]}, {"move": "d5d4+"}],
            [{"move": "g3f2-", "result": "a good one"}, None],
        ]
        assert turns(read_one("abstractplay", text(moves)).game) == ["f2-e3A", "d5-d4A", "g3-f2W"]

    @pytest.mark.parametrize(
        ("entry", "results", "result", "reason"),
        [
            ({"type": "resigned", "player": 2}, (1, 0), "1-0", Reason.RESIGNATION),
            ({"type": "timeout", "player": 1}, (0, 1), "0-1", Reason.TIME),
            ({"type": "drawagreed"}, (1, 1), "1/2-1/2", Reason.AGREEMENT),
            ({"type": "eog"}, (1, 1), "1/2-1/2", None),
        ],
    )
    def test_ends(self, entry, results, result, reason):
        moves = [["f2e3+", {"move": "d5d4+", "result": [entry]}]]
        found = read_one("abstractplay", text(moves, results))
        assert found.warnings == ()
        assert (found.game.result, found.game.termination) == (result, reason)

    @pytest.mark.parametrize(
        ("moves", "results", "result", "reason"),
        [
            ([["f2e3+", "resign"]], (1, 0), "1-0", Reason.RESIGNATION),
            ([["f2e3+", "Resign"]], (0, 1), "0-1", Reason.RESIGNATION),
            ([["f2e3+", "d5d4+"], ["resign"]], (0, 1), "0-1", Reason.RESIGNATION),
            ([["f2e3+", "timeout"]], (1, 0), "1-0", Reason.TIME),
            ([["f2e3+", "timeout"]], (None, None), "1-0", Reason.TIME),
            ([["timeout"]], (0, 1), "0-1", Reason.TIME),
            ([["f2e3+", "draw"]], (1, 1), "1/2-1/2", Reason.AGREEMENT),
            ([["f2e3+", "abandoned"]], (0, 0), "*", "abandoned"),
            (
                [["f2e3+", {"move": "resign", "result": [{"type": "resigned", "player": 1}]}]],
                (0, 1),
                "0-1",
                Reason.RESIGNATION,
            ),
        ],
    )
    def test_ends_as_a_last_move(self, moves, results, result, reason):
        found = read_one("abstractplay", text(moves, results))
        assert found.warnings == ()
        assert (found.game.result, found.game.termination) == (result, reason)

    def test_a_last_move_that_the_results_contradict_is_a_warning(self):
        found = read_one("abstractplay", text([["f2e3+", "resign"]], (1, 1)))
        assert found.game.result == "1/2-1/2"
        assert found.warnings == ("the players' results say 1/2-1/2, the last turn 1-0",)

    def test_an_end_that_the_results_contradict_is_a_warning(self):
        moves = [["f2e3+", {"move": "d5d4+", "result": [{"type": "resigned", "player": 1}]}]]
        found = read_one("abstractplay", text(moves, (1, 0)))
        assert found.game.result == "1-0"
        assert found.warnings == ("the players' results say 1-0, the last turn 0-1",)

    def test_higher_numbers_win(self):
        assert read_one("abstractplay", text(MOVES, (3, 100))).game.result == "0-1"

    def test_other_games_are_refused(self):
        for game in ({"name": "Chess"}, {"name": "Fanorona", "variants": ["vela"]}):
            error = error_of("abstractplay", text(game=game))
            assert isinstance(error, UnsupportedVariantError)

    def test_computers(self):
        players = [{"name": "A", "result": 0, "is_ai": True}, {"name": "B", "result": 1}]
        game = read_one("abstractplay", text(players=players)).game
        assert game.tags["WhiteType"] == "program"
        assert "BlackType" not in game.tags


class TestWriting:
    def test_the_real_game(self):
        game = real_game()
        written_text, losses = written("abstractplay", game)
        assert losses == []
        content = json.loads(written_text)
        assert content["moves"][3] == ["f2f3+, g3+, f4+, e3-", "e1d1+"]
        assert content["moves"][8] == ["c3b4", "i5h4"]
        assert read_one("abstractplay", written_text).game == game

    def test_what_the_schema_wants_is_there(self):
        game = Game(result="1/2-1/2")
        header = json.loads(written("abstractplay", game)[0])["header"]
        assert {"game", "site", "date-start", "date-end", "date-generated", "players"} <= set(
            header
        )
        assert header["players"][0] != header["players"][1]

    def test_unfinished_games_have_no_record(self):
        with pytest.raises(ExportError, match="not over"):
            written("abstractplay", Game())

    def test_other_boards(self):
        with pytest.raises(ExportError, match="3x3"):
            written("abstractplay", Game(PROFILES["telo"], result="1-0"))

    def test_ends_are_told(self):
        for result, reason in (
            ("1-0", Reason.RESIGNATION),
            ("0-1", Reason.TIME),
            ("1/2-1/2", Reason.AGREEMENT),
            ("*", "abandoned"),
        ):
            game = Game(result=result, termination=reason)
            for turn in ("f2-e3A", "d5-d4A", None):
                found, losses = written("abstractplay", game)
                assert losses == []
                assert read_one("abstractplay", found).game == game
                if turn is not None:
                    game.end().add_variation(turn)
        assert json.loads(found)["moves"] == [["f2e3+", "d5d4+"], ["abandoned"]]
        game.result, game.termination = "1/2-1/2", Reason.REPETITION
        assert written("abstractplay", game)[1] == ["game 1: termination repetition"]

    def test_a_game_that_begins_in_a_chain(self):
        middle = Position.parse("bbbb1bb1b/bbbbbb2b/bwbw1b2w/wwww1w2w/wwwwww3 b g4-g3A-f4W 7 4")
        for turn in middle.legal_turns():
            game = Game(middle, result="1-0")
            game.root.add_variation(turn)
            found, losses = written("abstractplay", game)
            assert losses == []
            assert read_one("abstractplay", found).game == game

    def test_the_steps_that_a_chain_still_makes(self):
        start = "bb2bbbbb/b1b4bb/2w2b1bw/4b2ww/wwww1w1ww w b3-c3W"
        for move in ("c3b4+", "b3c3-, b4+"):
            found = read_one("abstractplay", text([[move]], startingPosition=start))
            assert turns(found.game) == ["b3-c3W-b4A"]

    @given(st.lists(SEEDS, max_size=3))
    def test_what_is_carried_is_read_back(self, seeds):
        games = [game for game in map(tsivy_game, seeds) if game.result != "*"]
        found, losses = written("abstractplay", *games)
        small = [
            reduced(
                game,
                number,
                abstractplay._carried(game),
                terminations=abstractplay._carried_ends(game),
            )
            for number, game in enumerate(games, 1)
        ]
        assert losses == [str(loss) for _, lost in small for loss in lost]
        results = read("abstractplay", found)
        assert [result.game for result in results] == [game for game, _ in small]
        assert all(result.warnings == () for result in results)


BROKEN = {
    "no header": ('{"moves": []}', "has no header"),
    "no game": ('{"header": {}, "moves": []}', "has no game"),
    "no moves": ('{"header": {"game": {"name": "Fanorona"}}}', "has no moves"),
    "moves of text": (text("f2e3+"), "expected a list"),
    "round of text": (text(["f2e3+"]), "round 1"),
    "round of three": (text([["f2e3+", "d5d4+", "g3f2-"]]), "round 1"),
    "move of number": (text([[7]]), "expected an object"),
    "move without a move": (text([[{}]]), "has no move"),
    "a turn after the end": (
        text([["f2e3+", "resign"], ["d5d4+"]]),
        "round 2: 'd5d4+' after resign",
    ),
    "two ends": (text([["draw", "resign"]]), "round 1: 'resign' after draw"),
    "no white move": (text([[None, "d5d4+"]]), "turn of White"),
    "a move is missing": (text([["f2e3+"], ["g3f2-"]]), "turn of Black"),
    "illegal": (text([["f2e3-"]]), "turn 1"),
    "no notation": (text([["f2-e3A"]]), "expected f2f3+"),
    "bad continuation": (text([["f2e3+,x"]]), "expected g3+"),
    "ambiguous": (text([["d3e3"]]), "say which"),
    "a turn that is over": (text([["f2e3+,e4+"]]), "turn 1"),
    "off the board": (text([["f2e6+"]]), "turn 1"),
    "player of text": (text(players=["a", "b"]), "expected an object"),
    "result of text": (text(players=[{"name": "a", "result": "1"}, {}]), "whole number"),
    "bad position": (text(startingPosition="9/9 w"), "rows"),
    "truncated": (text()[:-20], "without an end"),
    "deep": ('{"header": ' + "[" * 50_000 + "]" * 50_000 + "}", "too deep"),
}


class TestBrokenRecords:
    @pytest.mark.parametrize("name", BROKEN)
    def test_one_clear_error(self, name):
        broken, reason = BROKEN[name]
        assert reason in str(error_of("abstractplay", broken))

    @pytest.mark.parametrize("name", NOISE)
    def test_noise(self, name):
        if not set(NOISE[name]) <= set("["):
            assert error_of("abstractplay", NOISE[name])

    @pytest.mark.parametrize("name", BROKEN)
    def test_the_next_game_is_read(self, name):
        found = read("abstractplay", f"{text()}\n{BROKEN[name][0]}\n{text()}")
        assert [result.game is not None for result in found] == [True, False, True]

    def test_strict(self):
        check_strict("abstractplay", [broken for broken, _ in BROKEN.values()])
