"""Compile the generated C for other systems, with the compilers that PyPI and this machine have.

    python tools/cross_compile.py [--portable] [TARGET ...]

Targets: ``gcc`` and ``clang``, the local compilers; every other one is a target of zig (the package
ziglang). Without any: all. The C is what Cython makes of ``src``; the headers are those of the
Python that runs this, with a ``pyconfig.h`` changed for the target. Every warning of ``-Wall
-Wextra`` is an error. Where undefined symbols may stay open until a module is loaded the modules
are linked as well; on Windows they would need Python's import library and are compiled only.

What this shows: the C is portable. What it does not: that the modules run, or that Microsoft's
compiler takes them; the workflow of the wheels builds and tests there.
"""

from __future__ import annotations

import argparse
import importlib.util
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOCAL = ("gcc", "clang")
ZIG = (
    "x86_64-windows-gnu",
    "aarch64-windows-gnu",
    "x86_64-macos",
    "aarch64-macos",
    "x86_64-linux-gnu",
    "aarch64-linux-gnu",
    "x86_64-linux-musl",
    "aarch64-linux-musl",
)
FLAGS = ("-O2", "-Wall", "-Wextra", "-Werror", "-DCYTHON_WITHOUT_ASSERTIONS=1")
# What the headers of Python for Windows say, in place of what configure found on this system.
WINDOWS = """
#define SIZEOF_LONG 4
#define SIZEOF_WCHAR_T 2
#define SIZEOF_PID_T 4
#define SIZEOF_LONG_DOUBLE 8
#define ALIGNOF_LONG 4
#define HAVE_STDINT_H 1
#define HAVE_STDDEF_H 1
#define HAVE_WCHAR_H 1
#define MS_WIN32 1
#define MS_WIN64 1
#define MS_WINDOWS 1
#define NT_THREADS 1
#define WITH_THREAD 1
"""


def generated() -> list[Path]:
    """Translate the sources and return the C files."""
    subprocess.run(
        [sys.executable, "setup.py", "--quiet", "--name"],
        cwd=ROOT,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return sorted((ROOT / "build/release/cython/src/fanorona_core").glob("*.c"))


def headers(target: str, folder: Path) -> Path:
    """Copy Python's headers and make them those of a target."""
    copy = folder / "include"
    shutil.copytree(sysconfig.get_path("include"), copy)
    if "windows" in target:
        config = copy / "pyconfig.h"
        found = re.findall(r"#define ((?:SIZEOF|ALIGNOF)_\w+) (\d+)", config.read_text("utf-8"))
        ours = set(re.findall(r"#define (\w+)", WINDOWS))
        kept = [f"#define {name} {size}\n" for name, size in found if name not in ours]
        config.write_text("".join(kept) + WINDOWS, "utf-8")
    return copy


def runs(command: list[str]) -> bool:
    """Run a command; show it if it fails."""
    done = subprocess.run(command)
    if done.returncode:
        print(*command, f"exit {done.returncode}", file=sys.stderr, flush=True)
    return done.returncode == 0


def compile_all(target: str, sources: list[Path], extra: list[str]) -> str:
    """Compile for one target; return what was done, or an empty text after an error."""
    if target in LOCAL:
        if shutil.which(target) is None:
            return "not there, left out"
        compiler = [target]
    else:
        if importlib.util.find_spec("ziglang") is None:
            return "left out: pip install ziglang"
        compiler = [sys.executable, "-m", "ziglang", "cc", "-target", target]
    links = "windows" not in target
    flags = [*FLAGS, *extra, *([] if "windows" in target else ["-fPIC"])]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        include = headers(target, folder)
        for source in sources:
            command = [
                *(*compiler, *flags, f"-I{ROOT}/src/fanorona_core", f"-I{include}"),
                *("-c", str(source), "-o", str(folder / f"{source.stem}.o")),
            ]
            if not runs(command):
                return ""
            if links:
                shared = ["-shared"]
                if "macos" in target:
                    shared = ["-shared", "-undefined", "dynamic_lookup"]
                output = [str(folder / f"{source.stem}.o"), "-o", str(folder / source.stem)]
                if not runs([*compiler, *shared, *output]):
                    return ""
    return "compiled and linked" if links else "compiled"


def main() -> int:
    """Compile for each target and report."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join((*LOCAL, *ZIG)))
    parser.add_argument("--portable", action="store_true", help="force the plain C fallbacks")
    options = parser.parse_args()
    extra = ["-DFANORONA_PORTABLE=1"] if options.portable else []
    sources, failed = generated(), 0
    for target in options.targets or (*LOCAL, *ZIG):
        done = compile_all(target, sources, extra)
        failed += not done
        print(f"{target}: {len(sources)} modules: {done or 'FAILED'}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
