"""Random game records for tests: trees of turns with tags, comments and everything else."""

from __future__ import annotations

import random
from datetime import timedelta

from random_positions import played, random_rules, stepped

from fanorona_core import PROFILES, Position, Reason
from fanorona_core.annotation import Evaluation
from fanorona_core.game import RESULTS, Game
from fanorona_core.node import Node, Notes
from fanorona_core.rules import RuleSet

# What breaks formats: brackets, escapes, blanks, line ends, control characters, other scripts.
PIECES = [
    *"abcXYZ019",
    *" \n\t{}[]()%;\"\\'/|,.!?$*#<>&",
    *(
        "  ",
        "[%",
        "[%clk 0:00:01]",
        "\\n",
        "\\u0020",
        "\\)",
        "1-0",
        "1.",
        "\r\n",
        "% no",
        "\n\n[A ",
    ),
    *(
        "é",
        "ß",
        "½",
        "–",
        "漢字",
        "\U0001f40c",
        "\u00a0",
        "\u2028",
        "\x00",
        "\x85",
        "\x1c",
        "\ufeff",
    ),
    *("word", "another", "f2-e3A", 'say "no"', "[Event", "(;", "GM[x]"),
]
# Second halves of surrogate pairs: texts of Python can hold them alone, files cannot.
WILD_PIECES = [*PIECES, "\udc00", "\udfff"]
WORDS = ["a", "good", "turn", "f2-e3A", "Rabe", "e3!"]


def random_text(rng: random.Random, pieces: list[str], length: int = 12) -> str:
    return "".join(rng.choice(pieces) for _ in range(rng.randint(1, length)))


def plain_text(rng: random.Random) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 40)))


def random_notes(rng: random.Random, *, root: bool = False) -> Notes:
    """Some of everything that can be said about a turn."""

    def sometimes(value: object) -> object:
        return value if rng.random() < 0.3 else None

    def text() -> str:
        chance = rng.random()
        if chance < 0.6:
            return ""
        return plain_text(rng) if chance < 0.8 else random_text(rng, WILD_PIECES)

    kinds = [
        Evaluation(centipawns=rng.randint(-900, 900), depth_plies=sometimes(rng.randint(1, 40))),
        Evaluation(win_in=rng.choice([-1, 1]) * rng.randint(1, 97)),
    ]
    commands = [
        (rng.choice(["cal", "draw", "tm", "x-y"]), random_text(rng, WILD_PIECES))
        for _ in range(rng.choice([0, 0, 0, 1, 2]))
    ]
    return Notes(
        comment=text(),
        comment_before="" if root else text(),
        nags=() if root else tuple(rng.randint(0, 255) for _ in range(rng.choice([0, 0, 1, 3]))),
        clock=sometimes(timedelta(milliseconds=rng.randint(0, 10**8))),
        elapsed=sometimes(timedelta(seconds=rng.randint(0, 10**4))),
        eval=sometimes(rng.choice(kinds)),
        commands=tuple(commands),
    )


def grow(rng: random.Random, node: Node, turns: int) -> Node:
    """Add so many random turns in a row, or fewer if the game ends."""
    for _ in range(turns):
        legal = node.position.legal_turns()
        if not legal:
            break
        node = node.add_variation(rng.choice(legal))
    return node


def random_game(
    seed: int,
    *,
    initial: Position | RuleSet | None = None,
    turns: int = 30,
    variations: bool = True,
    notes: bool = True,
    tags: bool = True,
) -> Game:
    """A game of up to so many turns, the same for the same seed."""
    rng = random.Random(seed)
    game = Game(initial)
    grow(rng, game.root, rng.randint(0, turns))
    if variations:
        for _ in range(rng.choice([0, 1, 3, 8])):
            grow(rng, rng.choice(list(game.nodes())), rng.randint(1, 4))
    if notes:
        for node in game.nodes():
            node.set_notes(random_notes(rng, root=node is game.root))
    if tags:
        for name in ("Event", "White", "Black", "Annotator", "Time_1", "GameId", "WhiteType"):
            if rng.random() < 0.4:
                game.tags[name] = random_text(rng, WILD_PIECES)
        if rng.random() < 0.5:
            game.tags["Date"] = rng.choice(["2008.02.07", "2026.??.??", "yesterday"])
    game.result = rng.choice([*RESULTS, game.decided()[0]])
    if rng.random() < 0.5:
        game.termination = rng.choice([*Reason, "Les Blancs abandonnent", ""])
    return game


def any_game(seed: int) -> Game:
    """A game under any rules, from any position, sometimes in the middle of a chain."""
    rng = random.Random(seed)
    rules = random_rules(rng)
    if rng.random() < 0.4:
        return random_game(seed, initial=rules)
    position = played(rng, rules, rng.randint(0, 20))
    if rng.random() < 0.4:
        position = stepped(rng, position)
    return random_game(seed, initial=position)


def tsivy_game(seed: int, **options: bool) -> Game:
    """A game from the usual start of the usual board."""
    return random_game(seed, initial=PROFILES["tsivy"], **options)
