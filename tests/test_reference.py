"""The slow reference of the rules against known numbers, known positions and a real game."""

import pytest
from perft_data import DATA, all_entries, deepest_counts

from fanorona_core._reference import Ending, ReferenceGame, ReferencePosition
from fanorona_core.rules import RuleSet
from fanorona_core.types import Side

LONGEST = "f1-f2A-g3A-f3W-f4A-e3W-e4W-d4A-c3W-b4A-c5W-d5W"
MANY = "bb2bbbbb/b1b4bb/bw3b1bw/4b2ww/wwww1w1ww w"
LONE_STONES = "8b/9/9/9/w8 w"


def turns(text, rules=None):
    position = ReferencePosition.parse(text, None if rules is None else RuleSet.parse(rules))
    return sorted(str(turn) for turn in position.legal_turns())


def game(text, rules="tsivy"):
    return ReferenceGame(ReferencePosition.parse(text, RuleSet.parse(rules)))


def play(game, text):
    for turn in text.split():
        game.push(turn)
    return game


def check(count):
    entry = count.entry
    position = ReferencePosition.parse(entry.position, RuleSet.parse(entry.rules))
    found = position.perft(count.depth, count.policy)
    if found != count.nodes:
        split = {str(turn): after.perft(count.depth - 1) for turn, after in position.results()}
        pytest.fail(f"{count}: found {found}, not {count.nodes}; distinct, by turn: {split}")


@pytest.mark.parametrize("count", deepest_counts(max_nodes=20_000), ids=str)
def test_perft(count):
    check(count)


@pytest.mark.slow
@pytest.mark.parametrize("count", deepest_counts(min_nodes=20_001, max_nodes=200_000), ids=str)
def test_deep_perft(count):
    check(count)


def test_perft_starts_are_the_starts_of_their_rules():
    starts = [entry for entry in all_entries() if entry.id.startswith("start-")]
    assert len(starts) == 22
    for entry in starts:
        assert entry.position == RuleSet.parse(entry.rules).start_text


# Positions worth a test


def test_the_five_first_steps():
    start = ReferencePosition.start()
    taken = {str(turn): turn.all_captured for turn in start.legal_turns()}
    assert sorted(taken) == ["d2-e3A", "d3-e3A", "d3-e3W", "e2-e3A", "f2-e3A"]
    assert taken["d3-e3A"] == {(6, 3)}
    assert taken["d3-e3W"] == {(3, 3)}
    assert taken["e2-e3A"] == {(5, 4), (5, 5)}
    assert sorted(map(str, start.steps())) == sorted(taken)


def test_a_second_step_may_not_repeat_the_direction():
    assert turns("8b/9/bw2b4/9/9 w") == ["b3-c3W"]


def test_a_chain_may_not_return_to_its_start():
    assert turns("9/7b1/9/5w3/4b4 w") == ["f2-g3A", "f2-g3W"]


def test_a_direction_may_come_back_after_another():
    assert "f3-e3A-d2A-c2A" in turns("9/9/3b1w3/1b7/2b6 w")  # west, south-west, west


def test_no_legal_turn():
    text = "9/9/9/bb7/wb7 w"
    assert turns(text) == []
    assert game(text).ending() == Ending(Side.BLACK, "no-turn")
    assert game(text, "no-move=draw").ending() == Ending(None, "no-turn")


@pytest.mark.parametrize("side", "wb")
def test_no_stones_lose_whoever_is_to_move(side):
    text = f"9/4w4/9/9/9 {side}"
    assert turns(text) == []
    assert game(text).ending() == Ending(Side.WHITE, "no-stones")


@pytest.mark.parametrize("rules", ["tsivy", "tsivy-compulsory"])
def test_forty_seven_turns(rules):
    lines = (DATA / "forty_seven_turns.txt").read_text(encoding="utf-8").splitlines()
    expected = [line for line in lines if not line.startswith("#")]
    if rules == "tsivy-compulsory":  # Only the turns that no other turn goes on from.
        expected = [t for t in expected if not any(o.startswith(t + "-") for o in expected)]
    else:
        assert len(expected) == 47
    found = turns(MANY, rules)
    assert found == expected
    assert max(found, key=len) == LONGEST and LONGEST.count("-") == 11


def test_lone_stones_only_have_paikas():
    assert turns(LONE_STONES) == ["a1-a2", "a1-b1", "a1-b2"]
    assert turns("8b/9/9/9/1w7 w") == ["b1-a1", "b1-b2", "b1-c1"]  # b1 is weak


# Chains in progress


def test_a_chain_in_progress_is_part_of_its_turns():
    position = ReferencePosition.parse(MANY)
    step = next(step for step in position.steps() if str(step) == "b3-c3W")
    middle = position.play_step(step)
    assert str(middle.chain) == "b3-c3W" and middle.side == Side.WHITE and middle.can_stop
    expected = [turn for turn in turns(position.text()) if turn.startswith("b3-c3W")]
    assert sorted(map(str, middle.legal_turns())) == expected == turns(middle.text())
    assert middle.stop() == position.play("b3-c3W")
    assert middle.play("b3-c3W-b4A") == position.play("b3-c3W-b4A")
    assert ReferencePosition.parse(middle.text()) == middle


def test_a_compulsory_chain_may_not_stop():
    position = ReferencePosition.parse(MANY, RuleSet.parse("tsivy-compulsory"))
    middle = position.play_step(next(s for s in position.steps() if str(s) == "b3-c3W"))
    assert middle.chain is not None and not middle.can_stop
    with pytest.raises(ValueError, match="no chain that may stop"):
        middle.stop()


