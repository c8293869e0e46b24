"""What is seen around moves, for Python to call: see `around`."""

from __future__ import annotations

from typing import Any

import numpy as np

from clauseboard.kernels.compiler import kernel

# ruff: noqa: F821 (`rules` is put here when the kernels are compiled for a game)
rules: Any


@kernel(f"void({rules.STATE}, int64[::1], {rules.SCRATCH}, int64[::1], uint8[:,::1])")
def write_rows(state: Any, settings: Any, scratch: Any, codes: Any, rows: Any) -> None:
    """Write the packed bits of what is around each move into a row."""
    features = np.empty((1, 1, rows.shape[1]), np.uint8)
    for n in range(codes.shape[0]):
        rules.write_around(state, settings, scratch, codes[n], features)
        rows[n] = features[0, 0]
