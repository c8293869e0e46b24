"""Dead and captured cells and needless moves, held against trying everything."""

import random

import numpy as np
import pytest

from clauseboard.games.hex import inferior_cells
from clauseboard.kernels.compiler import JIT_DISABLED
from naive import hex_solver as naive


def word(cells, size, letter):
    """Stones of a string of ".", "R" and "B", in rows of eight places."""
    return np.uint64(
        sum(1 << 8 * (at // size) + at % size for at, cell in enumerate(cells) if cell == letter)
    )


def letters(own, other, size):
    return "".join(
        "R" if int(own) >> place & 1 else "B" if int(other) >> place & 1 else "."
        for place in (8 * row + column for row in range(size) for column in range(size))
    )


def boards(size, count):
    """Random boards on which nobody has won, with any number of stones."""
    rng = random.Random(size)
    while count:
        cells = "".join(rng.choice("..RB" if size < 4 else ".RB") for _ in range(size**2))
        if not any(naive.has_won(cells, size, letter) for letter in "RB"):
            count -= 1
            yield cells


def winner(cells, size, mover):
    for letter in "RB":
        if naive.has_won(cells, size, letter):
            return letter
    other = "B" if mover == "R" else "R"
    return mover if naive.mover_wins(cells, size, mover) else other


@pytest.mark.parametrize(("size", "count"), [(1, 3), (2, 100), (3, 400), (4, 60)])
def test_filling_in_keeps_the_winner_whoever_moves(size, count):
    filled = 0
    for cells in boards(size, count // 10 + 3 if JIT_DISABLED else count):
        own, other = word(cells, size, "R"), word(cells, size, "B")
        new_own, new_other, dead = inferior_cells.fill_in(own, other, size)
        after = letters(new_own, new_other, size)
        filled += after != cells
        flipped = letters(int(new_own) & ~int(dead), int(new_other) | int(dead), size)
        defended = letters(own, inferior_cells.fill_in_defence(own, other, size), size)
        for mover in "RB":
            truth = winner(cells, size, mover)
            assert winner(after, size, mover) == truth, (cells, after)
            assert winner(flipped, size, mover) == truth, (cells, flipped)
            needed, still = (
                naive.stones_needed(board, size, mover, "R") for board in (cells, defended)
            )
            assert min(needed, 50) == min(still, 50), (cells, defended)
    assert filled > 0 or size == 1


@pytest.mark.parametrize(("size", "count"), [(2, 100), (3, 400), (4, 60)])
def test_some_move_that_is_needed_wins_as_soon_as_any(size, count):
    left_out = 0
    for cells in boards(size, count // 10 + 3 if JIT_DISABLED else count):
        own, other, _ = inferior_cells.fill_in(word(cells, size, "R"), word(cells, size, "B"), size)
        cells = letters(own, other, size)
        if "." not in cells or any(naive.has_won(cells, size, letter) for letter in "RB"):
            continue
        free = word(cells, size, ".")
        pruned, killers = inferior_cells.needless(np.uint64(own), np.uint64(other), free, size)
        assert int(killers) & ~int(free) == 0
        left_out += int(pruned) != 0
        soonest = {
            at: naive.stones_needed(cells[:at] + "R" + cells[at + 1 :], size, "B", "R")
            for at, cell in enumerate(cells)
            if cell == "."
        }
        kept = [
            n for at, n in soonest.items() if not int(pruned) >> 8 * (at // size) + at % size & 1
        ]
        best = min(soonest.values())
        assert min([*kept, 99]) == best or best == 99, cells
    assert left_out > 0 or size == 2
