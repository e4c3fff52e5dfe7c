"""Train the evaluation network on positions that tools/selfplay.py has made.

    python tools/train.py DATA.npy [DATA.npy ...] --out fanorona_core/data/evaluation.net

One hidden layer reads the stones of both sides and the best first capture of
each; its output, in weights chosen by the number of stones, is added to the
static evaluation. The target is a mixture of the search's score and the
result of the game, both as expected results. Adam (Kingma and Ba, 2014) on
binary cross-entropy; the same arguments give the same weights. Needs NumPy.
"""

from __future__ import annotations

import argparse
import struct
import zlib
from dataclasses import dataclass

import numpy as np

COLUMNS, ROWS = 9, 5
POINTS = COLUMNS * ROWS
BOARD = np.uint64((1 << POINTS) - 1)
GAINS = 6
BUCKET_STARTS = (7, 12, 18, 25, 33)
# Endings are many and alike: they count for less.
BUCKET_WEIGHTS = np.array([0.35, 0.5, 1.5, 2.5, 3, 3], np.float32)
SCALE = 600  # centipawns of the logistic curve, as in fanorona_core/score.py
ONE, OUTPUT_ONE = 256, 64  # fixed-point units, as in _network.pyx
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (-1, 1), (1, -1))


def _lines(steps: int) -> list[np.uint64]:
    """For each direction the points from which so many lines lead on."""
    masks = []
    for direction, (dc, dr) in enumerate(STEPS):
        mask = 0
        for point in range(POINTS):
            column, row = point % COLUMNS + steps * dc, point // COLUMNS + steps * dr
            drawn = direction < 4 or (point % COLUMNS + point // COLUMNS) % 2 == 0
            if drawn and 0 <= column < COLUMNS and 0 <= row < ROWS:
                mask |= 1 << point
        masks.append(np.uint64(mask))
    return masks


NEXT, SECOND = _lines(1), _lines(2)
STRONG = np.uint64(sum(1 << p for p in range(POINTS) if (p % COLUMNS + p // COLUMNS) % 2 == 0))


def shifted(boards: np.ndarray, direction: int) -> np.ndarray:
    """Every point one line on; the caller masks the edges."""
    dc, dr = STEPS[direction]
    distance = np.uint64(abs(dc + COLUMNS * dr))
    return boards >> distance if direction & 1 else (boards << distance) & BOARD


def best_first_capture(own: np.ndarray, enemy: np.ndarray) -> np.ndarray:
    """The most stones that one step takes, as in _evaluate.pxd."""
    empty = BOARD & ~(own | enemy)
    best = np.zeros(len(own), np.int64)
    for direction in range(8):
        movers = own & NEXT[direction] & shifted(empty, direction ^ 1)
        approaching = shifted(movers & SECOND[direction], direction)
        for run, towards in ((approaching, direction), (movers, direction ^ 1)):
            length = np.zeros(len(own), np.int64)
            while run.any():
                run = shifted(run & NEXT[towards], towards) & enemy
                length += run != 0
            best = np.maximum(best, length)
    return best


def static_value(own: np.ndarray, enemy: np.ndarray, gain: np.ndarray) -> np.ndarray:
    """The evaluation without the network in centipawns, as in _evaluate.pxd."""
    a, b = np.bitwise_count(own).astype(int), np.bitwise_count(enemy).astype(int)
    after = np.maximum(b - gain, 0)
    value = 2300 * (a - b) / (a + b)
    value = np.where(gain > 0, (value + 2300 * (a - after) / (a + after)) / 2, value)
    strong = np.bitwise_count(own & STRONG).astype(int) - np.bitwise_count(enemy & STRONG)
    return value + 8 * strong


@dataclass
class Samples:
    """What the network sees of the positions, and what it should say."""

    inputs: np.ndarray
    buckets: np.ndarray
    static: np.ndarray
    target: np.ndarray

    @classmethod
    def load(cls, paths: list[str], score_share: float) -> Samples:
        """Read files of self-play."""
        rows = np.concatenate([np.load(path) for path in paths])
        own, enemy = rows["own"], rows["enemy"]
        bits = np.arange(POINTS, dtype=np.uint64)
        gain, answer = best_first_capture(own, enemy), best_first_capture(enemy, own)
        one_hot = np.eye(GAINS, dtype=np.float32)
        inputs = np.concatenate(
            [
                ((own[:, None] >> bits) & np.uint64(1)).astype(np.float32),
                ((enemy[:, None] >> bits) & np.uint64(1)).astype(np.float32),
                one_hot[np.minimum(gain, GAINS - 1)],
                one_hot[np.minimum(answer, GAINS - 1)],
            ],
            axis=1,
        )
        expected = 1 / (1 + np.exp(-rows["score"].astype(np.float64) / SCALE))
        target = score_share * expected + (1 - score_share) * (rows["result"] + 1) / 2
        stones = np.bitwise_count(own | enemy)
        return cls(
            inputs,
            np.digitize(stones, BUCKET_STARTS),
            (static_value(own, enemy, gain) / SCALE).astype(np.float32),
            target.astype(np.float32),
        )


class Network:
    """The weights, and one step of training."""

    def __init__(self, neurons: int, random: np.random.Generator) -> None:
        inputs = 2 * POINTS + 2 * GAINS
        self.weights = [
            random.normal(0, 1 / np.sqrt(30), (inputs, neurons)).astype(np.float32),
            np.full(neurons, 0.2, np.float32),
            np.zeros((len(BUCKET_WEIGHTS), neurons), np.float32),
            np.zeros(len(BUCKET_WEIGHTS), np.float32),
        ]
        self.means = [np.zeros_like(weights) for weights in self.weights]
        self.squares = [np.zeros_like(weights) for weights in self.weights]
        self.steps = 0

    def forward(
        self, inputs: np.ndarray, buckets: np.ndarray, static: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The hidden layer before and after clipping, and the expected result."""
        first, bias, output, output_bias = self.weights
        hidden = inputs @ first + bias
        clipped = np.clip(hidden, 0, 1)
        value = (clipped * output[buckets]).sum(1) + output_bias[buckets] + static
        return hidden, clipped, 1 / (1 + np.exp(-value))

    def train(self, samples: Samples, chosen: np.ndarray, turned: np.ndarray, rate: float) -> None:
        """One step of Adam on some samples, seen through a symmetry of the board."""
        inputs = samples.inputs[chosen][:, turned]
        buckets = samples.buckets[chosen]
        hidden, clipped, expected = self.forward(inputs, buckets, samples.static[chosen])
        error = (expected - samples.target[chosen]) * BUCKET_WEIGHTS[buckets] / len(chosen)
        to_output = np.zeros_like(self.weights[2])
        to_output_bias = np.zeros_like(self.weights[3])
        for bucket in range(len(BUCKET_WEIGHTS)):
            here = buckets == bucket
            to_output[bucket] = error[here] @ clipped[here]
            to_output_bias[bucket] = error[here].sum()
        to_hidden = error[:, None] * self.weights[2][buckets]
        to_hidden[(hidden <= 0) | (hidden >= 1)] = 0
        gradients = [inputs.T @ to_hidden, to_hidden.sum(0), to_output, to_output_bias]
        self.steps += 1
        for weights, mean, square, gradient in zip(
            self.weights, self.means, self.squares, gradients, strict=True
        ):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            step = mean / (1 - 0.9**self.steps)
            weights -= rate * step / (np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8)

    def loss(self, samples: Samples, chosen: np.ndarray) -> float:
        """Cross-entropy above what the targets themselves leave open."""
        total = 0.0
        for part in np.array_split(chosen, max(len(chosen) // 50_000, 1)):
            target = np.clip(samples.target[part], 1e-6, 1 - 1e-6)
            expected = np.clip(
                self.forward(samples.inputs[part], samples.buckets[part], samples.static[part])[2],
                1e-6,
                1 - 1e-6,
            )
            total += (target * np.log(target / expected)).sum()
            total += ((1 - target) * np.log((1 - target) / (1 - expected))).sum()
        return total / len(chosen)

    def to_bytes(self) -> bytes:
        """The file that _network.pyx reads."""
        first, bias, output, output_bias = self.weights

        def fixed(weights: np.ndarray, one: int) -> bytes:
            return np.clip(np.round(weights * one), -32767, 32767).astype("<i2").tobytes()

        body = fixed(first, ONE) + fixed(bias, ONE) + fixed(output, OUTPUT_ONE)
        body += np.round(output_bias * ONE * OUTPUT_ONE).astype("<i4").tobytes()
        sizes = (1, first.shape[1], GAINS, len(BUCKET_WEIGHTS), zlib.crc32(body))
        return struct.pack("<4sHHHHI", b"FNNW", *sizes) + body


def symmetries() -> list[np.ndarray]:
    """The inputs' order after each symmetry of the board; gains stay."""
    points = np.arange(2 * POINTS).reshape(2, ROWS, COLUMNS)
    gains = np.arange(2 * POINTS, 2 * POINTS + 2 * GAINS)
    turned = (points, points[:, :, ::-1], points[:, ::-1], points[:, ::-1, ::-1])
    return [np.concatenate([one.reshape(-1), gains]) for one in turned]


def main() -> None:
    """Read the arguments, train, write the network."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="+")
    parser.add_argument("--out", required=True)
    parser.add_argument("--neurons", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--batch", type=int, default=8192)
    parser.add_argument("--score-share", type=float, default=0.6)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    random = np.random.default_rng(options.seed)
    samples = Samples.load(options.data, options.score_share)
    count = len(samples.target)
    training, held_out = np.split(np.arange(count), [count - count // 20])
    network = Network(options.neurons, random)
    print(f"{count} positions; static evaluation alone: {network.loss(samples, held_out):.5f}")
    for epoch in range(options.epochs):
        rate = 2e-5 + 2e-3 * 0.5 * (1 + np.cos(np.pi * epoch / options.epochs))
        order = random.permutation(training)
        for at in range(0, len(order) - options.batch + 1, options.batch):
            chosen = np.sort(order[at : at + options.batch])
            network.train(samples, chosen, symmetries()[random.integers(4)], rate)
        print(f"epoch {epoch + 1}: {network.loss(samples, held_out):.5f}", flush=True)
    with open(options.out, "wb") as out:
        out.write(network.to_bytes())


if __name__ == "__main__":
    main()
