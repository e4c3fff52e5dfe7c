"""FGN: what is read, what is written, and that they fit each other."""

import io
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_games import any_game, tsivy_game

from fanorona_core import (
    PROFILES,
    ExportError,
    Position,
    Reason,
    RecordError,
    RuleSet,
    UnsupportedVariantError,
    fgn,
)
from fanorona_core.annotation import Evaluation
from fanorona_core.game import Game

SEEDS = st.integers(0, 2**32)
ONE = "1. f2-e3A d5-d4A *"


def results(text):
    return list(fgn.read(text))


def one(text):
    found = results(text)
    assert len(found) == 1
    return found[0]


def turns(game):
    return [str(turn) for turn in game.turns]


class TestRoundTrip:
    @given(SEEDS)
    def test_what_was_written_is_read_back(self, seed):
        game = any_game(seed)
        result = one(fgn.format_game(game))
        assert result.unwrap() == game
        assert [w for w in result.warnings if "the result is" not in w] == []

    @given(st.lists(SEEDS, max_size=5))
    def test_many_games(self, seeds):
        games = [any_game(seed) for seed in seeds]
        stream = io.StringIO()
        assert fgn.write(games, stream) == []
        assert [result.game for result in results(stream.getvalue())] == games

    def test_what_has_no_place_at_the_root_is_said(self):
        games = [Game(), Game()]
        games[1].root.nags, games[1].root.comment_before = [1, 13], "before"
        losses = fgn.write(games, io.StringIO())
        assert [str(loss) for loss in losses] == [
            "game 2: 2 glyphs",
            "game 2: comments before turns",
        ]

    @given(SEEDS)
    def test_files_keep_it_in_every_encoding(self, seed):
        game = tsivy_game(seed)
        text = fgn.format_game(game)
        for data in (
            text.encode(),
            text.encode("utf-8-sig"),
            text.encode("utf-16"),
            text.replace("\n", "\r\n").encode(),
            text.replace("\n", "\r").encode(),
        ):
            assert one(data).unwrap() == game
            assert one(io.BytesIO(data)).unwrap() == game

    @given(SEEDS)
    def test_lines_are_not_wider_than_80_columns(self, seed):
        game = tsivy_game(seed, notes=False, tags=False)
        lines = fgn.format_game(game).splitlines()
        assert all(len(line) <= 80 for line in lines)
        turns_start = lines.index("") + 1
        assert not any(line.startswith(("%", "[")) for line in lines[turns_start:])

    def test_commands_keep_to_80_columns_wherever_a_line_ends(self):
        """A command may not begin a line, so that the word before it goes along."""
        for length in range(80):
            game = Game()
            game.root.comment = "before " + "x" * length
            node = game.root.add_variation("f2-e3A")
            node.commands = [("nodes", str(number)) for number in (7, 1000)]
            node.elapsed = timedelta(seconds=2.5)
            text = fgn.format_game(game)
            assert all(len(line) <= 80 for line in text.splitlines()), length
            assert fgn.parse_game(text) == game

    @given(SEEDS)
    def test_writing_is_stable(self, seed):
        text = fgn.format_game(any_game(seed))
        assert fgn.format_game(fgn.parse_game(text)) == text

    def test_no_line_of_a_comment_looks_like_a_tag_or_an_escape(self):
        game = Game()
        game.root.comment = " ".join(["word"] * 12 + ["[Event", '"x"]'] * 20 + ["%no"] * 40)
        lines = fgn.format_game(game).splitlines()
        assert not any(line.startswith(("[", "%")) for line in lines[lines.index("") + 1 :])
        assert fgn.parse_game(fgn.format_game(game)) == game


