"""Game records as trees: growing, cutting and moving variations, equality, copies, boards."""

import copy
import itertools
import pickle
from datetime import timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from random_games import any_game, grow

from fanorona_core import (
    PROFILES,
    Board,
    IllegalTurnError,
    NotationError,
    Position,
    Reason,
    Side,
    Turn,
)
from fanorona_core.annotation import Evaluation, format_duration, parse_duration
from fanorona_core.game import Game
from fanorona_core.node import Notes
from fanorona_core.score import Score
from fanorona_core.tags import ROSTER, Tags

SEEDS = st.integers(0, 2**32)


@pytest.fixture
def game():
    game = Game(tags={"White": "Ravao"})
    game.root.add_line(["f2-e3A", "d5-d4A", "g3-f2W"])
    return game


class TestTree:
    def test_turns_are_those_of_the_main_line(self, game):
        game.root.add_variation("d2-e3A")
        assert [str(turn) for turn in game.turns] == ["f2-e3A", "d5-d4A", "g3-f2W"]
        assert len(game) == 3

    def test_an_empty_game_is_true(self):
        assert Game()
        assert len(Game()) == 0
        assert Game().end() is not None

    def test_positions_follow_the_turns(self, game):
        position = game.initial
        for node in game.mainline():
            position = position.play(node.turn)
            assert node.position == position

    def test_illegal_turns_change_nothing(self, game):
        with pytest.raises(IllegalTurnError, match="f4 is occupied"):
            game.end().add_variation(Turn.from_text("f3-f4"))
        with pytest.raises(NotationError):
            game.end().add_variation("nonsense")
        assert game.end().variations == ()

    def test_a_line_stops_at_the_turn_that_is_not_legal(self):
        game = Game()
        with pytest.raises(IllegalTurnError):
            game.root.add_line(["f2-e3A", "f2-e3A"])
        assert len(game) == 1

    def test_sides_and_rounds(self, game):
        nodes = list(game.mainline())
        assert [node.side for node in nodes] == [Side.WHITE, Side.BLACK, Side.WHITE]
        assert [node.round for node in nodes] == [1, 1, 2]

    def test_rounds_of_a_game_that_black_begins(self):
        game = Game(Position.start().swapped())
        grow_rng = itertools.islice(game.initial.legal_turns(), 1)
        node = game.root.add_variation(next(grow_rng))
        assert (node.side, node.round) == (Side.BLACK, 1)
        node = node.add_variation(node.position.legal_turns()[0])
        assert (node.side, node.round) == (Side.WHITE, 2)

    def test_paths_and_the_main_line(self, game):
        other = game.root.next.add_variation("f3-f2A")
        assert [node.turn and str(node.turn) for node in other.path()] == [None, "f2-e3A", "f3-f2A"]
        assert not other.is_main
        assert all(node.is_main for node in game.mainline())

    def test_nodes_come_before_their_variations(self, game):
        first = game.root.next
        other = game.root.add_variation("d3-e3A")
        deeper = first.add_variation("f3-f2A")
        order = list(game.nodes())
        assert order[0] is game.root
        assert order[1] is first
        assert order.index(deeper) < order.index(other)


class TestChangingVariations:
    def test_promote_and_demote_move_by_one(self):
        game = Game()
        nodes = [game.root.add_variation(turn) for turn in game.initial.legal_turns()]
        nodes[2].promote()
        assert game.root.variations == (nodes[0], nodes[2], nodes[1], nodes[3], nodes[4])
        nodes[0].promote()
        assert game.root.variations[0] is nodes[0]
        nodes[0].demote()
        assert game.root.variations[0] is nodes[2]
        nodes[4].demote()
        assert game.root.variations[-1] is nodes[4]

    def test_promote_to_main_keeps_the_order_of_the_others(self):
        game = Game()
        nodes = [game.root.add_variation(turn) for turn in game.initial.legal_turns()]
        nodes[3].promote_to_main()
        assert game.root.variations == (nodes[3], nodes[0], nodes[1], nodes[2], nodes[4])
        assert game.turns == (nodes[3].turn,)

    def test_remove_takes_everything_after_it(self, game):
        game.root.next.next.remove()
        assert len(game) == 1

    def test_the_root_is_no_variation(self, game):
        for action in ("promote", "demote", "promote_to_main", "remove"):
            with pytest.raises(ValueError, match="root"):
                getattr(game.root, action)()


