"""How long games of Hex that are decided still last, by the best moves of either side."""

import itertools
import random

import pytest

from clauseboard.game import load_game
from clauseboard.games.hex.line_facts import lost_fact
from clauseboard.games.hex.remaining_moves import MoveCounter, longest_resistance, soonest_wins
from clauseboard.games.hex.rules import cells_of
from clauseboard.games.hex.side_view import seen
from clauseboard.games.hex.solving import Solver
from clauseboard.kernels.compiler import JIT_DISABLED
from hex_positions import random_position
from naive import hex_solver as naive

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="nothing is counted without the compiler")

# ---- who has lost holds out


def lost_positions(size, count, empty, seed):
    """Positions with few empty cells in which every move loses, with the letters of the cells."""
    rng, game = random.Random(seed), load_game("hex", size=size)
    while count:
        position = random_position(rng, size, size**2 - empty, size**2 - empty + 3)
        letters = game.write_position(position).split()[0].replace("/", "")
        if not naive.mover_wins(letters, size, position.to_move[0].upper()):
            count -= 1
            yield position, letters


def naive_lengths(position, letters):
    """For each move how many stones the winner needs after it, by trying everything."""
    mover, winner = position.to_move[0].upper(), "RB"[position.to_move == "red"]
    size, lengths = position.game.size, {}
    for move in position.moves():
        at = move.row * size + move.column
        after = letters[:at] + mover + letters[at + 1 :]
        lengths[move] = naive.stones_needed(after, size, winner, winner)
    return lengths


def naive_answers(position, letters, move):
    at = move.row * position.game.size + move.column
    after = letters[:at] + position.to_move[0].upper() + letters[at + 1 :]
    return len(naive.winning_moves(after, position.game.size, "RB"[position.to_move == "red"]))


@pytest.mark.parametrize(("size", "count", "empty"), [(3, 10, 6), (4, 30, 8), (5, 8, 8)])
def test_the_moves_that_hold_out_longest_are_those_of_a_search_of_everything(size, count, empty):
    several = 0
    for position, letters in lost_positions(size, count, empty, seed=size):
        lengths, known = naive_lengths(position, letters), longest_resistance(position)
        most = max(lengths.values())
        longest = {move for move, n in lengths.items() if n == most}
        assert known.is_exact
        assert (set(known.moves), known.left) == (longest, most), position
        answers = {move: naive_answers(position, letters, move) for move in longest}
        assert known.answers == min(answers.values())
        assert set(known.best) == {move for move, n in answers.items() if n == known.answers}
        several += len(known.best) < len(known.moves)
    assert several > 2


def test_without_the_solver_moves_hold_out_nearly_as_long():
    """And where no reply is found that connects the other side, it needs as many moves as is said.

    The solver, which counts here, is held against a search of everything elsewhere.
    """
    rng, solver, held, best, average, unseen = random.Random(15), Solver(5), 0, 0, 0.0, 0
    for _ in range(100):
        position = random_position(rng, 5, 3, 12)
        if solver.winning_moves(position):
            continue
        lengths = {move: solver.fewest_moves(position.play(move)) for move in position.moves()}
        known = longest_resistance(position, False)
        assert not known.is_exact
        held += lengths[known.best[0]]
        best += max(lengths.values())
        average += sum(lengths.values()) / len(lengths)
        if not known.is_seen:
            unseen += 1
            assert all(lengths[move] >= known.left for move in known.moves), position
    assert held >= 0.93 * best
    assert held > 1.1 * average
    assert unseen > 1


def test_a_surely_connected_side_needs_as_many_moves_as_is_said():
    """Whichever reply keeps it so by H-search, a block leaves no shorter way, by another count."""
    rng, told = random.Random(16), 0
    while told < 6:
        position = random_position(rng, 5, 2, 8)
        winner = position.game.other(position.to_move)
        if not seen(position, winner).own.is_won:
            continue
        known = longest_resistance(position, False)
        if not known.is_seen:
            continue
        told += 1
        after, fewest = position.play(known.best[0]), 99
        for reply in after.moves():
            board = after.play(reply)
            if board.outcome() is not None:
                fewest = 1
            elif seen(board, winner).own.is_won:
                ways = [stones_to_connect(board.play(block), winner) for block in board.moves()]
                fewest = min(fewest, 1 + max(ways))
        assert known.left == fewest, position


def stones_to_connect(position, side):
    """How many stones a side lacks if the other one never moves, by trying 0, 1, 2, ... of them."""
    cells, letter = position.moves(), side[0].upper()
    text = position.game.write_position(position).split()[0].replace("/", "")
    size = position.game.size
    for count in range(len(cells) + 1):
        for chosen in itertools.combinations(cells, count):
            letters = list(text)
            for cell in chosen:
                letters[cell.row * size + cell.column] = letter
            if naive.has_won("".join(letters), size, letter):
                return count
    raise AssertionError(position)