class TestWriting:
    def test_tags_in_their_order(self):
        game = Game(
            Position.parse("8b/9/9/9/w8 b - 3 12", RuleSet.parse("youzai")),
            tags={"Annotator": 'A "B"\\C', "White": "Ravao"},
            result="1/2-1/2",
            termination="agreement",
        )
        assert fgn.format_game(game).splitlines() == [
            '[Event "?"]',
            '[Site "?"]',
            '[Date "????.??.??"]',
            '[Round "?"]',
            '[White "Ravao"]',
            '[Black "?"]',
            '[Result "1/2-1/2"]',
            '[Variant "Fanoron-Tsivy"]',
            '[Rules "youzai"]',
            '[SetUp "1"]',
            '[FEN "8b/9/9/9/w8 b - 3 12"]',
            '[PlyCount "0"]',
            '[Termination "agreement"]',
            '[Annotator "A \\"B\\"\\\\C"]',
            "",
            "1/2-1/2",
        ]

    def test_numbers_marks_and_variations(self):
        game = Game()
        first = game.root.add_variation("f2-e3A")
        first.nags = [1, 14]
        other = game.root.add_variation("d2-e3A")
        other.comment_before = "or"
        second = first.add_variation("d5-d4A")
        second.nags = [200, 2]
        first.add_variation("f3-f2A").comment = "bad"
        second.add_variation("g3-f2W")
        assert fgn.format_game(game).splitlines()[-2:] == [
            "1. f2-e3A! $14 ( 1. {or} d2-e3A ) 1... d5-d4A $200 $2 ( 1... f3-f2A {bad} ) 2.",
            "g3-f2W *",
        ]

    def test_commands_stand_before_the_text(self):
        game = Game()
        node = game.root.add_variation("f2-e3A")
        node.comment = "text"
        node.clock, node.elapsed = timedelta(minutes=5), timedelta(seconds=1.5)
        node.eval = Evaluation(centipawns=43, depth_plies=12)
        node.commands = [("cal", "Ge3")]
        assert (
            "{[%eval 0.43,12] [%clk 0:05:00] [%emt 0:00:01.5] [%cal Ge3] text}"
            in fgn.format_game(game).replace("\n", " ")
        )

    def test_what_no_record_can_hold(self):
        game = Game()
        node = game.root.add_variation("f2-e3A")
        node.nags = [256]
        with pytest.raises(ExportError, match="glyph 256"):
            fgn.format_game(game)
        node.nags, node.commands = [], [("a b", "")]
        with pytest.raises(ExportError, match="command 'a b'"):
            fgn.format_game(game)

    def test_other_boards_have_their_size_as_the_variant(self):
        game = Game(RuleSet.parse("board=7x5"))
        assert '[Variant "Fanorona 7x5"]' in fgn.format_game(game)
        assert fgn.parse_game(fgn.format_game(game)) == game


