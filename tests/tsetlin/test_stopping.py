"""Adaptive epochs, on accuracies worked out by hand."""

from __future__ import annotations

import dataclasses
import doctest

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clauseboard.tsetlin import stopping
from clauseboard.tsetlin.stopping import AdaptiveEpochs

# Up by one point an epoch to 75 at epoch 16, then down by one point an epoch:
# epochs 1..15 are 60..74, epochs 16..30 are 75..61.
PEAK = [60 + epoch for epoch in range(15)] + [75 - epoch for epoch in range(15)]


def test_examples_in_the_docstrings() -> None:
    result = doctest.testmod(stopping)
    assert result.attempted > 0
    assert result.failed == 0


def test_version_1_by_hand() -> None:
    rule = AdaptiveEpochs(version=1)
    # After 25: epochs 16..25 are 75..66, sum 705, mean 70.5; epochs 6..15 are 65..74,
    # sum 695; so the last 20 have mean 1400 / 20 = 70, not higher.
    assert not rule.should_stop(PEAK[:25])
    # After 26: epochs 17..26 are 74..65, mean 69.5; epochs 7..26 are 66..74 (630) and
    # 75..65 (770), mean 1400 / 20 = 70, higher.
    assert rule.should_stop(PEAK[:26])
    assert rule.epochs_run(PEAK) == 26


def test_version_2_by_hand() -> None:
    rule = AdaptiveEpochs(version=2)
    # After 25: epochs 16..25 have mean 70.5; epochs 5..15 are 64..74, mean 69.
    assert not rule.should_stop(PEAK[:25])
    # After 26: epochs 17..26 have mean 69.5; epochs 6..16 are 65..75, mean 70.
    assert rule.should_stop(PEAK[:26])
    assert rule.epochs_run(PEAK) == 26


def test_version_2_looks_at_the_21st_epoch_from_the_end_and_no_further() -> None:
    # The last 10 have mean 50. Of the 11 before them one is 62 and ten are 49: mean
    # 552 / 11 = 50.18, higher. What came before those 11 does not count.
    assert AdaptiveEpochs().should_stop([0] * 9 + [62] + [49] * 10 + [50] * 10)
    # One epoch further back the 62 is out of sight: 49 against 50.
    assert not AdaptiveEpochs().should_stop([0] * 9 + [62] + [49] * 11 + [50] * 10)


def test_version_1_looks_at_the_20th_epoch_from_the_end_and_no_further() -> None:
    # Last 10: 50. Last 20: (62 + 9 * 49 + 500) / 20 = 50.15, higher.
    assert AdaptiveEpochs(version=1).should_stop([0] * 9 + [62] + [49] * 9 + [50] * 10)
    # One epoch further back: (490 + 500) / 20 = 49.5, not higher.
    assert not AdaptiveEpochs(version=1).should_stop([0] * 9 + [62] + [49] * 10 + [50] * 10)


def test_version_3_by_hand() -> None:
    # Sums of ten: epochs 10..19 are 69..74 (429) and 75..72 (294), 723; 11..20 are 70..74
    # (360) and 75..71 (365), 725; 12..21 are 71..74 (290) and 75..70 (435), 725; 13..22 are
    # 72..74 (219) and 75..69 (504), 723. Of the two best the later one ends at epoch 21.
    rule = AdaptiveEpochs(version=3)
    assert not rule.should_stop([*PEAK, 60, 59, 58, 57, 56])
    assert rule.should_stop([*PEAK, 60, 59, 58, 57, 56, 55])
    assert rule.epochs_run([*PEAK, *range(60, 40, -1)]) == 21 + 15


def test_version_3_does_not_stop_at_a_dip_that_version_2_stops_at() -> None:
    dip = [70.0] * 11 + [69.0] * 10
    assert AdaptiveEpochs(version=2).epochs_run([*dip, *[72.0] * 30]) == 21
    assert AdaptiveEpochs(version=3).epochs_run([*dip, *[72.0] * 30]) == 51


@pytest.mark.parametrize(("version", "fewest"), [(1, 20), (2, 21), (3, 25)])
def test_a_slow_decline_from_the_start_runs_the_fewest_epochs(version: int, fewest: int) -> None:
    # Version 1 after 19 epochs: about 19 * 0.69 / 20 = 0.66 against about 0.685.
    # Version 2 after 20 epochs: about 10 * 0.695 / 11 = 0.63 against about 0.685.
    declining = [0.7 - 0.001 * epoch for epoch in range(100)]
    assert AdaptiveEpochs(version=version).epochs_run(declining) == fewest