class TestResult:
    def test_result_and_winner(self, game):
        assert (game.result, game.winner, game.termination) == ("*", None, None)
        game.result = "0-1"
        assert game.winner is Side.BLACK
        with pytest.raises(ValueError, match="result '2-0'"):
            game.result = "2-0"

    def test_termination_is_a_reason_where_it_is_one(self, game):
        game.termination = "resignation"
        assert game.termination is Reason.RESIGNATION
        game.termination = "the lamp went out"
        assert game.termination == "the lamp went out"

    def test_a_decided_position_says_how_it_ended(self):
        game = Game(Position.parse("9/9/9/bb7/wb7 w"), result="0-1")
        assert game.decided() == ("0-1", Reason.NO_TURN)
        assert game.termination is Reason.NO_TURN
        game.result = "1-0"
        assert game.termination is None

    def test_no_turn_may_be_a_draw(self):
        rules = PROFILES["tsivy"].replace(no_move_draw=True)
        game = Game(Position.parse("9/9/9/bb7/wb7 w", rules))
        assert game.decided() == ("1/2-1/2", Reason.NO_TURN)

    def test_from_board(self):
        board = Board()
        for text in ("f2-e3A", "d5-d4A"):
            board.push_text(text)
        assert Game.from_board(board).result == "*"
        board.lose_on_time(Side.WHITE)
        game = Game.from_board(board)
        assert (game.turns, game.result) == (board.turns, "0-1")
        assert game.termination is Reason.TIME

    def test_board_at(self, game):
        board = game.board_at()
        assert board.turns == game.turns
        assert board.position == game.end().position
        other = game.root.next.add_variation("f3-f2A")
        assert [str(turn) for turn in game.board_at(other).turns] == ["f2-e3A", "f3-f2A"]
        assert game.board_at(game.root).turns == ()