class TestReading:
    def test_a_list_of_turns(self):
        assert turns(one("f2e3A D5-D4a g3f2").game) == ["f2-e3A", "d5-d4A", "g3-f2W"]

    def test_numbers_in_all_their_spellings(self):
        text = "1.f2-e3A 1...d5-d4A 2 . g3-f2W *".replace("2 .", "2.")
        assert turns(one(text).game) == ["f2-e3A", "d5-d4A", "g3-f2W"]
        assert turns(one("1. f2-e3A ... d5-d4A 2… g3-f2W *").game) == turns(one(text).game)

    @pytest.mark.parametrize(
        ("word", "result"),
        [
            ("1-0", "1-0"),
            ("0-1", "0-1"),
            ("½-½", "1/2-1/2"),
            ("1/2-1/2", "1/2-1/2"),
            ("1–0", "1-0"),
            ("*", "*"),
        ],
    )
    def test_results(self, word, result):
        assert one(f"1. f2-e3A {word}").game.result == result
        assert one(f'[Result "{word.replace("–", "-")}"]\n\n1. f2-e3A').game.result == result

    def test_comments_and_where_they_belong(self):
        game = one(
            "; before all\n{at the root} 1. {before} f2-e3A {after} {and more} ; to the end\n"
            "( {opening} 1. d2-e3A ) {later} 1... d5-d4A * {last}"
        ).game
        first, second = game.mainline()
        assert game.root.comment == "before all at the root"
        assert first.comment_before == "before"
        assert first.comment == "after and more to the end later"
        assert game.root.variations[1].comment_before == "opening"
        assert second.comment == "last"

    def test_line_breaks_in_comments_are_blanks(self):
        assert one("1. f2-e3A { one\n two\t\tthree } *").game.root.next.comment == "one two three"

    def test_escaped_lines(self):
        assert turns(one("% not this\n1. f2-e3A\n%nor this 1-0\nd5-d4A *").game) == [
            "f2-e3A",
            "d5-d4A",
        ]

    def test_marks_and_glyphs(self):
        node = one("1. f2-e3A!? $14 ?! *").game.root.next
        assert node.nags == [5, 14, 6]

    def test_clocks_and_evaluations(self):
        node = one("1. f2-e3A {[%clk 0:04:59.5][%eval -0.4] x [%emt 0:00:01] [%csl Re3]} *")
        node = node.game.root.next
        assert node.clock == timedelta(minutes=4, seconds=59.5)
        assert node.elapsed == timedelta(seconds=1)
        assert node.eval == Evaluation(centipawns=-40)
        assert node.commands == [("csl", "Re3")]
        assert node.comment == "x"

    def test_commands_that_mean_nothing_are_kept(self):
        node = one("1. f2-e3A {[%clk soon] [%eval high] [%clk 0:01:00] [%clk 0:02:00]} *")
        node = node.game.root.next
        assert node.clock == timedelta(minutes=1)
        assert node.commands == [("clk", "soon"), ("eval", "high"), ("clk", "0:02:00")]

    def test_nested_variations(self):
        game = one("1. f2-e3A (1. d2-e3A (1. e2-e3A) (1. d3-e3W)) (1. d3-e3A) 1... d5-d4A *").game
        assert [str(node.turn) for node in game.root.variations] == [
            "f2-e3A",
            "d2-e3A",
            "e2-e3A",
            "d3-e3W",
            "d3-e3A",
        ]
        assert turns(game) == ["f2-e3A", "d5-d4A"]

    def test_rules_and_variant(self):
        assert one('[Variant "Fanoron-Dimy"]\n\n*').game.rules == PROFILES["dimy"]
        assert one('[Variant "fanorona 5x5"]\n\n*').game.rules == PROFILES["dimy"]
        assert one('[Rules "youzai"]\n\n*').game.rules == PROFILES["youzai"]
        assert one('[Rules "board=3x5"]\n\n*').game.rules == RuleSet.parse("board=3x5")

    def test_tags_that_are_not_escaped_well_and_stand_in_one_line(self):
        result = one('[White "A "B" C"] [Black "D"] [Site "x "y""]\n\n1. f2-e3A *')
        assert dict(result.game.tags.known()) == {"White": 'A "B" C', "Black": "D", "Site": 'x "y"'}

    @pytest.mark.parametrize("number", [2_000_003, 999_999_997, 999_999_999])
    def test_large_turn_numbers(self, number):
        game = Game(Position.parse(f"8b/9/9/9/w8 w - 0 {number}"))
        game.root.add_variation("a1-a2")
        result = one(fgn.format_game(game))
        assert (result.game, result.warnings) == (game, ())

    def test_tags_that_are_not_escaped_well(self):
        assert one('[Event "a "b" c"]\n\n*').game.tags["Event"] == 'a "b" c'

    def test_several_tags_in_a_line(self):
        game = one('[White "A"] [Black "B"]\n*').game
        assert (game.tags["White"], game.tags["Black"]) == ("A", "B")

    def test_bytes_that_are_no_utf_8(self):
        assert one('[White "André"]\n\n*'.encode("latin-1")).game.tags["White"] == "André"

    def test_paths_and_streams(self, tmp_path):
        path = tmp_path / "games.fgn"
        path.write_text(ONE, encoding="utf-8")
        assert turns(next(fgn.read(path)).game) == ["f2-e3A", "d5-d4A"]
        with path.open("rb") as stream:
            assert one(stream).game
            assert not stream.closed
        with path.open(encoding="utf-8", newline="") as stream:
            assert one(stream).game
        with pytest.raises(OSError, match="no such"):
            next(fgn.read(tmp_path / "no such"))

    def test_termination(self):
        game = one('[Termination "resignation"]\n\n1. f2-e3A 1-0').game
        assert game.termination is Reason.RESIGNATION

    def test_parse_game_wants_one_game(self):
        assert turns(fgn.parse_game(ONE)) == ["f2-e3A", "d5-d4A"]
        with pytest.raises(RecordError, match="no game"):
            fgn.parse_game("")
        with pytest.raises(RecordError, match="more than one"):
            fgn.parse_game(f"{ONE} {ONE}")


