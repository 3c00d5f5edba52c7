#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/data/torch_schedules.csv: the learning rates that PyTorch's schedulers give.

    python3 tests/core/training/torch_schedules.py > tests/data/torch_schedules.csv

Columns: schedule, step epochs, step factor, warm-up epochs, rate, epochs, epoch, and the rate of
that epoch as the hexadecimal text of a double.
"""
import warnings

import torch
from torch.optim import lr_scheduler

CASES = [
    ("constant", 20, 0.5, 0, 0.0025, 30),
    ("constant", 20, 0.5, 7, 0.0025, 30),
    ("constant", 20, 0.5, 40, 0.1, 30),
    ("step", 20, 0.5, 0, 0.02, 60),
    ("step", 1, 0.9, 0, 0.1, 50),
    ("step", 3, 0.1, 5, 0.3, 40),
    ("cosine", 20, 0.5, 0, 0.1, 60),
    ("cosine", 20, 0.5, 0, 0.0025, 1),
    ("cosine", 20, 0.5, 0, 0.7, 2),
    ("cosine", 20, 0.5, 10, 0.05, 100),
    ("cosine", 20, 0.5, 1, 0.3, 7),
]


def schedule(kind, optimiser, every, factor, epochs):
    if kind == "step":
        return lr_scheduler.StepLR(optimiser, every, factor)
    if kind == "cosine":
        return lr_scheduler.CosineAnnealingLR(optimiser, max(1, epochs))
    return lr_scheduler.LambdaLR(optimiser, lambda epoch: 1.0)


def rates(kind, every, factor, warm_up, rate, epochs):
    optimiser = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=rate)
    if warm_up:
        start = lr_scheduler.LinearLR(optimiser, start_factor=1 / (warm_up + 1), total_iters=warm_up)
        after = schedule(kind, optimiser, every, factor, epochs - warm_up)
        scheduler = lr_scheduler.SequentialLR(optimiser, [start, after], milestones=[warm_up])
    else:
        scheduler = schedule(kind, optimiser, every, factor, epochs)
    for _ in range(epochs):
        yield optimiser.param_groups[0]["lr"]
        optimiser.step()
        scheduler.step()


warnings.simplefilter("ignore")
print("schedule,step_epochs,step_factor,warm_up,rate,epochs,epoch,used")
for case in CASES:
    for epoch, used in enumerate(rates(*case)):
        print(",".join(map(str, case)) + f",{epoch},{float(used).hex()}")
