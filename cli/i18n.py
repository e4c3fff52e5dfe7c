"""Texts in the reader's language: gettext catalogues, loaded when the first text is asked for.

Texts are written in English in the code; ``_`` gives them in the chosen language, and ``N_``
only marks one that is translated later. The catalogues lie in ``data/locale``.
"""

from __future__ import annotations

import gettext as _gettext
import os
from pathlib import Path
from typing import Final

__all__ = [
    "LANGUAGES",
    "N_",
    "REVIEWED",
    "_",
    "catalogue_folder",
    "language",
    "ngettext",
    "use_language",
]

DOMAIN: Final = "fanorona"

# Code -> the language's own name. English is what the code holds.
LANGUAGES: Final = {
    "en": "English",
    "de": "Deutsch",
    "es": "Español",
    "fr": "Français",
    "mg": "Malagasy",
    "ru": "Русский",
    "vi": "Tiếng Việt",
    "zh": "中文",
}

# The languages whose texts a native speaker has read.
REVIEWED: Final = frozenset({"en"})

_VARIABLES: Final = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")

_chosen: str | None = None
_texts: _gettext.NullTranslations | None = None


def catalogue_folder() -> Path:
    """The folder with a folder for each language."""
    return Path(__file__).with_name("data") / "locale"


def use_language(code: str | None) -> None:
    """Choose the language of all texts from now on; None leaves it to the locale.

    Raises:
        ValueError: not one of ``LANGUAGES``.
    """
    global _chosen, _texts
    if code is not None and code not in LANGUAGES:
        raise ValueError(f"language {code!r}: expected one of {', '.join(LANGUAGES)}")
    _chosen, _texts = code, None


def language() -> str:
    """The code of the language in use: the chosen one, else the locale's, else English."""
    if _chosen is not None:
        return _chosen
    for name in _VARIABLES:
        value = os.environ.get(name, "")
        if not value:
            continue
        for wanted in value.split(":"):
            code = wanted.replace("-", "_").split("_")[0].split(".")[0].lower()
            if code in LANGUAGES:
                return code
        # A locale that is set but not one of ours, such as C, means English; do not look further.
        return "en"
    return "en"


def _catalogue() -> _gettext.NullTranslations:
    global _texts
    if _texts is None:
        code = language()
        _texts = (
            _gettext.NullTranslations()
            if code == "en"
            else _gettext.translation(DOMAIN, catalogue_folder(), [code], fallback=True)
        )
    return _texts


def _(text: str) -> str:
    """The text in the chosen language."""
    return _catalogue().gettext(text)


def ngettext(one: str, many: str, count: int, **values: object) -> str:
    """The text for a number of things, with ``{count}`` and the other values filled in."""
    return _catalogue().ngettext(one, many, count).format(count=count, **values)


def N_(text: str) -> str:
    """Mark a text that ``_`` translates where it is shown."""
    return text
