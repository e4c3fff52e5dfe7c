"""Compile the Cython modules; everything else is in pyproject.toml.

Four switches, all read from the environment:

FANORONA_DEBUG=1     bounds checks and assertions on, no optimisation.
FANORONA_ABI3=1      one wheel for CPython 3.12 and later (slower calls, same search).
FANORONA_PORTABLE=1  only plain C, nothing that some compilers or processors lack.
FANORONA_SANITIZE=1  address and undefined behaviour are watched (tools/sanitize.sh), or what the
                     variable names instead of 1, as "thread".

Each combination has a build folder of its own: neither Cython nor setuptools notices by itself
that the directives or the compiler's flags have changed.
"""

import os
import shutil
import sys
import sysconfig
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build import build

DEBUG = os.environ.get("FANORONA_DEBUG") == "1"
ABI3 = os.environ.get("FANORONA_ABI3") == "1"
if ABI3 and (sys.version_info < (3, 12) or sysconfig.get_config_var("Py_GIL_DISABLED")):
    sys.stderr.write("FANORONA_ABI3=1 needs CPython 3.12 or later with the GIL; ignored here\n")
    ABI3 = False
PORTABLE = os.environ.get("FANORONA_PORTABLE") == "1"
SANITIZE = os.environ.get("FANORONA_SANITIZE", "").replace("1", "address,undefined")
BUILD_BASE = (
    "build/"
    + ("debug" if DEBUG else "release")
    + ("-abi3" if ABI3 else "")
    + ("-portable" if PORTABLE else "")
    + (f"-{SANITIZE.replace(',', '-')}" if SANITIZE else "")
)

if sys.platform == "win32":
    cflags = ["/Od"] if DEBUG else ["/O2"]
else:
    # -g1 keeps function names for `perf` and costs nothing at run time.
    cflags = ["-O0", "-g3", "-UNDEBUG"] if DEBUG else ["-O3", "-g1"]

ldflags: list[str] = []
if SANITIZE:
    ldflags = [f"-fsanitize={SANITIZE}"]
    cflags = [*ldflags, "-fno-sanitize-recover=all", "-fno-omit-frame-pointer", "-O1", "-g1"]

macros: list[tuple[str, str | None]] = []
if not DEBUG:
    macros.append(("CYTHON_WITHOUT_ASSERTIONS", "1"))
if ABI3:
    macros.append(("Py_LIMITED_API", "0x030C0000"))
if PORTABLE:
    macros.append(("FANORONA_PORTABLE", "1"))


class CleanBuild(build):
    """Build into an empty folder, so that no module that was renamed or removed is packed again."""

    def run(self) -> None:
        """Remove what an earlier build has left, then build."""
        # An editable build has a temporary folder of its own, which must stay.
        if Path(self.build_lib).is_relative_to(BUILD_BASE):
            shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()


options: dict[str, dict[str, object]] = {
    "build": {"build_base": BUILD_BASE},
    "build_ext": {"parallel": min(os.cpu_count() or 1, 8)},
}
if ABI3:
    options["bdist_wheel"] = {"py_limited_api": "cp312"}

setup(
    cmdclass={"build": CleanBuild},
    options=options,
    ext_modules=cythonize(
        [
            Extension(
                f"fanorona_core.{path.stem}",
                [path.as_posix()],
                include_dirs=["src/fanorona_core"],
                define_macros=macros,
                extra_compile_args=cflags,
                extra_link_args=ldflags,
                py_limited_api=ABI3,
            )
            for path in sorted(Path("src/fanorona_core").glob("*.pyx"))
        ],
        include_path=["src"],
        build_dir=f"{BUILD_BASE}/cython",
        compiler_directives={
            "language_level": 3,
            "boundscheck": DEBUG,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": DEBUG,
            # Signatures are there for inspect without it; it would only spoil the first line.
            "embedsignature": False,
            "freethreading_compatible": True,
        },
    ),
)
