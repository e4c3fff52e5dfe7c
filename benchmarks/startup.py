"""Measure what a program pays before it does anything: importing, the shortest command, the wheel.

    python benchmarks/startup.py [--runs N] [--wheel FILE] [--json]

Times are those of the processor, of a whole process less one that does nothing, the best of several
runs: an interpreter's own start is not ours, and a busy machine counts less. The library must not
bring what serves the command line only. The program ends with an error if a bound is passed.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

MAX_IMPORT_MS = 50
MAX_COMMAND_MS = 150
MAX_WHEEL_BYTES = 3_000_000
# Compiled Python files may be kept, as pip keeps them.
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
COMMAND_LINE_ONLY = ("click", "fanorona_cli", "platformdirs", "rich", "textual")
IMPORT = "import fanorona_core"
COMMAND = """
import sys
from fanorona_cli.main import cli
sys.argv = ["fanorona", "--version"]
cli()
"""


def used_by_children() -> float:
    """Processor time of the processes that have ended, in seconds."""
    if sys.platform == "win32":
        return time.perf_counter()  # Windows does not say; this is the time on the clock
    import resource

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def seconds(program: str, runs: int) -> tuple[float, float]:
    """Processor and wall time of a Python program, each the best of several runs."""
    best = wall = float("inf")
    command = [sys.executable, "-P", "-c", program]
    for _ in range(runs):
        before, begun = used_by_children(), time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=ENVIRONMENT)
        wall = min(wall, time.perf_counter() - begun)
        best = min(best, used_by_children() - before)
    return best, wall


def brought(program: str) -> list[str]:
    """The modules for the command line that a program has imported when it ends."""
    code = f"{program}\nimport sys\nprint(*[m for m in {COMMAND_LINE_ONLY!r} if m in sys.modules])"
    command = [sys.executable, "-P", "-c", code]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


def main() -> int:
    """Measure, report, and compare with the bounds."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=10, help="runs of each program (default 10)")
    parser.add_argument("--wheel", type=Path, help="a wheel whose size is compared, too")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    options = parser.parse_args()
    if options.runs < 1:
        parser.error("--runs must be 1 or more")
    seconds(COMMAND, 1)  # so that compiled Python files are there
    nothing, nothing_wall = seconds("pass", options.runs)
    imported, imported_wall = seconds(IMPORT, options.runs)
    command, command_wall = seconds(COMMAND, options.runs)
    found = {
        "import_ms": round(1000 * (imported - nothing)),
        "import_wall_ms": round(1000 * (imported_wall - nothing_wall)),
        # Whole: who types a command waits for the interpreter, too.
        "command_ms": round(1000 * command),
        "command_wall_ms": round(1000 * command_wall),
        "wheel_bytes": options.wheel.stat().st_size if options.wheel else None,
        "brought": brought(IMPORT),
    }
    faults = []
    if found["import_ms"] > MAX_IMPORT_MS:
        faults.append(f"import takes {found['import_ms']} ms: expected at most {MAX_IMPORT_MS}")
    if found["command_ms"] > MAX_COMMAND_MS:
        faults.append(f"--version takes {found['command_ms']} ms: expected {MAX_COMMAND_MS}")
    if options.wheel and found["wheel_bytes"] > MAX_WHEEL_BYTES:
        faults.append(f"the wheel has {found['wheel_bytes']:,} bytes: expected {MAX_WHEEL_BYTES:,}")
    if found["brought"]:
        faults.append(f"the library imports {', '.join(found['brought'])}")
    if options.json:
        about = {"benchmark": "startup", "python": platform.python_version()}
        print(json.dumps({**about, **found, "faults": faults}))
    else:
        for name, what in (("import", "import fanorona_core"), ("command", "fanorona --version")):
            wall = found[f"{name}_wall_ms"]
            print(f"{what:22} {found[f'{name}_ms']:4} ms of processor time, {wall} on the clock")
        if options.wheel:
            print(f"wheel                  {found['wheel_bytes']:,} bytes")
        for fault in faults:
            print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
