"""Print a command that README.md gives, so that CI runs what the reader is told to run.

Usage: readme_command.py NAME. The command is the only line of the fenced block
that follows the comment <!-- command: NAME --> in README.md.
"""

import re
import sys
from pathlib import Path


def main(name: str) -> None:
    """Print the command with that name or end with a message."""
    text = (Path(__file__).resolve().parents[1] / "README.md").read_text("utf-8")
    pattern = rf"<!-- command: {re.escape(name)} -->\s*```\w*\n([^\n]+)\n```"
    found = re.findall(pattern, text)
    if len(found) != 1:
        sys.exit(f"README.md: {len(found)} one-line blocks after <!-- command: {name} -->, want 1")
    print(found[0])


if __name__ == "__main__":
    main(sys.argv[1])
