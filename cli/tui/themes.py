"""Colours: a palette for the board and a theme for the rest of the screen, five pairs of them.

The two marked colour-blind safe take their signals from the set of Okabe and Ito (2008), which
is told apart with every common kind of colour blindness. In all of them shape says the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from ..i18n import N_

if TYPE_CHECKING:
    from textual.theme import Theme

__all__ = ["DEFAULT_THEME", "PALETTES", "THEME_NAMES", "textual_theme"]

DEFAULT_THEME: Final = "dark"

THEME_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "dark": N_("Dark"),
        "light": N_("Light"),
        "contrast": N_("High contrast"),
        "safe-dark": N_("Colour-blind safe, dark"),
        "safe-light": N_("Colour-blind safe, light"),
    }
)

_WOOD_DARK: Final = {
    "board": "#7d5f3c",
    "line": "#33240f",
    "diagonal": "#3d2b14",
    "label": "#e6d3b3",
    "white": "#fffaf0",
    "black": "#120c08",
    "strong": "#2a1c0a",
    "movable": "#b98f58",
    "moved": "#6b6a2c",
    "selected": "#e8c34a",
    "on-selected": "#201400",
    "target": "#2f7d3b",
    "on-target": "#ffffff",
    "approach": "#b3261e",
    "on-approach": "#ffffff",
    "withdrawal": "#1f5fa8",
    "on-withdrawal": "#ffffff",
    "bad": "#d2452f",
    "last": "#ffe08a",
    "taken": "#ffb4a0",
    "wrong": "#ffa894",
    "hint": "#7fe08a",
    "focus": "#fff2a8",
    "focus-ground": "#7d5f3c",
}
_WOOD_LIGHT: Final = _WOOD_DARK | {
    "board": "#c39a63",
    "line": "#6b4a26",
    "diagonal": "#7d5a33",
    "label": "#3a2812",
    "white": "#ffffff",
    "black": "#1a120b",
    "strong": "#6b4a26",
    "movable": "#dbb981",
    "moved": "#aa9046",
    "last": "#7a1fa2",
    "taken": "#a3180e",
    "wrong": "#a0001c",
    "hint": "#0b5d1e",
    "focus": "#00308f",
    "focus-ground": "#c39a63",
}
_CONTRAST: Final = _WOOD_DARK | {
    "board": "#ffffff",
    "line": "#000000",
    "diagonal": "#000000",
    "label": "#000000",
    "white": "#000000",
    "black": "#000000",
    "strong": "#000000",
    "movable": "#ffe680",
    "moved": "#d9d9d9",
    "selected": "#ffbf00",
    "on-selected": "#000000",
    "target": "#005a00",
    "approach": "#a00000",
    "withdrawal": "#0000c0",
    "bad": "#ff9a9a",
    "last": "#a000a0",
    "taken": "#a00000",
    "wrong": "#c00000",
    "hint": "#005a00",
    "focus": "#ffffff",
    "focus-ground": "#0000c0",
}
# Orange #e69f00, sky blue #56b4e9, green #009e73, yellow #f0e442, blue #0072b2, vermilion #d55e00.
_SAFE: Final = {
    "selected": "#f0e442",
    "on-selected": "#000000",
    "target": "#00684c",
    "approach": "#d55e00",
    "on-approach": "#000000",
    "withdrawal": "#0072b2",
    "bad": "#e69f00",
}
_SAFE_DARK: Final = (
    _WOOD_DARK
    | _SAFE
    | {
        "board": "#6f6f6f",
        "line": "#262626",
        "diagonal": "#2e2e2e",
        "label": "#f0f0f0",
        "black": "#0a0a0a",
        "strong": "#262626",
        "movable": "#949494",
        "moved": "#55707c",
        "last": "#f0e442",
        "taken": "#ffc266",
        "wrong": "#ffc84a",
        "hint": "#9fe8d0",
        "focus": "#f0e442",
        "focus-ground": "#6f6f6f",
    }
)
_SAFE_LIGHT: Final = (
    _WOOD_LIGHT
    | _SAFE
    | {
        "board": "#b4b4b4",
        "line": "#4a4a4a",
        "diagonal": "#565656",
        "label": "#202020",
        "strong": "#4a4a4a",
        "movable": "#d6d6d6",
        "moved": "#8fb3c4",
        "last": "#004f7c",
        "taken": "#8a3d00",
        "wrong": "#8a3d00",
        "hint": "#00503a",
        "focus": "#00324f",
        "focus-ground": "#b4b4b4",
    }
)

PALETTES: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "dark": _WOOD_DARK,
        "light": _WOOD_LIGHT,
        "contrast": _CONTRAST,
        "safe-dark": _SAFE_DARK,
        "safe-light": _SAFE_LIGHT,
    }
)

# Primary, accent, background, surface, text, whether it is dark.
_CHROME: Final = {
    "dark": ("#e8c34a", "#e8c34a", "#17130f", "#241e18", "#efe6d8", True),
    "light": ("#7a4a10", "#7a4a10", "#faf6ee", "#efe6d6", "#2a2015", False),
    "contrast": ("#ffff00", "#ffff00", "#000000", "#000000", "#ffffff", True),
    "safe-dark": ("#56b4e9", "#f0e442", "#141414", "#202020", "#f0f0f0", True),
    "safe-light": ("#0072b2", "#0072b2", "#ffffff", "#ececec", "#101010", False),
}


def textual_theme(name: str) -> Theme:
    """The colours of everything around the board."""
    from textual.theme import Theme

    primary, accent, background, surface, text, dark = _CHROME[name]
    palette = PALETTES[name]
    return Theme(
        name=f"fanorona-{name}",
        primary=primary,
        accent=accent,
        background=background,
        surface=surface,
        panel=surface,
        foreground=text,
        error="#ff7b6b" if dark else "#a3180e",
        success="#7fe08a" if dark else "#0b5d1e",
        dark=dark,
        variables={
            "board": palette["board"],
            "block-cursor-background": primary,
            "block-cursor-foreground": background,
        },
    )
