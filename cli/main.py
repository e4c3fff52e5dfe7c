"""The ``fanorona`` command: a group that loads each subcommand when it is asked for.

Also what holds for every subcommand: how an error, an interruption and a closed pipe end it.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any, Final, NoReturn

import click

from fanorona_core import FanoronaError, __version__

__all__ = ["cli"]

# Exit statuses besides 0, 1 (an error) and 2 (wrong usage): 128 and the number of the signal.
INTERRUPTED: Final = 130
CLOSED_PIPE: Final = 141

# Each is a module of this package with a click command called ``command``; in the help's order.
COMMANDS: Final = (
    "play",
    "replay",
    "show",
    "analyze",
    "convert",
    "validate",
    "perft",
    "rules",
    "ugi",
    "match",
    "bench",
    "tables",
    "solve",
    "prove",
    "completion",
)


class LazyGroup(click.Group):
    """A group whose subcommands are imported on first use, and that ends all of them alike."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the subcommands, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a subcommand and return the command."""
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f".{cmd_name}", __package__).command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the subcommand; a name that is close to one is suggested."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError:
            ctx.fail(_no_such_command(args[0]))

    def invoke(self, ctx: click.Context) -> Any:
        """Run a subcommand; every way to fail ends in one line and a status."""
        for stream in (sys.stdout, sys.stderr):
            # A terminal that cannot show a letter gets a question mark, never a traceback.
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")
        try:
            value = super().invoke(ctx)
            if sys.stdout is not None:
                sys.stdout.flush()
        except FanoronaError as error:
            raise click.ClickException(str(error)) from error
        except KeyboardInterrupt as error:
            click.echo(str(error) or "\nInterrupted.", err=True)
            ctx.exit(INTERRUPTED)
        except BrokenPipeError:
            _end_quietly()
        except OSError as error:
            if error.strerror is None:
                raise
            where = "" if error.filename is None else f"{error.filename}: "
            raise click.ClickException(f"{where}{error.strerror}") from error
        except MemoryError as error:
            raise click.ClickException(str(error) or "there is not enough memory") from error
        else:
            return value


def _no_such_command(name: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, COMMANDS, n=1)
    guess = f" Did you mean {close[0]!r}?" if close else ""
    return f"No such command {name!r}.{guess}"


def _end_quietly() -> NoReturn:
    """End after the reader of our output has gone, as ``head`` does."""
    # Python flushes standard output once more at exit, which would complain again.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.exit(CLOSED_PIPE)


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Start with: fanorona play",
)
@click.version_option(__version__, prog_name="fanorona")
def cli() -> None:
    """Play, analyse and convert games of Fanorona."""
    from .i18n import use_language

    use_language("en")  # only play and replay speak other languages: they choose after this