def test_what_is_counted_with_little_effort_is_no_more_than_there_is():
    """Of a larger board that cannot be counted out, the moves need as many stones as is said."""
    rng, partly = random.Random(17), 0
    for _ in range(40):
        position, solver = random_position(rng, 5, 2, 8), Solver(5)
        if solver.winning_moves(position):
            continue
        exact = solver.fewest_moves(position)
        known = Solver(5).longest(position, 30)
        if known is None:
            continue
        lengths = [solver.fewest_moves(position.play(move)) for move in known.moves]
        assert min(lengths) >= known.stones, position
        assert not known.is_certain or known.stones == exact
        partly += not known.is_certain
    assert partly > 3


def test_a_proven_number_is_told_as_such():
    position = load_game("hex", size=7).read_position(
        "......./.R...../.B...B./...B.R./..RB.R./......./....... red"
    )
    known = longest_resistance(position)
    assert known.is_proven
    assert not known.is_exact
    said, *_ = lost_fact(position, [known.best[0]])
    assert (
        said == f"{known.best[0]} probably holds out longest: Blue still needs at least eight moves"
    )


def test_how_long_is_said_in_half_a_sentence():
    game = load_game("hex", size=4)
    position = game.read_position("..../..R./.R../.B.. blue")
    said = {}
    for move in map(position.read_move, ("a4", "c1", "a1")):
        said[str(move)], *_ = lost_fact(position, [move])
    needs = "Red still needs four moves"
    assert said == {
        "a4": f"no move holds out longer than a4: {needs}",
        "c1": f"no move holds out longer than c1: {needs}",
        "a1": f"a4 would hold out longest: {needs}",
    }
    _, (why, rest), cells = lost_fact(position, [position.read_move("a4")])
    assert why.startswith("Red is connected from top to bottom: the top to c2 by ")
    assert rest == "Three moves hold out as long; a4 leaves Red one answer, the fewest."
    assert set(cells) <= {str(move) for move in position.moves()}


def test_larger_boards_have_bounds():
    rows = ["..........."] * 11
    rows[2], rows[5], rows[8] = "......R....", "....R.B....", "..BR......."
    text = "/".join(rows) + " blue"
    position = load_game("hex", size=11).read_position(text)
    known = longest_resistance(position)
    assert not known.is_exact
    said, *_ = lost_fact(position, [known.best[0]])
    assert f"{known.best[0]}" in said
    assert "Red still needs at least " in said


def test_nothing_is_counted_where_a_swap_may_come():
    start = load_game("hex", size=4, swap=True).start()
    assert longest_resistance(start) is None
    assert longest_resistance(start.play(start.read_move("b2"))) is None
    large = load_game("hex", size=16).start()
    assert longest_resistance(large) is None
    assert lost_fact(large) is None


# ---- who has won hurries


@pytest.mark.parametrize(("size", "empty"), [(3, 6), (4, 8), (5, 8)])
def test_the_moves_that_win_soonest_are_those_of_a_search_of_everything(size, empty):
    rng, game, won, several = random.Random(30 + size), load_game("hex", size=size), 0, 0
    while won < 10:
        position = random_position(rng, size, size**2 - empty, size**2 - empty + 3)
        letters = game.write_position(position).split()[0].replace("/", "")
        mover = position.to_move[0].upper()
        if naive.mover_wins(letters, size, mover):
            won += 1
            stones, best = naive.fewest_stones(letters, size, mover)
            wanted = [move for n, move in enumerate(cells_of(size)) if n in best]
            assert list(soonest_wins(position)) == wanted, position
            assert Solver(size).soonest(position).stones == stones
            several += len(wanted) > 1
        else:
            assert Solver(size).soonest(position) is None
    assert several


def test_without_the_solver_all_moves_found_win_and_nearly_as_soon():
    rng, solver, needed, best, average = random.Random(31), Solver(5), 0, 0, 0.0
    for _ in range(100):
        position = random_position(rng, 5, 3, 12)
        found = MoveCounter(position, position.to_move).soonest()
        if not found:
            continue
        winning = solver.winning_moves(position)
        assert set(found) <= set(winning), position
        lengths = [stones_after(solver, position, move) for move in winning]
        needed += stones_after(solver, position, found[0])
        best += min(lengths)
        average += sum(lengths) / len(lengths)
    assert best > 50
    assert needed <= 1.1 * best
    assert needed < average


def stones_after(solver, position, move):
    after = position.play(move)
    return 0 if after.outcome() is not None else solver.fewest_moves(after)


def test_a_large_board_is_won_by_closing_the_chain():
    text = "/".join(["....R.....B"] * 10 + ["..........."])
    position = load_game("hex", size=11).read_position(f"{text} red")
    assert set(map(str, soonest_wins(position))) == {"d11", "e11"}
