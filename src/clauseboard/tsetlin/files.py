"""Machines on disk: as a file to load again, and as source code that needs nothing else.

A file is a zip of a JSON page and plain arrays, without pickle (see `array_file`). `machine.json`
holds the format, version and kind, the parameters, the names of the bits, the classes and the state
of the random numbers, so that training goes on from a saved machine as if it had never stopped.

Source code, one Python or one C function, is for places where this package cannot go. It counts
the same votes, clause by clause.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from clauseboard import array_file
from clauseboard.tsetlin.clauses import plain
from clauseboard.tsetlin.packing import View
from clauseboard.tsetlin.training import Banks, Epoch

if TYPE_CHECKING:
    from clauseboard.tsetlin.machine import BaseTsetlinMachine

FORMAT = "clauseboard Tsetlin Machine"
VERSION = 1
PAGE = "machine.json"
PARTS = ("automata", "weights", "streams")
LARGEST = 1 << 40
"""Bytes that a machine may have, unpacked."""

LATER_DEFAULTS = (("class_weight", None), ("max_misses", 0), ("inner_folds", 5))
"""Values of parameters that the first version did not have; it reads a file without them."""

LANGUAGES = ("python", "c")

Machine = TypeVar("Machine", bound="BaseTsetlinMachine")


def save(machine: BaseTsetlinMachine, path: Path, inference_only: bool) -> None:
    """Write a machine; see `BaseTsetlinMachine.save`."""
    banks = machine.banks_
    _check_unchanged(machine)
    inference_only = inference_only or machine.inference_only
    automata = banks.automata[:, :, -1:] if inference_only else banks.automata
    columns = getattr(machine, "feature_names_in_", None)
    page: dict[str, Any] = {
        "kind": type(machine).__name__,
        "inference_only": inference_only,
        "parameters": {
            name: _jsonable(value)
            for name, value in machine.get_params(deep=False).items()
            # It may be loaded on a computer without that device. Versions before class weights
            # read the file of a machine without any.
            if name != "device" and (name, value) not in LATER_DEFAULTS
        },
        "n_bits": machine.n_features_in_,
        "bit_names": machine.bit_names_,
        "columns": None if columns is None else list(columns),
        "facts": machine._facts(),
        "history": [[epoch.seconds, epoch.score] for epoch in machine.history_],
    }
    if not inference_only or not machine.both_signs:
        # threshold=None means what it meant when the machine was trained.
        page["threshold"] = machine._threshold()
    arrays: dict[str, NDArray[Any]] = {"automata": automata, "weights": banks.weights}
    if not inference_only:
        page["shuffler"] = _generator_page(banks.shuffler)
        arrays["streams"] = banks.streams
    array_file.write(path, FORMAT, VERSION, page, arrays, PAGE)


def load(kind: type[Machine], path: Path) -> Machine:
    """Read a machine; see `BaseTsetlinMachine.load`."""
    page, arrays = _read(path)
    wanted = {c.__name__: c for c in (kind, *kind.__subclasses__())}
    if not isinstance(page.get("kind"), str):
        raise ValueError(f"{path} is damaged: it does not say what kind of machine it is.")
    if page["kind"] not in wanted:
        raise ValueError(f"{path} holds a {page['kind']}, not a {kind.__name__}.")
    try:
        return _build(wanted[page["kind"]], page, arrays)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise ValueError(f"{path} is damaged: its parts do not fit together ({error}).") from error


def _build(kind: type[Machine], page: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Machine:
    parameters = page["parameters"]
    for name in ("board_shape", "window"):
        if parameters[name] is not None:
            parameters[name] = tuple(parameters[name])
    if isinstance(parameters.get("class_weight"), list):
        parameters["class_weight"] = dict(parameters["class_weight"])
    machine = kind(**parameters)
    if machine.threshold is None and not (page["inference_only"] and machine.both_signs):
        meant = page.get("threshold", _first_threshold(machine))
        if meant != machine._threshold():
            machine.threshold = float(meant)
    machine._check_parameters()
    machine.n_features_in_ = int(page["n_bits"])
    machine.bit_names_ = machine._check_names(page["bit_names"])
    if page["columns"] is not None:
        machine.feature_names_in_ = np.array(page["columns"], object)
    machine._take_facts(page["facts"])
    machine.history_ = [
        Epoch(number, seconds, score)
        for number, (seconds, score) in enumerate(page["history"], start=1)
    ]
    view = View.of(machine.n_features_in_, machine.board_shape, machine.window)
    n_banks = len(machine._labels())
    n_planes = 1 if page["inference_only"] else machine.state_bits
    automata, weights = arrays["automata"], arrays["weights"]
    _expect("automata", automata, (n_banks, machine.n_clauses, n_planes, view.n_words), np.uint64)
    _expect("weights", weights, (n_banks, machine.n_clauses), np.int32)
    if page["inference_only"]:
        shuffler = np.random.default_rng(0)
        streams = np.zeros(n_banks, np.uint64)
    else:
        shuffler = _generator(page["shuffler"])
        streams = arrays["streams"]
        _expect("streams", streams, (n_banks,), np.uint64)
    machine.banks_ = Banks(view, automata, weights, streams, shuffler)
    machine._forget_tables()
    return machine


def _first_threshold(machine: BaseTsetlinMachine) -> float:
    """What threshold=None meant in the first version, whose files do not tell."""
    n_clauses = max(1, int(machine.n_clauses))
    if machine.both_signs:
        return 2 * n_clauses if machine.weighted else max(1, round(n_clauses**0.5))
    return 5 * n_clauses if machine.weighted else n_clauses


def _read(path: Path) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    with path.open("rb"):
        pass  # No file, or one that may not be read, is the system's own error.
    page, arrays = array_file.read(path, FORMAT, VERSION, LARGEST, PAGE)
    unknown = arrays.keys() - set(PARTS)
    if unknown:
        raise ValueError(f"{path} is damaged: {min(unknown)!r} is not part of a machine.")
    return page, arrays


def _jsonable(value: Any) -> Any:
    if isinstance(value, np.random.RandomState | np.random.Generator):
        # It was used up in making the machine; the machine's own streams are kept instead.
        return None
    if isinstance(value, Mapping):
        # As pairs: a class need not be a text, and JSON's keys are.
        return [[_jsonable(key), _jsonable(part)] for key, part in value.items()]
    if isinstance(value, tuple | list):
        return [_jsonable(part) for part in value]
    return value.item() if isinstance(value, np.generic) else value


def _check_unchanged(machine: BaseTsetlinMachine) -> None:
    """Refuse a machine whose parameters no longer say what it is."""
    banks = machine.banks_
    now = (
        machine.n_clauses,
        banks.automata.shape[2] if machine.inference_only else machine.state_bits,
        View.of(machine.n_features_in_, machine.board_shape, machine.window),
    )
    if now != (*banks.automata.shape[1:3], banks.view):
        raise ValueError(
            "n_clauses, state_bits, board_shape or window was changed after training, so that "
            "the parameters no longer describe the machine. Set it back, or fit again."
        )


def _generator_page(generator: np.random.Generator) -> dict[str, Any]:
    state = generator.bit_generator.state
    return {**state, "state": {key: str(number) for key, number in state["state"].items()}}


def _generator(page: dict[str, Any]) -> np.random.Generator:
    bits: Any = np.random.PCG64()
    bits.state = {**page, "state": {key: int(text) for key, text in page["state"].items()}}
    return np.random.Generator(bits)


def _expect(name: str, array: NDArray[Any], shape: tuple[int, ...], dtype: Any) -> None:
    if array.shape != shape or array.dtype != dtype:
        raise ValueError(f"{name} has shape {array.shape} and type {array.dtype}, not {shape}")


def export(machine: BaseTsetlinMachine, language: str) -> str:
    """A machine as source code of a function `votes(board)`, where board is a row of bits.

    Of a regressor there is a function `value(board)`, too.
    """
    if machine.banks_.view.window is not None:
        raise ValueError(
            "A machine with a window cannot be exported: its clauses look at patches, not at "
            "all bits. Export one trained with window=None."
        )
    if language not in LANGUAGES:
        raise ValueError(f"language must be one of {', '.join(LANGUAGES)}; it is {language!r}.")
    return _python(machine) if language == "python" else _c(machine)


def _clauses(machine: BaseTsetlinMachine) -> Iterator[tuple[int, int, int, int]]:
    """Bank, votes, and the needed and the forbidden bits as numbers (bit k: 2**k)."""
    view = machine.banks_.view
    include = machine.banks_.include
    signed = machine.banks_.signed_weights(machine.both_signs)
    below = (1 << view.n_features) - 1
    for bank in range(len(include)):
        for clause in np.flatnonzero(machine._able(include[bank])):
            literals = int.from_bytes(include[bank, clause].tobytes(), "little")
            yield (
                bank,
                int(signed[bank, clause]),
                literals & below,
                (literals >> view.n_features) & below,
            )


def _labels(machine: BaseTsetlinMachine) -> list[Any]:
    return [plain(label) for label in machine._labels()]


_STRICT_PYTHON = (
    "        if bits & needed == needed and not bits & forbidden:",
    "            totals[class_] += weight",
)
_FUZZY_PYTHON = (
    "        failed = bin(needed & ~bits).count('1') + bin(forbidden & bits).count('1')",
    "        literals = bin(needed).count('1') + bin(forbidden).count('1')",
    "        totals[class_] += weight * max(0, min(literals, MAX_MISSES + 1) - failed)",
)


def _python(machine: BaseTsetlinMachine) -> str:
    value = _value_of(machine)
    fuzzy = machine.max_misses > 0
    lines = [
        f'"""A Tsetlin Machine over {machine.n_features_in_} bits, exported by clauseboard."""',
        "",
        f"CLASSES = {_labels(machine)!r}",
        f"BITS = {list(machine.bit_names_)!r}",
        *([f"MAX_MISSES = {machine.max_misses}  # literals of a clause that may fail"] * fuzzy),
        "",
        "# class, votes, bits that must be 1, bits that must be 0 (bit k is 1 << k)",
        "CLAUSES = [",
        *(
            f"    ({c}, {v}, {needed:#x}, {forbidden:#x}),"
            for c, v, needed, forbidden in _clauses(machine)
        ),
        "]",
        "",
        "",
        "def votes(board):",
        '    """Return the votes for each of CLASSES on a board: a row of bits, as in BITS."""',
        "    bits = sum(1 << k for k, bit in enumerate(board) if bit)",
        "    totals = [0] * len(CLASSES)",
        "    for class_, weight, needed, forbidden in CLAUSES:",
        *(_FUZZY_PYTHON if machine.max_misses > 0 else _STRICT_PYTHON),
        "    return totals",
    ]
    if value is not None:
        lowest, highest, threshold = value
        lines += [
            "",
            "",
            "def value(board):",
            '    """Return the value of a board."""',
            f"    share = min(max(votes(board)[0], 0), {threshold!r}) / {threshold!r}",
            f"    half = share * ({highest!r} / 2 - {lowest!r} / 2)",
            f"    return {lowest!r} + half + half",
        ]
    return "\n".join(lines) + "\n"


_STRICT_C = """\
    for (int i = 0; i < N_CLAUSES; i++) {
        uint64_t wrong = 0;
        for (int w = 0; w < N_WORDS; w++)
            wrong |= (CLAUSES[i].needed[w] & ~bits[w]) | (CLAUSES[i].forbidden[w] & bits[w]);
        if (!wrong)
            totals[CLAUSES[i].class_] += CLAUSES[i].votes;
    }
