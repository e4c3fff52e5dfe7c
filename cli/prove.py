"""``fanorona prove``: who holds at least a draw in a position, and certificates of it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from fanorona_core import FanoronaError, Position, Side, parse_turn

from .options import DurationParam, json_option, position_options
from .proof_files import ProofFileParam, certificate_names, check_files
from .proof_report import SIDES, report, say
from .proof_verify import verify as verify_certificates
from .signals import ended_by_sigterm
from .table_options import MemoryParam, dir_option, how_to_build, tables_to_read

if TYPE_CHECKING:
    from fanorona_core.proof import Findings, ProofProgress, Proofs
    from fanorona_core.prooffile import Certificate

__all__ = ["command"]

_MOST_STONES: Final = 44
_MOST_NODES: Final = 10**18
_PROGRESS_SECONDS: Final = 1.0
# How often a checkpoint is written while the search goes on.
_SAVE_SECONDS: Final = 300


@click.command(
    "prove",
    short_help="Prove who holds a draw or wins, with a certificate.",
    epilog="""\b
Examples:
  fanorona prove --board 5x5 --stones 5
  fanorona prove --turns 'd3-e3W' --side black --certificate d3W.proof
  fanorona prove --verify d3W.proof
  fanorona prove --verify proofs
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
    "--nodes",
    type=click.IntRange(1, _MOST_NODES),
    metavar="N",
    help="Stop after about so many positions.",
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
    type=ProofFileParam(),
    metavar="FILE",
    help="Write the positions that show it; of a draw there are two, draw-white.proof and "
    "draw-black.proof for draw.proof.",
)
@click.option("--force", is_flag=True, help="Replace a certificate that is there.")
@click.option(
    "--checkpoint",
    type=ProofFileParam(),
    metavar="FILE",
    help="Begin with what FILE holds, if it is there, and keep there what was found, every five "
    "minutes and at the end.",
)
@click.option(
    "--verify",
    metavar="FILE",
    help="Check a certificate instead, or all those of a folder, without any search; takes only "
    "--dir and --json.",
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

    Proofs end in the endgame tables that are there, see fanorona tables build. From the first
    turns on 9x5 those of 7 stones make a proof a matter of seconds or minutes.
    """
    if verify is not None:
        _refuse_others("verify", "folder", "as_json")
        verify_certificates(verify, folder, as_json)
        return
    began = time.perf_counter()
    position = _after(start, turns)
    check_files(certificate, checkpoint, both=side == "both", force=force)
    proofs = _proofs(position, stones, memory, threads, folder)
    if checkpoint is not None and Path(checkpoint).exists():
        proofs.load(checkpoint)
    written: list[tuple[str, Certificate]] = []
    with ended_by_sigterm():
        found, interrupted = _search(proofs, position, side, nodes, time_ms, checkpoint)
        fault = None
        try:
            if checkpoint is not None:
                fault = _saved(proofs, checkpoint)
            if certificate is not None and not interrupted:
                made = _certificates(proofs, position, side, found)
                for name, each in zip(certificate_names(certificate, len(made)), made, strict=True):
                    each.write(name)
                    written.append((name, each))
        except KeyboardInterrupt:
            interrupted = True
        finally:
            # What was proved is told even if a file of it cannot be written.
            seconds = time.perf_counter() - began
            if as_json:
                report(proofs, position, found, written, seconds)
            else:
                say(proofs, side, found, written, seconds)
    if fault is not None:
        raise fault
    if interrupted:
        lost = " No certificate was written." if certificate is not None and not written else ""
        raise KeyboardInterrupt(f"\nInterrupted; this is what was proved until then.{lost}")


def _refuse_others(*allowed: str) -> None:
    """Refuse options that would have no effect."""
    context = click.get_current_context()
    for param in context.command.params:
        source = context.get_parameter_source(param.name or "")
        if param.name not in allowed and source is click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--verify takes only --dir and --json, not {param.opts[0]}")


def _after(position: Position, turns: str | None) -> Position:
    for text in (turns or "").split():
        try:
            position = position.play(parse_turn(position, text))
        except FanoronaError as error:
            raise click.BadParameter(str(error), param_hint="'--turns'") from None
    return position


def _proofs(
    position: Position, stones: int | None, memory: int, threads: int, folder: str | None
) -> Proofs:
    from fanorona_core.proof import Proofs, check_provable
    from fanorona_core.tablebase import Tables

    check_provable(position)
    points = position.columns * position.rows
    tables = Tables(tables_to_read(folder)).load(
        position.rules, min(points - 1, _MOST_STONES if stones is None else max(stones, 2))
    )
    proofs = Proofs(position.rules, tables, stones=stones, hash_mib=memory >> 20, threads=threads)
    if stones is not None and proofs.stones < min(stones, points - 1):
        raise click.ClickException(
            f"--stones {stones}: there are tables of up to {proofs.stones} stones only: build them "
            f"with {how_to_build(position.rules, stones, folder)}"
        )
    return proofs


def _search(
    proofs: Proofs,
    position: Position,
    side: str,
    nodes: int | None,
    time_ms: int | None,
    checkpoint: str | None,
) -> tuple[Findings, bool]:
    """What was found, and whether it was interrupted."""
    from fanorona_core.proof import Findings

    found = Findings()
    saved = time.monotonic()
    with _progress() as reporter:
        try:
            # In stretches, so that an interruption does not lose what was settled.
            for latest in proofs.stretches(
                position,
                SIDES.get(side),
                nodes=nodes,
                time_ms=time_ms,
                longest_ms=None if checkpoint is None else 1000 * _SAVE_SECONDS,
                report=reporter,
            ):
                found = latest
                if checkpoint is not None and time.monotonic() - saved >= _SAVE_SECONDS:
                    fault = _saved(proofs, checkpoint)
                    if fault is not None:
                        click.echo(f"\nWarning: {checkpoint}: {fault.strerror}", err=True)
                    saved = time.monotonic()
        except KeyboardInterrupt:
            return found, True
    return found, False


def _saved(proofs: Proofs, checkpoint: str) -> OSError | None:
    """Write a checkpoint; what goes wrong is returned, since other work need not end for it."""
    try:
        proofs.save(checkpoint)
    except OSError as error:
        return error
    return None


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
    for name, asked in SIDES.items():
        answer = found.white_holds if asked is Side.WHITE else found.black_holds
        if side in (name, "both") and answer is not None:
            certificate = proofs.certificate(position, asked)
            if certificate is not None:
                made.append(certificate)
    # Of a win there may be a second one, that the winner holds: it says less.
    wins = [certificate for certificate in made if not certificate.holds]
    return wins or made
