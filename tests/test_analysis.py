"""The analysis of games: scores, losses, marks, sums, and what is written into the record."""

import io
import pickle

import pytest
from perft_data import DATA
from random_positions import random_positions

from fanorona_core import Engine, Limit, Position, Score, Side, Turn
from fanorona_core.analysis import (
    THRESHOLDS,
    Evaluated,
    analyse_game,
    annotated,
    assembled,
    evaluated,
    mark_of,
    segments,
    turn_accuracy,
)
from fanorona_core.annotation import MARKS
from fanorona_core.fgn import format_game
from fanorona_core.formats import read_games
from fanorona_core.game import Game

DEPTH = Limit(depth_plies=3)


def game_of(*turns, position=None):
    game = Game(Position.parse(position) if position else None)
    game.root.add_line(turns)
    return game


def judged(game, *scores):
    """The analysis that follows from given scores, each for its side to move, without lines."""
    found = [Evaluated(score) for score in scores]
    nodes = [game.root, *game.mainline()]
    for index, node in enumerate(nodes):
        turns = node.position.legal_turns()
        played = node.next.turn if node.next else None
        others = [
            turn
            for turn in turns
            if played is None or node.position.play(turn).key != node.next.position.key
        ]
        if turns:  # another turn than the one played, where there is one
            found[index] = Evaluated(scores[index], tuple((others or turns)[:1]))
    return assembled(game, found)


@pytest.fixture(scope="module")
def real_game():
    return next(read_games(DATA / "games" / "boardspace-robot-2008.sgf")).unwrap()


# Scores and losses


def test_one_score_ends_a_turn_and_begins_the_next():
    game = game_of("f2-e3A", "d5-d4A")
    first, second = judged(game, Score(10), Score(50), Score(-30)).turns
    assert (first.before, first.after) == (Score(10), Score(-50))
    assert (second.before, second.after) == (Score(50), Score(30))
    assert (first.side, second.side) == (Side.WHITE, Side.BLACK)
    assert (first.number, second.number) == (1, 2)
    assert first.loss == pytest.approx(Score(10).expected - Score(-50).expected)
    assert (first.loss_centipawns, second.loss_centipawns) == (60, 20)


def test_a_turn_that_turns_out_better_has_no_loss():
    (turn,) = judged(game_of("f2-e3A"), Score(10), Score(-90)).turns
    assert (turn.loss, turn.loss_centipawns, turn.mark) == (0.0, 0, "")


def test_a_win_given_away():
    (turn,) = judged(game_of("f2-e3A"), Score.win(5), Score.win(4)).turns
    assert (turn.loss, turn.loss_centipawns, turn.mark) == (1.0, None, "??")


def test_a_slower_win_loses_nothing():
    (turn,) = judged(game_of("f2-e3A"), Score.win(5), Score.loss(20)).turns
    assert (turn.loss, turn.mark) == (0.0, "")


def test_a_forced_turn_is_never_marked():
    game = game_of("b3-c3W", position="8b/9/bw2b4/9/9 w")
    (turn,) = judged(game, Score.win(9), Score.win(3)).turns
    assert turn.is_forced and (turn.loss, turn.mark) == (0.0, "")


def test_another_way_to_the_best_position_is_best():
    """Two chains of one stone with the same result."""
    position = Position.parse("2w1b2bb/1bbb1bb2/ww3b2b/b3b2bb/bbbbb1bbb w")
    by_result = {}
    for turn in position.legal_turns():
        by_result.setdefault(position.play(turn).key, []).append(turn)
    one, other = next(turns for turns in by_result.values() if len(turns) > 1)[:2]
    game = Game(position)
    game.root.add_variation(one)
    found = [Evaluated(Score(300), (other,)), Evaluated(Score(300))]
    (turn,) = assembled(game, found).turns
    assert turn.is_best and turn.best == other and turn.loss == 0.0


@pytest.mark.parametrize("mark", ["?!", "?", "??"])
def test_the_thresholds(mark):
    least = THRESHOLDS[mark]
    assert mark_of(least) == mark and mark_of(least - 1e-9) != mark
    assert list(THRESHOLDS.values()) == sorted(THRESHOLDS.values())
    assert mark_of(0.0) == "" and mark_of(1.0) == "??"


