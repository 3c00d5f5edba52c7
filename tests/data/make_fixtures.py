# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the data files of this folder: python make_fixtures.py NAME, once with each NumPy.

NAME goes into the file names: numpy1 (made with NumPy 1.26.4), numpy2 (2.4.6), python2 (Python 2.7
with NumPy 1.16.6, protocol 2 only). The files that need one NumPy only are made with numpy2.
Every set holds the same numbers, which float32 can hold exactly; see small_dataset.h.
"""
from __future__ import division

import io
import os
import pickle
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
NAME = sys.argv[1]

x = np.arange(24, dtype="f8").reshape(6, 4) / 8 - 1
arrays = {
    "x": x,
    "x_test": x[:2] + 10,
    "y": np.array([2, 0, 1, 2, 1, 0], dtype="i8"),
    "y_test": np.array([1, 0], dtype="i8"),
    "t": np.linspace(-1, 1, 4),
}
# A dict within the dict has keys of the same names, which do not count.
pickled = dict(arrays, templates={"x": np.full((3, 2), 99.0), "y": np.array([7, 8, 9])})


def path(name):
    return os.path.join(HERE, name)


def dump(name, value, protocol):
    with open(path(name), "wb") as file:
        pickle.dump(value, file, protocol=protocol)


class Call(object):
    """Pickled as a call, which whoever unpickles it in Python would execute."""

    def __init__(self, function, argument):
        self.call = function, (argument,)

    def __reduce__(self):
        return self.call


class Stream(io.RawIOBase):
    """A file that cannot go back, so that sizes are only known behind each member."""

    def __init__(self, file):
        self.file = file

    def writable(self):
        return True

    def write(self, data):
        return self.file.write(data)


def make_forbidden():
    for name, call in (
        ("system", Call(os.system, "touch forbidden-was-executed")),
        ("eval", Call(eval, "open('forbidden-was-executed', 'w')")),
    ):
        dump("forbidden-%s.pkl" % name, dict(arrays, y=call), 3)
    hidden = dict(pickled, templates={"x": Call(os.system, "touch forbidden-was-executed")})
    dump("forbidden-hidden.pkl", hidden, 4)


def make_npz():
    np.savez(path("plain.npz"), **arrays)
    np.savez_compressed(path("compressed.npz"), **arrays)
    with open(path("streamed.npz"), "wb") as file:
        np.savez_compressed(Stream(file), **arrays)
    np.savez(path("column-order.npz"), **dict(arrays, x=np.asfortranarray(x)))
    np.savez(
        path("big-endian.npz"),
        **dict(arrays, x=x.astype(">f8"), y=arrays["y"].astype(">i4"))
    )
    np.savez(
        path("small-types.npz"),
        **dict(arrays, x=x.astype("f4"), y=arrays["y"].astype("u1"), y_test=np.array([True, False]))
    )
    np.savez(path("objects.npz"), **dict(arrays, y=arrays["y"].astype(object)))


if NAME == "python2":
    dump("small-python2.pkl", pickled, 2)
else:
    for protocol in (2, 3, 4, 5):
        dump("small-%s-protocol%d.pkl" % (NAME, protocol), pickled, protocol)
if NAME == "numpy1":
    columns = dict(pickled, x=np.asfortranarray(x), y=arrays["y"].astype(">i4"))
    dump("column-order.pkl", columns, 3)
    dump("column-order-protocol5.pkl", columns, 5)
    dump("objects.pkl", dict(pickled, y=arrays["y"].astype(object)), 3)
if NAME == "numpy2":
    make_forbidden()
    make_npz()
