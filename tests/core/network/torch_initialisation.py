#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/data/torch_initialisation.csv: what PyTorch's CPU generator gives as start weights.

    python3 tests/core/network/torch_initialisation.py > tests/data/torch_initialisation.csv

Columns: rule, layer sizes, seed, number of parameters, the 64-bit FNV-1a hash of all parameters as
little-endian float32 (per layer weight, then bias), and the first weight's bits.
"""
import numpy
import torch
from torch import nn

RULES = {
    "he-uniform": nn.init.kaiming_uniform_,
    "he-normal": nn.init.kaiming_normal_,
    "xavier-uniform": nn.init.xavier_uniform_,
    "xavier-normal": nn.init.xavier_normal_,
    "pytorch-default": None,
    "zero": nn.init.zeros_,
}

CASES = [
    ([40, 63, 63, 63, 63, 10], 1),
    ([40, 298, 10], 1),
    ([40, 100, 100, 10], 0),
    ([40, 75, 75, 75, 10], 4294967295),
    ([40, 75, 75, 75, 10], 2147483648),
    ([40, 10], 7),
    ([1, 1], 0),
    ([1, 1, 1], 42),
    ([40, 1, 10], 3),
    ([40, 1000, 10], 5),
    ([7, 13, 5, 3], 11),
    ([3, 17, 1, 29, 2], 123456789),
    ([784, 1000, 1000, 10], 2),
    ([40] + [10] * 50 + [10], 6),
]


def initial_bytes(rule, sizes, seed):
    torch.manual_seed(seed)
    modules = []
    for inputs, outputs in zip(sizes, sizes[1:]):
        modules += [nn.Linear(inputs, outputs), nn.ReLU()]
    model = nn.Sequential(*modules[:-1])
    for module in model:
        if isinstance(module, nn.Linear) and RULES[rule]:
            RULES[rule](module.weight)
            nn.init.zeros_(module.bias)
    values = torch.cat([p.detach().reshape(-1) for p in model.parameters()]).numpy()
    return numpy.ascontiguousarray(values, dtype="<f4").tobytes()


def fnv1a(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


print("rule,sizes,seed,parameters,fnv1a64,first_weight_bits")
for rule, sizes, seed in ((rule, *case) for rule in RULES for case in CASES):
    data = initial_bytes(rule, sizes, seed)
    first = int.from_bytes(data[:4], "little")
    print(f"{rule},{'-'.join(map(str, sizes))},{seed},{len(data) // 4},{fnv1a(data):016x},{first:08x}")