def test_accuracy_falls_with_the_loss():
    values = [turn_accuracy(loss / 20) for loss in range(21)]
    assert values[0] == 100 and values == sorted(values, reverse=True) and values[-1] > 0


def test_the_summary():
    game = game_of("f2-e3A", "d5-d4A", "g3-f2W")
    scores = Score(0), Score.win(9), Score.loss(9), Score(0)
    analysis = judged(game, *scores)
    white, black = analysis.white, analysis.black
    assert (white.side, white.turns, white.forced, black.turns) == (Side.WHITE, 2, 0, 1)
    assert analysis.summary(Side.BLACK) is black
    assert white.marks == {"?!": 0, "?": 0, "??": 1}  # an even game made a loss: half a point
    assert white.mean_loss == pytest.approx(0.25)
    assert white.accuracy == pytest.approx((turn_accuracy(0.5) + 100) / 2)
    assert black.accuracy == 100


def test_a_side_without_a_choice_has_no_means():
    game = game_of("b3-c3W", position="8b/9/bw2b4/9/9 w")
    analysis = judged(game, Score(0), Score(0))
    assert (analysis.white.forced, analysis.white.mean_loss, analysis.white.accuracy) == (
        1,
        None,
        None,
    )
    assert (analysis.black.turns, analysis.black.accuracy) == (0, None)


def test_every_position_must_be_evaluated():
    with pytest.raises(ValueError, match="1 positions evaluated, expected 2"):
        assembled(game_of("f2-e3A"), [Evaluated(Score(0))])


# Searching


def test_the_end_of_the_game_is_not_searched():
    game = game_of("f3-g3W", position="9/9/4bw3/9/9 w")
    analysis = analyse_game(game, Engine(hash_mib=1), DEPTH)
    assert analysis.final == Evaluated(Score.loss(0))
    assert analysis.turns[0].after == Score.win(0)


def test_a_draw_at_the_end_is_a_draw():
    game = game_of(*["a1-a2", "i5-i4", "a2-a1", "i4-i5"] * 2, position="8b/9/9/9/w8 w")
    analysis = analyse_game(game, Engine(hash_mib=1), DEPTH)
    assert analysis.final == Evaluated(Score(0))


def test_a_record_that_goes_on_after_a_draw_is_searched():
    turns = [*["a1-a2", "i5-i4", "a2-a1", "i4-i5"] * 2, "a1-b2"]
    game = game_of(*turns, position="8b/9/9/9/w8 w")
    analysis = analyse_game(game, Engine(hash_mib=1), DEPTH)
    assert analysis.turns[-1].depth_plies > 0


def test_a_game_without_turns():
    analysis = analyse_game(Game(), Engine(hash_mib=1), DEPTH)
    assert analysis.turns == () and analysis.white.turns == 0 and analysis.final.line


def test_the_limit_must_bind():
    with pytest.raises(ValueError, match="needs a limit"):
        analyse_game(Game(), Engine(hash_mib=1), Limit())
    with pytest.raises(ValueError, match="limit"):
        analyse_game(Game(), Engine(hash_mib=1), Limit(end_in=1))


def test_the_level_of_an_engine_does_not_matter(real_game):
    game = game_of(*real_game.turns[:6])
    plain = analyse_game(game, Engine(hash_mib=1), DEPTH)
    weak = analyse_game(game, Engine(hash_mib=1, level=1, seed=1), DEPTH)
    assert [turn.before for turn in weak.turns] == [turn.before for turn in plain.turns]


def test_segments_cover_every_position(real_game):
    parts = list(segments(real_game))
    assert [index for first, last in parts for index in range(first, last)] == list(range(39))
    assert len(parts) > 1


