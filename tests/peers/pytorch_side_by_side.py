#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Time of one epoch and distance of the curves: PyTorch and fullbatch, side by side.

Trains the four networks of figure 20.2 from the same start weights in both programs, in turns, so
that both meet the same state of the machine. Each program is taken at its own best number of
threads. Needs a Python with PyTorch and NumPy; it is a benchmark, not a test.

    tests/peers/pytorch_side_by_side.py build/release/bin/fullbatch [--rounds 5] [--seconds 2]
"""

import argparse
import csv
import json
import math
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time

try:
    import numpy
    import torch
except ImportError as error:
    sys.exit(f"{error}: this comparison needs a Python with PyTorch and NumPy "
             "(Debian: python3-torch with libopenblas0-pthread).")

NETWORKS = {"1 x 298": [298], "2 x 100": [100] * 2, "3 x 75": [75] * 3, "4 x 63": [63] * 4}
LEARNING_RATE = 0.0025
SEED = 1


def data_set(program, folder):
    path = os.path.join(folder, "data.npz")
    subprocess.run([program, "data", "--data", "mnist1d", "--out", path], check=True,
                   stdout=subprocess.DEVNULL)
    arrays = numpy.load(path)
    return torch.from_numpy(arrays["x"]), torch.from_numpy(arrays["y"])


def start(widths, inputs, outputs):
    torch.manual_seed(SEED)
    modules = []
    for width in widths:
        modules += [torch.nn.Linear(inputs, width), torch.nn.ReLU()]
        inputs = width
    modules.append(torch.nn.Linear(inputs, outputs))
    for module in modules:
        if isinstance(module, torch.nn.Linear):
            torch.nn.init.kaiming_uniform_(module.weight)
            module.bias.data.fill_(0.0)
    return torch.nn.Sequential(*modules)


class Training:
    def __init__(self, widths, x, y):
        self.x, self.y = x, y
        self.network = start(widths, x.shape[1], 10)
        self.optimiser = torch.optim.SGD(self.network.parameters(), lr=LEARNING_RATE)
        self.loss = torch.nn.CrossEntropyLoss()

    def epoch(self):
        self.optimiser.zero_grad()
        logits = self.network(self.x)
        loss = self.loss(logits, self.y)
        wrong = (logits.argmax(1) != self.y).sum().item()
        loss.backward()
        self.optimiser.step()
        return loss.item(), wrong


def pytorch_milliseconds(widths, x, y, threads, seconds):
    torch.set_num_threads(threads)
    training = Training(widths, x, y)
    for _ in range(5):
        training.epoch()
    times = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        began = time.perf_counter()
        training.epoch()
        times.append((time.perf_counter() - began) * 1e3)
    return statistics.median(times)


def fullbatch_result(program, widths, threads, seconds):
    text = subprocess.run(
        [program, "bench", "--engine", "cpu", "--threads", str(threads), "--seconds", str(seconds),
         "--widths", ",".join(map(str, widths)), "--json"],
        check=True, capture_output=True, text=True).stdout
    return json.loads(text)["results"][0]


def curve_distance(program, widths, x, y, epochs, folder):
    path = os.path.join(folder, "curve.csv")
    subprocess.run(
        [program, "run", "--widths", ",".join(map(str, widths)), "--seed", str(SEED),
         "--learning-rate", str(LEARNING_RATE), "--epochs", str(epochs), "--quiet", "--csv", path],
        check=True, stdout=subprocess.DEVNULL)
    training = Training(widths, x, y)
    worst_loss, worst_error = 0.0, 0.0
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            loss, wrong = training.epoch()
            worst_loss = max(worst_loss, abs(float(row["train_loss"]) - loss) / loss)
            error = 100.0 * wrong / len(y)
            worst_error = max(worst_error, abs(float(row["train_error_percent"]) - error))
    return worst_loss, worst_error


def processor():
    try:
        with open("/proc/cpuinfo") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor()


def blas():
    """The library that PyTorch's products come from, as it is loaded."""
    torch.ones(64, 64) @ torch.ones(64, 64)
    with open("/proc/self/maps") as maps:
        paths = {line.split()[-1] for line in maps if "blas" in line}
    return ", ".join(sorted(os.path.realpath(path) for path in paths)) or "built into PyTorch"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="the fullbatch program")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each measurement")
    parser.add_argument("--epochs", type=int, default=200, help="for the distance of the curves")
    arguments = parser.parse_args()

    cores = len(os.sched_getaffinity(0))
    thread_counts = sorted({1, cores})
    print(f"{processor()}, {cores} cores; PyTorch {torch.__version__}, NumPy {numpy.__version__}; "
          f"{time.strftime('%Y-%m-%d')}")
    print("BLAS:", blas())
    with tempfile.TemporaryDirectory() as folder:
        x, y = data_set(arguments.program, folder)
        ratios = []
        print("network    PyTorch ms (threads)   fullbatch ms (threads)   ratio   share of peak   "
              "loss distance   error distance")
        for name, widths in NETWORKS.items():
            ours = {threads: [] for threads in thread_counts}
            theirs = {threads: [] for threads in thread_counts}
            shares = []
            for _ in range(arguments.rounds):
                for threads in thread_counts:
                    theirs[threads].append(
                        pytorch_milliseconds(widths, x, y, threads, arguments.seconds))
                    result = fullbatch_result(arguments.program, widths, threads,
                                              arguments.seconds)
                    ours[threads].append(result["epoch_ms_median"])
                    if threads == 1:
                        shares.append(result["peak_share"])
            best = {}
            for label, times in (("theirs", theirs), ("ours", ours)):
                medians = {threads: statistics.median(values) for threads, values in times.items()}
                threads = min(medians, key=medians.get)
                best[label] = (medians[threads], threads)
            torch.set_num_threads(1)
            loss, error = curve_distance(arguments.program, widths, x, y, arguments.epochs, folder)
            ratio = best["theirs"][0] / best["ours"][0]
            ratios.append(ratio)
            print(f"{name:8} {best['theirs'][0]:12.3f} ({best['theirs'][1]}) "
                  f"{best['ours'][0]:19.3f} ({best['ours'][1]}) {ratio:13.2f} "
                  f"{statistics.median(shares):12.3f} {loss:17.2g} {error:12.3f} points", flush=True)
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"geometric mean of the ratios {mean:.2f}, smallest {min(ratios):.2f}")


if __name__ == "__main__":
    main()
