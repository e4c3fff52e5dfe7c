"""What ``fanorona prove`` says: the answer, and the certificates that were written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from fanorona_core import Position, Side

from .output import print_json

if TYPE_CHECKING:
    from fanorona_core.proof import Findings, Proofs
    from fanorona_core.prooffile import Certificate

__all__ = ["SIDES", "certificate_data", "report", "say"]

SIDES: Final = {"white": Side.WHITE, "black": Side.BLACK}


def _sentence(found: Findings, side: str) -> str:
    text = str(found)
    asked = SIDES.get(side)
    if asked is not None and found.holds(asked) and text.startswith("not settled: "):
        return text.removeprefix("not settled: ")
    return text[0].upper() + text[1:]


def _claim(certificate: Certificate) -> str:
    return "holds at least a draw" if certificate.holds else "wins"


def say(
    proofs: Proofs,
    side: str,
    found: Findings,
    written: list[tuple[str, Certificate]],
    seconds: float,
) -> None:
    """Say it in words; ``side`` is what was asked: white, black or both."""
    click.echo(f"{_sentence(found, side)}.")
    click.echo(
        f"{proofs.nodes:,} positions above tables of up to {proofs.stones} stones, {seconds:.1f} s."
    )
    for name, made in written:
        click.echo(f"{name}: {made.side} {_claim(made)}, {len(made.positions):,} positions.")


def report(
    proofs: Proofs,
    position: Position,
    found: Findings,
    written: list[tuple[str, Certificate]],
    seconds: float,
) -> None:
    """Say it in JSON."""
    print_json(
        "prove/1",
        {
            "position": position.text(),
            "value": str(found) if found.is_settled else None,
            "white_holds": found.holds(Side.WHITE),
            "black_holds": found.holds(Side.BLACK),
            "nodes": proofs.nodes,
            "stones": proofs.stones,
            "hash_mib": proofs.hash_table.size_mib,
            "seconds": round(seconds, 3),
            "certificates": [certificate_data(name, made) for name, made in written],
        },
    )


def certificate_data(name: str, certificate: Certificate) -> dict[str, Any]:
    """What a report has of a certificate."""
    return {
        "file": name,
        "position": certificate.position.text(),
        "side": str(certificate.side).lower(),
        "claim": "holds" if certificate.holds else "wins",
        "positions": len(certificate.positions),
        "stones": certificate.stones,
    }
