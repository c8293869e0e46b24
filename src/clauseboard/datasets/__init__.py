"""Data sets: boards of games as named bits, who won, and ten folds; one file each.

>>> from clauseboard.datasets import load_dataset
>>> load_dataset("no-such-file.npz")
Traceback (most recent call last):
    ...
ValueError: There is no file 'no-such-file.npz' to read a clauseboard data set from.
"""

from clauseboard.datasets.building import build
from clauseboard.datasets.dataset import DataSet, load_dataset

__all__ = ["DataSet", "build", "load_dataset"]
