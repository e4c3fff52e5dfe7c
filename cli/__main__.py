"""Run the command line as ``python -m fanorona_cli``."""

from .main import cli

if __name__ == "__main__":
    cli(prog_name="fanorona")