def test_the_same_numbers_each_time(real_game):
    """And whoever searches which part: the engine's memory does not carry over."""
    seen = []
    one = analyse_game(real_game, Engine(hash_mib=1), DEPTH, seen.append)
    assert sum(seen) == 39
    busy = Engine(hash_mib=1)
    busy.best(Position.start(), Limit(depth_plies=5))
    parts = [
        evaluated(real_game, busy, DEPTH, first, last)
        for first, last in reversed(list(segments(real_game)))
    ]
    two = assembled(real_game, [value for part in reversed(parts) for value in part])

    def plain(analysis):
        return [(t.before, t.after, t.line, t.mark, t.nodes) for t in analysis.turns]

    assert plain(one) == plain(two)
    assert pickle.loads(pickle.dumps(one)) == one


@pytest.mark.parametrize("seed", range(3))
def test_all_rule_sets(seed):
    for position in random_positions(seed + 300, 12):
        game = Game(position)
        node = game.root
        for index in range(5):
            turns = node.position.legal_turns()
            if not turns:
                break
            node = node.add_variation(turns[index % len(turns)])
        analysis = analyse_game(game, Engine(hash_mib=1), Limit(depth_plies=2))
        assert len(analysis.turns) == len(game)
        for turn, before in zip(analysis.turns, [game.root, *game.mainline()], strict=False):
            assert 0 <= turn.loss <= 1
            assert before.position.is_legal(turn.best)
            assert not (turn.mark and turn.is_forced)
        back = next(read_games(io.StringIO(format_game(annotated(game, analysis))), "fgn"))
        if position.chain is None:
            assert back.unwrap().turns == game.turns


# Annotated records


def test_what_is_written_into_the_record():
    game = game_of("f2-e3A", "d5-d4A", "g3-f2W")
    analysis = judged(game, Score(20), Score(-15), Score(0), Score(400))
    copy = annotated(game, analysis)
    assert [node.nags for node in game.mainline()] == [[], [], []], "the game itself is untouched"
    first, second, third = copy.mainline()
    assert (first.eval.centipawns, second.eval.centipawns) == (15, 0)
    assert third.eval.centipawns == -400
    assert not first.nags and not second.nags
    mark = analysis.turns[2].mark
    assert mark and third.nags == [MARKS[mark]]
    main, better = second.variations
    assert main is third and better.turn == analysis.turns[2].best
    assert copy.tags["Annotator"].startswith("fanorona ")


def test_proved_ends_in_the_record():
    game = game_of("f2-e3A", "d5-d4A")
    analysis = judged(game, Score.win(9), Score.loss(8), Score.win(7))
    first, second = annotated(game, analysis).mainline()
    assert (first.eval.win_in, second.eval.win_in) == (8, 7)
    analysis = judged(game, Score.loss(9), Score.win(8), Score.loss(7))
    first, second = annotated(game, analysis).mainline()
    assert (first.eval.win_in, second.eval.win_in) == (-8, -7)


def test_what_the_record_says_stays():
    game = game_of("f2-e3A")
    node = game.root.next
    node.comment, node.nags = "my idea", [MARKS["!"]]
    game.tags["Annotator"] = "Rabe"
    (turn,) = judged(game, Score(0), Score.win(3)).turns
    game.root.add_variation(turn.best)
    analysis = judged(game, Score(0), Score.win(3))
    copy = annotated(game, analysis)
    assert copy.root.next.nags == [MARKS["!"]] and copy.root.next.comment == "my idea"
    assert len(copy.root.variations) == 2
    assert copy.tags["Annotator"].startswith("Rabe; fanorona ")
    again = annotated(copy, analysis)
    assert again.tags["Annotator"] == copy.tags["Annotator"]


def test_the_annotated_record_is_read_back(real_game):
    copy = annotated(real_game, analyse_game(real_game, Engine(hash_mib=1), DEPTH))
    back = next(read_games(io.StringIO(format_game(copy)), "fgn")).unwrap()
    assert back == copy
    assert isinstance(back.turns[0], Turn) and back.turns == real_game.turns


@pytest.mark.parametrize(("first", "last"), [(-1, 1), (0, 3), (2, 2), (1, 0)])
def test_only_positions_of_the_game_are_evaluated(first, last):
    with pytest.raises(ValueError, match=f"positions {first} to {last}: expected some of 0 to 2"):
        evaluated(game_of("f2-e3A"), Engine(hash_mib=1), Limit(nodes=10), first, last)
