"""Which quick runs of tables are in every run of the tests, and which are long."""

from __future__ import annotations

import pytest


def some_long(names, fast):
    """Names of tables to run; all but `fast`, one of each shape, are marked long."""
    assert set(fast) <= set(names)
    return [name if name in fast else pytest.param(name, marks=pytest.mark.long) for name in names]