"""
_FUZZY_C = """\
    for (int i = 0; i < N_CLAUSES; i++) {
        int failed = 0, literals = 0;
        for (int w = 0; w < N_WORDS; w++) {
            failed += ones((CLAUSES[i].needed[w] & ~bits[w]) | (CLAUSES[i].forbidden[w] & bits[w]));
            literals += ones(CLAUSES[i].needed[w]) + ones(CLAUSES[i].forbidden[w]);
        }
        int strength = literals < MAX_MISSES + 1 ? literals : MAX_MISSES + 1;
        if (failed < strength)
            totals[CLAUSES[i].class_] += (int64_t)CLAUSES[i].votes * (strength - failed);
    }
"""
_COUNT_C = """\
#define MAX_MISSES MISSES /* literals of a clause that may fail */

static int ones(uint64_t word)
{
    int count = 0;
    for (; word; word &= word - 1)
        count++;
    return count;
}

"""


def _c(machine: BaseTsetlinMachine) -> str:
    n_words = -(-machine.n_features_in_ // 64)

    def words(number: int) -> str:
        parts = (number >> (64 * k) & (2**64 - 1) for k in range(n_words))
        return "{" + ", ".join(f"{part:#x}u" for part in parts) + "}"

    rows = [
        f"    {{{c}, {v}, {words(needed)}, {words(forbidden)}}},"
        for c, v, needed, forbidden in _clauses(machine)
    ]
    value, value_function = _value_of(machine), ""
    if value is not None:
        lowest, highest, threshold = value
        value_function = f"""
