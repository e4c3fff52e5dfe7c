"""All formats together: the registry, guessing, files, and one game through every format."""

import io
import itertools

import pytest
from format_checks import GAMES, LISTING, SGF, error_of, read, read_one, real_game, written
from hypothesis import given
from hypothesis import strategies as st
from random_games import tsivy_game

from fanorona_core import (
    PROFILES,
    ExportError,
    IllegalTurnError,
    NotationError,
    Position,
    RecordError,
    RuleSet,
    Score,
    Turn,
)
from fanorona_core.formats import FORMATS, format_named, guess_format, read_games, write_games
from fanorona_core.formats._common import Replay, steps_of
from fanorona_core.game import Game

SEEDS = st.integers(0, 2**32)
NAMES = ("fgn", "json", "boardspace", "abstractplay", "aiai", "aec", "rust", "plain")


class TestRegistry:
    def test_names(self):
        assert tuple(FORMATS) == NAMES
        assert all(name == item.name and item.description for name, item in FORMATS.items())
        with pytest.raises(TypeError):
            FORMATS["x"] = FORMATS["fgn"]

    def test_unknown_names(self):
        assert format_named("BoardSpace") is FORMATS["boardspace"]
        with pytest.raises(NotationError, match="expected one of fgn, json"):
            format_named("pgn")
        with pytest.raises(NotationError, match="not known"):
            list(read_games(io.StringIO(""), "pgn"))


class TestOneGameThroughAll:
    @pytest.mark.parametrize("name", NAMES)
    def test_the_listing_comes_back_unchanged(self, name):
        game = real_game()
        text, losses = written(name, game)
        assert losses == []
        result = read_one(name, text)
        assert result.warnings == ()
        assert result.game == game
        assert written("plain", result.game)[0] == LISTING

    @pytest.mark.parametrize(("first", "second"), list(itertools.permutations(NAMES, 2)))
    def test_from_each_to_each(self, first, second):
        game = next(read_games(io.StringIO(written(first, real_game())[0]), first)).unwrap()
        again = next(read_games(io.StringIO(written(second, game)[0]), second)).unwrap()
        assert again == real_game()

    def test_the_record_of_the_site_and_the_listing_are_one_game(self):
        assert read_one("boardspace", SGF).game.turns == real_game().turns

    @given(SEEDS)
    def test_turns_come_through_every_format(self, seed):
        game = tsivy_game(seed, variations=False, notes=False, tags=False)
        game.result, game.termination = "1-0", None
        if not len(game):
            return
        for name in NAMES:
            assert read_one(name, written(name, game)[0]).game.turns == game.turns

    @given(SEEDS)
    def test_what_no_format_loses_is_said_by_none(self, seed):
        game = tsivy_game(seed)
        for name in ("fgn", "json"):
            assert written(name, game)[1] == []

    @pytest.mark.parametrize("name", [name for name in NAMES if name not in ("fgn", "json")])
    def test_losses_are_exact(self, name):
        game = real_game()
        game.root.comment = "x"
        first = game.root.next
        first.comment, first.comment_before, first.nags = "a", "b", [1, 5]
        game.root.add_variation("d2-e3A").comment = "c"
        game.tags["Opening"] = "havanana"
        losses = set(written(name, game)[1])
        assert {
            "game 1: tag Opening",
            "game 1: variations",
            "game 1: 2 glyphs",
            "game 1: comments before turns",
        } <= losses
        comments = "comments" if name == "boardspace" else "3 comments"
        assert f"game 1: {comments}" in losses
        assert len(losses) == 5

    @pytest.mark.parametrize("rules", ["dimy", "telo", "board=7x5", "dimy,quiet=9"])
    def test_another_board_is_lost_where_rules_have_no_place(self, rules):
        game = Game(RuleSet.parse(rules))
        assert written("plain", game)[1] == [f"game 1: rules {game.rules}"]
        assert written("fgn", game)[1] == written("json", game)[1] == []

    def test_rules_are_lost_where_they_have_no_place(self):
        game = Game(PROFILES["youzai"])
        game.root.add_line(["f2-e3A", "d5-d4A"])
        game.result = "1-0"
        for name in NAMES:
            losses = written(name, game)[1]
            assert ("game 1: rules youzai" in losses) == (name not in ("fgn", "json"))


