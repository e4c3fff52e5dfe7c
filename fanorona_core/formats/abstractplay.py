"""Game records of Abstract Play: JSON with turns as ``f2f3+, g3+``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any, Final, TextIO

from fanorona_core._turn import Turn
from fanorona_core.errors import ExportError, NotationError, RecordError, UnsupportedVariantError
from fanorona_core.formats._common import Format, Replay, reduced
from fanorona_core.formats._json import Fields, dumps, read_objects
from fanorona_core.game import Game
from fanorona_core.outcome import Reason
from fanorona_core.position import Position
from fanorona_core.records import Loss, ReadResult, Source, clipped, placed, settled
from fanorona_core.rules import DEFAULT_RULES, RuleSet, other_game
from fanorona_core.types import Side, StepKind

__all__ = ["FORMAT", "read", "turn_text", "write"]

_GAME: Final = "Fanorona"
# The schema wants dates; this one says that a date is not known.
_NO_DATE: Final = "0001-01-01T00:00:00.000Z"

_FIRST = re.compile(r"([a-i][1-5])([a-i][1-5])([+-]?)")
_NEXT = re.compile(r"([a-i][1-5])([+-])")
_KINDS: Final[dict[str, StepKind | None]] = {"+": "A", "-": "W", "": None}
_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9:]{8}).*")
# Nobody has won then, and nobody has drawn.
_ABANDONED: Final = "abandoned"
# What the results of a turn call the ends that are no turn.
_ENDS: Final = {
    "resigned": Reason.RESIGNATION,
    "timeout": Reason.TIME,
    "drawagreed": Reason.AGREEMENT,
    "gameabandoned": _ABANDONED,
}
# The words that stand for such an end where the next turn would.
_WORDS: Final = {
    "resign": Reason.RESIGNATION,
    "timeout": Reason.TIME,
    "draw": Reason.AGREEMENT,
    "abandoned": _ABANDONED,
}
_NAMES: Final = {reason: word for word, reason in _WORDS.items()}
_SCORES: Final = {"1-0": (1, 0), "0-1": (0, 1), "1/2-1/2": (1, 1), "*": (0, 0)}
_UNDECIDED: Final[dict[str, str]] = {Reason.AGREEMENT: "1/2-1/2", _ABANDONED: "*"}
_LOST: Final = {Side.WHITE: "0-1", Side.BLACK: "1-0"}
_SIDES: Final = ("White", "Black")
_SIGNS: Final = str.maketrans("AW", "+-")


def read(
    source: Source, *, rules: RuleSet | None = None, strict: bool = False
) -> Iterator[ReadResult]:
    """Iterate over the game records of a file: one object, an array, or one after the other.

    Rules are ``tsivy`` if not said: the records have none.

    Raises:
        RecordError: a game could not be read, with ``strict``.

    Examples:
        >>> text = '{"header": {"game": {"name": "Fanorona"}, "players": []}, "moves": [["f2e3+"]]}'
        >>> result = next(read(text))
        >>> result.game, result.warnings
        (<Game ? - ?, 1 turn, *>, ('two players have 0 entries',))
    """

    def parse(record: Fields, warnings: list[str]) -> Game:
        return _parse(record, warnings, rules or DEFAULT_RULES)

    return settled(read_objects(source, parse), strict)


def _parse(record: Fields, warnings: list[str], rules: RuleSet) -> Game:
    header = Fields(record.take("header", dict), "the header")
    kind = Fields(header.take("game", dict), "the game")
    name = kind.take("name", str)
    if name.strip().lower() != _GAME.lower():
        what = other_game(name) or f"the game {clipped(name)}"
        raise UnsupportedVariantError(f"{what} is not supported, expected {_GAME}")
    variants = kind.find("variants", list)
    if variants:
        raise UnsupportedVariantError(f"variants {clipped(variants)} are not supported")
    start = header.find("startingPosition", str)
    game = Game(rules if start is None else Position.parse(start, rules))
    scores = _take_header(game, header, warnings)
    ends = _replay(game, record.take("moves", list), scores)
    result, reason = ends[-1] if ends else (None, None)
    if result == "*" and scores == "1/2-1/2":
        scores = None  # nobody has won: that is all that equal numbers say
    game.result = scores or result or game.decided()[0]
    if result is not None and result != game.result:
        warnings.append(f"the players' results say {game.result}, the last turn {result}")
    elif reason is not None:
        game.termination = reason
    return game


def _replay(game: Game, rounds: list[Any], scores: str | None) -> list[tuple[str, str]]:
    """Play the turns; return the ends that a last word and the turns' results tell."""
    replay = Replay(game)
    ends: list[tuple[str, str]] = []
    over = ""  # the word that has ended the game
    for number, moves in enumerate(rounds, 1):
        if not isinstance(moves, list) or len(moves) > 2:
            raise RecordError(f"round {number} is {clipped(moves)}, expected one or two turns")
        for side, move in zip(Side, moves, strict=False):
            if move is None:
                continue
            if over:
                raise RecordError(f"round {number}: {clipped(move)} after {over}, the end")
            fields = Fields(
                {"move": move} if isinstance(move, str) else move, f"a move of round {number}"
            )
            text = fields.take("move", str)
            if text.strip().lower() in _WORDS:
                over = text.strip().lower()
                ends.append(_end_of_word(over, replay.position.side, scores))
            elif side is not replay.position.side:
                raise RecordError(
                    f"round {number}: {side} moves, and it is the turn of {side.other}"
                )
            ends += _ends(fields)
            if over:
                continue
            try:
                _play(replay, text)
            except ValueError as error:
                raise placed(error, None, replay.start.turn_number) from error
    return ends