/* The value of a board. */
double value(const uint8_t *board)
{{
    int64_t total;
    votes(board, &total);
    double share = (double)total / {threshold!r};
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    double half = share * ({highest!r} / 2 - {lowest!r} / 2);
    return {lowest!r} + half + half;
}}
"""
    loop, count = _STRICT_C, ""
    if machine.max_misses > 0:
        loop, count = _FUZZY_C, _COUNT_C.replace(" MISSES ", f" {machine.max_misses} ")
    classes = "; ".join(f"{k}: {label}" for k, label in enumerate(_labels(machine)))
    return f"""/* A Tsetlin Machine over {machine.n_features_in_} bits, exported by clauseboard.
   Classes: {classes.replace("*/", "* /")} */
#include <stdint.h>

#define N_BITS {machine.n_features_in_}
#define N_WORDS {n_words}
#define N_CLASSES {len(_labels(machine))}
#define N_CLAUSES {len(rows)}

static const struct {{
    int class_;
    int votes;
    uint64_t needed[N_WORDS], forbidden[N_WORDS];
}} CLAUSES[N_CLAUSES + 1] = {{
{chr(10).join(rows)}
    {{0}}
}};

{count}/* Counts the votes for each class on a board, a row of N_BITS bytes that are 0 or 1. */
void votes(const uint8_t *board, int64_t *totals)
{{
    uint64_t bits[N_WORDS] = {{0}};
    for (int k = 0; k < N_BITS; k++)
        bits[k / 64] |= (uint64_t)(board[k] != 0) << (k % 64);
    for (int c = 0; c < N_CLASSES; c++)
        totals[c] = 0;
{loop}}}
{value_function}"""


def _value_of(machine: BaseTsetlinMachine) -> tuple[float, float, float] | None:
    """The lowest and the highest value of a regressor and the votes between; None for others."""
    if not hasattr(machine, "lowest_"):
        return None
    facts = machine._facts()
    return facts["lowest"], facts["highest"], machine._threshold()
