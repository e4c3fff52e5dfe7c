"""Make the certificates of proofs/ anew: python tools/make_proofs.py --tables DIR --out FOLDER.

Each is made by `fanorona prove` in a process of its own; the line that is printed for it has the
positions listed, the positions searched, seconds of processor time and by the clock and the largest
memory, tables included. With names as arguments only certificates whose names contain one of them
are made. Those of positions after two turns are made by tools/opening_theory.py.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Task:
    """A call of `fanorona prove`: rules, turns before the question, its side, tables and memory."""

    name: str
    rules: str
    stones: int
    hash: str
    turns: str = ""
    side: str = "both"

    def command(self, tables: str, out: Path) -> list[str]:
        """Return the command, without what the shell would do."""
        words = ["prove", "--rules", self.rules, "--stones", str(self.stones), "--hash", self.hash]
        if self.turns:
            words += ["--turns", self.turns]
        words += ["--side", self.side, "--dir", tables, "--force"]
        return [*words, "--certificate", str(out / f"{self.name}.proof")]


# Of the small boards: the stones of their tables.
SMALL = {"3x3": 4, "3x5": 4, "5x3": 4, "3x7": 6, "7x3": 6, "5x5": 6, "3x9": 6, "9x3": 6, "5x7": 6}
FIRST_TURNS = (
    ("d3-e3W", "black", 7, "512MiB"),
    ("e2-e3A", "black", 7, "512MiB"),
    ("d2-e3A", "black", 7, "1GiB"),
    ("f2-e3A", "white", 7, "1536MiB"),
    ("f2-e3A", "black", 7, "4GiB"),
    ("d3-e3A", "black", 8, "3GiB"),
    ("d3-e3A", "white", 8, "4GiB"),
    ("d2-e3A", "white", 8, "12GiB"),
)


def tasks() -> list[Task]:
    """Return what proofs/ holds of starts and first turns, the quick ones first."""
    found = []
    for board, stones in SMALL.items():
        for continuation in ("optional", "compulsory"):
            rules = f"theory,board={board},continuation={continuation}"
            found.append(Task(f"{board}-{continuation}", rules, stones, "64MiB"))
    rules = "theory,board=7x5,continuation="
    found.append(Task("7x5-optional", f"{rules}optional", 7, "1GiB"))
    found.append(Task("7x5-compulsory", f"{rules}compulsory", 6, "3GiB"))
    rules = "theory,continuation=compulsory"
    found.append(Task("9x5-compulsory-white-wins", rules, 7, "6GiB", side="black"))
    for turn, side, stones, memory in FIRST_TURNS:
        found.append(Task(f"9x5-{turn}-{side}-holds", "theory", stones, memory, turn, side))
    return found


def make(task: Task, tables: str, out: Path) -> str:
    """Make the certificates of a task, and return the line about them."""
    command = [sys.executable, "-m", "fanorona_cli", *task.command(tables, out), "--json"]
    began = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{task.name} failed, with status {process.returncode}")
    clock, cpu = time.monotonic() - began, usage.ru_utime + usage.ru_stime
    said = json.loads(output)
    listed = " + ".join(f"{each['positions']:,}" for each in said["certificates"])
    value = said["value"] or f"{task.side.capitalize()} holds"
    return (
        f"| {task.name} | {value} | {said['stones']} | {task.hash} | {listed} | {said['nodes']:,} "
        f"| {cpu:.1f} | {clock:.1f} | {usage.ru_maxrss / 1e6:.2f} |"
    )


def main(arguments: list[str] | None = None) -> None:
    """Read the arguments and make what they ask for; errors are one line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", required=True, help="folder of endgame tables")
    parser.add_argument("--out", type=Path, required=True, help="folder of the certificates")
    parser.add_argument("names", nargs="*", help="parts of their names")
    options = parser.parse_args(arguments)
    if not Path(options.tables).is_dir():
        parser.error(f"--tables {options.tables}: there is no such folder")
    names = [task.name for task in tasks()]
    for part in options.names:
        if not any(part in name for name in names):
            parser.error(f"{part}: no certificate has that in its name, such as {names[0]}")
    try:
        options.out.mkdir(parents=True, exist_ok=True)
        make_all(options)
    except OSError as error:
        parser.exit(1, f"{error}\n")
    except KeyboardInterrupt:
        parser.exit(130, "Interrupted.\n")


def make_all(options: argparse.Namespace) -> None:
    """Make the certificates that are asked for, and print a table of them."""
    print("| certificate | value | tables | hash | listed | searched | CPU s | clock s | GB |")
    print("|---|---|---:|---|---:|---:|---:|---:|---:|")
    for task in tasks():
        if not options.names or any(name in task.name for name in options.names):
            print(make(task, options.tables, options.out), flush=True)


if __name__ == "__main__":
    main()
