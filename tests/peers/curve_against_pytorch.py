#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains the same networks from the same start in PyTorch and in fullbatch and compares the curves
epoch by epoch. The yardstick is PyTorch against itself with the training rows in other orders:
rounding alone moves its curve so far. Needs torch and numpy; not part of tests/run.

    tests/peers/curve_against_pytorch.py build/release/bin/fullbatch
    ... --case 63,63,63,63:1:0.1:0:150      widths:seed:learning rate:momentum:epochs, repeatable
"""
import argparse
import csv
import os
import subprocess
import sys
import tempfile

import numpy as np
import torch

# Up to here the curves must agree absolutely (float32 rounding at the book's rate) ...
SAME_LOSS = 2e-6
SAME_ERROR_POINTS = 0.1
# ... and beyond, within so many times PyTorch's own distance, until that passes OWN_LIMIT: rounding
# grows exponentially there and says nothing about either program.
OWN_FACTOR = 4
OWN_LIMIT = 1e-4

# A hidden unit that rounding switches on or off splits the curves into families, and two orders of
# the rows may fall into the same one; the farthest of several is the yardstick.
ORDERS = 4

CASES = [
    "298:1:0.0025:0:300", "63,63,63,63:2:0.0025:0:300", "17,5,90:3:0.0025:0:300", ":4:0.0025:0:300",
    "63,63,63,63:1:0.1:0:150", "40,40,40:1:0.02:0.9:450", "100,100:5:0.05:0.9:200",
]


class Case:
    def __init__(self, text):
        widths, seed, rate, momentum, epochs = text.split(":")
        self.text = text
        self.widths = [int(width) for width in widths.split(",") if width]
        self.seed, self.epochs = int(seed), int(epochs)
        self.rate, self.momentum = float(rate), float(momentum)


def start_network(case, features, classes):
    """nn.Sequential after manual_seed, then He-uniform weights and zero biases in order."""
    torch.manual_seed(case.seed)
    sizes = [features, *case.widths, classes]
    layers = []
    for inputs, outputs in zip(sizes[:-1], sizes[1:]):
        layers += [torch.nn.Linear(inputs, outputs), torch.nn.ReLU()]
    network = torch.nn.Sequential(*layers[:-1])
    for layer in network:
        if isinstance(layer, torch.nn.Linear):
            torch.nn.init.kaiming_uniform_(layer.weight)
            torch.nn.init.zeros_(layer.bias)
    return network


def train_in_pytorch(case, x, y, classes):
    """Loss and error in percent before each update."""
    network = start_network(case, x.shape[1], classes)
    steps = torch.optim.SGD(network.parameters(), lr=case.rate, momentum=case.momentum)
    losses, errors = [], []
    for _ in range(case.epochs):
        steps.zero_grad()
        logits = network(x)
        loss = torch.nn.functional.cross_entropy(logits, y)
        losses.append(loss.item())
        errors.append(100 * (logits.argmax(1) != y).sum().item() / len(y))
        loss.backward()
        steps.step()
    return np.array(losses), np.array(errors)


def train_in_fullbatch(program, case, folder):
    curve = os.path.join(folder, "curve.csv")
    shape = ["--widths", ",".join(map(str, case.widths))] if case.widths else ["--depth", "0"]
    subprocess.run([program, "run", *shape, "--seed", str(case.seed), "--learning-rate",
                    repr(case.rate), "--momentum", repr(case.momentum), "--epochs",
                    str(case.epochs), "--csv", curve, "--quiet"],
                   check=True, stdout=subprocess.DEVNULL)
    with open(curve, newline="") as file:
        rows = list(csv.DictReader(file))
    return (np.array([np.float32(row["train_loss"]) for row in rows], dtype=float),
            np.array([float(row["train_error_percent"]) for row in rows]))


def relative(first, second):
    return np.abs(first - second) / np.abs(second)


def judge(case, ours, theirs, permuted):
    """One line of the table, and whether the case holds."""
    distance = relative(ours[0], theirs[0])
    own = np.max([relative(losses, theirs[0]) for losses, _ in permuted], axis=0)
    # A chance meeting of two curves must not make the yardstick zero: it never shrinks.
    own = np.maximum.accumulate(own)
    beyond = np.nonzero(own > OWN_LIMIT)[0]
    end = int(beyond[0]) if len(beyond) else case.epochs
    allowed = np.maximum(SAME_LOSS, OWN_FACTOR * own)
    within = bool((distance[:end] <= allowed[:end]).all())
    alike = np.nonzero(own > SAME_LOSS)[0]
    points = np.abs(ours[1] - theirs[1])[:int(alike[0]) if len(alike) else case.epochs].max()
    within = within and points <= SAME_ERROR_POINTS + 1e-9
    share = (distance[:end] / np.maximum(own[:end], SAME_LOSS / OWN_FACTOR)).max()
    print(f"{case.text:30} {distance[:end].max():11.2e} {own[:end].max():11.2e} {share:8.2f} "
          f"{points:9.3f} {end:8d}  {'holds' if within else 'FAILS'}")
    return within


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    arguments.add_argument("program")
    arguments.add_argument("--case", action="append", type=Case,
                           help="widths:seed:learning rate:momentum:epochs")
    chosen = arguments.parse_args()
    torch.set_num_threads(1)
    cases = chosen.case or [Case(text) for text in CASES]
    print(f"PyTorch {torch.__version__}; distances of the loss are relative")
    print("widths:seed:rate:momentum:epochs  fullbatch  permuted    ratio  error pp  up to epoch")
    holds = True
    with tempfile.TemporaryDirectory() as folder:
        data_file = os.path.join(folder, "data.npz")
        subprocess.run([chosen.program, "data", "--out", data_file], check=True,
                       stdout=subprocess.DEVNULL)
        with np.load(data_file) as data:
            x, y = torch.tensor(data["x"]), torch.tensor(data["y"]).long()
        orders = [torch.randperm(len(y), generator=torch.Generator().manual_seed(seed))
                  for seed in range(ORDERS)]
        classes = int(y.max()) + 1
        for case in cases:
            ours = train_in_fullbatch(chosen.program, case, folder)
            theirs = train_in_pytorch(case, x, y, classes)
            permuted = [train_in_pytorch(case, x[order], y[order], classes) for order in orders]
            holds = judge(case, ours, theirs, permuted) and holds
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
