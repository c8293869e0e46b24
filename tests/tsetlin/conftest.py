"""What tests of the machine's parts share."""

import numpy as np
import pytest


@pytest.fixture(scope="module")
def words_may_wrap_round():
    """Without the compiler NumPy would warn of what is meant."""
    with np.errstate(over="ignore"):
        yield
