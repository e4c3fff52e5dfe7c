"""The ``fanorona`` command: a group that the other modules of this package fill."""

import click

from fanorona_core import __version__


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="fanorona")
def cli() -> None:
    """Play, analyse and convert games of Fanorona."""
