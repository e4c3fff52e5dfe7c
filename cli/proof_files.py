"""The files of ``fanorona prove``: their names, and what is checked of them before a search."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from fanorona_core._files import check_writable

from .output import check_new
from .paths import user_path

if TYPE_CHECKING:
    TextParam = click.ParamType[str]
else:  # only newer versions of click have it generic
    TextParam = click.ParamType

__all__ = ["ProofFileParam", "certificate_names", "check_files"]

_SIDES: Final = ("white", "black")


class ProofFileParam(TextParam):
    """The name of a file: these files are binary, so that ``-`` is none."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Refuse what no file can be called."""
        path = str(user_path(value))
        if value in ("", "-") or os.path.isdir(path):
            self.fail(f"{value!r}: expected the name of a file", param, ctx)
        return path


def certificate_names(certificate: str, count: int) -> list[str]:
    """Where so many certificates go: one as it is named, two with their sides in their names.

    Examples:
        >>> certificate_names("draw.proof", 1), certificate_names("draw.proof", 2)
        (['draw.proof'], ['draw-white.proof', 'draw-black.proof'])
    """
    if count < 2:
        return [certificate] * count
    path = Path(certificate)
    return [str(path.with_name(f"{path.stem}-{side}{path.suffix}")) for side in _SIDES]


def check_files(
    certificate: str | None, checkpoint: str | None, *, both: bool, force: bool
) -> None:
    """See that what a search finds can be written, before it takes hours.

    Raises:
        ClickException: a certificate is there already, and ``force`` was not given.
        UsageError: the checkpoint is also a certificate.
        OSError: a file could not be written.
    """
    names = [] if certificate is None else certificate_names(certificate, 1)
    if certificate is not None and both:  # which it will be the answer decides
        names += certificate_names(certificate, 2)
    for name in names:
        check_new(name, force=force)
        if checkpoint is not None and os.path.realpath(name) == os.path.realpath(checkpoint):
            raise click.UsageError(f"--checkpoint and --certificate both name {name}")
    for name in (*names, *([] if checkpoint is None else [checkpoint])):
        check_writable(name)
