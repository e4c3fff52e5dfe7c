"""How the ``fanorona`` command begins: an interruption while modules load ends it quietly too."""

import sys

__all__ = ["main"]


def main() -> None:
    """Load the command line and run it."""
    try:
        from .main import cli
    except KeyboardInterrupt:
        sys.stderr.write("\nInterrupted.\n")
        sys.exit(130)
    cli(prog_name="fanorona")
