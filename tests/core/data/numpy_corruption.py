#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/data/numpy_corruption.csv: training rows spoilt by NumPy's generator.

    python3 tests/core/data/numpy_corruption.py > tests/data/numpy_corruption.csv

The data are 50 rows of 3 inputs, x[row][i] = row / 8 - i, with the labels row % 10. Columns: seed,
what was done, the labels with blanks between them, and the first and last input.
"""
import numpy

ROWS, FEATURES, CLASSES = 50, 3, 10


def clean():
    x = numpy.array([[row / 8 - i for i in range(FEATURES)] for row in range(ROWS)], "float32")
    return x, numpy.arange(ROWS) % CLASSES


def spoilt(seed, permuted, noise, percent):
    x, y = clean()
    if permuted:
        y = y[numpy.random.RandomState(seed).permutation(ROWS)]
    if noise:
        r = numpy.random.RandomState((seed + 1) % 2**32)
        wide = x.astype("float64")
        x = (r.randn(ROWS, FEATURES) * wide.std() + wide.mean()).astype("float32")
    if percent:
        r = numpy.random.RandomState((seed + 2) % 2**32)
        for row in r.permutation(ROWS)[: int(numpy.floor(ROWS * percent / 100 + 0.5))]:
            y[row] = r.randint(CLASSES)
    return x, y


print("seed,permuted,noise,percent,labels,first,last")
for seed in (0, 1, 4294967295):
    for permuted, noise, percent in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 30), (0, 0, 100), (1, 1, 1)):
        x, y = spoilt(seed, permuted, noise, percent)
        labels = " ".join(map(str, y))
        print(f"{seed},{permuted},{noise},{percent},{labels},{x[0, 0]!s},{x[-1, -1]!s}")
