"""Random positions for tests: from seeded play and from random placements, under many rules."""

from __future__ import annotations

import random
from collections.abc import Iterator

from fanorona_core import PROFILES, Position, RuleSet, Side

# Every board up to 45 points that differs in kind: the standard ones, narrow and flat ones.
SIZES = [(9, 5), (5, 5), (3, 3), (3, 5), (5, 3), (7, 3), (3, 7), (7, 5), (5, 7), (9, 3), (3, 9)]
LONG_SIZES = [(15, 3), (3, 15), (5, 9), (11, 3), (13, 3), (3, 13)]
FIRST_TURNS = ["none", "white-single", "both-single"]


def random_rules(rng: random.Random) -> RuleSet:
    """A profile, or a profile's options on any board, with any continuation and first turn."""
    rules = PROFILES[rng.choice(sorted(PROFILES))]
    if rng.random() < 0.2:
        return rules
    changes: dict[str, object] = {
        "compulsory": rng.random() < 0.5,
        "no_move_draw": rng.random() < 0.3,
        "first_turn": rng.choice([*FIRST_TURNS, "none"]),
    }
    if rng.random() < 0.6:
        changes["columns"], changes["rows"] = rng.choice(
            SIZES if rng.random() < 0.8 else LONG_SIZES
        )
    return rules.replace(**changes)


def played(rng: random.Random, rules: RuleSet, turns: int) -> Position:
    """The position after so many random turns from the start, or fewer if the game ends."""
    position = Position.start(rules)
    for _ in range(turns):
        legal = position.legal_turns()
        if not legal:
            break
        position = position.play(rng.choice(legal))
    return position


def placed(rng: random.Random, rules: RuleSet) -> Position:
    """Stones anywhere, from nearly none to a nearly full board, either side to move."""
    points = list(range(rules.columns * rules.rows))
    rng.shuffle(points)
    stones = rng.randint(1, len(points))
    share = rng.random()
    white = black = 0
    for point in points[:stones]:
        if rng.random() < share:
            white |= 1 << point
        else:
            black |= 1 << point
    if rng.random() < 0.25:  # a game that began here: the first-turn options apply
        text = Position(white, black, Side(rng.randint(0, 1)), rules).stones_text()
        if "w" in text.split()[0] and "b" in text.split()[0]:
            return Position.start(rules.replace(start=text))
    side = Side(rng.randint(0, 1))
    return Position(
        white, black, side, rules, quiet=rng.randint(0, 60), turn_number=rng.randint(1, 410)
    )


def stepped(rng: random.Random, position: Position) -> Position:
    """A position in the middle of a turn, some random steps on; the same where none leads on."""
    middle = position
    for _ in range(rng.randint(1, 4)):
        after = [middle.play_step(step) for step in middle.steps()]
        chains = [position for position in after if position.chain is not None]
        if not chains:
            break
        middle = rng.choice(chains)
    return middle


def random_positions(seed: int, count: int, *, chains: bool = True) -> Iterator[Position]:
    """So many positions, the same for the same seed; about a third stand in a chain if wanted."""
    rng = random.Random(seed)
    for _ in range(count):
        rules = random_rules(rng)
        if rng.random() < 0.5:
            position = played(rng, rules, rng.randint(0, 40))
        else:
            position = placed(rng, rules)
        if chains and rng.random() < 0.5:
            position = stepped(rng, position)
        yield position