def test_a_turn_ends_by_itself_when_its_chain_cannot_go_on():
    position = ReferencePosition.start()
    for step in position.steps():
        after = position.play_step(step)
        assert after.chain is None and after.side == Side.BLACK and after.turn_number == 2


# First-turn restriction


@pytest.mark.parametrize("continuation", ["optional", "compulsory"])
def test_white_single(continuation):
    options = f"first-turn=white-single,continuation={continuation}"
    text = MANY.removesuffix(" w")
    singles = ["a1-a2A", "b3-b4A", "b3-c3W", "c1-b2A", "f1-f2A"]
    free = turns(f"{text} w", f"continuation={continuation}")
    assert turns(f"{text} w", options) == singles
    # White's first turn is the second of a game that Black begins; later turns are free.
    assert turns(f"{text} w - 0 2", options) == singles
    assert turns(f"{text} w - 0 3", options) == free
    # Black is free at once.
    swapped = text[::-1].translate(str.maketrans("wb", "bw"))
    assert len(turns(f"{swapped} b", options)) == len(free)


@pytest.mark.parametrize("continuation", ["optional", "compulsory"])
def test_both_single(continuation):
    start = ReferencePosition.start(
        RuleSet.parse(f"first-turn=both-single,continuation={continuation}")
    )
    after = start.play("d2-e3A")
    singles = ["c3-d2A", "e5-f4A", "f3-f4W", "g4-g5W", "h4-g5W"]
    assert sorted(map(str, after.legal_turns())) == singles
    # Both have captured: chains are free again.
    free = after.play("g4-g5W")
    assert any(len(turn.kinds) > 1 for turn in free.legal_turns())
    # The capture may come late: what counts is that the enemy still has all its stones.
    late = ReferencePosition(after.stones, after.side, after.rules, turn_number=8)
    assert sorted(map(str, late.legal_turns())) == singles


def test_both_single_counts_from_its_own_start():
    rules = f"first-turn=both-single,start={MANY.replace(' ', ':')}"
    assert turns(MANY, rules) == ["a1-a2A", "b3-b4A", "b3-c3W", "c1-b2A", "f1-f2A"]
    assert len(turns(MANY, "first-turn=both-single")) == 47


# Draws

WALK = "a1-a2 i5-i4 a2-a1 i4-i5"


def test_repetition_counts_the_first_position():
    record = play(game(LONE_STONES), WALK)
    assert record.repetitions() == 2 and record.ending() is None
    play(record, WALK)
    assert record.repetitions() == 3
    assert record.ending() == Ending(None, "repetition")
    with pytest.raises(ValueError, match="the game is over"):
        record.push("a1-a2")
    assert record.pop() == "i4-i5" and record.ending() is None


def test_repetition_may_be_off_or_of_another_number():
    assert play(game(LONE_STONES, "theory"), f"{WALK} {WALK}").ending() is None
    assert play(game(LONE_STONES, "repetition=2"), WALK).ending() == Ending(None, "repetition")


def test_quiet_limit():
    record = play(game(LONE_STONES, "youzai,quiet=3"), "a1-a2 i5-i4")
    assert record.position.quiet == 2 and record.ending() is None
    assert play(record, "a2-a1").ending() == Ending(None, "quiet-limit")


def test_a_capture_starts_the_quiet_count_again():
    after = ReferencePosition.parse("8b/9/bw2b4/9/9 w - 49 60 youzai").play("b3-c3W")
    assert (after.quiet, after.turn_number) == (0, 61)


def test_turn_limit():
    record = play(game(LONE_STONES, "turns=3,repetition=none"), "a1-a2 i5-i4")
    assert record.ending() is None
    assert play(record, "a2-a1").ending() == Ending(None, "turn-limit")


@pytest.mark.parametrize(
    ("text", "turn", "reason"),
    [
        ("9/9/1w1b5/9/9 w - 0 3 turns=3", "b3-c3A", "no-stones"),
        ("8w/9/w1w6/ww7/bww6 w - 0 3 quiet=1,turns=3", "i5-i4", "no-turn"),
    ],
)
def test_a_win_on_the_last_turn_goes_before_a_draw(text, turn, reason):
    record = play(ReferenceGame(ReferencePosition.parse(text)), turn)
    assert record.ending() == Ending(Side.WHITE, reason)


# A real game


def test_a_real_game():
    lines = (DATA / "games" / "boardspace-robot-2008.txt").read_text(encoding="utf-8").split()
    *record, result = [word for word in lines if not word.endswith(".")]
    assert len(record) == 38 and result == "0-1"
    played = play(ReferenceGame(), " ".join(record))
    assert played.ending() == Ending(Side.BLACK, "no-stones")
    assert ReferencePosition.parse(played.position.text()) == played.position


# Texts


@pytest.mark.parametrize(
    "text",
    ["", "9/9/9/9/9", "9/9/9/9/8 w", "9/9/9/9 w", "9/9/9/9/8q w", "9/9/4w4/9/8b w b2-c3"],
)
def test_texts_that_are_no_position(text):
    with pytest.raises(ValueError):
        ReferencePosition.parse(text)


def test_rules_default_to_the_size():
    assert ReferencePosition.parse("bbb/b1w/www w").rules.name == "telo"
    assert ReferencePosition.parse("15/15/w13b w").rules == RuleSet(15, 3)
    assert ReferencePosition.parse("15/15/w13b w").stones_text() == "15/15/w13b"
