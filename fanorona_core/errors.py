"""Every exception of the library: one root, and leaves that are also the natural builtin."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = [
    "CorruptProofError",
    "CorruptTableError",
    "EngineError",
    "ExportError",
    "FanoronaError",
    "IllegalTurnError",
    "InvalidPositionError",
    "MissingTableError",
    "NotationError",
    "OutcomeError",
    "ProofError",
    "RecordError",
    "RulesError",
    "UnsupportedVariantError",
]


class FanoronaError(Exception):
    """The root of the errors about input: texts, positions, turns, records, tables and proofs.

    The text is one line that carries the input and says what would be right. An argument of the
    wrong kind or out of range, such as a level of 99, is a plain TypeError or ValueError.

    Examples:
        >>> issubclass(NotationError, FanoronaError) and issubclass(NotationError, ValueError)
        True
    """

    def __str__(self) -> str:
        # KeyError would show the repr of its argument, OSError an errno: a message is a message.
        return " ".join(str(argument) for argument in self.args)


class NotationError(FanoronaError, ValueError):
    """A text that cannot be read as a point, turn or position.

    Examples:
        >>> raise NotationError("'j2' is no point of a 9x5 board: columns are a to i")
        Traceback (most recent call last):
        ...
        fanorona_core.errors.NotationError: 'j2' is no point of a 9x5 board: columns are a to i
    """


class IllegalTurnError(FanoronaError, ValueError):
    """A well-formed turn or step that the rules do not allow in this position."""


class InvalidPositionError(FanoronaError, ValueError):
    """A position that cannot be: it lists every reason, not only the first.

    ``reasons`` holds one short sentence a fault; the text joins them with semicolons.

    Examples:
        >>> error = InvalidPositionError(["both colours on e3", "no stones on the board"])
        >>> error.reasons
        ('both colours on e3', 'no stones on the board')
        >>> str(error)
        'both colours on e3; no stones on the board'
    """

    reasons: tuple[str, ...]

    def __init__(self, reasons: str | Iterable[str]) -> None:
        self.reasons = (reasons,) if isinstance(reasons, str) else tuple(reasons)
        super().__init__(self.reasons)

    def __str__(self) -> str:
        return "; ".join(self.reasons)


class RulesError(FanoronaError, ValueError):
    """A rule set that cannot be, or a text that names none."""


class RecordError(FanoronaError, ValueError):
    """A game record that cannot be read.

    ``line``, ``game`` and ``turn`` say where, counted from 1, or are None where that is unknown;
    ``reason`` is the sentence without the place.

    Examples:
        >>> str(RecordError("unclosed comment", line=12, game=2))
        'line 12, game 2: unclosed comment'
    """

    reason: str
    line: int | None
    game: int | None
    turn: int | None

    def __init__(
        self,
        reason: str,
        *,
        line: int | None = None,
        game: int | None = None,
        turn: int | None = None,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line
        self.game = game
        self.turn = turn

    def __str__(self) -> str:
        places = (("line", self.line), ("game", self.game), ("turn", self.turn))
        where = ", ".join(f"{name} {number}" for name, number in places if number is not None)
        return f"{where}: {self.reason}" if where else self.reason


class UnsupportedVariantError(RecordError):
    """A record of another game on the same boards, such as vela: refused, never played."""


class ExportError(FanoronaError, ValueError):
    """A game that the chosen format has no way to express."""


class MissingTableError(FanoronaError, KeyError):
    """An endgame table that is not there.

    Examples:
        >>> str(MissingTableError("no table for 3 against 4 stones"))
        'no table for 3 against 4 stones'
    """


class CorruptTableError(FanoronaError, OSError):
    """An endgame table that is there and cannot be trusted."""


class OutcomeError(FanoronaError, ValueError):
    """An end of the game that cannot be declared, such as resigning a game already over."""


class EngineError(FanoronaError, ValueError):
    """A position that cannot be searched, since the game is over there."""


class ProofError(FanoronaError, ValueError):
    """A position that cannot be proved, or a proof from which its claim does not follow."""


class CorruptProofError(FanoronaError, OSError):
    """A file of a proof, or of a search for one, that is not what it should be."""
