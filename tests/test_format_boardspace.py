"""boardspace.net's records."""

import pytest
from format_checks import (
    NOISE,
    SGF,
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
from random_games import PIECES, random_text, tsivy_game

from fanorona_core import PROFILES, ExportError, Reason, UnsupportedVariantError
from fanorona_core.formats import boardspace
from fanorona_core.formats._common import reduced
from fanorona_core.game import Game

SEEDS = st.integers(0, 2**32)
OPENING = ["f2-e3A", "d5-d4A", "g3-f2W"]


def sgf(*operations, head='P0[id "a"]P1[id "b"]', version=2):
    """A record of operations as ``P0 Pickb F 2 0``."""
    nodes = "\n".join(f"; {text[:2]}[{text[3:]}]" for text in operations)
    return f"(;\nGM[Fanorona] VV[{version}]\nSU[fanorona]{head}\n; P0[0 Start P0]\n{nodes}\n)\n"


def play(*operations, **options):
    return read_one("boardspace", sgf(*operations, **options))


class TestRobots:
    """Version 1: captures with their kind, written by the site's robots."""

    def test_the_real_game(self):
        result = read_one("boardspace", SGF)
        assert result.warnings == ()
        game = result.game
        assert game.turns == real_game().turns
        assert (game.result, game.termination) == ("0-1", Reason.NO_STONES)
        assert dict(game.tags.known()) == {"WhiteTime": "0:00:47", "BlackTime": "0:01:14"}

    def test_it_is_written_as_it_was(self):
        assert written("boardspace", read_one("boardspace", SGF).game) == (SGF, [])

    def test_operation_numbers_and_case_do_not_matter(self):
        text = SGF.lower().replace("p0", "P0").replace("p1", "P1")
        for name in ("gm", "vv", "dt", "gn", "su"):
            text = text.replace(f"{name}[", f"{name.upper()}[")
        for number in range(90, -1, -1):
            text = text.replace(f"[{number} ", "[")
        assert read_one("boardspace", text).game.turns == real_game().turns

    def test_a_second_done_and_one_after_the_end_do_no_harm(self):
        result = read_one(
            "boardspace", SGF.replace("; P1[85 done]", "; P1[85 done]\n; P0[86 done]")
        )
        assert result.game.turns == real_game().turns


class TestFaults:
    """Faults that leave no doubt, and what stands where a long line is cut for reading."""

    def test_words_behind_an_operation(self):
        result = play(
            "P0 Start P0 now", "P0 Pickb F 2 0", "P0 Dropb E 3 0 x y", "P0 done", "P1 Resign 7"
        )  # fmt: skip
        assert turns(result.game) == ["f2-e3A"]
        assert [warning.partition(": ")[2] for warning in result.warnings] == [
            "'now' is left out",
            "'x y' is left out",
            "'7' is left out",
        ]

    def test_the_same_start_again(self):
        result = play("P1 Start P0", *MOVES)
        assert (turns(result.game), result.warnings) == (["f2-e3A", "d5-d4A"], ())

    @pytest.mark.parametrize("shift", range(-8, 3))
    def test_long_values(self, shift):
        from fanorona_core.records import MAX_LINE

        filler = "x" * (MAX_LINE + shift - 20)
        result = read_one("boardspace", f"(;GM[Fanorona]EV[{filler}\\]y]RO[7];P0[Resign])")
        assert result.warnings == ()
        assert result.game.tags["Event"] == f"{filler}]y"
        assert result.game.tags["Round"] == "7"

    def test_characters_that_a_file_does_not_keep(self):
        game = Game(tags={"White": "a\rb"})
        game.root.add_variation("f2-e3A").comment = "one\r\ntwo\udc00\nthree"
        text, losses = written("boardspace", game)
        assert losses == ["game 1: 3 characters"]
        game = read_one("boardspace", text).game
        assert game.tags["White"] == "a\nb"
        assert game.root.next.comment == "one\ntwo\ufffd\nthree"


class TestPeople:
    """Stones are picked up and dropped; kinds follow, or are designated with Remove."""

    def test_kinds_that_follow(self):
        result = play(
            "P0 1 Pickb F 2 0",
            "P0 2 Dropb E 3",
            "P0 3 done",
            "P1 4 Pickb D 5 1",
            "P1 5 Dropb D 4",
            "P1 6 Done",
            "P0 Pickb G 3 0",
            "P0 Dropb F 2 0",
            "P0 done",
        )
        assert turns(result.game) == OPENING
        assert result.warnings == ()
        assert (result.game.tags["White"], result.game.tags["Black"]) == ("a", "b")

    @pytest.mark.parametrize(("stone", "turn"), [("F 3 1", "d3-e3A"), ("C 3 1", "d3-e3W")])
    def test_remove_designates(self, stone, turn):
        result = play("P0 Pickb D 3 0", "P0 Dropb E 3", f"P0 Remove {stone}", "P0 done")
        assert turns(result.game) == [turn]

    def test_chains(self):
        result = play(
            "P0 Pickb F 2 0", "P0 Dropb E 3", "P0 done",
            "P1 Pickb D 5 1", "P1 Dropb D 4", "P1 Pickb D 4 1", "P1 Dropb C 5", "P1 done",
        )  # fmt: skip
        assert turns(result.game) == ["f2-e3A", "d5-d4A-c5W"]

    def test_a_stone_dropped_where_it_was_picked_up_has_not_moved(self):
        result = play(
            "P0 Pickb E 2 0", "P0 Dropb E 2",
            "P0 Pickb F 2 0", "P0 Dropb E 3", "P0 done",
        )  # fmt: skip
        assert turns(result.game) == ["f2-e3A"]

    def test_a_stone_dropped_on_the_point_before_takes_the_step_back(self):
        result = play(
            "P0 Pickb F 2 0", "P0 Dropb E 3", "P0 Pickb E 3 0", "P0 Dropb F 2",
            "P0 Pickb D 2 0", "P0 Dropb E 3", "P0 done",
        )  # fmt: skip
        assert turns(result.game) == ["d2-e3A"]

    def test_only_the_last_step_of_a_chain_is_taken_back(self):
        result = play(
            "P0 Capture A F 2 E 3", "P0 done",
            "P1 Pickb D 5 1", "P1 Dropb D 4", "P1 Pickb D 4 1", "P1 Dropb C 5",
            "P1 Pickb C 5 1", "P1 Dropb D 4", "P1 done",
        )  # fmt: skip
        assert turns(result.game) == ["f2-e3A", "d5-d4A"]

    def test_a_stone_is_picked_up_again_before_remove(self):
        result = play(
            "P0 Pickb D 3 0", "P0 Dropb E 3", "P0 Pickb E 3 0", "P0 Dropb D 3",
            "P0 Pickb D 3 0", "P0 Dropb E 3", "P0 Remove C 3 1", "P0 done",
        )  # fmt: skip
        assert turns(result.game) == ["d3-e3W"]

    def test_a_move_without_capture_begins_anew(self):
        head = SGF[: SGF.index("; P0[42 Move")]
        text = head + (
            "; P0[Pickb C 3 0]; P0[Dropb B 4]; P0[Pickb B 4 0]; P0[Dropb C 2]; P0[done])"
        )
        assert turns(read_one("boardspace", text).game)[-1] == "c3-c2"

    def test_reset_takes_everything_back(self):
        result = play(
            "P0 Pickb F 2 0", "P0 Dropb E 3", "P0 Reset",
            "P0 Capture A D 2 E 3", "P0 done",
        )  # fmt: skip
        assert turns(result.game) == ["d2-e3A"]

    def test_a_missing_last_done_is_a_warning(self):
        result = play("P0 Pickb F 2 0", "P0 Dropb E 3")
        assert turns(result.game) == ["f2-e3A"]
        assert result.warnings == ("no Done after the last turn",)

    def test_the_second_player_may_have_white(self):
        text = sgf("P1 Capture A F 2 E 3", "P1 done", "P0 Capture A D 5 D 4", "P0 done")
        game = read_one("boardspace", text.replace("Start P0", "Start P1")).game
        assert turns(game) == ["f2-e3A", "d5-d4A"]
        assert (game.tags["White"], game.tags["Black"]) == ("b", "a")

    def test_a_game_without_start(self):
        text = sgf("P0 Capture A F 2 E 3", "P0 done").replace("; P0[0 Start P0]\n", "")
        assert turns(read_one("boardspace", text).game) == ["f2-e3A"]


MOVES = ("P0 Capture A F 2 E 3", "P0 done", "P1 Capture A D 5 D 4", "P1 done")


class TestEnds:
    def test_resign(self):
        for ending in (("P0 Resign", "P0 done"), ("P0 resign ",), ("P0 Pickb G 3 0", "P0 Resign")):
            game = play(*MOVES, *ending).game
            assert (game.result, game.termination) == ("0-1", Reason.RESIGNATION)
            assert len(game) == 2

    def test_resigning_discards_what_is_not_done(self):
        game = play(*MOVES, "P0 Capture W G 3 F 2", "P0 Resign", "P0 done").game
        assert (len(game), game.result) == (2, "0-1")

    def test_a_second_resign_takes_it_back(self):
        game = play(*MOVES, "P0 Resign", "P0 Resign", "P0 Capture W G 3 F 2", "P0 done").game
        assert (len(game), game.result, game.termination) == (3, "*", None)

    def test_draws(self):
        offer = ("P0 OfferDraw", "P0 done")
        game = play(*MOVES, *offer, "P1 AcceptDraw", "P1 done").game
        assert (game.result, game.termination) == ("1/2-1/2", Reason.AGREEMENT)
        assert game.end().commands == []
        game = play(
            *MOVES, *offer, "P1 DeclineDraw", "P1 done", "P0 Capture W G 3 F 2", "P0 done"
        ).game
        assert turns(game) == OPENING
        assert game.end().parent.commands == [("draw", "offer White"), ("draw", "decline Black")]
        assert game.result == "*"

    def test_an_offer_is_taken_back(self):
        game = play(*MOVES, "P0 OfferDraw", "P0 OfferDraw", "P0 Capture W G 3 F 2", "P0 done").game
        assert turns(game) == OPENING
        assert game.end().parent.commands == []

    def test_time(self):
        game = play(*MOVES, "P1 WinOnTime").game
        assert (game.result, game.termination) == ("0-1", Reason.TIME)

    @pytest.mark.parametrize(
        ("text", "result"),
        [
            ("Game won by a", "1-0"),
            ("Game won by B.", "0-1"),
            ("Игру выиграл(а) b.", "0-1"),
            ("The game is a draw", "1/2-1/2"),
            ("1-0", "1-0"),
            ("", "*"),
        ],
    )
    def test_what_re_says(self, text, result):
        found = play(*MOVES, head=f'P0[id "a"]P1[id "b"]RE[{text}]')
        assert found.game.result == result
        assert found.warnings == ()

    def test_re_that_says_nothing_or_something_else(self):
        found = play(*MOVES, head="RE[unbekannt]")
        assert found.game.result == "*"
        assert found.warnings == ("RE says 'unbekannt', which names no one player",)
        text = SGF.replace("DT[]", "DT[]\nRE[1-0]")
        found = read_one("boardspace", text)
        assert found.game.result == "0-1"
        assert found.warnings == ("RE says 1-0, but the game ends 0-1",)


class TestRest:
    def test_comments_and_times(self):
        text = (
            "(;GM[Fanorona]VV[2]SU[fanorona]C[at first]; P0[Start P0]\n"
            "; P0[Pickb F 2 0]TM[10]C[one]; P0[Dropb E 3]TM[20]; P0[done]TM[30]C[two \\] three]\n"
            "; P1[Capture A D 5 D 4]TM[7]; P1[done])"
        )
        game = read_one("boardspace", text).game
        first, second = game.mainline()
        assert game.root.comment == "at first"
        assert first.comment == "one two ] three"
        assert first.commands == [("tm", "30")]
        assert second.commands == [("tm", "7")]

    def test_tags(self):
        head = (
            'P0[id "a \\] b"]P1[id ""]DT[2008-02-07]GN[a-b-2008]EV[Cup]RO[3]PC[net]AN[me]XX[1]'
            "P0[ranking 1500]"
        )
        result = play(*MOVES, head=head)
        assert dict(result.game.tags.known()) == {
            "Event": "Cup",
            "Site": "net",
            "Date": "2008.02.07",
            "Round": "3",
            "White": "a ] b",
            "Black": "",
            "GameName": "a-b-2008",
            "Annotator": "me",
        }
        assert result.warnings == (
            "line 3: P0[ranking] is left out",
            "property XX is left out",
        )

    def test_branches(self):
        text = (
            "(;GM[Fanorona]VV[2]SU[fanorona];P0[Start P0];P0[Pickb D 3 0];P0[Dropb E 3]"
            "(;P0[Remove F 3 1];P0[done](;P1[Capture A F 4 F 3];P1[done])(;P1[Capture A D 4 D 3]))"
            "(;P0[Remove C 3 1];P0[done]))"
        )
        game = read_one("boardspace", text).game
        assert [str(node.turn) for node in game.root.variations] == ["d3-e3A", "d3-e3W"]
        assert turns(game) == ["d3-e3A", "f4-f3A"]

    def test_branches_at_turns(self):
        text = (
            "(;GM[Fanorona]VV[2]SU[fanorona];P0[Start P0]"
            "(;P0[Capture A F 2 E 3];P0[done]"
            "(;P1[Capture A D 5 D 4];P1[done])(;P1[Capture A F 3 F 2];P1[done]))"
            "(;P0[Capture A D 2 E 3];P0[done]))"
        )
        game = read_one("boardspace", text).game
        assert turns(game) == ["f2-e3A", "d5-d4A"]
        assert [str(node.turn) for node in game.root.variations] == ["f2-e3A", "d2-e3A"]
        assert [str(node.turn) for node in game.root.next.variations] == ["d5-d4A", "f3-f2A"]

    def test_other_games_are_refused(self):
        for text in (SGF.replace("GM[Fanorona]", "GM[Zertz]"), SGF.replace("SU[f", "SU[vela-f")):
            assert isinstance(error_of("boardspace", text), UnsupportedVariantError)


class TestWriting:
    def test_other_starts_and_boards(self):
        with pytest.raises(ExportError, match="3x3"):
            written("boardspace", Game(PROFILES["telo"]))
        start = PROFILES["tsivy"].replace(start="8b/9/9/9/w8 w")
        with pytest.raises(ExportError, match="usual start"):
            written("boardspace", Game(start))

    def test_ends(self):
        for result, reason in (
            ("1-0", Reason.RESIGNATION),
            ("0-1", Reason.RESIGNATION),
            ("1-0", Reason.TIME),
            ("1/2-1/2", Reason.AGREEMENT),
        ):
            game = Game(result=result, termination=reason)
            game.root.add_line(["f2-e3A", "d5-d4A"])
            text, losses = written("boardspace", game)
            assert losses == []
            assert read_one("boardspace", text).game == game

    def test_losses_are_said(self):
        game = tsivy_game(3)
        game.root.add_variation("f2-e3A")
        game.root.add_variation("d2-e3A").nags = [1, 2]
        game.result, game.termination = "1-0", Reason.ADJUDICATION
        losses = written("boardspace", game)[1]
        assert "game 1: termination adjudication" in losses
        assert any("variations" in loss for loss in losses)
        assert any("glyphs" in loss for loss in losses)

    @given(st.lists(SEEDS, max_size=3))
    def test_what_is_carried_is_read_back(self, seeds):
        import random

        games = []
        for seed in seeds:
            game = tsivy_game(seed)
            rng = random.Random(seed)
            for name in ("White", "Black", "Event", "GameName", "DT"):
                if rng.random() < 0.5:
                    game.tags[name] = random_text(rng, PIECES).replace("\r", "")
            for node in game.nodes():
                node.comment = random_text(rng, PIECES).replace("\r", "")
                if rng.random() < 0.2:
                    node.commands = [("draw", "offer White"), ("tm", "12")]
            games.append(game)
        # A file of text has no halves of surrogate pairs and one kind of line end.
        games = [
            game
            for game in games
            if not any("\r" in v or "\udc00" in v or "\udfff" in v for v in game.tags.values())
            and not any(
                "\r" in v or "\udc00" in v or "\udfff" in v
                for node in game.nodes()
                for _, v in node.commands
            )
        ]
        text, losses = written("boardspace", *games)
        small = [
            reduced(
                game,
                number,
                boardspace._carried(game),
                terminations=boardspace._ENDS[game.result],
                commands=boardspace._commands,
            )
            for number, game in enumerate(games, 1)
        ]
        assert losses == [str(loss) for _, lost in small for loss in lost]
        found = read("boardspace", text)
        assert [result.game for result in found] == [game for game, _ in small]
        assert all(result.warnings == () for result in found)


BROKEN = {
    "not fanorona": ("(;FF[4])", "line 1", "no property GM"),
    "version 3": (sgf(*MOVES, version=3), "line 2", "version '3'"),
    "truncated": (SGF[:800], "", ""),
    "truncated in a value": (SGF[: SGF.index("done]") + 3], "", "without an end"),
    "no end": (SGF.rstrip()[:-1], "line 1", "expected )"),
    "a parenthesis too many": (SGF.rstrip() + ")", "", ""),
    "wrong side": (sgf("P1 Capture A F 2 E 3"), "turn 1", "turn of White"),
    "turn without done": (sgf(MOVES[0], MOVES[2]), "turn 1", "turn of White"),
    "illegal capture": (sgf("P0 Capture W F 2 E 3"), "turn 1", "not possible"),
    "wrong letters": (sgf("P0 Capture X F 2 E 3"), "turn 1", "expected A or W"),
    "off the board": (sgf("P0 Capture A F 2 Z 3"), "turn 1", "point"),
    "huge row": (sgf("P0 Capture A F 2 E " + "3" * 5000), "turn 1", "point"),
    "half an operation": (sgf("P0 Capture A F 2"), "turn 1", "point"),
    "empty operation": (sgf("P0 7"), "turn 1", "nothing to do"),
    "unknown operation": (sgf("P0 Dance"), "turn 1", "not known"),
    "edit": (sgf("P0 Edit"), "turn 1", "set up by hand"),
    "rack": (sgf("P0 Pick B 1"), "turn 1", "set up by hand"),
    "drop first": (sgf("P0 Dropb E 3"), "turn 1", "without a stone"),
    "pick twice": (sgf("P0 Pickb F 2 0", "P0 Pickb E 2 0"), "turn 1", "in the air"),
    "pick the other side's": (sgf("P0 Pickb D 5 1"), "turn 1", "no stone"),
    "pick an empty point": (sgf("P0 Pickb E 3 0"), "turn 1", "no stone"),
    "pick another stone": (
        sgf("P0 Pickb F 2 0", "P0 Dropb E 3", "P0 Pickb D 2 0"),
        "turn 1",
        "moves",
    ),
    "drop elsewhere": (sgf("P0 Pickb F 2 0", "P0 Dropb A 1"), "turn 1", "not possible"),
    "done first": (sgf("P0 done"), "turn 1", "without a step"),
    "done in the air": (sgf("P0 Pickb F 2 0", "P0 done"), "turn 1", "in the air"),
    "done before remove": (sgf("P0 Pickb D 3 0", "P0 Dropb E 3", "P0 done"), "turn 1", "Remove"),
    "no remove at the end": (sgf("P0 Pickb D 3 0", "P0 Dropb E 3"), "turn 1", "no Remove"),
    "in the air at the end": (
        sgf("P0 Pickb F 2 0", "P0 Dropb E 3", "P0 Pickb E 3 0"),
        "turn 1",
        "in the air",
    ),
    "remove nothing": (sgf("P0 Remove F 3 1"), "turn 1", "nothing is to be chosen"),
    "remove another": (
        sgf("P0 Pickb D 3 0", "P0 Dropb E 3", "P0 Remove A 5 1"),
        "turn 1",
        "neither",
    ),
    "move while one is in the air": (
        sgf("P0 Pickb F 2 0", "P0 Capture A F 2 E 3"),
        "turn 1",
        "in the air",
    ),
    "accept nothing": (sgf("P0 AcceptDraw"), "turn 1", "nobody has offered"),
    "accept the own offer": (sgf("P0 OfferDraw", "P0 AcceptDraw"), "turn 1", "nobody has offered"),
    "decline nothing": (sgf("P1 DeclineDraw"), "turn 1", "nobody has offered"),
    "a move after the end": (sgf("P0 Resign", "P0 done", MOVES[0]), "turn 1", "after the end"),
    "two starts": ("(;GM[Fanorona];P0[Start P0];P0[Start P1])", "line 1", "Start P1, but P0"),
    "a start after a move": (
        "(;GM[Fanorona];P0[Pickb F 2 0];P0[Dropb E 3];P0[done];P1[Start P1])",
        "line 1",
        "Start P1, but P0",
    ),
    "start of nobody": ("(;GM[Fanorona];P0[Start P7])", "line 1", "expected P0 or P1"),
    "too deep": ("(;GM[Fanorona]" + "(;" * 3000 + ")" * 3001, "line 1", "more than 2000 branches"),
    "deep": ("(;GM[Fanorona]" + "(;P0[x]" * 50_000, "line 1", ""),
    "nested": ("(" * 3000 + ")" * 3000, "", "more than 2000 branches"),
}


class TestBrokenGames:
    @pytest.mark.parametrize("name", BROKEN)
    def test_one_clear_error(self, name):
        text, place, reason = BROKEN[name]
        found = read("boardspace", text)
        errors = [result.error for result in found if result.error is not None]
        assert len(errors) == 1
        assert place in str(errors[0])
        assert reason in str(errors[0])
        assert errors[0].line is not None

    @pytest.mark.parametrize("name", NOISE)
    def test_noise(self, name):
        assert error_of("boardspace", NOISE[name])

    @pytest.mark.parametrize("name", BROKEN)
    def test_the_next_game_is_read(self, name):
        found = read("boardspace", f"{sgf(*MOVES)}\n{BROKEN[name][0]}\n\n{sgf(*MOVES)}")
        assert turns(found[0].game) == OPENING[:2]
        assert turns(found[-1].game) == OPENING[:2]
        assert any(result.error for result in found)

    def test_strict(self):
        check_strict("boardspace", [text for text, _, _ in BROKEN.values()])

    def test_what_came_before_is_kept_apart(self):
        result = play(*MOVES, "P0 Capture A A 1 A 2")
        assert result.game is None
        assert turns(result.partial) == OPENING[:2]
        assert result.error.turn == 3
        assert result.error.line == 9

    @given(st.data())
    def test_any_part_of_a_file(self, data):
        start = data.draw(st.integers(0, len(SGF)))
        end = data.draw(st.integers(0, len(SGF)))
        read("boardspace", SGF[start:end])

    @given(st.data())
    def test_a_changed_character(self, data):
        index = data.draw(st.integers(0, len(SGF) - 1))
        read("boardspace", SGF[:index] + data.draw(st.characters()) + SGF[index + 1 :])

    @given(st.lists(st.sampled_from([
        *MOVES, "P0 Pickb F 2 0", "P0 Dropb E 3", "P0 Pickb D 3 0", "P0 Remove F 3 1", "P0 Resign",
        "P0 Pickb E 3 0", "P0 Dropb D 3", "P0 OfferDraw", "P1 AcceptDraw", "P1 DeclineDraw",
        "P0 Reset", "P1 done", "P0 Dropb F 2", "P0 WinOnTime",
    ]), max_size=12))  # fmt: skip
    def test_any_operations(self, operations):
        read("boardspace", sgf(*operations))
