"""``fanorona prove``: who holds at least a draw in a position, and certificates of it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from fanorona_core import FanoronaError, Position, Side, parse_turn

from .options import DurationParam, json_option, position_options
from .output import check_new, print_json
from .table_options import MemoryParam, dir_option, tables_folder

if TYPE_CHECKING:
    from fanorona_core.proof import Findings, ProofProgress, Proofs
    from fanorona_core.prooffile import Certificate

__all__ = ["command"]

_SIDES: Final = {"white": Side.WHITE, "black": Side.BLACK}
_MOST_STONES: Final = 44
_PROGRESS_SECONDS: Final = 1.0


@click.command(
    "prove",
    short_help="Prove who holds a draw or wins, with a certificate.",
    epilog="""\b
Examples:
  fanorona prove --board 5x5 --stones 5
  fanorona prove --turns 'd3-e3W' --side black --certificate d3W.proof
  fanorona prove --verify d3W.proof
  fanorona prove --position '9/2b1b4/9/1w2w4/4w4 w' --time 10
""",
)
@position_options
@click.option("--turns", metavar="TEXT", help="Play these turns first, with spaces between them.")
@click.option(
    "--side",
    type=click.Choice(["white", "black", "both"]),
    default="both",
    show_default=True,
    help="Ask only whether this side holds at least a draw.",
)
@click.option("--time", "time_ms", type=DurationParam(), metavar="TIME", help="Stop after TIME.")
@click.option(
    "--nodes", type=click.IntRange(1), metavar="N", help="Stop after about so many positions."
)
@click.option(
    "--hash",
    "memory",
    type=MemoryParam(),
    default="512MiB",
    show_default=True,
    metavar="SIZE",
    help="Memory for what the search has found, besides the tables.",
)
@click.option(
    "--threads",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    metavar="N",
    help="Threads that search together.",
)
@click.option(
    "--stones",
    type=click.IntRange(0, _MOST_STONES),
    metavar="N",
    help="Let proofs end in tables of up to N stones; usually in all that are there.",
)
@click.option(
    "--certificate",
    metavar="FILE",
    help="Write the positions that show it; of a draw there are two, FILE-white and FILE-black.",
)
@click.option("--force", is_flag=True, help="Replace a certificate that is there.")
@click.option(
    "--checkpoint",
    metavar="FILE",
    help="Begin with what FILE holds, if it is there, and keep there what was found.",
)
@click.option(
    "--verify",
    metavar="FILE",
    help="Check a certificate instead, without any search.",
)
@dir_option
@json_option
def command(
    start: Position,
    turns: str | None,
    side: str,
    time_ms: int | None,
    nodes: int | None,
    memory: int,
    threads: int,
    stones: int | None,
    certificate: str | None,
    force: bool,
    checkpoint: str | None,
    verify: str | None,
    folder: str | None,
    as_json: bool,
) -> None:
    """Prove who holds at least a draw in the start, or in --position, and so its value.

    Nothing but the stones ends the game: repetitions, limits and counters of the rules play no
    part. Without a limit the search goes on until it is settled; Ctrl-C tells what was proved.
    """
    began = time.perf_counter()
    if verify is not None:
        _verify(verify, folder, began, as_json)
        return
    position = _after(start, turns)
    for name in _names(certificate, (True, True) if side == "both" else (True,)):
        check_new(name, force=force)
    proofs = _proofs(position, stones, memory, threads, folder)
    if checkpoint is not None and Path(checkpoint).exists():
        proofs.load(checkpoint)
    found, interrupted = _search(proofs, position, side, nodes, time_ms)
    if checkpoint is not None:
        proofs.save(checkpoint)
    written = []
    if certificate is not None and not interrupted:
        certificates = _certificates(proofs, position, side, found)
        for name, made in zip(
            _names(certificate, [True] * len(certificates)), certificates, strict=True
        ):
            made.write(name)
            written.append((name, made))
    seconds = time.perf_counter() - began
    if as_json:
        _report(proofs, position, found, written, seconds)
    else:
        click.echo(f"{_sentence(found, side)}.")
        click.echo(
            f"{proofs.nodes:,} positions above tables of up to {proofs.stones} stones, "
            f"{seconds:.1f} s."
        )
        for name, made in written:
            click.echo(f"{name}: {made.side} {_claim(made)}, {len(made.positions):,} positions.")


def _after(position: Position, turns: str | None) -> Position:
    for text in (turns or "").split():
        try:
            position = position.play(parse_turn(position, text))
        except FanoronaError as error:
            raise click.BadParameter(str(error), param_hint="'--turns'") from None
    return position


def _names(certificate: str | None, wanted: Any) -> list[str]:
    if certificate is None:
        return []
    if len(wanted) < 2:
        return [certificate] * len(wanted)
    path = Path(certificate)
    return [str(path.with_name(f"{path.stem}-{name}{path.suffix}")) for name in _SIDES]


def _proofs(
    position: Position, stones: int | None, memory: int, threads: int, folder: str | None
) -> Proofs:
    from fanorona_core.proof import Proofs, check_provable
    from fanorona_core.tablebase import Tables

    check_provable(position)
    points = position.columns * position.rows
    tables = Tables(tables_folder(folder)).load(
        position.rules, min(points - 1, _MOST_STONES if stones is None else max(stones, 2))
    )
    size = max(1, memory >> 20)
    return Proofs(position.rules, tables, stones=stones, hash_mib=size, threads=threads)


def _search(
    proofs: Proofs, position: Position, side: str, nodes: int | None, time_ms: int | None
) -> tuple[Findings, bool]:
    """What was found, and whether it was interrupted."""
    from fanorona_core.proof import Findings

    found = Findings()
    with _progress() as report:
        try:
            if side == "both":
                # In stretches, so that an interruption does not lose what was settled.
                for latest in proofs.stretches(
                    position, nodes=nodes, time_ms=time_ms, report=report
                ):
                    found = latest
                return found, False
            answer = proofs.holds(
                position, _SIDES[side], nodes=nodes, time_ms=time_ms, report=report
            )
        except KeyboardInterrupt:
            click.echo("\nInterrupted; this is what was proved until then:", err=True)
            return found, True
    return (Findings(answer, None) if side == "white" else Findings(None, answer)), False


@contextmanager
def _progress() -> Iterator[Callable[[ProofProgress], None] | None]:
    """A line on standard error that is rewritten each second, if that is a terminal."""
    stream = sys.stderr
    if not stream.isatty():
        yield None
        return
    last = 0.0

    def report(progress: ProofProgress) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < _PROGRESS_SECONDS:
            return
        last = now
        speed = progress.nodes / max(progress.seconds, 0.001)
        stream.write(
            f"\r\x1b[K{progress.side} holds? proof {progress.proof:,} disproof "
            f"{progress.disproof:,} {progress.nodes / 1e6:.1f} M positions {speed / 1e6:.2f} M/s "
            f"table {progress.used:.0%}"
        )
        stream.flush()

    try:
        yield report
    finally:
        if last:
            stream.write("\r\x1b[K")
            stream.flush()


def _certificates(
    proofs: Proofs, position: Position, side: str, found: Findings
) -> list[Certificate]:
    made = []
    for name, asked in _SIDES.items():
        answer = found.white_holds if asked is Side.WHITE else found.black_holds
        if side in (name, "both") and answer is not None:
            certificate = proofs.certificate(position, asked)
            if certificate is not None:
                made.append(certificate)
    # Of a win there may be a second one, that the winner holds: it says less.
    wins = [certificate for certificate in made if not certificate.holds]
    return wins or made


def _sentence(found: Findings, side: str) -> str:
    text = str(found)
    asked = _SIDES.get(side)
    if asked is not None and found.holds(asked) and text.startswith("not settled: "):
        return text.removeprefix("not settled: ")
    return text[0].upper() + text[1:]


def _claim(certificate: Certificate) -> str:
    return "holds at least a draw" if certificate.holds else "wins"


def _report(
    proofs: Proofs,
    position: Position,
    found: Findings,
    written: list[tuple[str, Certificate]],
    seconds: float,
) -> None:
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
            "certificates": [_data(name, made) for name, made in written],
        },
    )


def _data(name: str, certificate: Certificate) -> dict[str, Any]:
    return {
        "file": name,
        "position": certificate.position.text(),
        "side": str(certificate.side).lower(),
        "claim": "holds" if certificate.holds else "wins",
        "positions": len(certificate.positions),
        "stones": certificate.stones,
    }


def _verify(name: str, folder: str | None, began: float, as_json: bool) -> None:
    from fanorona_core.prooffile import Certificate
    from fanorona_core.tablebase import Tables

    certificate = Certificate.read(name)
    tables = Tables(tables_folder(folder)).load(
        certificate.position.rules, max(certificate.stones, 2)
    )
    loaded = time.perf_counter()
    try:
        certificate.check(tables)
    except LookupError as error:
        raise click.ClickException(
            f"{name}: {error}: fanorona tables build --stones {certificate.stones}"
        ) from None
    ended = time.perf_counter()
    if as_json:
        data = {**_data(name, certificate), "verified": True, "seconds": round(ended - began, 3)}
        print_json("prove-verify/1", data)
        return
    click.echo(f"Right: {certificate}.")
    click.echo(
        f"{len(certificate.positions):,} positions checked in {ended - loaded:.1f} s, after "
        f"{loaded - began:.1f} s for the tables of up to {certificate.stones} stones."
    )
