"""Games out of the words of an FGN file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from fanorona_core._fgn_lexer import Lexer, Token
from fanorona_core._turn import Turn
from fanorona_core.annotation import Evaluation, parse_duration
from fanorona_core.errors import NotationError, RecordError, UnsupportedVariantError
from fanorona_core.game import RESULTS, Game
from fanorona_core.node import Node, round_number
from fanorona_core.notation import parse_turn
from fanorona_core.position import Position
from fanorona_core.records import ReadResult, Source, clipped, located, open_text, placed, unescape
from fanorona_core.rules import DEFAULT_RULES, USUAL_RULES, RuleSet, other_game, usual_rules
from fanorona_core.tags import DERIVED_TAGS
from fanorona_core.types import Side

__all__ = ["games_in", "take_command"]

_BOARDS: Final = {
    name.lower(): rules
    for rules in USUAL_RULES.values()
    for name in (str(rules.name), str(rules.variant))
} | {"fanorona": DEFAULT_RULES}
_OTHER_BOARD = re.compile(r"fanorona ([0-9]{1,2})x([0-9]{1,2})")
_COMMAND = re.compile(r"\[%([A-Za-z][A-Za-z0-9_-]*)(?:[ \t\r\n]+([^\]]*))?\]")
_SPACE = re.compile(r"[ \t\r\n\f\v]+")
# The other program's position text: no chain field, and moves of both sides numbered together.
_FOREIGN_FEN = re.compile(r"(\S+) ([wWbB]) ([0-9]{1,6})(?: ([0-9]{1,6}))?")


def games_in(source: Source) -> Iterator[ReadResult]:
    """Iterate over the games of an FGN file, broken ones included; see `fanorona_core.fgn`."""
    with open_text(source) as stream:
        tokens = Lexer(stream)
        number = 0
        tagged = False
        while True:
            reader = _GameReader(number + 1)
            if not reader.read(tokens, tagged):
                return
            number += 1
            tagged = tagged or reader.tagged
            yield reader.result()


def plain_text(raw: str) -> str:
    """Undo the line breaks and escapes of a comment or a command."""
    return unescape(_SPACE.sub(" ", raw).strip(" "))


class _GameReader:
    """One game: takes tokens until its end and remembers the first fault.

    After a fault it only looks for the end, so that the next game is read as if nothing happened.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self.line = 0
        self.tags: dict[str, tuple[str, int]] = {}
        self.game: Game | None = None
        self.error: RecordError | None = None
        self.warnings: list[str] = []
        self.node = Node(Position.start())
        self.branches: list[tuple[Node, Node, int]] = []  # where to go back to, root, line
        self.before: list[str] = []  # comments that stand before the next turn
        self.numbered = False  # a turn number stood directly before
        self.played = False  # anything but tags was seen
        self.result_text = ""

    @property
    def tagged(self) -> bool:
        return bool(self.tags)

    def read(self, tokens: Lexer, tagged: bool) -> bool:
        """Take the tokens of one game; False if there are none.

        ``tagged``: games of this file begin with tags, so that a text without them is no game.
        """
        depth = 0  # of variations, counted after a fault too
        for token in tokens:
            self.line = self.line or token.line
            depth = max(depth + {"(": 1, ")": -1}.get(token.kind, 0), 0)
            if token.kind == "result" and depth and _closes(tokens):
                reason = "a result inside a variation"
                self._fail(RecordError(reason, line=token.line, turn=self._turn_number()))
                continue
            if token.kind == "tag" and self._is_next(token):
                tokens.push_back(token)
                self._warn(None, "the game has no result at its end")
                break
            self._take(token)
            if token.kind == "result":
                self._after_result(tokens, tagged or self.tagged)
                break
        else:
            if not self.played and not self.tags and self.error is None:
                return False
            self._warn(None, "the game has no result at its end")
        if self.error is None:
            try:
                self._finish()
            except ValueError as error:
                self._fail(placed(error, None, self._turn_number()))
        return True

    def _is_next(self, tag: Token) -> bool:
        if self.played or not self.tags:
            return self.played
        return tag.apart and (tag.text == "Event" or tag.text in self.tags)

    def _after_result(self, tokens: Lexer, tagged: bool) -> None:
        """Comments after the result are the last turn's; turns there mean that it is no result."""
        for token in tokens:
            if token.kind == "comment":
                self._take(token)
                continue
            if token.kind == "tag" or not tagged:
                tokens.push_back(token)
                return
            self._fail(RecordError("text after the result", line=token.line))

    def result(self) -> ReadResult:
        warnings = tuple(self.warnings)
        if self.error is None:
            return ReadResult(self.number, self.line, self.game, None, warnings)
        self.error.game = self.number
        partial = self.game if self.game is not None and self.game.root.next else None
        return ReadResult(self.number, self.line, None, self.error, warnings, partial)

    def _warn(self, line: int | None, text: str) -> None:
        self.warnings.append(text if line is None else f"line {line}: {text}")

    def _fail(self, error: RecordError) -> None:
        if self.error is None:
            self.error = error

    def _take(self, token: Token) -> None:
        if token.kind == "tag":
            if token.text in self.tags:
                self._warn(token.line, f"tag {token.text} is there twice; the last one counts")
            self.tags[token.text] = (token.value, token.line)
            return
        if token.kind != "comment":
            self.played = True
        if self.error is not None:
            return
        try:
            if self.game is None and token.kind != "comment":
                self._start()
            _ACTIONS[token.kind](self, token)
        except ValueError as error:
            self._fail(placed(error, token.line, self._turn_number()))

    def _turn_number(self) -> int | None:
        return None if self.game is None else self.node.position.turn_number

    # The beginning.

    def _start(self) -> None:
        line = self._line_of("Variant", "Rules", "Vela", "FEN")
        with located(line):
            initial = self._initial()
        game = Game(initial)
        for name, (value, line) in self.tags.items():
            if name not in DERIVED_TAGS:
                with located(line):
                    game.tags[name] = value
        self.game, self.node = game, game.root
        self._keep_before()

    def _line_of(self, *names: str) -> int:
        return next((self.tags[name][1] for name in names if name in self.tags), self.line)

    def _text_of(self, name: str) -> str | None:
        return self.tags[name][0] if name in self.tags else None

    def _initial(self) -> Position:
        if "Vela" in self.tags:
            raise UnsupportedVariantError(
                "the vela return game is not supported", line=self.tags["Vela"][1]
            )
        board = self._board()
        rules = board
        text = self._text_of("Rules")
        if text is not None:
            other = other_game(text)
            if other is not None:
                raise UnsupportedVariantError(
                    f"rules {clipped(text)}: {other} is not supported", line=self.tags["Rules"][1]
                )
            with located(self.tags["Rules"][1]):
                rules = RuleSet.parse(text)
        fen = self._text_of("FEN")
        if fen is None:
            if (self._text_of("SetUp") or "0") != "0":
                raise RecordError("SetUp without FEN", line=self.tags["SetUp"][1])
            position = Position.start(rules or DEFAULT_RULES)
        else:
            setup = self._text_of("SetUp") or "1"
            if setup != "1":
                self._warn(self.tags["SetUp"][1], f"SetUp is {clipped(setup)}, but the FEN counts")
            with located(self.tags["FEN"][1]):
                position = _parse_fen(fen, rules)
                if text is not None and position.rules != rules:
                    raise RecordError(
                        f"the rules in the FEN are not those of the tag Rules: {clipped(fen)}"
                    )
        if board is not None and (board.columns, board.rows) != (position.columns, position.rows):
            raise RecordError(
                f"variant {clipped(self.tags['Variant'][0])} is not played on a board of "
                f"{position.columns}x{position.rows}",
                line=self.tags["Variant"][1],
            )
        return position

    def _board(self) -> RuleSet | None:
        """Return the usual rules of the board that the tag Variant names."""
        variant = self._text_of("Variant")
        if variant is None:
            return None
        name = " ".join(variant.lower().split())
        other = other_game(name)
        if other is not None:
            raise UnsupportedVariantError(
                f"variant {clipped(variant)}: {other} is not supported",
                line=self.tags["Variant"][1],
            )
        size = _OTHER_BOARD.fullmatch(name)
        if size is not None:
            with located(self.tags["Variant"][1]):
                return usual_rules(int(size[1]), int(size[2]))
        if name not in _BOARDS:
            raise UnsupportedVariantError(
                f"variant {clipped(variant)} is not known: expected Fanoron-Tsivy, Fanoron-Dimy, "
                "Fanoron-Telo or a board as Fanorona 7x5",
                line=self.tags["Variant"][1],
            )
        return _BOARDS[name]

    # The turns.

    def _bad(self, token: Token) -> None:
        raise RecordError(token.text, line=token.line)

    def _take_number(self, token: Token) -> None:
        position = self.node.position
        expected = round_number(position.turn_number, position.side)
        if int(token.text) != expected:
            text = f"turn number {token.text}, expected {expected}"
            if not any("turn number" in warning for warning in self.warnings):
                self._warn(token.line, text)
        self.numbered = True

    def _take_turn(self, token: Token) -> None:
        position = self.node.position
        if position.columns == 3 and re.fullmatch(r"[A-Ca-c][1-3]", token.text):
            raise UnsupportedVariantError(
                f"turn {clipped(token.text)} drops a stone: the three-in-a-row Fanoron-Telo is "
                "not supported"
            )
        self.node = self.node.add_variation(_turn_of(position, token.text))
        self.node.comment_before = " ".join(filter(None, map(plain_text, self.before)))
        self.before = []
        self.numbered = False

    def _take_comment(self, token: Token) -> None:
        if self.game is None or self.numbered or self._opens_variation():
            self.before.append(token.text)
        else:
            self._comment(token.text)

    def _comment(self, raw: str) -> None:
        """Take a comment apart: commands that are known, others, and the text."""
        node = self.node
        for match in _COMMAND.finditer(raw):
            take_command(node, match[1], plain_text(match[2] or ""))
        text = plain_text(_COMMAND.sub(" ", raw))
        if text:
            node.comment = f"{node.comment} {text}" if node.comment else text

    def _take_nag(self, token: Token) -> None:
        if self.node.turn is None or self._opens_variation():
            raise RecordError("a mark or glyph without a turn before it")
        self.node.nags.append(int(token.text))

    def _opens_variation(self) -> bool:
        return bool(self.branches) and self.branches[-1][1] is self.node

    def _open(self, token: Token) -> None:
        if self.node.parent is None or self._opens_variation():
            raise RecordError("a variation without a turn before it")
        self._keep_before()
        self.branches.append((self.node, self.node.parent, token.line))
        self.node = self.node.parent

    def _close(self, token: Token) -> None:
        if not self.branches:
            raise RecordError("')' without a variation to end")
        if self._opens_variation():
            raise RecordError("a variation without a turn")
        self._keep_before()
        self.node = self.branches.pop()[0]

    def _keep_before(self) -> None:
        """Give comments that waited for a turn to the turn before them."""
        for raw in self.before:
            self._comment(raw)
        self.before = []
        self.numbered = False

    def _take_result(self, token: Token) -> None:
        self._keep_before()
        self.result_text = token.text

    # The end.

    def _finish(self) -> None:
        if self.game is None:
            self._start()
        game = self.game
        assert game is not None
        if self.branches:
            raise RecordError("a variation without an end", line=self.branches[-1][2])
        self._keep_before()
        game.result = self._result()
        game.termination = self._text_of("Termination")
        count = self._text_of("PlyCount")
        if count is not None and count != str(len(game)):
            self._warn(
                self.tags["PlyCount"][1], f"PlyCount is {clipped(count)}, turns are {len(game)}"
            )
        decided, _ = game.decided()
        if decided not in ("*", game.result):
            self._warn(None, f"the result is {game.result}, but the last turn ends it {decided}")

    def _result(self) -> str:
        text = self._text_of("Result")
        tag = (text or "*").replace("½-½", "1/2-1/2")
        if tag not in RESULTS:
            self._warn(self.tags["Result"][1], f"result {clipped(tag)} means nothing")
            tag = "*"
        if self.result_text in ("", "*"):
            return tag
        if text is not None and tag != self.result_text:
            self._warn(
                self.tags["Result"][1],
                f"the tag Result is {tag}, but the game ends with {self.result_text}",
            )
        return self.result_text


