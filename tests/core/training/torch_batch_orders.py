#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/data/torch_batch_orders.csv: the orders that PyTorch's RandomSampler gives.

    python3 tests/core/training/torch_batch_orders.py > tests/data/torch_batch_orders.csv

Columns: rows, seed, epoch, the 64-bit FNV-1a hash of the order as little-endian uint32, and its
first row.
"""
import numpy
import torch
from torch.utils.data import RandomSampler

CASES = [(1, 1), (2, 1), (10, 0), (100, 7), (4000, 1), (4000, 4294967295), (65537, 3)]


def fnv1a(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


print("rows,seed,epoch,fnv1a64,first")
for rows, seed in CASES:
    generator = torch.Generator()
    generator.manual_seed(seed)
    sampler = RandomSampler(range(rows), generator=generator)
    for epoch in range(4):
        order = numpy.array(list(sampler), dtype="<u4")
        print(f"{rows},{seed},{epoch},{fnv1a(order.tobytes()):016x},{order[0]}")