def _end_of_word(word: str, side: Side, scores: str | None) -> tuple[str, str]:
    """Return the end that a word tells; who loses by it follows from the players' results.

    Where they say nothing it is the side whose turn it was.
    """
    reason = _WORDS[word]
    result = scores if scores in ("1-0", "0-1") else _LOST[side]
    return _UNDECIDED.get(reason, result), reason


def _ends(move: Fields) -> Iterator[tuple[str, str]]:
    try:
        results = move.find("result", list) or []
    except RecordError:
        return  # a text for people
    for entry in results:
        if isinstance(entry, dict) and entry.get("type") in _ENDS:
            reason = _ENDS[entry["type"]]
            loser = entry.get("player")
            if reason in _UNDECIDED:
                yield _UNDECIDED[reason], reason
            elif loser in (1, 2):
                yield _LOST[Side(loser - 1)], reason


def _play(replay: Replay, text: str) -> None:
    """Play a whole turn, as ``f2f3+, g3-``; of a chain in progress, its first steps may lack."""
    parts = re.sub(r"\s+", "", text.lower()).split(",")
    first = _FIRST.fullmatch(parts[0])
    if first is None:
        raise NotationError(f"turn {clipped(text)}: expected f2f3+, g3- or c3b4")
    steps = [(first[1], first[2], first[3])]
    for part in parts[1:]:
        further = _NEXT.fullmatch(part)
        if further is None:
            raise NotationError(f"turn {clipped(text)}: expected g3+ or g3- for {clipped(part)}")
        steps.append((steps[-1][1], further[1], further[2]))
    chain = replay.position.chain
    done = [] if chain is None else turn_text(chain).split(", ")
    if parts[: len(done)] == done:
        del steps[: len(done)]
    for start, end, sign in steps:
        replay.step(replay.point(start), replay.point(end), _KINDS[sign])
    replay.end_turn()


def _take_header(game: Game, header: Fields, warnings: list[str]) -> str | None:
    """Set the tags; return the result that the players' entries give."""
    site = Fields(header.find("site", dict) or {}, "the site")
    tags = game.tags
    for tag, value in (
        ("Event", header.find("event", str)),
        ("Round", header.find("round", str)),
        ("Site", site.find("name", str)),
    ):
        if value is not None:
            tags[tag] = value
    identity = site.any("gameid")
    if isinstance(identity, str | int):
        tags["GameId"] = str(identity)
    begun, ended = header.find("date-start", str), header.find("date-end", str)
    if begun and begun != _NO_DATE and (match := _DATE.fullmatch(begun)):
        tags["Date"] = ".".join(match.groups()[:3])
        if match[4] != "00:00:00":
            tags["UTCTime"] = match[4]
    if ended and begun and ended[:10] != begun[:10] and (match := _DATE.fullmatch(ended)):
        tags["EndDate"] = ".".join(match.groups()[:3])
    players = header.find("players", list) or []
    if len(players) != 2:
        warnings.append(f"two players have {len(players)} entries")
        return None
    scores = []
    for side, entry in zip(_SIDES, players, strict=True):
        player = Fields(entry, f"the entry of {side}")
        if (name := player.find("name", str)) is not None:
            tags[side] = name
        if (userid := player.find("userid", str)) is not None:
            tags[f"{side}Id"] = userid
        if (is_ai := player.find("is_ai", bool)) is not None:
            tags[f"{side}Type"] = "program" if is_ai else "human"
        scores.append(player.find("result", int))
    if None in scores:
        return None
    white, black = (score or 0 for score in scores)
    return "1/2-1/2" if white == black else "1-0" if white > black else "0-1"


