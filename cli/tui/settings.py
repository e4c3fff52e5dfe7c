"""What the players chose last time, kept in the data folder."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final

from fanorona_core import FanoronaError, RuleSet

from ..output import write_file
from .themes import DEFAULT_THEME, PALETTES

__all__ = ["Settings", "load_settings", "save_settings"]

FILE: Final = "settings.json"


@dataclass
class Settings:
    """The choices of the start screen and the look; every field has a value that is safe.

    ``white`` and ``black`` are "person" or "engine"; ``level`` 1 to 10; ``time_ms`` is the
    engine's time a turn, 0 for none; ``clock_ms`` and ``increment_ms`` are the players' clocks,
    0 for none; ``speed`` indexes the pauses between turns of two engines.
    """

    rules: str = "tsivy"
    white: str = "person"
    black: str = "engine"
    level: int = 3
    time_ms: int = 0
    clock_ms: int = 0
    increment_ms: int = 0
    theme: str = DEFAULT_THEME
    ascii: bool = False
    language: str = ""
    show_score: bool = False
    speed: int = 1
    has_played: bool = False


def load_settings(folder: Path) -> Settings:
    """Read what was kept; whatever is missing or damaged has its usual value."""
    settings = Settings()
    data: Any = None
    with suppress(OSError, ValueError):
        data = json.loads((folder / FILE).read_text("utf-8"))
    if isinstance(data, dict):
        for field in fields(Settings):
            value = data.get(field.name)
            if type(value) is type(getattr(settings, field.name)):
                setattr(settings, field.name, value)
    _mend(settings)
    return settings


def save_settings(folder: Path, settings: Settings) -> None:
    """Keep the choices; a folder that cannot be written to is no reason to stop."""
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        write_file(folder / FILE, json.dumps(asdict(settings), indent=1) + "\n")


def _mend(settings: Settings) -> None:
    usual = Settings()
    try:
        RuleSet.parse(settings.rules)
    except FanoronaError:
        settings.rules = usual.rules
    for side in ("white", "black"):
        if getattr(settings, side) not in ("person", "engine"):
            setattr(settings, side, getattr(usual, side))
    settings.level = max(1, min(settings.level, 10))
    for name in ("time_ms", "clock_ms", "increment_ms", "speed"):
        setattr(settings, name, max(0, getattr(settings, name)))
    if settings.theme not in PALETTES:
        settings.theme = usual.theme
