"""Records of boardspace.net: SGF-like, versions 1 and 2."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, TextIO

from fanorona_core.errors import RecordError, UnsupportedVariantError
from fanorona_core.formats._boardspace_ops import Operations
from fanorona_core.formats._common import Format, Replay, reduced, steps_of
from fanorona_core.formats._sgf import SgfGame, Word, games, quoted, storable
from fanorona_core.game import Game
from fanorona_core.node import Node
from fanorona_core.outcome import Reason
from fanorona_core.records import (
    Loss,
    ReadResult,
    Source,
    clipped,
    open_text,
    placed,
    settled,
)
from fanorona_core.rules import DEFAULT_RULES, RuleSet, other_game
from fanorona_core.types import Side

__all__ = ["FORMAT", "read", "write"]

_GAME: Final = "Fanorona"
_VERSIONS: Final = ("1", "2")
# What the site writes for a player without a name.
_NOBODY: Final = "null"
_LABELS: Final = {"P0": "White", "P1": "Black"}
# Properties that are a tag; the others of a root are left out with a warning.
_TAGS: Final = {"EV": "Event", "RO": "Round", "PC": "Site", "AN": "Annotator"}
_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_INFO = re.compile(r'\s*(id|time|rank|ranking|uid|country)\b\s*"?(.*?)"?\s*', re.I | re.S)


def read(
    source: Source, *, rules: RuleSet | None = None, strict: bool = False
) -> Iterator[ReadResult]:
    """Iterate over the games of a file.

    Rules are ``tsivy`` if not said. The result is that of the final position, of a resignation, a
    draw agreed or a win on time, or what the property RE says.

    Raises:
        RecordError: a game could not be read, with ``strict``.

    Examples:
        >>> text = '(;GM[Fanorona]VV[1]SU[fanorona];P0[Start P0];P0[Pickb F 2 0];P0[Dropb E 3])'
        >>> result = next(read(text))
        >>> result.game, result.warnings
        (<Game ? - ?, 1 turn, *>, ('no Done after the last turn',))
    """
    return settled(_read(source, rules or DEFAULT_RULES), strict)


def _read(source: Source, rules: RuleSet) -> Iterator[ReadResult]:
    with open_text(source) as stream:
        for number, record in enumerate(games(stream), 1):
            reader = _Reader(rules)
            try:
                reader.read(record)
            except ValueError as fault:
                error = placed(fault, reader.line or record.line, reader.turn)
                error.game = number
                partial = reader.game if reader.game.root.next else None
                yield ReadResult(number, record.line, None, error, tuple(reader.warnings), partial)
            else:
                yield ReadResult(number, record.line, reader.game, None, tuple(reader.warnings))


class _Reader:
    """One game."""

    def __init__(self, rules: RuleSet) -> None:
        self.game = Game(rules)
        self.operations = Operations(Replay(self.game))
        self.main: Operations | None = None  # as the main line left it
        self.names: dict[str, str] = {}
        self.times: dict[str, str] = {}
        self.properties: dict[str, str] = {}
        self.warnings: list[str] = []
        self.line = 0
        self.turn: int | None = None

    def read(self, record: SgfGame) -> None:
        # The operations before each open parenthesis, and whether branches stood inside it.
        branches: list[tuple[Operations, bool]] = []
        for word in record.words:
            self.line = word.line
            self.turn = self.operations.replay.start.turn_number
            if word.kind == "(":
                if branches:
                    branches[-1] = (branches[-1][0], True)
                branches.append((self.operations.fork(), False))
            elif word.kind == ")":
                before, is_inner = branches.pop()
                if not is_inner:
                    self._end_branch()
                self.operations = before
            elif word.kind != ";":
                self._take(word)
        if record.error is not None:
            raise record.error
        self._take_header()
        self._take_result()

    def _end_branch(self) -> None:
        """Finish a line of play; the first one is the main line."""
        silent: list[str] = []
        self.operations.finish(self.warnings if self.main is None else silent)
        self.main = self.main or self.operations

    def _take(self, word: Word) -> None:
        name, text = word.kind, word.text
        if name in _LABELS:
            info = _INFO.fullmatch(text)
            if info is None:
                rest = self.operations.take(name, text)
                if rest:
                    self.warnings.append(f"line {word.line}: {clipped(rest)} is left out")
            elif info[1].lower() == "id":
                self.names[name] = info[2]
            elif info[1].lower() == "time":
                self.times[name] = info[2]
            else:
                self.warnings.append(f"line {word.line}: {name}[{info[1]}] is left out")
        elif name == "C":
            self.operations.take_comment(text)
        elif name == "TM":
            self.operations.take_time(text)
        else:
            self._take_property(name, text)

    def _take_property(self, name: str, text: str) -> None:
        if name == "GM" and text.strip().lower() != _GAME.lower():
            what = other_game(text) or f"the game {clipped(text)}"
            raise UnsupportedVariantError(f"{what} is not supported, expected {_GAME}")
        if name == "SU" and text.strip().lower() != _GAME.lower():
            raise UnsupportedVariantError(f"the set-up {clipped(text)} is not supported")
        if name == "VV" and text.strip() not in _VERSIONS:
            raise RecordError(f"version {clipped(text)}, expected {' or '.join(_VERSIONS)}")
        self.properties[name] = text

    def _take_header(self) -> None:
        if "GM" not in self.properties:
            raise RecordError("no property GM[Fanorona]")
        tags = self.game.tags
        operations = self.main or self.operations
        sides = {label: str(operations.side_of(label)) for label in _LABELS}
        for label, name in self.names.items():
            if name != _NOBODY:
                tags[sides[label]] = name
        for label, time in self.times.items():
            tags[f"{sides[label]}Time"] = time
        usual = "-".join(self.names.get(label, _NOBODY) for label in _LABELS)
        for name, text in self.properties.items():
            if name in _TAGS:
                tags[_TAGS[name]] = text
            elif name == "DT" and text:
                day = _DATE.fullmatch(text.strip())
                tags["Date" if day else "DT"] = ".".join(day.groups()) if day else text
            elif name == "GN" and text != usual:
                tags["GameName"] = text
            elif name not in ("GM", "SU", "VV", "DT", "GN", "RE"):
                self.warnings.append(f"property {name} is left out")

    def _take_result(self) -> None:
        operations = self.main or self.operations
        game = self.game
        told = self._told(self.properties.get("RE", ""))
        game.result = operations.result or game.decided()[0]
        if operations.reason is not None:
            game.termination = operations.reason
        if game.result == "*":
            game.result = told
        elif told not in ("*", game.result):
            self.warnings.append(f"RE says {told}, but the game ends {game.result}")

    def _told(self, text: str) -> str:
        """Return the result that RE tells, in the language of the player who saved it."""
        if not text.strip():
            return "*"
        if text.strip() in ("1-0", "0-1", "1/2-1/2"):
            return text.strip()
        tags = self.game.tags
        winners = [
            result
            for side, result in (("White", "1-0"), ("Black", "0-1"))
            if tags[side] != "?"
            and re.search(rf"(?<!\w){re.escape(tags[side])}[\s.]*\Z", text, re.IGNORECASE)
        ]
        if len(winners) == 1:
            return winners[0]
        if "draw" in text.lower():
            return "1/2-1/2"
        self.warnings.append(f"RE says {clipped(text)}, which names no one player")
        return "*"


_WON: Final = frozenset[str]({Reason.RESIGNATION, Reason.TIME})
# The ends that operations can tell, by the result.
_ENDS: Final[dict[str, frozenset[str]]] = {
    "1-0": _WON,
    "0-1": _WON,
    "1/2-1/2": frozenset({Reason.AGREEMENT}),
    "*": frozenset(),
}


def write(games: Iterable[Game], stream: TextIO) -> list[Loss]:
    """Write games as the site's own program does, and return what was lost.

    Raises:
        ExportError: another board than 9x5, or another start than the usual one.
    """
    losses: list[Loss] = []
    for number, game in enumerate(games, 1):
        small, lost = reduced(
            game,
            number,
            _carried(game),
            terminations=_ENDS[game.result],
            commands=_commands,
        )
        losses += lost
        changed = _make_storable(small)
        if changed:
            losses.append(Loss(number, "characters", changed))
        stream.write(("\n" if number > 1 else "") + "\n".join([*_lines(small), ""]))
    return losses


def _make_storable(game: Game) -> int:
    """Replace what a file of text would not keep; return how many characters that were."""
    changed = 0

    def stored(text: str) -> str:
        nonlocal changed
        text, count = storable(text)
        changed += count
        return text

    for name, value in list(game.tags.known()):
        game.tags[name] = stored(value)
    for node in game.nodes():
        node.comment = stored(node.comment)
        node.commands = [(name, stored(value)) for name, value in node.commands]
    return changed


def _carried(game: Game) -> frozenset[str]:
    tags = game.tags
    kept = set(_TAGS.values())
    kept |= {side for side in ("White", "Black") if tags[side] != _NOBODY}
    kept |= {
        f"{side}Time"
        for side in ("White", "Black")
        if re.fullmatch(r"[0-9:.]+", tags.get(f"{side}Time", ""))
    }
    if re.fullmatch(r"[0-9]{4}\.[0-9]{2}\.[0-9]{2}", tags["Date"]):
        kept.add("Date")
    elif _DATE.fullmatch(tags.get("DT", "").strip()) is None:
        kept.add("DT")
    if tags.get("GameName") != _usual_name(game):
        kept.add("GameName")
    return frozenset({"result", "comments", *(f"tag {tag}" for tag in kept)})


def _commands(node: Node) -> tuple[tuple[str, str], ...]:
    """Return the commands of a node that have a place: its time, and draws offered and declined."""
    kept = [command for command in node.commands if command[0] == "tm"][: node.turn is not None]
    offered = False
    for name, value in node.commands:
        if name == "draw" and re.fullmatch("offer (White|Black)", value):
            offered = True
            kept.append((name, value))
        elif name == "draw" and offered and re.fullmatch("decline (White|Black)", value):
            offered = False
            kept.append((name, value))
    return tuple(kept)


def _usual_name(game: Game) -> str:
    names = (game.tags[side] for side in _LABELS.values())
    return "-".join(_NOBODY if name == "?" else name for name in names)


def _lines(game: Game) -> Iterator[str]:
    tags = dict(game.tags.known())
    names = {label: tags.get(side, _NOBODY) for label, side in _LABELS.items()}
    yield "(;"
    yield f"GM[{_GAME}] VV[1]"
    yield f"DT[{quoted(tags.get('Date', '').replace('.', '-') or tags.get('DT', ''))}]"
    yield f"GN[{quoted(tags.get('GameName', _usual_name(game)))}]"
    yield f"SU[{_GAME.lower()}]"
    for label, name in names.items():
        yield f'{label}[id "{quoted(name)}"]'
    for name, tag in _TAGS.items():
        if tag in tags:
            yield f"{name}[{quoted(tags[tag])}]"
    result = _told_result(game)
    if result:
        yield f"RE[{quoted(result)}]"
    if game.root.comment:
        yield f"C[{quoted(game.root.comment)}]"
    for index, (label, text, rest) in enumerate(_operations(game)):
        yield f"; {label}[{index} {text}]{rest}"
    yield ";"
    for label, side in _LABELS.items():
        if f"{side}Time" in tags:
            yield f"{label}[time {quoted(tags[f'{side}Time'])} ]"
    yield ")"


def _told_result(game: Game) -> str:
    """Return what RE must say, since nothing else in the record does."""
    if game.result == game.decided()[0] or game.termination in _ENDS[game.result]:
        return ""
    if game.winner is None:
        return "The game is a draw"
    name, other = game.tags[str(game.winner)], game.tags[str(game.winner.other)]
    # Any reader must be able to tell from the end of the text who it was.
    plain = re.fullmatch(r"\w+", name) and name.lower() != other.lower()
    return f"Game won by {name}" if plain else game.result


def _operations(game: Game) -> Iterator[tuple[str, str, str]]:
    yield "P0", "Start P0", ""
    for node in (game.root, *game.mainline()):
        label = _label(node.side)
        if node.turn is not None and node.parent is not None:
            steps, _ = steps_of(node.parent.position, node.turn)
            for step in steps:
                start, end = (
                    f"{name[0].upper()} {name[1:]}" for name in str(step).rstrip("AW").split("-")
                )
                verb = f"Capture {step.kind}" if step.kind else "Move"
                yield label, f"{verb} {start} {end}", ""
            times = [f"TM[{quoted(value)}]" for name, value in node.commands if name == "tm"]
            comment = f" C[{quoted(node.comment)}]" if node.comment else ""
            yield label, "done", "".join(times[:1]) + comment
        for name, value in node.commands:
            if name == "draw":
                kind, _, who = value.partition(" ")
                speaker = _label(Side.BLACK if who == str(Side.BLACK) else Side.WHITE)
                yield speaker, "OfferDraw" if kind == "offer" else "DeclineDraw", ""
                yield speaker, "done", ""
    reason = game.termination if game.termination in _ENDS[game.result] else None
    last = game.end()
    if reason == Reason.AGREEMENT:
        ends = [(last.position.side, "OfferDraw"), (last.side, "AcceptDraw")]
    elif reason == Reason.RESIGNATION and game.winner is not None:
        ends = [(game.winner.other, "Resign")]
    elif reason == Reason.TIME and game.winner is not None:
        yield _label(game.winner), "WinOnTime", ""
        return
    else:
        return
    for side, verb in ends:
        yield _label(side), verb, ""
        yield _label(side), "done", ""


def _label(side: Side) -> str:
    return "P1" if side is Side.BLACK else "P0"


def _sniff(head: str) -> bool:
    """Say whether a text begins with a game of this site."""
    return re.match(r"\s*\(\s*;\s*GM\[fanorona\]", head, re.IGNORECASE) is not None


FORMAT = Format("boardspace", "boardspace.net's records, like SGF", (".sgf",), read, write, _sniff)
