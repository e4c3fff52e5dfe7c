"""Fanorona: its rules, positions, games and records, an engine and endgame tables."""

try:
    from fanorona_core._geometry import Geometry, geometry
except ModuleNotFoundError as error:
    if error.name != "fanorona_core._geometry":
        raise
    # A source tree that was not built.
    raise ImportError(
        f"the compiled core of fanorona is missing ({error}); "
        "install it with: python -m pip install ."
    ) from error
from fanorona_core._perft import perft
from fanorona_core._turn import Step, Turn
from fanorona_core._version import __version__
from fanorona_core.board import Board, LegalTurns
from fanorona_core.engine import Engine, Info, Limit
from fanorona_core.errors import (
    CorruptProofError,
    CorruptTableError,
    EngineError,
    ExportError,
    FanoronaError,
    IllegalTurnError,
    InvalidPositionError,
    MissingTableError,
    NotationError,
    OutcomeError,
    ProofError,
    RecordError,
    RulesError,
    UnsupportedVariantError,
)
from fanorona_core.game import Game
from fanorona_core.node import Node
from fanorona_core.notation import format_position, format_turn, parse_position, parse_turn
from fanorona_core.outcome import Outcome, Reason
from fanorona_core.position import Position
from fanorona_core.rules import DEFAULT_RULES, PROFILES, RuleSet
from fanorona_core.score import Score
from fanorona_core.tablebase import Tables, TableValue, TurnValue, Wdl
from fanorona_core.types import Side

__all__ = [
    "DEFAULT_RULES",
    "PROFILES",
    "Board",
    "CorruptProofError",
    "CorruptTableError",
    "Engine",
    "EngineError",
    "ExportError",
    "FanoronaError",
    "Game",
    "Geometry",
    "IllegalTurnError",
    "Info",
    "InvalidPositionError",
    "LegalTurns",
    "Limit",
    "MissingTableError",
    "Node",
    "NotationError",
    "Outcome",
    "OutcomeError",
    "Position",
    "ProofError",
    "Reason",
    "RecordError",
    "RuleSet",
    "RulesError",
    "Score",
    "Side",
    "Step",
    "TableValue",
    "Tables",
    "Turn",
    "TurnValue",
    "UnsupportedVariantError",
    "Wdl",
    "__version__",
    "format_position",
    "format_turn",
    "geometry",
    "parse_position",
    "parse_turn",
    "perft",
]
