"""Texts in other languages: which is chosen, and that the catalogues are whole."""

import re
import subprocess
import sys

import pytest
from tui_driver import drive, people, text_of

from fanorona_cli import i18n
from fanorona_cli.i18n import LANGUAGES, REVIEWED, _, language, ngettext, use_language
from fanorona_cli.tui.app import FanoronaApp
from fanorona_cli.tui.bars import cell_width

OTHERS = [code for code in LANGUAGES if code != "en"]
VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


@pytest.fixture(autouse=True)
def no_language(monkeypatch):
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    use_language(None)
    yield
    use_language(None)


@pytest.mark.parametrize(
    ("variables", "code"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "fr_FR"}, "fr"),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": "it:es:fr"}, "es"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "ja_JP.UTF-8"}, "en"),
        ({"LC_ALL": "C", "LANG": "de_DE.UTF-8"}, "en"),
    ],
)
def test_the_locale_chooses(monkeypatch, variables, code):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    use_language(None)
    assert language() == code


def test_a_choice_goes_before_the_locale(monkeypatch):
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    use_language("fr")
    assert _("Help") == "Aide"
    use_language("en")
    assert _("Help") == "Help"


def test_an_unknown_language():
    with pytest.raises(ValueError, match="expected one of en, de"):
        use_language("xx")


def test_plurals():
    for code, one, five in (
        ("en", "1 stone", "5 stones"),
        ("ru", "1 камень", "5 камней"),
        ("zh", "1 子", "5 子"),
    ):
        use_language(code)
        assert ngettext("{count} stone", "{count} stones", 1) == one
        assert ngettext("{count} stone", "{count} stones", 5) == five


@pytest.mark.parametrize("code", OTHERS)
def test_catalogues_say_that_nobody_reviewed_them(code):
    text = (i18n.catalogue_folder() / code / "LC_MESSAGES" / "fanorona.po").read_text("utf-8")
    assert (code in REVIEWED) != ("Not reviewed by a native speaker." in text)


@pytest.mark.parametrize("code", OTHERS)
def test_translations_have_the_same_fields(code):
    """A field that was mistyped would be an error in the middle of a game."""
    use_language(code)
    catalogue = i18n._catalogue()._catalog  # type: ignore[attr-defined]
    assert len(catalogue) > 250
    for message, translated in catalogue.items():
        source = message[0] if isinstance(message, tuple) else message
        if source:
            assert set(re.findall(r"\{\w*\}", source)) == set(re.findall(r"\{\w*\}", translated))


def test_catalogues_are_complete():
    pytest.importorskip("babel")
    import catalogues

    assert catalogues.problems() == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_smallest_full_screen_in_every_language(tmp_path, code):
    """Nothing is wider than the screen, and the menu is always there to be clicked."""

    async def script(app, pilot):
        text = text_of(app)
        assert _("Menu") in text
        assert f"● {_('Black')}" in text
        assert "…" not in "".join(line for line in text.splitlines()[:6])
        assert all(cell_width(line) <= 60 for line in text.splitlines())

    drive(FanoronaApp(tmp_path, people(), language=code), script, (60, 20))


def test_help_of_the_command_loads_no_catalogue():
    """Texts are loaded when the first one is shown."""
    code = (
        "import sys, fanorona_cli.i18n as i; from fanorona_cli.main import cli;"
        "print(i._texts, 'textual' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["None", "False"]
