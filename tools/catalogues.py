"""Texts for translators: python tools/catalogues.py extract | update | compile | check.

``extract`` writes the template from the code, ``update`` brings every catalogue up to date with
it, ``compile`` writes the .mo files that the program reads. ``check`` fails if the template is
not what the code says, or a catalogue misses a text, or an .mo file is not of its .po file.
Needs Babel. A new language: add it to ``LANGUAGES`` in cli/i18n.py, then run ``update``.
"""

from __future__ import annotations

import argparse
import io
import sys
from pathlib import Path

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "cli" / "data" / "locale"
TEMPLATE = FOLDER / "fanorona.pot"
KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2)}


def languages() -> list[str]:
    """The languages that need a catalogue: all but English."""
    from fanorona_cli.i18n import LANGUAGES

    return [code for code in LANGUAGES if code != "en"]


def new_catalogue(code: str | None) -> Catalog:
    """An empty catalogue; a new translation says that nobody has reviewed it."""
    if code is None:
        comment = "# Texts of fanorona, to be translated."
    else:
        name = Locale(code).english_name
        comment = f"# {name} texts of fanorona.\n# Not reviewed by a native speaker."
    return Catalog(
        locale=code, project="fanorona", version="-", fuzzy=False, charset="utf-8",
        header_comment=comment,
    )  # fmt: skip


def extracted() -> Catalog:
    """All texts of the code."""
    catalogue = new_catalogue(None)
    found = extract_from_dir(str(ROOT / "cli"), [("**.py", "python")], keywords=KEYWORDS)
    for filename, line, message, comments, context in sorted(found, key=lambda f: (f[0], f[1])):
        where = f"cli/{Path(filename).as_posix()}"
        catalogue.add(message, None, [(where, line)], auto_comments=comments, context=context)
    return catalogue


def path_of(code: str, suffix: str) -> Path:
    """The file of a language, with ".po" or ".mo"."""
    return FOLDER / code / "LC_MESSAGES" / f"fanorona{suffix}"


def po_text(catalogue: Catalog) -> str:
    """A catalogue as text, without places, dates and versions, which change all the time."""
    stream = io.BytesIO()
    write_po(stream, catalogue, width=96, omit_header=False, no_location=True)
    dropped = tuple(
        f'"{name}'
        for name in (
            "POT-Creation-Date",
            "PO-Revision-Date",
            "Last-Translator",
            "Language-Team",
            "Report-Msgid-Bugs",
            "Generated-By",
        )
    )
    lines = stream.getvalue().decode("utf-8").splitlines()
    return "\n".join(line for line in lines if not line.startswith(dropped)) + "\n"


def loaded(code: str) -> Catalog:
    """The catalogue of a language."""
    with path_of(code, ".po").open("rb") as file:
        return read_po(file, locale=code)


def mo_bytes(catalogue: Catalog) -> bytes:
    """A catalogue as the program reads it."""
    stream = io.BytesIO()
    write_mo(stream, catalogue)
    return stream.getvalue()


def texts(catalogue: Catalog) -> dict[object, object]:
    """Only the texts and their translations, to compare two catalogues."""
    return {
        tuple(message.id) if isinstance(message.id, list) else message.id: tuple(message.string)
        for message in catalogue
        if message.id
    }


def extract() -> None:
    """Write the template."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    TEMPLATE.write_text(po_text(extracted()), "utf-8")


def update() -> None:
    """Bring the catalogues up to date with the code."""
    template = extracted()
    for code in languages():
        path = path_of(code, ".po")
        path.parent.mkdir(parents=True, exist_ok=True)
        catalogue = loaded(code) if path.exists() else new_catalogue(code)
        catalogue.update(template, no_fuzzy_matching=True)
        catalogue.obsolete.clear()
        path.write_text(po_text(catalogue), "utf-8")


def compile_all() -> None:
    """Write what the program reads."""
    for code in languages():
        path_of(code, ".mo").write_bytes(mo_bytes(loaded(code)))


def problems() -> list[str]:
    """What ``check`` finds."""
    found = []
    template = extracted()
    if TEMPLATE.read_text("utf-8") != po_text(template):
        found.append("fanorona.pot is not what the code says: extract")
    for code in languages():
        catalogue = loaded(code)
        for message in template:
            if not message.id:
                continue
            known = catalogue.get(message.id)
            strings = [] if known is None else known.string
            if isinstance(strings, str):
                strings = [strings]
            if not strings or not all(strings):
                found.append(f"{code}: not translated: {message.id!r}")
        for message in catalogue:
            found += [f"{code}: {error} in {message.id!r}" for error in message.check(catalogue)]
        with path_of(code, ".mo").open("rb") as file:
            compiled = read_mo(file)
        if texts(compiled) != texts(catalogue):
            found.append(f"{code}: fanorona.mo is not of fanorona.po: compile")
    return found


def main() -> int:
    """Do what the first argument says."""
    commands = {"extract": extract, "update": update, "compile": compile_all}
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", nargs="?", choices=[*commands, "check"], default="check")
    command = parser.parse_args().command
    if command == "check":
        found = problems()
        print("\n".join(found) or "All catalogues are complete.")
        return bool(found)
    commands[command]()
    return 0


if __name__ == "__main__":
    sys.exit(main())
