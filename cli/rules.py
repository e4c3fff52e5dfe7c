"""``fanorona rules``: the rules in short, with the options that a profile sets."""

import click


@click.command("rules")
def command() -> None:
    """Explain the rules in short."""