class TestTheOtherProgram:
    """FGN as another program writes it: no SetUp, other position text, ½-½, bare evaluations."""

    GAME = """\
[Event "Partie contre l'ordinateur"]
[Date "2026.09.30"]
[White "Vous"]
[Black "Fanorona-Engine"]
[Result "½-½"]
[Variant "Fanoron-Tsivy"]
[FEN "8b/9/9/9/W8 b 7 12"]
[TimeControl "300+3"]
[EngineLevel "6"]
[Termination "Nulle par accord"]

12... i5-i4 13. a1b2?? { -3.2 } (13. a1-a2) i4-i3 ½-½
"""

    def test_its_games_are_read(self):
        result = one(self.GAME)
        assert result.warnings == ()
        game = result.game
        assert game.initial.text() == "8b/9/9/9/w8 b - 7 24 tsivy"
        assert (game.result, game.termination) == ("1/2-1/2", "Nulle par accord")
        assert turns(game) == ["i5-i4", "a1-b2", "i4-i3"]
        assert game.tags["EngineLevel"] == "6"
        second = list(game.mainline())[1]
        assert (second.nags, second.comment) == ([4], "-3.2")

    def test_its_games_of_other_rules_are_refused(self):
        for text, what in (
            ('[Variant "Fanoron-Tsivy"]\n[Vela "Noirs"]\n\n1... f4-e3A *', "vela"),
            ('[Variant "Vela"]\n\n*', "vela"),
            ('[Rules "vela"]\n\n*', "vela"),
            ('[Variant "Fanoron-Telo"]\n\n1. b2 a1 2. a3 *', "three-in-a-row"),
            ('[Variant "Fanoron-Telo (alignment)"]\n\n*', "three-in-a-row"),
            ('[Variant "Chess"]\n\n*', "not known"),
        ):
            result = one(text)
            assert isinstance(result.error, UnsupportedVariantError)
            assert what in str(result.error)
            assert result.game is None


class TestWarnings:
    @pytest.mark.parametrize(
        ("text", "warning"),
        [
            ("1. f2-e3A", "no result at its end"),
            ("7. f2-e3A *", "line 1: turn number 7, expected 1"),
            ('[Result "1-0"]\n\n1. f2-e3A 0-1', "line 1: the tag Result is 1-0"),
            ('[Result "won"]\n\n1. f2-e3A *', "means nothing"),
            ('[PlyCount "7"]\n\n1. f2-e3A *', "PlyCount is '7', turns are 1"),
            ('[FEN "9/9/9/bb7/wb7 w"]\n\n1-0', "the last turn ends it 0-1"),
            ('[White "A"]\n[White "B"]\n\n*', "twice"),
            ('[SetUp "0"]\n[FEN "8b/9/9/9/w8 w"]\n\n*', "line 1: SetUp is '0', but the FEN counts"),
        ],
    )
    def test_faults_that_leave_no_doubt(self, text, warning):
        result = one(text)
        assert result.error is None
        assert warning in "; ".join(result.warnings)

    def test_results_inside_variations_do_not_shift_the_next_games(self):
        found = results("1. f2-e3A ( 1. d2-e3A 1-0 ) * 1. d3-e3W 0-1")
        assert [result.number for result in found] == [1, 2]
        assert str(found[0].error) == "line 1, game 1, turn 2: a result inside a variation"
        assert turns(found[1].game) == ["d3-e3W"]

    def test_a_wrong_number_is_said_once(self):
        assert len(one("5. f2-e3A d5-d4A 6. g3-f2W *").warnings) == 1


