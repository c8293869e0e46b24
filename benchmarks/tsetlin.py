"""Measures this project's Tsetlin Machine beside the others on the package index.

Every library gets the same boards, clauses a class, threshold and specificity, in one run
on one machine. Each measurement is a process of its own, and the libraries take turns, so
that whatever else the machine does meanwhile hits all of them alike.
"""

import argparse
import signal
import sys
import tempfile
from pathlib import Path
from typing import NoReturn

import numpy as np

import peers
import tsetlin_data
from tsetlin_measure import HERE, Benchmark, say

DEFAULT_PAIRS = ["2000:4000", "19000:40000"]
QUICK_PAIRS = ["100:200", "200:400"]
QUICK_BOARDS = 2000

EXAMPLE = """\
example: two libraries, a middling machine, one thread, in some minutes
  python benchmarks/tsetlin.py --clauses 2000:4000 --threads 1 \\
      --libraries clauseboard pyTsetlinMachineParallel

The first run installs each peer into benchmarks/.peers/. The result is written as JSON, and
at the end a picture (.png) and a table (.md) beside it; Ctrl-C keeps what was measured."""


def main() -> int:
    """Parse the command line, measure, and write the result."""
    options = _options()
    try:
        if options.data is None:
            data = tsetlin_data.make(tsetlin_data.MADE_BOARDS, options.seed)
        else:
            data = tsetlin_data.read(options.data)
        fold = tsetlin_data.split(data, options.fold, options.seed, options.most_boards)
    except tsetlin_data.DataError as error:
        _refuse(str(error))
    # A plain `kill` is to end the workers just as Ctrl-C does, and Ctrl-C must do so even
    # where a shell started this in the background and had it ignored.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "boards.npz"
        np.savez(path, **fold)
        return Benchmark(options, fold, path).run()


def _pair(text: str) -> tuple[int, int]:
    try:
        clauses, threshold = (int(number) for number in text.split(":"))
    except ValueError:
        clauses, threshold = 0, 0
    if clauses < 2 or clauses % 2 or threshold < 1:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not CLAUSES:THRESHOLD, an even number of clauses a class and a "
            "threshold of at least 1, such as 2000:4000."
        )
    return clauses, threshold


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1.")
    return int(text)


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 1.0 <= number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of at least 1.")
    return number


def _library_name(text: str) -> str:
    if text not in peers.ALL:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a library known here; known are {', '.join(peers.ALL)}."
        )
    return text


class _Parser(argparse.ArgumentParser):
    """An argument parser that answers bad input with one sentence and no usage screen."""

    def error(self, message: str) -> NoReturn:
        _refuse(message if message.endswith(".") else message + ".")


def _options() -> argparse.Namespace:
    parser = _Parser(
        description=__doc__,
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add(
        "--data",
        type=Path,
        metavar="FILE.npz",
        help="boards packed as uint8 (n, 16), with result and fold; else boards are made",
    )
    add("--fold", type=int, default=3, help="the fold to test on (default %(default)s)")
    add(
        "--clauses",
        type=_pair,
        nargs="+",
        metavar="CLAUSES:THRESHOLD",
        help=f"clauses a class and threshold (default {' '.join(DEFAULT_PAIRS)})",
    )
    add("--specificity", type=_number, default=9.0, help="s of the papers (default %(default)s)")
    add(
        "--epochs",
        type=_count,
        help="epochs a machine is trained (default 3, or 2 from 10,000 clauses on)",
    )
    add(
        "--own-epochs",
        type=_count,
        help="epochs of this project's machine, to see when it has the others' accuracy",
    )
    add(
        "--threads",
        type=_count,
        nargs="+",
        default=[1, 2],
        metavar="N",
        help="numbers of threads, for libraries that have threads (default 1 2)",
    )
    add(
        "--libraries",
        type=_library_name,
        nargs="+",
        default=list(peers.ALL),
        metavar="NAME",
        help=f"what to measure (default all: {', '.join(peers.ALL)})",
    )
    add("--repeats", type=_count, help="rounds, of which the best time counts (default 3)")
    add(
        "--time-limit",
        type=_number,
        metavar="SECONDS",
        help="for one library and setting, all rounds together (default 900)",
    )
    add("--seed", type=_count, default=1, help="for made boards and machines (default 1)")
    add(
        "--out",
        type=Path,
        metavar="FILE.json",
        help="the result (default benchmarks/results/tsetlin.json)",
    )
    add(
        "--quick",
        action="store_true",
        help="tiny sizes, to try it: says nothing about speed, writes tsetlin-quick.json",
    )
    options = parser.parse_args()
    quick = options.quick
    options.clauses = options.clauses or [
        _pair(p) for p in (QUICK_PAIRS if quick else DEFAULT_PAIRS)
    ]
    options.repeats = options.repeats or (1 if quick else 3)
    options.time_limit = options.time_limit or (60.0 if quick else 900.0)
    options.most_boards = QUICK_BOARDS if quick else None
    options.libraries = list(dict.fromkeys(options.libraries))
    options.out = options.out or HERE / "results" / f"tsetlin{'-quick' * quick}.json"
    if options.out.suffix != ".json":
        _refuse(f"argument --out: {options.out.name!r} must end in .json.")
    return options


def _refuse(sentence: str) -> NoReturn:
    say(sentence)
    raise SystemExit(2)


if __name__ == "__main__":
    sys.exit(main())
