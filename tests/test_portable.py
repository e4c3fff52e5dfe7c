"""The headers of what is not standard C: every form of it gives the same, without a warning."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HEADER = Path(__file__).resolve().parents[1] / "src" / "fanorona_core" / "_portable.h"
SETUP = HEADER.parents[2] / "setup.py"
COMPILERS = [path for name in ("gcc", "clang") if (path := shutil.which(name))]
pytestmark = [
    pytest.mark.skipif(not HEADER.exists(), reason="needs the sources"),
    pytest.mark.skipif(sys.platform == "win32", reason="needs gcc or clang"),
]

PROGRAM = r"""
#include <stdio.h>
#include "_portable.h"
static uint64_t word, state = 1;
static int number;
static const uint8_t *place;
static int slow_count(uint64_t b) { int n = 0; for (; b; b >>= 1) n += (int)(b & 1); return n; }
static int slow_ctz(uint64_t b) { int n = 0; for (; !(b & 1); b >>= 1) n++; return n; }
static int slow_clz(uint64_t b) { int n = 0; for (; !(b >> 63); b <<= 1) n++; return n; }
int main(void) {
    for (int i = 0; i < 20000; i++) {
        state ^= state << 13; state ^= state >> 7; state ^= state << 17;
        uint64_t b = i < 64 ? 1ULL << i : i < 128 ? ~0ULL << (i - 64) : state >> (i % 60);
        if (!b) continue;
        if (fanorona_popcount(b) != slow_count(b)) return 1;
        if (fanorona_popcount_plain(b) != slow_count(b)) return 2;
        if (fanorona_ctz(b) != slow_ctz(b)) return 3;
        if (fanorona_clz(b) != slow_clz(b)) return 4;
        fanorona_prefetch(&word);
        fanorona_store(&word, b);
        if (fanorona_load(&word) != b) return 5;
        fanorona_store_int(&number, i);
        if (fanorona_load_int(&number) != i) return 6;
        fanorona_release(&place, (const uint8_t *)&word + i % 8);
        if (fanorona_acquire(&place) != (const uint8_t *)&word + i % 8) return 7;
    }
    if (fanorona_popcount(0) != 0) return 8;
    int64_t before = fanorona_now_us();
    if (before <= 0 || fanorona_now_us() < before) return 9;
    return 0;
}
"""

LAYER_PROGRAM = r"""
#include "_layer.h"
static uint64_t state = 1;
static int16_t number(int most) {
    state ^= state << 13; state ^= state >> 7; state ^= state << 17;
    return (int16_t)((int)(state % (2 * (unsigned)most + 1)) - most);
}
static int16_t weights[FANORONA_LAYER_ROWS + 1][FANORONA_NEURONS];
int main(void) {
    const int16_t *rows[FANORONA_LAYER_ROWS];
    for (int trial = 0; trial < 3000; trial++) {
        int64_t expected = 0;
        for (int row = 0; row <= FANORONA_LAYER_ROWS; row++)
            for (int i = 0; i < FANORONA_NEURONS; i++)
                weights[row][i] = number(trial % 3 ? 60 : 32767);
        for (int row = 0; row < FANORONA_LAYER_ROWS; row++) rows[row] = weights[row];
        for (int i = 0; i < FANORONA_NEURONS; i++) {
            uint16_t sum = 0;
            for (int row = 0; row < FANORONA_LAYER_ROWS; row++) sum += (uint16_t)rows[row][i];
            int one = (int16_t)sum;
            expected += (one < 0 ? 0 : one > 256 ? 256 : one) * weights[FANORONA_LAYER_ROWS][i];
        }
        if (fanorona_layer(rows, weights[FANORONA_LAYER_ROWS], 256) != expected) return 1;
        if (fanorona_layer_plain(rows, weights[FANORONA_LAYER_ROWS], 256) != expected) return 2;
    }
    return 0;
}
"""


@pytest.mark.parametrize("compiler", COMPILERS or [None])
@pytest.mark.parametrize("flags", [[], ["-DFANORONA_PORTABLE"]], ids=["native", "portable"])
@pytest.mark.parametrize("program_text", [PROGRAM, LAYER_PROGRAM], ids=["words", "layer"])
def test_every_form_gives_the_same(
    compiler: str | None, flags: list[str], program_text: str, tmp_path: Path
) -> None:
    if compiler is None:
        pytest.skip("neither gcc nor clang is there")
    source, program = tmp_path / "portable.c", tmp_path / "portable"
    source.write_text(program_text)
    command = [compiler, "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", *flags]
    subprocess.run([*command, f"-I{HEADER.parent}", source, "-o", program], check=True)
    assert subprocess.run([program]).returncode == 0


def test_no_build_asks_for_a_newer_processor() -> None:
    text = SETUP.read_text("utf-8")
    assert [
        flag for flag in ("-march", "-mtune", "-mpopcnt", "-msse", "-mavx", "/arch") if flag in text
    ] == []


def test_only_headers_hold_what_is_not_standard() -> None:
    marks = ("__builtin", "__attribute__", "__asm", "_MSC_VER", "__GNUC__", "#ifdef", "#if ")
    found = [
        f"{path.name}: {mark}"
        for path in sorted(HEADER.parent.glob("*.p[xy][dx]"))
        for mark in marks
        if mark in path.read_text("utf-8")
    ]
    assert found == []
