"""The libraries that `benchmarks/tsetlin.py` compares, one small module each.

To add a library, write a module with a `LIBRARIES` tuple and name it here.
"""

from peers import (
    clauseboard_machine,
    green_tsetlin_machine,
    py_tsetlin_machine,
    py_tsetlin_machine_parallel,
    tmu_machine,
)
from peers.adapter import Library

_MODULES = (
    clauseboard_machine,
    py_tsetlin_machine_parallel,
    py_tsetlin_machine,
    tmu_machine,
    green_tsetlin_machine,
)

ALL: dict[str, Library] = {
    library.name: library for module in _MODULES for library in module.LIBRARIES
}