_ACTIONS: Final[dict[str, Callable[[_GameReader, Token], None]]] = {
    "bad": _GameReader._bad,
    "number": _GameReader._take_number,
    "turn": _GameReader._take_turn,
    "comment": _GameReader._take_comment,
    "nag": _GameReader._take_nag,
    "(": _GameReader._open,
    ")": _GameReader._close,
    "result": _GameReader._take_result,
}


def _closes(tokens: Lexer) -> bool:
    """Say whether a variation ends here; comments before that are dropped."""
    for token in tokens:
        if token.kind != "comment":
            tokens.push_back(token)
            return token.kind == ")"
    return False


def _turn_of(position: Position, text: str) -> Turn:
    """Read a turn; canonical text, which is nearly all there is, costs no list of legal turns."""
    try:
        turn = Turn.from_text(text, position.columns)
    except NotationError:
        return parse_turn(position, text)
    return turn if position.is_legal(turn) else parse_turn(position, text)


def _parse_fen(text: str, rules: RuleSet | None) -> Position:
    foreign = _FOREIGN_FEN.fullmatch(" ".join(text.split()))
    if foreign is None:
        return Position.parse(text, rules)
    stones, letter, quiet, number = foreign.groups()
    turn = 2 * max(int(number or 1), 1) - (Side.from_letter(letter) is Side.WHITE)
    return Position.parse(f"{stones} {letter} - {quiet} {turn}", rules)


def take_command(node: Node, name: str, value: str) -> None:
    """Set the field that a command means, once; all else is kept as it is."""
    try:
        if name == "clk" and node.clock is None:
            node.clock = parse_duration(value)
        elif name == "emt" and node.elapsed is None:
            node.elapsed = parse_duration(value)
        elif name == "eval" and node.eval is None:
            node.eval = Evaluation.parse(value)
        else:
            node.commands.append((name, value))
    except NotationError:
        node.commands.append((name, value))
