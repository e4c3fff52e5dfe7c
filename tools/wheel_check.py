"""Inspect wheels: what is in them, their tags, their size and, on x86-64, their instructions.

    python tools/wheel_check.py WHEEL ...

Needs nothing but Python; the instructions are looked at where ``objdump`` is found and the wheel is
one for Linux on x86-64.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[1]
MAX_BYTES = 3_000_000
NAME = re.compile(
    r"fanorona-(?P<version>[^-]+)-(?P<python>cp3\d+)-(?P<abi>cp3\d+t?|abi3)-(?P<platform>[^-]+)\.whl"
)
PLATFORM = re.compile(
    r"linux_(x86_64|aarch64)|(manylinux|musllinux)\w*_(x86_64|aarch64)|"
    r"macosx_\d+_\d+_(x86_64|arm64|universal2)|win_(amd64|arm64)|(pyodide|pyemscripten)\w*_wasm32"
)
SUFFIXES = {
    ".py",
    ".pyi",
    ".typed",
    ".so",
    ".pyd",
    ".net",
    ".txt",
    ".json",
    ".csv",
    ".fgn",
    ".mo",
    ".po",
    ".pot",
}
# Newer than the baseline of x86-64: SSE3 and later by their names, the vector instructions of AVX
# by their first letter, and the bit instructions. popcnt is missing on purpose: it stands next to
# what replaces it, and is reached only where the processor has it (_portable.h). So is tzcnt, which
# older processors read as bsf, with the same result for all but 0. Functions whose name says for
# which processors they are (_layer.h) are not looked at.
NEWER = re.compile(
    r"\b(v[a-z]+\d?[a-z]*|pext|pdep|andn|bextr|bls[rim]\w*|mulx|[sr][ah]?[lr]x|rorx|lzcnt|bzhi|"
    r"crc32\w?|movbe|pshufb|palignr|pabs[bwd]|phadd\w+|psign[bwd]|pmull[d]|pmov[sz]x\w+|pblend\w+|"
    r"blend\w+|round[sp][sd]|ptest|pinsr[bdq]|pextr[bdq]|pm(ax|in)(s[bd]|u[wd])|pcmp(eq|gt)q|"
    r"pcmp[ei]str\w|lddqu|movddup|movs[hl]dup|h(add|sub)p[sd]|addsubp[sd])\s"
)
NOT_INSTRUCTIONS = {"verr", "verw"}
FUNCTION = re.compile(r"^[0-9a-f]+ <(?P<name>.+)>:$", re.MULTILINE)
FOR_NEWER = "_avx2"


def compiled_modules() -> set[str]:
    """Names of the modules that a wheel must hold in compiled form."""
    return {path.stem for path in (ROOT / "src" / "fanorona_core").glob("*.pyx")}


def faults(wheel: Path) -> list[str]:
    """Say what is wrong with a wheel."""
    found = []
    name = NAME.fullmatch(wheel.name)
    if name is None:
        return [f"{wheel.name} is no name of a wheel of this project"]
    for tag in name["platform"].split("."):
        if not PLATFORM.fullmatch(tag):
            found.append(f"platform {tag} is not one of ours")
    if name["abi"] != "abi3" and name["abi"].rstrip("t") != name["python"]:
        found.append(f"abi {name['abi']} does not fit {name['python']}")
    if wheel.stat().st_size > MAX_BYTES:
        found.append(f"{wheel.stat().st_size:,} bytes: expected at most {MAX_BYTES:,}")
    with zipfile.ZipFile(wheel) as archive:
        names = [entry for entry in archive.namelist() if not entry.endswith("/")]
        found += contents_faults(names, name)
        if "linux" in name["platform"] and name["platform"].endswith("x86_64"):
            found += instruction_faults(archive, names)
    return found


def contents_faults(names: list[str], tags: re.Match[str]) -> list[str]:
    """Say which files are missing or too many."""
    found = []
    info = f"fanorona-{tags['version']}.dist-info"
    for name in names:
        path = PurePosixPath(name)
        if path.parts[0] not in {"fanorona_core", "fanorona_cli", info}:
            found.append(f"{name} is outside of the packages")
        elif path.parts[0] != info and path.suffix not in SUFFIXES:
            found.append(f"{name} does not belong into a wheel")
    binaries = sorted(name for name in names if name.endswith((".so", ".pyd")))
    modules = sorted(PurePosixPath(name).name.split(".")[0] for name in binaries)
    if modules != sorted(compiled_modules()):
        found.append(f"compiled modules {modules}")
    digits = tags["python"].removeprefix("cp")
    marks = {"abi3": ("abi3",)}.get(
        tags["abi"], (f"cpython-{digits}", tags["abi"] if tags["abi"] != tags["python"] else digits)
    )
    found += [
        f"{name} is not for {tags['abi']}"
        for name in binaries
        if marks[0] not in name and (marks[-1] not in name)
    ]
    wanted = {"fanorona_core/py.typed", "fanorona_cli/py.typed", f"{info}/licenses/LICENSE"}
    return found + [f"{name} is missing" for name in sorted(wanted - set(names))]


def instruction_faults(archive: zipfile.ZipFile, names: list[str]) -> list[str]:
    """Say which instructions not every x86-64 processor has."""
    if shutil.which("objdump") is None:
        print("  instructions: not looked at, there is no objdump")
        return []
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            if not name.endswith(".so"):
                continue
            path = archive.extract(name, folder)
            command = ["objdump", "-d", "--no-show-raw-insn", path]
            listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            # What stands before the first name, then names and listings in turn.
            _, *parts = FUNCTION.split(listing)
            listings = zip(parts[::2], parts[1::2], strict=True)
            code = "".join(text for function, text in listings if FOR_NEWER not in function)
            newer = {match[1] for match in NEWER.finditer(code)} - NOT_INSTRUCTIONS
            if newer:
                found.append(f"{name}: beyond the baseline of x86-64: {', '.join(sorted(newer))}")
    return found


def main() -> int:
    """Inspect each wheel and report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("wheels", metavar="WHEEL", type=Path, nargs="+")
    wheels: list[Path] = parser.parse_args().wheels
    wrong = 0
    for wheel in wheels:
        if not wheel.is_file():
            parser.error(f"there is no file {wheel}")
        found = faults(wheel)
        wrong += bool(found)
        print(f"{wheel.name}: {wheel.stat().st_size:,} bytes: {'FAULTS' if found else 'good'}")
        for fault in found:
            print(f"  {fault}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
