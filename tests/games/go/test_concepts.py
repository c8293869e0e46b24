"""The concepts of Go: the kernel against the slow twin, and sentences that say what is so."""

import random

import numpy as np
import pytest

from clauseboard.game import load_game
from clauseboard.games.concepts import concept_bits
from clauseboard.games.go import concepts, tactics
from clauseboard.games.go.board import numbers
from clauseboard.games.go.concept_kernels import LIFE_NODES, LIFE_POINTS, NAMES
from clauseboard.games.go.rules import state_of
from clauseboard.games.plugins import CONCEPTS
from naive import go, go_concepts, go_tactics

COLOURS = ("black", "white")


def random_positions(size, seed, count, komi=7):
    draws, game = random.Random(seed), load_game("go", size=size, komi=komi)
    position = game.start()
    while count:
        stones = [move for move in position.moves() if not move.is_pass]
        if not stones or position.moves_played > 2 * size * size:
            position = game.start()
            continue
        position = position.play(draws.choice(stones))
        if draws.random() < 0.1:
            count -= 1
            yield position


def status_of(position, chain):
    """What becomes of a chain: ladders by the slow reader, life by the kernel's (which has a
    twin of its own), with the bounds that concepts have."""
    size, stone = position.game.size, min(chain.stones)
    lines, (y, x) = go.from_bytes(position.board, size), divmod(stone, size)
    own, mover = lines[y][x], position.to_move[0]
    ko = None if position.ko is None else divmod(position.ko, size)

    def laddered(side):
        return go_tactics.is_laddered(lines, y, x, side, ko if side == mover else None)

    if len(chain.liberties) == 1 and laddered(own):
        return "lost"
    state, place = state_of(position), stone + stone // size + size + 2
    life = tactics.OPEN
    if len(go_tactics.local_points(lines, y, x)) <= LIFE_POINTS:
        life = int(tactics.read_life(state, place, LIFE_NODES, tactics.new_room(size)))
    if life == tactics.DEAD:
        return "lost"
    if life == tactics.ALIVE:
        return "alive"
    if life == tactics.UNSETTLED or (len(chain.liberties) <= 2 and laddered(go.OTHER[own])):
        return "threatened" if own == mover else "lost"
    return ""


@pytest.mark.parametrize(("size", "seed", "komi"), [(4, 1, 0), (5, 2, 3), (6, 3, -2), (7, 4, 7)])
def test_the_kernel_counts_what_the_slow_twin_counts(size, seed, komi):
    for position in random_positions(size, seed, 12, komi):
        lines, status = go.from_bytes(position.board, size), {}
        for chain in dict.fromkeys(position.chains.values()):
            told = status_of(position, chain)
            status |= {divmod(stone, size): told for stone in chain.stones}
        counted = concepts.count([position])[0]
        for colour, numbers_ in zip(COLOURS, counted.tolist(), strict=True):
            given = max(komi, 0) if colour == "white" else max(-komi, 0)
            wanted = go_concepts.counts(lines, status, colour[0], position.to_move[0], given)
            assert dict(zip(NAMES, numbers_, strict=True)) == wanted, repr(position)


def test_turned_boards_have_the_same_concepts():
    """But for what a bounded search finds, which may end sooner on one of them."""
    game = load_game("go", size=7)
    plain = ("open", "stones", "atari", "two liberties", "three liberties", "eyes", "cuts", "turn")
    kept = [NAMES.index(name) for name in plain]
    for position in random_positions(7, 8, 8):
        board = np.frombuffer(position.board, np.uint8).reshape(7, 7)
        counted = concepts.count([position])[0]
        for turned in (board[::-1], board.T, np.rot90(board)):
            other = game.position(np.ascontiguousarray(turned).tobytes(), position.to_move)
            assert (concepts.count([other])[0] == counted)[:, kept].all()


def test_every_concept_has_bits_and_is_offered():
    assert CONCEPTS.of("go").CONCEPTS is concepts.CONCEPTS
    told = {bit.concept.name for bit in concept_bits(concepts.CONCEPTS)}
    assert told == set(NAMES)
    assert concepts.count([]).shape == (0, 2, len(NAMES))


@pytest.mark.parametrize("size", [5, 7])
def test_cells_are_as_many_as_the_numbers(size):
    of_stones = (
        "atari", "two liberties", "three liberties", "no room", "little room", "lost",
        "threatened", "alive", "eyes", "cuts",
    )  # fmt: skip
    for position in random_positions(size, size, 10):
        for colour, counts in zip(COLOURS, concepts.count([position])[0], strict=True):
            for name in of_stones:
                cells = concepts.cells(position, name, colour)
                assert len(cells) == len(set(cells)) == counts[NAMES.index(name)], name
                assert set(cells) <= set(numbers(size))
            assert concepts.cells(position, "turn", colour) == ()


def test_sentences_speak_for_the_side_they_are_asked_for():
    position = load_game("go", size=5).read_position("bw.../bw.../...../...../..... white")
    black, white = concepts.count([position])[0]
    told = concepts.line_text(position, "liberties", "white", white, black)
    assert told == "black has two stones (A5 and A4) in atari"
    assert concepts.line_text(position, "liberties", "black", black, white) == ""
    assert concepts.line_text(position, "turn", "white", white, black) == "it is white's turn"
    told = concepts.line_text(position, "lost stones", "white", white, black)
    assert told == "black has lost two stones (A5 and A4)"
    for line in {concept.line for concept in concepts.CONCEPTS}:
        texts = [
            concepts.line_text(position, line, "white", white, black),
            concepts.line_text(position, line, "black", black, white),
        ]
        assert not all(texts), texts