class TestGuessing:
    @pytest.mark.parametrize("name", NAMES)
    def test_texts_are_told(self, name):
        assert guess_format(written(name, real_game())[0][:4096]) == name

    def test_names_of_files(self):
        assert guess_format("", "x/y.FGN") == "fgn"
        assert guess_format("", "a.sgf") == "boardspace"
        assert guess_format("", "a.txt") == "plain"
        assert guess_format("", "a.jsonl") == "json"
        assert guess_format("", "a.json") is None
        assert guess_format("", "a.pgn") is None
        assert guess_format("") is None

    @pytest.mark.parametrize("colon", [":", ": ", " : ", ":\t", ":\n  "])
    def test_json_may_be_spaced_as_one_likes(self, colon):
        assert guess_format(f'{{"format"{colon}"fanorona-game"', "a.json") == "json"

    def test_what_a_text_says_goes_before_the_name(self):
        assert guess_format(SGF, "a.txt") == "boardspace"
        assert guess_format(written("abstractplay", real_game())[0], "a.json") == "abstractplay"

    def test_rows_of_a_board_say_nothing(self):
        for text in (
            "WWWWWWWWW/WWWWWWWWW/BWBW1BWBW/BBBBBBBBB/BBBBBBBBB W - - - 0\nF2710 I5921",
            "WWWWWWWWW/WWWWWWWWW/BWBW1BWBW/BBBBBBBBB/BBBBBBBBB W - -\nF2NWF X",
            "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w",
        ):
            assert guess_format(text) is None


class TestFiles:
    def test_a_file_by_its_path(self):
        for path in (GAMES / "boardspace-robot-2008.sgf", GAMES / "boardspace-robot-2008.txt"):
            for source in (path, str(path)):
                assert next(read_games(source)).game.turns == real_game().turns

    @pytest.mark.parametrize("name", NAMES)
    def test_streams_whose_format_is_guessed(self, name):
        text = written(name, real_game())[0]
        for source in (
            io.StringIO(text),
            io.BytesIO(text.encode()),
            io.BytesIO(text.encode("utf-8-sig")),
        ):
            assert next(read_games(source)).game == real_game()

    def test_guessing_reads_the_whole_file_all_the_same(self):
        text = written("fgn", *[real_game()] * 20)[0]
        assert len(text) > 2 * 4096
        assert [result.game for result in read_games(io.StringIO(text))] == [real_game()] * 20

    @pytest.mark.parametrize("text", ["", "\ufeff", " \n\t\n"])
    def test_nothing_holds_no_game_whatever_its_format(self, text, tmp_path):
        path = tmp_path / "games.dat"
        path.write_text(text, encoding="utf-8")
        assert list(read_games(path)) == list(read_games(io.StringIO(text))) == []

    def test_formats_that_cannot_be_told(self, tmp_path):
        path = tmp_path / "games.dat"
        path.write_text("nothing", encoding="utf-8")
        with pytest.raises(NotationError, match=r"cannot be told: name one of fgn"):
            list(read_games(path))
        with pytest.raises(NotationError, match=r"the format of .*cannot be told"):
            write_games([], path)

    @pytest.mark.parametrize("name", NAMES)
    def test_what_stands_between_two_games(self, name):
        between, text = FORMATS[name].between, written(name, real_game())[0]
        if between is None:
            with pytest.raises(ExportError, match="holds one game"):
                written(name, real_game(), real_game())
        else:
            assert written(name, real_game(), real_game())[0] == text + between + text

    def test_rules_are_for_formats_without_any(self):
        rules = PROFILES["tsivy-compulsory"]
        result = next(read_games(io.StringIO("f2e3"), "plain", rules=rules))
        assert result.game.rules == rules
        text = written("fgn", real_game())[0]
        assert next(read_games(io.StringIO(text), rules=rules)).game == real_game()

    def test_strict(self):
        with pytest.raises(RecordError):
            list(read_games(io.StringIO("1. a1-a2 *"), "fgn", strict=True))

    @pytest.mark.parametrize("name", NAMES)
    def test_written_files_are_read(self, name, tmp_path):
        path = tmp_path / "game.out"
        assert write_games([real_game()], path, name) == []
        assert next(read_games(path, name)).game == real_game()
        assert b"\r" not in path.read_bytes()

    def test_a_file_stays_as_it_was_if_writing_fails(self, tmp_path):
        path = tmp_path / "game.sgf"
        path.write_text("precious", encoding="utf-8")
        with pytest.raises(ExportError):
            write_games([real_game(), Game(PROFILES["telo"])], path)
        assert path.read_text(encoding="utf-8") == "precious"
        assert list(tmp_path.iterdir()) == [path]


