"""Damaged input: what is right, changed at random, the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

# Numbers, letters and signs that parsers look for, and what encodings and integers end at.
TOKENS = (
    *("", " ", "\n", "\r\n", "\t", "-", "/", ":", ".", ",", ";", "(", ")", "[", "]", "{", "}", '"'),
    *("w", "b", "A", "W", "e3", "a1", "p50", "o3", "0", "1", "9", "99", "-1", "4294967296"),
    *(
        "18446744073709551616",
        "9" * 40,
        "none",
        "tsivy",
        "board=3x3",
        "start=",
        "\0",
        "½",
        "\ud7ff",
    ),
    *("e" * 300, "-e3A" * 60, "((((((((", "1-0", "*", "%", "$1", "NaN", "1e999", "\N{BOM}"),
)


def texts(seeds: Sequence[str], runs: int, seed: int) -> Iterator[str]:
    """Yield ``runs`` texts made of good ones."""
    choose = random.Random(seed)
    for _ in range(runs):
        text = choose.choice(seeds)
        for _ in range(choose.choice((1, 1, 2, 3, 8))):
            text = _changed(text, choose, seeds)
        yield text[:20_000]


def _changed(text: str, choose: random.Random, seeds: Sequence[str]) -> str:
    first, last = sorted(choose.randrange(len(text) + 1) for _ in range(2))
    last = min(last, first + choose.choice((1, 1, 2, 5, 40, 1000)))
    kind = choose.randrange(6)
    if kind == 0:
        return text[:first] + text[last:]
    if kind == 1:
        return text[:last] + text[first:]
    if kind == 2:
        return text[:first] + choose.choice(TOKENS) + text[last:]
    if kind == 3:
        return text[:first] + choose.choice(TOKENS) + text[first:]
    if kind == 4:
        return text[:first] + chr(choose.choice((32, 127, choose.randrange(33, 256)))) + text[last:]
    other = choose.choice(seeds)
    at = choose.randrange(len(other) + 1)
    return text[:first] + other[at : at + 60] + text[last:]


def blobs(seed_data: bytes, runs: int, seed: int) -> Iterator[bytes]:
    """Yield ``runs`` byte strings made of a good one."""
    choose = random.Random(seed)
    for _ in range(runs):
        data = bytearray(seed_data)
        for _ in range(choose.choice((1, 1, 2, 4, 16))):
            at = choose.randrange(len(data) + 1)
            kind = choose.randrange(4)
            if kind == 0:
                data[at : at + 1] = choose.randbytes(1)
            elif kind == 1:
                data[at : at + 8] = choose.choice((b"\xff" * 8, b"\0" * 8, b"\x80" + b"\0" * 7))
            elif kind == 2:
                del data[at : at + choose.choice((1, 4, 1000))]
            else:
                data[at:at] = choose.randbytes(choose.choice((1, 4, 100)))
            # What comes in a header is the most delicate.
            if data and choose.random() < 0.5:
                data[choose.randrange(min(len(data), 160))] = choose.randrange(256)
        yield bytes(data)
