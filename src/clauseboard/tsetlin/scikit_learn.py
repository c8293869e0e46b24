"""Imports scikit-learn's base classes without what only few of its users need.

`sklearn.base` imports scipy.stats, for one helper, and pandas where it is installed: more than half
of the time that the import takes, and 68 MB. While it is imported, modules stand in for these two
that load them when something in them is used. Nothing of this is left behind: afterwards `import
pandas` is the usual one.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import types
from typing import Any

PUT_OFF = ("scipy.stats", "pandas")


class LoadedWhenUsed(types.ModuleType):
    """A module that is imported when something in it is used.

    `importlib.util.LazyLoader` would load it at a second `import` already (Python 3.11).
    """

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("__") and attribute != "__path__":
            raise AttributeError(attribute)
        self.leave()
        return getattr(importlib.import_module(self.__name__), attribute)

    def leave(self) -> None:
        """Stand in no longer for modules that import it from now on."""
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]


def import_base() -> None:
    """Import `sklearn.base`; what it does not need is loaded when it is used."""
    # Without pandas there is nothing to stand in for.
    missing = [
        name for name in PUT_OFF if name not in sys.modules and importlib.util.find_spec(name)
    ]
    stand_ins = [LoadedWhenUsed(name) for name in missing]
    sys.modules.update((module.__name__, module) for module in stand_ins)
    try:
        importlib.import_module("sklearn.base")
    finally:
        for module in stand_ins:
            module.leave()


import_base()
