"""When memory ends: an error, never a crash, and what was there before still works.

A library that is put before the C library's allocator lets the n-th request of the core fail, for
every n. It needs a C compiler and a loader that takes such libraries; elsewhere these tests are
left out.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
SANITIZED = "asan" in os.environ.get("LD_PRELOAD", "")
pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux") or COMPILER is None or SANITIZED,
    reason="needs Linux, a C compiler and an allocator that nothing else has replaced",
)

# Python's own small objects come from its arenas: what is asked of malloc, calloc and realloc while
# the countdown runs is the core's, and Python's largest.
LIBRARY = r"""
#include <stddef.h>
static long countdown = -1;
static int fails(void) { return countdown > 0 && --countdown == 0; }
void fail_after(long requests) { countdown = requests; }
long requests_left(void) { return countdown; }
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
void *malloc(size_t n) { return fails() ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t m) { return fails() ? NULL : __libc_calloc(n, m); }
void *realloc(void *p, size_t n) { return fails() ? NULL : __libc_realloc(p, n); }
"""

PROGRAM = r"""
import ctypes, gc, sys
from fanorona_core import PROFILES, Board, Engine, Limit, Position, Side, perft
from fanorona_core._index import SetIndex
from fanorona_core._network import NetworkFile
from fanorona_core.proof import Proofs
from fanorona_core._search import Search
from fanorona_core._tablebase import LoadedTables
from fanorona_core._transposition import HashTable
from fanorona_core.tablebuild import Builder, pairs_up_to
from fanorona_core.weights import evaluation_network

allocator = ctypes.CDLL(None)
allocator.fail_after.argtypes, allocator.requests_left.restype = [ctypes.c_long], ctypes.c_long
many = Position.parse("bb2bbbbb/b1b4bb/bw3b1bw/4b2ww/wwww1w1ww w")
start, network = Position.start(), evaluation_network()
table = HashTable(1)
index = SetIndex(5, 5)
index.size(3, 2)
dimy = PROFILES["dimy"]
from importlib import resources
weights = (resources.files("fanorona_core") / "data" / "evaluation.net").read_bytes()

def searched():
    search = Search(many, table, [], (False, 3, 0, 400), network)
    for depth in range(1, 4):
        search.deepen(depth, 0, 0, 0, False)

CASES = {
    "turns": lambda: many.legal_turns(),
    "perft": lambda: perft(many, 3),
    "merged perft": lambda: perft(many, 3, "merged"),
    "search": searched,
    "hash": lambda: HashTable(1),
    "index": lambda: SetIndex(5, 5).position(4, 3, 0),
    "network": lambda: NetworkFile(weights),
    "tables": lambda: Builder(5, 3, threads=1).build(pairs_up_to(5, 3, 3)),
    "proof": lambda: Proofs(dimy, LoadedTables(index, False, False), hash_mib=1).certificate(
        Position(3, 1 << 24, Side.WHITE, dimy), Side.WHITE
    ),
}
failures = 0
for name, case in CASES.items():
    case()
    gc.collect()
    for requests in range(1, 400):
        allocator.fail_after(requests)
        try:
            case()
        except MemoryError:
            failures += 1
        left = allocator.requests_left()
        allocator.fail_after(-1)
        if left > 0:
            break
    assert many.count_turns() == 47 and start.count_turns() == 5
print(failures)
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the allocator that fails."""
    folder = tmp_path_factory.mktemp("allocator")
    (folder / "fail.c").write_text(LIBRARY)
    assert COMPILER
    command = [COMPILER, "-shared", "-fPIC", "-O1", "-o", folder / "fail.so", folder / "fail.c"]
    if subprocess.run(command).returncode:
        pytest.skip("the C library has no allocator of glibc's names")
    return folder / "fail.so"


def test_every_allocation_may_fail(library: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", PROGRAM],
        env={**os.environ, "LD_PRELOAD": str(library), "PYTHONMALLOC": "pymalloc"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= 20


def test_a_table_too_large_for_the_address_space() -> None:
    program = (
        "import resource; from fanorona_core import Engine\n"
        "resource.setrlimit(resource.RLIMIT_AS, (1 << 31, 1 << 31))\n"
        "try:\n    Engine(hash_mib=4096)\n"
        "except MemoryError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "no memory for a hash table of 4096 MiB\n")
