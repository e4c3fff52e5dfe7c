"""Write docs/cli.md from the commands themselves: python tools/cli_reference.py."""

from __future__ import annotations

import argparse
import inspect
import re
import sys
from pathlib import Path

import click

from fanorona_cli.main import cli

PAGE = Path(__file__).resolve().parents[1] / "docs" / "cli.md"

INTRODUCTION = """\
# Command line

This page is written by `tools/cli_reference.py`; change the commands, not the page.

Every command knows `-h` and `--help`. `python -m fanorona_cli` does the same as `fanorona`.

| exit status | meaning |
|---|---|
| 0 | all went well, also where a limit left a question open |
| 1 | an error, told in one line on standard error |
| 2 | wrong usage: an unknown option, or a value that cannot be |
| 130 | interrupted with Ctrl-C, or by SIGTERM while files are written or processes run |
| 141 | whoever read the output has gone, as `head` does |

| variable | meaning |
|---|---|
| `FANORONA_DATA_DIR` | the folder of games, tables, certificates; usually the user's |
| `FANORONA_TABLES_DIR` | the folder of [tables](tables.md), if another |
| `FANORONA_PROOFS_DIR` | the folder of [certificates](proof.md#the-book), if another |
| `NO_COLOR` | no colours, if set to anything |
| `TERM=dumb` | no colours, and boards in ASCII |
| `COLUMNS` | the width to draw in, instead of the terminal's |

Reports with `--json` are described in [cli-json.md](cli-json.md).
"""


def main() -> None:
    """Write the page."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    PAGE.write_text(page(), "utf-8", newline="\n")
    sys.stdout.write(f"{PAGE}\n")


def page() -> str:
    """The whole page."""
    context = click.Context(cli, info_name="fanorona")
    parts = [INTRODUCTION]
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        assert command is not None
        parts.append(section(command, f"fanorona {name}"))
        if isinstance(command, click.Group):
            inner = click.Context(command, parent=context, info_name=name)
            for part in command.list_commands(inner):
                child = command.get_command(inner, part)
                assert child is not None
                parts.append(section(child, f"fanorona {name} {part}", "###"))
    return "\n".join(parts)


def section(command: click.Command, name: str, heading: str = "##") -> str:
    """One command: what it does, its options, its examples."""
    arguments = [param for param in command.params if isinstance(param, click.Argument)]
    words = ["COMMAND"] if isinstance(command, click.Group) else map(placeholder, arguments)
    usage = " ".join([name, "[OPTIONS]", *words])
    lines = [f"{heading} {name}", "", f"`{usage}`", "", *paragraphs(command.help or "")]
    options = [param for param in command.params if isinstance(param, click.Option)]
    if options:
        lines += ["| option | meaning |", "|---|---|"]
    lines += [
        f"| `{cell(signature(option))}` | {cell((option.help or '') + default(option))} |"
        for option in options
        if not option.hidden
    ]
    if command.epilog:
        examples = [line for line in command.epilog.splitlines() if "fanorona " in line]
        text = inspect.cleandoc("\n".join(examples))
        # What stands apart behind a command says what it does.
        text = re.sub(r"^(.*?\S {2,})(?=\S)", r"\1# ", text, flags=re.M)
        lines += ["", "```sh", *text.splitlines(), "```"]
    return "\n".join([*lines, ""])


def placeholder(argument: click.Argument) -> str:
    """How an argument stands in the usage line."""
    if argument.metavar:
        return argument.metavar
    if isinstance(argument.type, click.Choice):
        return "{" + ",".join(str(choice) for choice in argument.type.choices) + "}"
    name = (argument.name or "").upper()
    name += "..." if argument.nargs != 1 else ""
    return name if argument.required else f"[{name}]"


def signature(option: click.Option) -> str:
    """The names of an option and what it takes."""
    names = ", ".join([*option.opts, *option.secondary_opts])
    if option.is_flag or option.count:
        return names
    if option.metavar:
        return f"{names} {option.metavar}"
    if isinstance(option.type, click.Choice):
        return f"{names} {'|'.join(str(choice) for choice in option.type.choices)}"
    return f"{names} {option.type.name.upper().split(' ')[0]}"


def default(option: click.Option) -> str:
    """What holds without the option, where its help tells."""
    shown = option.show_default
    if not shown:
        return ""
    return f" [default: {shown if isinstance(shown, str) else option.default}]"


def paragraphs(text: str) -> list[str]:
    """Help as Markdown: a paragraph that keeps its lines becomes a block."""
    lines: list[str] = []
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(text)):
        if paragraph.startswith("\b"):
            lines += ["```text", *paragraph.removeprefix("\b\n").splitlines(), "```", ""]
        else:
            lines += [*paragraph.splitlines(), ""]
    return lines


def cell(text: str) -> str:
    """Text that a table can hold."""
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    main()
