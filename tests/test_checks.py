"""Checks of arguments."""

from __future__ import annotations

import math

import numpy as np
import pytest

from clauseboard.checks import flag, positive_number, real_number, whole_number


@pytest.mark.parametrize("value", [0, 7, np.int64(3), np.uint8(255)])
def test_whole_numbers(value):
    assert whole_number("n", value) == value
    assert type(whole_number("n", value)) is int


@pytest.mark.parametrize("value", [True, 1.0, "1", None, -1, np.float64(2)])
def test_what_is_no_whole_number(value):
    with pytest.raises(ValueError, match=r"^n=.* must be an integer >= 0\.$"):
        whole_number("n", value)


@pytest.mark.parametrize("value", [1, 10])
def test_whole_numbers_out_of_bounds(value):
    with pytest.raises(ValueError, match=rf"^n={value} must be an integer from 2 to 9\.$"):
        whole_number("n", value, 2, 9)


@pytest.mark.parametrize("value", [True, "1", None, math.nan, math.inf, -math.inf, 1j, 10**400])
def test_what_is_no_number(value):
    with pytest.raises(ValueError, match=r"^n=.* must be a number\.$"):
        real_number("n", value)
    with pytest.raises(ValueError, match=r"^n=.* must be a number > 0\.$"):
        positive_number("n", value)


def test_bounds_of_numbers():
    assert real_number("n", np.float32(0.5), 0, 1) == 0.5
    assert positive_number("n", 1e-9) == 1e-9
    with pytest.raises(ValueError, match=r"^n=-0.1 must be a number >= 0\.$"):
        real_number("n", -0.1, 0)
    with pytest.raises(ValueError, match=r"^n=1.1 must be a number from 0 to 1\.$"):
        real_number("n", 1.1, 0, 1)
    with pytest.raises(ValueError, match=r"^n=0 must be a number > 0\.$"):
        positive_number("n", 0)


def test_flags():
    assert flag("n", True) is True
    with pytest.raises(ValueError, match=r"^n=1 must be True or False\.$"):
        flag("n", 1)