class TestValue:
    def test_everything_counts_for_equality(self, game):
        changes = [
            lambda g: g.tags.update(Event="x"),
            lambda g: setattr(g, "result", "1-0"),
            lambda g: setattr(g, "termination", "time"),
            lambda g: setattr(g.root, "comment", "x"),
            lambda g: setattr(g.root.next, "comment_before", "x"),
            lambda g: g.root.next.nags.append(1),
            lambda g: setattr(g.root.next, "clock", timedelta(1)),
            lambda g: setattr(g.root.next, "elapsed", timedelta(1)),
            lambda g: setattr(g.root.next, "eval", Evaluation(centipawns=0)),
            lambda g: g.root.next.commands.append(("a", "b")),
            lambda g: g.root.add_variation("d2-e3A"),
            lambda g: g.end().remove(),
        ]
        for change in changes:
            other = game.copy()
            assert other == game
            change(other)
            assert other != game

    def test_the_place_of_a_variation_counts(self, game):
        first, second = game.copy(), game.copy()
        first.root.add_line(["d2-e3A"])
        first.root.add_line(["d3-e3A"])
        second.root.add_line(["d3-e3A"])
        second.root.add_line(["d2-e3A"])
        assert first != second

    def test_a_game_is_no_key(self, game):
        with pytest.raises(TypeError):
            hash(game)
        assert game != "game"

    def test_a_node_is_not_pickled_alone(self, game):
        with pytest.raises(TypeError, match="the game"):
            pickle.dumps(game.root)

    @given(SEEDS)
    def test_copies_are_equal_and_apart(self, seed):
        game = any_game(seed)
        for other in (game.copy(), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
            assert other == game
            assert other.root is not game.root
        assert repr(game).startswith("<Game ")
        assert all(repr(node).startswith("<Node ") for node in game.nodes())

    def test_long_games_and_deep_trees_do_not_recurse(self):
        import random

        rng = random.Random(1)
        game = Game(Position.parse("8b/9/9/9/w8 w"))
        grow(rng, game.root, 3000)
        node = game.root
        while node.next is not None and node.next.next is not None:
            grow(rng, node, 1)
            node = node.next
        assert pickle.loads(pickle.dumps(game)) == game.copy()


class TestNotes:
    def test_notes_are_a_value(self, game):
        node = game.root.next
        node.comment, node.nags = "x", [1]
        notes = node.notes()
        node.set_notes(Notes())
        assert node.notes() == Notes()
        node.set_notes(notes)
        assert (node.comment, node.nags) == ("x", [1])


class TestTags:
    def test_the_roster_is_always_there(self):
        tags = Tags()
        assert dict(tags) == dict(ROSTER)
        tags["White"] = "Ravao"
        del tags["White"]
        assert tags["White"] == "?"
        assert list(tags.known()) == []

    def test_others_come_and_go(self):
        tags = Tags([("Annotator", "x")])
        assert list(tags)[6:] == ["Annotator"]
        del tags["Annotator"]
        assert "Annotator" not in tags
        with pytest.raises(KeyError):
            tags["Annotator"]

    def test_clear_and_popitem_come_to_an_end(self):
        tags = Tags({"White": "Ravao", "Annotator": "x", "Opening": "y"})
        assert tags.popitem() == ("Opening", "y")
        assert tags.popitem() == ("Annotator", "x")
        with pytest.raises(KeyError, match="beyond the roster"):
            tags.popitem()
        assert tags["White"] == "Ravao"
        tags["Annotator"] = "z"
        tags.clear()
        assert tags == Tags()

    @pytest.mark.parametrize("name", ["Result", "FEN", "SetUp", "Rules", "Variant", "PlyCount"])
    def test_what_follows_from_the_game_is_no_tag(self, name):
        with pytest.raises(ValueError, match="follows from"):
            Tags({name: "x"})

    @pytest.mark.parametrize("name", ["", "a b", "ä", '"', "a]", "x" * 256, "_x"])
    def test_names(self, name):
        with pytest.raises(ValueError, match="as the name"):
            Tags({name: "x"})

    def test_values_are_texts(self):
        with pytest.raises(TypeError):
            Tags({"Round": 3})


class TestEvaluations:
    @given(st.integers(-(10**6), 10**6), st.none() | st.integers(1, 99))
    def test_text_is_read_back(self, centipawns, depth):
        value = Evaluation(centipawns=centipawns, depth_plies=depth)
        assert Evaluation.parse(str(value)) == value

    @pytest.mark.parametrize("text", ["", "x", "0.5.5", "#0", "#", "1e5", "0,5,8", "9" * 99, "nan"])
    def test_other_texts(self, text):
        with pytest.raises(NotationError, match="evaluation"):
            Evaluation.parse(text)

    def test_either_or(self):
        with pytest.raises(ValueError, match="one of them"):
            Evaluation()
        with pytest.raises(ValueError, match="win_in=0"):
            Evaluation(win_in=0)

    @pytest.mark.parametrize(
        ("field", "most"), [("centipawns", 99_999_999), ("win_in", 999_999), ("depth_plies", 9999)]
    )
    def test_the_largest_numbers_are_read_back(self, field, most):
        other = {"centipawns": 5} if field == "depth_plies" else {}
        value = Evaluation(**{field: most}, **other)
        assert Evaluation.parse(str(value)) == value
        for beyond in (most + 1, -most - 1):
            with pytest.raises(ValueError, match=f"{field}={beyond}: expected"):
                Evaluation(**{field: beyond}, **other)
        assert Evaluation.parse("999999.999").centipawns == 99_999_999

    @pytest.mark.parametrize("score", [Score(34), Score(-9), Score.win(7), Score.loss(4)])
    @pytest.mark.parametrize("side", Side)
    def test_scores_come_back(self, score, side):
        assert Evaluation.from_score(score, side, 9).for_side(side) == score
        assert Evaluation.from_score(score, side).for_side(side.other) == -score

    @given(st.timedeltas(timedelta(0), timedelta(days=999_999_999)))
    @example(timedelta(days=999_999_999))
    def test_durations_are_read_back(self, duration):
        assert parse_duration(format_duration(duration)) == duration
        assert parse_duration(format_duration(-duration)) == -duration

    @pytest.mark.parametrize(
        "text", ["", "5", "a:b", "1:2:3:4", "0:00:00.1234567", "9" * 99, "99999999999:00:00"]
    )
    def test_other_durations(self, text):
        with pytest.raises(NotationError, match="time"):
            parse_duration(text)