BROKEN = {
    "illegal turn": ("1. f2-e3A d3-d4 *", "turn 2", "belongs to White"),
    "not compulsory capture": ("1. e1-d1 *", "turn 1", "d1 is occupied"),
    "ambiguous turn": ("1. d3e3 *", "turn 1", "say which"),
    "no turn": ("1. hello *", "turn 1", "cannot read"),
    "wrong letters": ("1. f2-e3Q *", "turn 1", "cannot read"),
    "off the board": ("1. z9-e3A *", "turn 1", ""),
    "huge row": ("1. a" + "9" * 5000 + "-e3A *", "turn 1", ""),
    "huge number": ("1" * 500 + ". f2-e3A *", "", "too large"),
    "huge glyph": ("1. f2-e3A $" + "9" * 500 + " *", "", "glyph"),
    "glyph without a number": ("1. f2-e3A $ *", "", "glyph"),
    "glyph without a turn": ("$3 1. f2-e3A *", "", "without a turn"),
    "unknown mark": ("1. f2-e3A!!! *", "", "mark"),
    "open comment": ("1. f2-e3A {what *", "line 1", "without an end"),
    "closed comment": ("1. f2-e3A what} *", "", ""),
    "open variation": ("1. f2-e3A (1. d2-e3A *", "line 1", "without an end"),
    "closed variation": ("1. f2-e3A ) *", "", "without a variation"),
    "empty variation": ("1. f2-e3A ( ) *", "", "without a turn"),
    "variation first": ("(1. f2-e3A) *", "", "without a turn"),
    "variation twice": ("1. f2-e3A (( 1. d2-e3A )) *", "", "without a turn"),
    "result inside a variation": (
        "1. f2-e3A ( 1. d2-e3A 1-0 ) d5-d4A *",
        "turn 2",
        "a result inside a variation",
    ),
    "result inside a variation of a broken game": (
        "1. f2-f3 ( 1. d2-e3A ( 1. d3-e3W * {x} ) 0-1 ) *",
        "turn 1",
        "f3 is occupied",
    ),
    "text after the result": ('[White "A"]\n\n1. f2-e3A 1-0 d5-d4A', "", "after the result"),
    "half a tag": ('[White "A\n\n1. f2-e3A *', "line 1", "not a tag"),
    "tag without a value": ("[White]\n\n1. f2-e3A *", "line 1", "not a tag"),
    "tag with a bad name": ('[Whi(te "A"]\n\n1. f2-e3A *', "line 1", ""),
    "bad position": ('[FEN "9/9 w"]\n\n*', "line 1", "rows"),
    "huge position": ('[FEN "' + "9" * 5000 + ' w"]\n\n*', "line 1", ""),
    "position with an odd digit": ('[FEN "²/9/9/9/9 w"]\n\n*', "line 1", ""),
    "position without stones": ('[FEN "9/9/9/9/9 w"]\n\n*', "line 1", "no stones"),
    "bad rules": ('[Rules "chess"]\n\n*', "line 1", "chess"),
    "setup without position": ('[SetUp "1"]\n\n*', "line 1", "SetUp without FEN"),
    "variant of another board": ('[Variant "Fanoron-Dimy"]\n[FEN "8b/9/9/9/w8 w"]\n\n*', "", "5"),
    "variant and rules": ('[Variant "Fanoron-Dimy"]\n[Rules "tsivy"]\n\n*', "line 1", "9x5"),
    "two rules": ('[Rules "tsivy"]\n[FEN "8b/9/9/9/w8 w - 0 1 youzai"]\n\n*', "line 2", "Rules"),
    "impossible board": ('[Variant "Fanorona 99x99"]\n\n*', "line 1", "points"),
    "nothing but noise": ("\x00\x01\x02\xff\xfe\x80", "line 1", ""),
    "binary": (bytes(range(256)) * 20, "line 1", ""),
    "a long line": ("x" * (1 << 20), "line 1", ""),
    "a long line of turns": ("f2-e3A " * 200_000, "turn 2", ""),
    "deep variations": ("1. f2-e3A " + "( 1. d2-e3A " * 20_000, "line 1", "without an end"),
    "many parentheses": ("(" * 100_000, "line 1", "without a turn"),
    "the game goes on after its end": (
        '[FEN "9/4w4/9/9/9 w"]\n\n1. e4-e3 *',
        "turn 1",
        "over",
    ),
}


class TestBrokenGames:
    @pytest.mark.parametrize("name", BROKEN)
    def test_one_clear_error(self, name):
        text, place, reason = BROKEN[name]
        found = results(text)
        errors = [result.error for result in found if result.error is not None]
        assert len(errors) == 1
        assert found[0].error is errors[0]
        assert found[0].game is None
        message = str(errors[0])
        assert place in message
        assert reason in message
        assert "\n" not in message
        assert len(message) < 400
        assert errors[0].game == 1

    @pytest.mark.parametrize("name", BROKEN)
    def test_the_next_game_is_read(self, name):
        text = BROKEN[name][0]
        if isinstance(text, bytes):
            text = text.decode("latin-1")
        head = '[Event "before"]\n\n1. f2-e3A *\n\n[Event "broken"]\n'
        tail = '\n\n[Event "after"]\n[White "X"]\n\n1. d3-e3W *\n'
        found = results(head + text + tail)
        assert found[0].game.tags["Event"] == "before"
        assert found[-1].game.tags["Event"] == "after"
        assert turns(found[-1].game) == ["d3-e3W"]
        assert [result.number for result in found] == [1, 2, 3]
        assert found[1].error is not None
        assert found[1].error.game == 2

    @pytest.mark.parametrize("name", BROKEN)
    def test_strict_raises(self, name):
        with pytest.raises(RecordError):
            list(fgn.read(BROKEN[name][0], strict=True))

    def test_what_came_before_the_fault_is_there_but_is_no_game(self):
        result = one("1. f2-e3A d5-d4A 2. a1-a2 g3-f2W *")
        assert result.game is None
        assert turns(result.partial) == ["f2-e3A", "d5-d4A"]
        assert result.error.turn == 3
        with pytest.raises(RecordError):
            result.unwrap()

    @given(SEEDS, st.data())
    def test_any_part_of_a_file_gives_games_or_errors(self, seed, data):
        text = fgn.format_game(any_game(seed))
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(0, len(text)))
        for result in results(text[start:end]):
            assert (result.game is None) != (result.error is None)
            assert str(result.error)

    @given(SEEDS, st.data())
    def test_a_changed_character_gives_games_or_errors(self, seed, data):
        text = fgn.format_game(any_game(seed))
        index = data.draw(st.integers(0, len(text) - 1))
        changed = text[:index] + data.draw(st.characters()) + text[index + 1 :]
        for result in results(changed):
            assert (result.game is None) != (result.error is None)

    @given(st.text())
    def test_any_text_gives_games_or_errors(self, text):
        for result in results(text):
            assert (result.game is None) != (result.error is None)

    @given(st.binary())
    def test_any_bytes_give_games_or_errors(self, data):
        for result in results(data):
            assert (result.game is None) != (result.error is None)

    def test_lines_and_games_are_counted(self):
        text = f'[Event "1"]\n\n{ONE}\n\n[Event "2"]\n\n1. f2-e3A\nx *\n\n[Event "3"]\n\n{ONE}\n'
        found = results(text)
        assert [(result.number, result.line) for result in found] == [(1, 1), (2, 5), (3, 10)]
        assert (found[1].error.line, found[1].error.game, found[1].error.turn) == (8, 2, 2)