class TestComments:
    """Lines that begin with # in the formats whose games are paragraphs."""

    @pytest.mark.parametrize("name", ["aiai", "aec", "rust"])
    def test_they_are_no_games(self, name):
        text = written(name, real_game())[0]
        lines = text.split("\n")
        inside = "\n".join(["# first", lines[0], "# second", *lines[1:]])
        found = read(name, f"# a file\n\n{inside}\n#last\n\n # nothing\n\n\n# more\n{text}\n# end")
        assert [result.game for result in found] == [real_game()] * 2
        assert [result.line for result in found] == [4, 50]
        assert read(name, "# nothing\n\n# at all\n") == []

    @pytest.mark.parametrize("name", ["aec", "rust"])
    def test_boards_after_them(self, name):
        game = Game(Position.parse("8b/9/9/9/w8 w"))
        game.root.add_variation("a1-a2")
        board, turn = written(name, game)[0].splitlines()
        assert read_one(name, f"# a board\n{board}\n# a turn\n{turn}\n# end").game == game

    def test_lines_are_counted(self):
        assert error_of("aiai", "# one\n# two\nf2-e3x\n# three\na1-a2\n").line == 5


class TestReplay:
    """The one way in which steps become turns."""

    def test_implied_kinds(self):
        replay = Replay(Game())
        point = replay.point
        with pytest.raises(NotationError, match="d3-e3A or d3-e3W"):
            replay.step(point("d3"), point("e3"))
        replay.step(point("d3"), point("E3"), "W")
        assert str(replay.end_turn().turn) == "d3-e3W"
        with pytest.raises(NotationError, match="j9"):
            point("j9")

    def test_taking_back(self):
        replay = Replay(Game())
        with pytest.raises(IllegalTurnError, match="take back"):
            replay.take_back()
        replay.step(replay.point("f2"), replay.point("e3"))
        assert replay.finished
        replay.take_back()
        assert not replay.begun
        with pytest.raises(IllegalTurnError, match="without a step"):
            replay.end_turn()

    def test_nothing_goes_on_after_a_turn_that_is_over(self):
        replay = Replay(Game())
        replay.step(replay.point("f2"), replay.point("e3"))
        with pytest.raises(IllegalTurnError, match="is over after f2-e3A"):
            replay.step(replay.point("e3"), replay.point("e4"))

    def test_chains_that_must_go_on(self):
        game = Game(PROFILES["tsivy-compulsory"])
        replay = Replay(game)
        replay.step(replay.point("f2"), replay.point("e3"))
        replay.end_turn()
        replay.step(replay.point("d5"), replay.point("d4"))
        with pytest.raises(IllegalTurnError, match="must go on while it can: d4-c5W"):
            replay.end_turn()

    def test_no_step_in_a_game_that_is_over(self):
        replay = Replay(Game(Position.parse("9/4w4/9/9/9 w")))
        with pytest.raises(IllegalTurnError, match="over"):
            replay.step(replay.point("e4"), replay.point("e3"))

    def test_a_chain_in_progress_at_the_start(self):
        middle = Position.start().play(Turn.from_text("f2-e3A"))
        step = next(step for step in middle.steps() if str(step) == "d5-d4A")
        game = Game(middle.play_step(step))
        replay = Replay(game)
        assert replay.begun
        replay.step(replay.point("d4"), replay.point("c5"))
        assert str(replay.end_turn().turn) == "d5-d4A-c5W"

    def test_forks_do_not_touch_each_other(self):
        replay = Replay(Game())
        other = replay.fork()
        replay.step(replay.point("f2"), replay.point("e3"))
        assert not other.begun
        replay.end_turn()
        assert other.node is other.game.root

    @given(SEEDS)
    def test_turns_taken_apart_and_put_together(self, seed):
        game = tsivy_game(seed, variations=False, notes=False, tags=False)
        replay = Replay(Game())
        for node in game.mainline():
            steps, is_open = steps_of(node.parent.position, node.turn)
            for step in steps:
                replay.play(step)
            assert is_open == (not replay.finished)
            assert replay.end_turn().turn == node.turn

    def test_steps_of_a_turn_that_is_not_legal(self):
        with pytest.raises(IllegalTurnError):
            steps_of(Position.start(), Turn.from_text("a1-a2"))


def test_games_without_tags_are_fgn_in_a_file_named_so():
    text = "1. f2-e3A *\n\n1. d3-e3W *\n"
    assert guess_format(text, "games.fgn") == "fgn"
    assert guess_format(text, "games.txt") == "plain"


@pytest.mark.parametrize("format", ["fgn", "json"])
@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("nags", [300], ExportError),
        ("nags", [1.5], ExportError),
        ("nags", [False], ExportError),
        ("eval", Score(5), TypeError),
        ("eval", 0.05, TypeError),
        ("clock", 5, TypeError),
        ("elapsed", 5, TypeError),
    ],
)
def test_notes_that_could_not_be_read_again_are_not_written(format, name, value, error):
    game = Game()
    setattr(game.root.add_variation("f2-e3A"), name, value)
    with pytest.raises(error, match=r"glyph|eval|time"):
        write_games([game], io.StringIO(), format)
