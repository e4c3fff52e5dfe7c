"""What ``fanorona prove --verify`` does: check a certificate, or all those of a folder."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fanorona_core import FanoronaError, MissingTableError, RuleSet

from .output import print_json
from .proof_report import certificate_data
from .table_options import how_to_build, tables_to_read

if TYPE_CHECKING:
    from fanorona_core._tablebase import LoadedTables
    from fanorona_core.prooffile import Certificate, Heading

__all__ = ["verify"]


def verify(name: str, folder: str | None, as_json: bool) -> None:
    """Check the file or folder of that name; ``folder`` is that of the tables."""
    if Path(name).is_dir():
        _verify_all(Path(name), folder, as_json)
    else:
        _verify_one(name, folder, as_json)


def _verify_one(name: str, folder: str | None, as_json: bool) -> None:
    from fanorona_core.prooffile import Certificate

    began = time.perf_counter()
    certificate = Certificate.read(name)
    tables = _load(certificate.position.rules, certificate.stones, folder)
    loaded = time.perf_counter()
    try:
        certificate.check(tables)
    except MissingTableError as error:
        raise click.ClickException(f"{name}: {_advised(error, certificate, folder)}") from None
    ended = time.perf_counter()
    if as_json:
        print_json("prove-verify/1", _data(name, certificate, ended - began))
        return
    click.echo(f"Right: {certificate}.")
    click.echo(
        f"{len(certificate.positions):,} positions checked in {ended - loaded:.1f} s, after "
        f"{loaded - began:.1f} s for the tables of up to {certificate.stones} stones."
    )


def _verify_all(where: Path, folder: str | None, as_json: bool) -> None:
    began = time.perf_counter()
    found: list[dict[str, Any]] = []
    for data, sentence in _checked(where, folder):
        found.append(data)
        if not as_json:
            click.echo(sentence)
    wrong = sum(not data["verified"] for data in found)
    seconds = time.perf_counter() - began
    if as_json:
        print_json("prove-verify-all/1", {"certificates": found, "seconds": round(seconds, 3)})
    else:
        click.echo(f"{len(found) - wrong} right, {wrong} not verified, in {seconds:.1f} s.")
    if wrong:
        click.get_current_context().exit(1)


def _checked(where: Path, folder: str | None) -> Iterator[tuple[dict[str, Any], str]]:
    """Check each certificate of a folder, the tables of a board loaded once; data and words."""
    from fanorona_core.proofbook import SUFFIX
    from fanorona_core.prooffile import Certificate, Heading

    paths = sorted(where.glob(f"*{SUFFIX}"))
    if not paths:
        raise click.ClickException(f"{where}: no certificate, *{SUFFIX}, in this folder")
    boards: dict[RuleSet, list[tuple[str, Heading]]] = {}
    for path in paths:
        try:
            heading = Heading.read(path)
        except (FanoronaError, OSError) as error:
            yield _failed(str(path), error)
        else:
            boards.setdefault(heading.rules, []).append((str(path), heading))
    for rules, files in boards.items():
        tables = _load(rules, max(heading.stones for _, heading in files), folder)
        for name, _ in files:
            began = time.perf_counter()
            try:
                certificate = Certificate.read(name)
                certificate.check(tables)
            except MissingTableError as error:
                yield _failed(name, _advised(error, certificate, folder))
            except (FanoronaError, OSError) as error:
                yield _failed(name, error)
            else:
                data = _data(name, certificate, time.perf_counter() - began)
                yield data, f"Right: {name}: {certificate}."


def _load(rules: RuleSet, stones: int, folder: str | None) -> LoadedTables:
    from fanorona_core.tablebase import Tables

    return Tables(tables_to_read(folder)).load(rules, max(stones, 2))


def _advised(error: MissingTableError, certificate: Certificate, folder: str | None) -> str:
    advice = how_to_build(certificate.position.rules, certificate.stones, folder)
    return f"{error}: build them with {advice}"


def _data(name: str, certificate: Certificate, seconds: float) -> dict[str, Any]:
    return {
        **certificate_data(name, certificate),
        "verified": True,
        "seconds": round(seconds, 3),
    }


def _failed(name: str, fault: Exception | str) -> tuple[dict[str, Any], str]:
    return {"file": name, "verified": False, "error": str(fault)}, f"Not verified: {name}: {fault}"