class Endless(io.TextIOBase):
    """A file of many games that is nowhere in memory."""

    def __init__(self, games):
        self.left = games
        self.read_lines = 0
        self.lines = []

    def readable(self):
        return True

    def read(self, size=-1):
        assert size == 0
        return ""

    def readline(self, size=-1):
        if not self.lines:
            if not self.left:
                return ""
            self.left -= 1
            self.lines = ['[Event "x"]\n', "\n", "1. f2-e3A d5-d4A 2. g3-f2W *\n", "\n"]
        self.read_lines += 1
        return self.lines.pop(0)


class TestStreaming:
    def test_a_game_is_there_before_the_next_one_is_read(self):
        stream = Endless(1000)
        games = fgn.read(stream)
        next(games)
        assert stream.read_lines < 10

    def test_memory_does_not_grow_with_the_file(self):
        import tracemalloc

        def peak(games):
            tracemalloc.start()
            count = sum(1 for result in fgn.read(Endless(games)) if result.game)
            size = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            assert count == games
            return size

        peak(10)
        # Trees wait for the garbage collector; a leak would make it ten times as much.
        assert peak(1000) < 4 * peak(100)

    @pytest.mark.parametrize("shift", range(-12, 4, 3))
    def test_tags_and_words_over_the_parts_of_a_long_line(self, shift):
        """Whatever stands where a long line is cut for reading is read as if it were not."""
        from fanorona_core.records import MAX_LINE

        long = "x" * (MAX_LINE + shift - 10)
        for filler in (long, "x " * (len(long) // 2)):
            result = one(f'[Event "{filler}"] [White "a b c"] 1. f2-e3A$1 d5-d4A *')
            assert result.game.tags["White"] == "a b c"
            assert result.game.tags["Event"] == filler
            assert turns(result.game) == ["f2-e3A", "d5-d4A"]
            assert result.warnings == ()

    @pytest.mark.parametrize("shift", range(-12, 4, 3))
    def test_a_long_line_without_blanks(self, shift):
        from fanorona_core.records import MAX_LINE

        filler = "x" * (MAX_LINE + shift - 20)
        result = one(f"1.f2-e3A{{{filler}}}$12(1.d2-e3A)1...d5-d4A?{{x}}2.g3-f2W{{y}}*")
        assert turns(result.game) == ["f2-e3A", "d5-d4A", "g3-f2W"]
        assert result.game.root.next.nags == [12]

    def test_an_open_comment_does_not_swallow_the_file(self):
        text = f'[Event "1"]\n\n1. f2-e3A {{open\n\n[Event "2"]\n\n{ONE}\n'
        found = results(text)
        assert "without an end" in str(found[0].error)
        assert found[0].error.line == 3
        assert turns(found[1].game) == ["f2-e3A", "d5-d4A"]

    def test_many_games_are_read(self):
        assert sum(1 for _ in fgn.read(Endless(2000))) == 2000
