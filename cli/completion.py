"""``fanorona completion``: the script that makes a shell complete commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

__all__ = ["command"]

_PROGRAM = "fanorona"
_VARIABLE = "_FANORONA_COMPLETE"


@click.command(
    "completion",
    short_help="Print the script that completes commands in a shell.",
    epilog="""Example:

    fanorona completion bash >> ~/.bashrc
""",
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the script that completes fanorona's commands in a shell.

    \b
    Add it to what your shell reads at its start:
      bash  fanorona completion bash >> ~/.bashrc
      zsh   fanorona completion zsh >> ~/.zshrc   (after compinit)
      fish  fanorona completion fish > ~/.config/fish/completions/fanorona.fish
    """
    from .main import cli

    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(cli, {}, _PROGRAM, _VARIABLE).source())
