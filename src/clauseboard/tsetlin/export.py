"""A trained machine as source code that needs nothing else: one Python or one C function.

For putting a machine where this package cannot go. The votes are the same, clause by clause.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from clauseboard.tsetlin.clauses import plain
from clauseboard.tsetlin.inference import can_fire

if TYPE_CHECKING:
    from clauseboard.tsetlin.machine import BaseTsetlinMachine

LANGUAGES = ("python", "c")


def export(machine: BaseTsetlinMachine, language: str) -> str:
    """The source of `votes(board)`, where board is a row of bits."""
    if machine.banks_.view.window is not None:
        raise ValueError(
            "A machine with a window cannot be exported: its clauses look at patches, not at "
            "the bits of the board. Export one trained with window=None."
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
        for clause in np.flatnonzero(can_fire(include[bank], view)):
            literals = int.from_bytes(include[bank, clause].tobytes(), "little")
            yield (
                bank,
                int(signed[bank, clause]),
                literals & below,
                (literals >> view.n_features) & below,
            )


def _labels(machine: BaseTsetlinMachine) -> list[Any]:
    return [plain(label) for label in machine._labels()]


def _python(machine: BaseTsetlinMachine) -> str:
    lines = [
        f'"""A Tsetlin Machine over {machine.n_features_in_} bits, exported by clauseboard."""',
        "",
        f"CLASSES = {_labels(machine)!r}",
        f"BITS = {list(machine.bit_names_)!r}",
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
        "        if bits & needed == needed and not bits & forbidden:",
        "            totals[class_] += weight",
        "    return totals",
    ]
    return "\n".join(lines) + "\n"


def _c(machine: BaseTsetlinMachine) -> str:
    n_words = -(-machine.n_features_in_ // 64)

    def words(number: int) -> str:
        parts = (number >> (64 * k) & (2**64 - 1) for k in range(n_words))
        return "{" + ", ".join(f"{part:#x}u" for part in parts) + "}"

    rows = [
        f"    {{{c}, {v}, {words(needed)}, {words(forbidden)}}},"
        for c, v, needed, forbidden in _clauses(machine)
    ]
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

/* Counts the votes for each class on a board, a row of N_BITS bytes that are 0 or 1. */
void votes(const uint8_t *board, int64_t *totals)
{{
    uint64_t bits[N_WORDS] = {{0}};
    for (int k = 0; k < N_BITS; k++)
        bits[k / 64] |= (uint64_t)(board[k] != 0) << (k % 64);
    for (int c = 0; c < N_CLASSES; c++)
        totals[c] = 0;
    for (int i = 0; i < N_CLAUSES; i++) {{
        uint64_t wrong = 0;
        for (int w = 0; w < N_WORDS; w++)
            wrong |= (CLAUSES[i].needed[w] & ~bits[w]) | (CLAUSES[i].forbidden[w] & bits[w]);
        if (!wrong)
            totals[CLAUSES[i].class_] += CLAUSES[i].votes;
    }}
}}
"""