def test_an_accuracy_that_collapses_stops_earlier() -> None:
    # Version 2 after 11 epochs: epochs 2..11 have mean 0.01; the 11 before are epoch 1 and
    # ten missing ones, mean 0.9 / 11 = 0.08, higher. After 10 epochs all 11 are missing: 0.
    assert AdaptiveEpochs(version=2).epochs_run([0.9] + [0.01] * 30) == 11
    # Version 1 after 11 epochs: last 20 have mean (0.9 + 0.1) / 20 = 0.05, higher than 0.01.
    # After 10 epochs: (0.9 + 0.09) / 20 against (0.9 + 0.09) / 10, not higher.
    assert AdaptiveEpochs(version=1).epochs_run([0.9] + [0.01] * 30) == 11


@pytest.mark.parametrize("version", [1, 2, 3])
@pytest.mark.parametrize("accuracy", [0.0, 0.1, 0.7, 1.0, 71.69])
def test_equal_epochs_go_on_to_the_most_allowed(version: int, accuracy: float) -> None:
    # Neither mean is higher; in floats twenty times 0.1, added and divided by 20, would be.
    flat = [accuracy] * 600
    assert AdaptiveEpochs(version=version).epochs_run(flat) == 500


@pytest.mark.parametrize("max_epochs", [1, 30, 250])
def test_max_epochs(max_epochs: int) -> None:
    rule = AdaptiveEpochs(max_epochs=max_epochs)
    rising = [epoch / 1000 for epoch in range(1000)]
    assert not rule.should_stop(rising[: max_epochs - 1])
    assert rule.should_stop(rising[:max_epochs])
    assert rule.should_stop(rising[: max_epochs + 1])
    assert rule.epochs_run(rising) == max_epochs


def test_a_run_that_never_stops_is_run_whole() -> None:
    assert AdaptiveEpochs().epochs_run([epoch / 100 for epoch in range(90)]) == 90
    assert AdaptiveEpochs().epochs_run([]) == 0
    assert not AdaptiveEpochs().should_stop([])


@pytest.mark.parametrize("kind", [tuple, np.array, lambda a: np.array(a, dtype=np.float32)])
def test_any_sequence_of_numbers_will_do(kind) -> None:  # type: ignore[no-untyped-def]
    assert AdaptiveEpochs().epochs_run(kind(PEAK)) == 26


@pytest.mark.parametrize("version", [0, 4, "2", None])
def test_other_versions_are_refused(version: object) -> None:
    with pytest.raises(ValueError, match=f"version={version!r} must be one of 1, 2, 3"):
        AdaptiveEpochs(version=version)  # type: ignore[arg-type]


@pytest.mark.parametrize("max_epochs", [0, -5, 2.5, None])
def test_max_epochs_below_1_is_refused(max_epochs: object) -> None:
    with pytest.raises(ValueError, match=rf"max_epochs={max_epochs!r} must be an integer >= 1\."):
        AdaptiveEpochs(max_epochs=max_epochs)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), -0.1])
def test_accuracies_that_are_none_are_refused(wrong: float) -> None:
    with pytest.raises(ValueError, match=f"accuracy of epoch 3 is {wrong}"):
        AdaptiveEpochs().should_stop([0.5, 0.6, wrong])


def test_it_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        AdaptiveEpochs().version = 1  # type: ignore[misc]


@given(st.lists(st.integers(0, 100), max_size=60), st.sampled_from([1, 2, 3]), st.integers(1, 80))
def test_epochs_run_is_the_first_epoch_at_which_should_stop(
    accuracies: list[int], version: int, max_epochs: int
) -> None:
    rule = AdaptiveEpochs(version=version, max_epochs=max_epochs)
    stops = [n for n in range(len(accuracies) + 1) if rule.should_stop(accuracies[:n])]
    assert rule.epochs_run(accuracies) == min(stops, default=len(accuracies))
    # Percentages or shares of a power of two (exact in floats): the same decision.
    assert rule.epochs_run([a / 128 for a in accuracies]) == rule.epochs_run(accuracies)


@given(st.lists(st.integers(0, 100), max_size=60))
def test_version_3_stops_if_none_of_the_last_fifteen_means_is_as_good(
    accuracies: list[int],
) -> None:
    sums = [sum(accuracies[end - 10 : end]) for end in range(10, len(accuracies) + 1)]
    expected = len(sums) > 15 and max(sums[-15:]) < max(sums[:-15])
    assert AdaptiveEpochs(version=3).should_stop(accuracies) == expected


@given(st.lists(st.integers(0, 100), max_size=60), st.sampled_from([1, 2]))
def test_missing_epochs_count_as_zero(accuracies: list[int], version: int) -> None:
    padded = [0] * 21 + accuracies
    old, new = (padded[-20:], padded[-10:]) if version == 1 else (padded[-21:-10], padded[-10:])
    expected = sum(old) * len(new) > sum(new) * len(old)
    assert AdaptiveEpochs(version=version).should_stop(accuracies) == expected