def write(games: Iterable[Game], stream: TextIO) -> list[Loss]:
    """Write games, one record a line, and return what was lost.

    Raises:
        ExportError: another board than 9x5, or a game that is not over: the records are for
            finished games.

    Examples:
        >>> import sys
        >>> game = Game(result="1-0")
        >>> _ = game.root.add_variation("f2-e3A")
        >>> write([game], sys.stdout)
        {"header": {"game": {"name": "Fanorona"}, ...
        []
    """
    losses: list[Loss] = []
    for number, game in enumerate(games, 1):
        if game.result == "*" and game.termination != _ABANDONED:
            raise ExportError(f"game {number}: not over, and only finished games have a record")
        small, lost = reduced(game, number, _carried(game), terminations=_carried_ends(game))
        losses += lost
        stream.write(dumps({"header": _header(small), "moves": _rounds(small)}) + "\n")
    return losses


def _carried(game: Game) -> frozenset[str]:
    tags = {"Event", "Round", "Site", "White", "Black", "WhiteId", "BlackId", "GameId"}
    if _is_date(game.tags["Date"]):
        tags.add("Date")
        if re.fullmatch(r"[0-9]{2}:[0-9]{2}:[0-9]{2}", game.tags.get("UTCTime", "")) and (
            game.tags["UTCTime"] != "00:00:00"
        ):
            tags.add("UTCTime")
        if _is_date(game.tags.get("EndDate", "")) and game.tags["EndDate"] != game.tags["Date"]:
            tags.add("EndDate")
    tags |= {f"{side}Type" for side in _SIDES if game.tags.get(f"{side}Type") in _TYPES}
    return frozenset({"result", *_START, *(f"tag {tag}" for tag in tags)})


def _carried_ends(game: Game) -> frozenset[str]:
    """Return the ends that a last word can tell."""
    if game.winner is None:
        return frozenset({reason for reason, result in _UNDECIDED.items() if result == game.result})
    return frozenset({Reason.RESIGNATION, Reason.TIME})


_START: Final = ("start", "quiet counter", "turn number")
_TYPES: Final = ("human", "program")


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text.replace(".", "-"))
    except ValueError:
        return False
    return re.fullmatch(r"[0-9]{4}\.[0-9]{2}\.[0-9]{2}", text) is not None and text != "0001.01.01"


def _header(game: Game) -> dict[str, Any]:
    tags = game.tags
    known = dict(tags.known())
    begun = ended = _NO_DATE
    if "Date" in known:
        day = known["Date"].replace(".", "-")
        begun = f"{day}T{known.get('UTCTime', '00:00:00')}.000Z"
        ended = begun
    if "EndDate" in known:
        ended = f"{known['EndDate'].replace('.', '-')}T00:00:00.000Z"
    site = {"name": tags["Site"]}
    if "GameId" in known:
        site["gameid"] = known["GameId"]
    header: dict[str, Any] = {"game": {"name": _GAME}, "site": site}
    header |= {tag.lower(): known[tag] for tag in ("Event", "Round") if tag in known}
    header |= {"date-start": begun, "date-end": ended, "date-generated": ended}
    header["players"] = [
        _player(game, side, score) for side, score in zip(_SIDES, _SCORES[game.result], strict=True)
    ]
    if game.initial != Position.start(game.rules):
        header["startingPosition"] = game.initial.text().rpartition(" ")[0]
    return header


def _player(game: Game, side: str, score: int) -> dict[str, Any]:
    # The side keeps apart two players of whom nothing is known: entries must differ.
    player: dict[str, Any] = {"name": game.tags[side], "result": score, "side": side.lower()}
    if f"{side}Id" in game.tags:
        player["userid"] = game.tags[f"{side}Id"]
    if f"{side}Type" in game.tags:
        player["is_ai"] = game.tags[f"{side}Type"] == "program"
    return player


def _rounds(game: Game) -> list[list[Any]]:
    rounds: list[list[Any]] = []
    for node in game.mainline():
        assert node.turn is not None
        if node.side is Side.WHITE:
            rounds.append([])
        elif not rounds:
            rounds.append([None])
        rounds[-1].append(turn_text(node.turn))
    if game.termination in _NAMES:
        if game.end().position.side is Side.WHITE:
            rounds.append([])
        elif not rounds:
            rounds.append([None])
        rounds[-1].append(_NAMES[game.termination])
    return rounds


def turn_text(turn: Turn) -> str:
    """Write a turn in the notation of the site.

    Examples:
        >>> turn_text(Turn.from_text("f2-f3A-g3A-f4A-e3W"))
        'f2f3+, g3+, f4+, e3-'
    """
    start, *steps = str(turn).split("-")
    return start + ", ".join(step.translate(_SIGNS) for step in steps)


def _sniff(head: str) -> bool:
    """Say whether a text begins with a record of this game."""
    return re.match(r'\s*\[?\s*\{\s*"header"\s*:', head) is not None and f'"{_GAME}"' in head


FORMAT = Format(
    "abstractplay",
    "Abstract Play's JSON records, as f2f3+, g3-",
    (".json",),
    read,
    write,
    _sniff,
    between="",
)
