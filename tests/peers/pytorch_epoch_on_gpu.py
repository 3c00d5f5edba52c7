#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Time of one full-batch epoch of the four networks of figure 20.2 in PyTorch on a GPU: eager,
compiled (torch.compile), and the whole step captured in a CUDA graph. float32 without TF32. Every
epoch keeps its loss and its count of wrong rows, as fullbatch does, on the device.

Prints lines of fields between tabs: torch, NETWORK, eager|compiled|graph, MICROSECONDS. Exit status
77 where there is no torch with CUDA. Needs torch alone; the data are random numbers of the same
size, which takes the same time.
"""
import statistics
import sys
import time

try:
    import torch
except ImportError:
    print("python3 has no torch")
    sys.exit(77)

NETWORKS = [("1 x 298", [298]), ("2 x 100", [100] * 2), ("3 x 75", [75] * 3), ("4 x 63", [63] * 4)]
FEATURES, CLASSES, ROWS = 40, 10, 4000
RATE = 0.0025
WARM_UP, CHUNKS, EPOCHS = 20, 5, 300


class Run:
    """One network with its step; `records` has the loss and the wrong rows of the last step."""

    def __init__(self, widths, captured):
        torch.manual_seed(1)
        sizes = [FEATURES, *widths, CLASSES]
        layers = []
        for inputs, outputs in zip(sizes[:-1], sizes[1:]):
            layers += [torch.nn.Linear(inputs, outputs), torch.nn.ReLU()]
        self.network = torch.nn.Sequential(*layers[:-1]).cuda()
        self.x = torch.randn(ROWS, FEATURES, device="cuda")
        self.y = torch.randint(CLASSES, (ROWS,), device="cuda")
        self.records = torch.zeros(2, device="cuda")
        self.descent = torch.optim.SGD(self.network.parameters(), lr=RATE, foreach=True)
        self.captured = captured

    def forward(self):
        logits = self.network(self.x)
        return torch.nn.functional.cross_entropy(logits, self.y), logits

    def step(self):
        self.descent.zero_grad(set_to_none=not self.captured)
        loss, logits = self.forward()
        loss.backward()
        self.descent.step()
        self.records[0] = loss.detach()
        self.records[1] = (logits.argmax(1) != self.y).sum()


def microseconds(step):
    for _ in range(WARM_UP):
        step()
    torch.cuda.synchronize()
    times = []
    for _ in range(CHUNKS):
        begin = time.perf_counter()
        for _ in range(EPOCHS):
            step()
        torch.cuda.synchronize()
        times.append(1e6 * (time.perf_counter() - begin) / EPOCHS)
    return statistics.median(times)


def captured_step(run):
    """As PyTorch's documentation of CUDA graphs has it: a warm-up on a side stream, then capture."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            run.step()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        run.step()
    return graph.replay


def main():
    if not torch.cuda.is_available():
        print("torch sees no GPU")
        return 77
    torch.backends.cuda.matmul.allow_tf32 = False
    for name, widths in NETWORKS:
        ways = {
            "eager": lambda: Run(widths, False).step,
            "compiled": lambda: torch.compile(Run(widths, False).step),
            "graph": lambda: captured_step(Run(widths, True)),
        }
        for way, make in ways.items():
            try:
                print(f"torch\t{name}\t{way}\t{microseconds(make()):.1f}", flush=True)
            except Exception as error:  # a missing compiler must not hide the other ways
                print(f"note\t{name}\t{way}\t{type(error).__name__}: {str(error).splitlines()[0]}",
                      flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
