"""Monte-Carlo tree search and the truth: what it proves is so, and what is forced it finds."""

import numpy as np
import pytest
from mcts_judges import Linear, random_hex

from clauseboard.game import load_game
from clauseboard.games.hex.solving import solver_for
from clauseboard.kernels.compiler import JIT_DISABLED, specialised
from clauseboard.search.compiled_rules import compiled_rules_of
from clauseboard.search.mcts import MonteCarlo, Rollouts
from clauseboard.search.mcts_trees import start_of

N = 100 if JIT_DISABLED else 3000


@pytest.mark.skipif(JIT_DISABLED, reason="too many simulations without the compiler")
@pytest.mark.parametrize("size", [3, 4])
def test_proofs_in_hex_agree_with_the_solver(size):
    proven = 0
    for seed in range(30):
        position = random_hex(size, seed, size - 3 + seed % (2 * size))
        search = MonteCarlo(simulations=20_000, rollouts=1, keep=False)
        choice = search.find(position, Rollouts(position.game), seed=seed)
        won = solver_for(size).solve(position).winner == position.to_move
        good = solver_for(size).winning_moves(position)
        for candidate in choice.candidates:
            if candidate.value == 1.0 and candidate.move == choice.move:
                assert candidate.move in good
        if choice.value in (-1.0, 1.0):
            proven += 1
            assert (choice.value == 1.0) == won
    assert proven >= 15


def test_every_proof_of_a_move_is_right():
    position = random_hex(3, 1, 3)
    search = MonteCarlo()
    tree = search._planted(position, search._judge(Linear(position.game), position.game))
    tree.counter = start_of(0)
    seen = 0
    for _ in range(200 if not JIT_DISABLED else 40):
        tree.simulate(1, 2**62, 1000)
        for child in tree.children():
            if child.proof is not None:
                after = position.play(child.move)
                winner = solver_for(3).solve(after).winner
                assert (child.proof == 1) == (winner == position.to_move)
                seen += 1
    assert seen > 0


MATES = [
    # won at once, in two moves of one's own, in three; the moves that do it
    ("hex", {"size": 3}, ".R./.R./B.B red", {"b3"}),
    ("hex", {"size": 3}, ".../.../... red", {"b2", "a3", "c1"}),
    ("hex", {"size": 3}, "B../.R./... red", {"a3", "b3", "c1", "c2", "b1", "a2"}),
    ("go", {"size": 3, "komi": 0.5, "max_moves": 1}, ".../.../... black", None),
    ("go", {"size": 2, "komi": 0.5, "max_moves": 3}, "../.. black", None),
]


@pytest.mark.parametrize(("name", "parameters", "text", "good"), MATES)
def test_forced_wins_are_found(name, parameters, text, good):
    position = load_game(name, **parameters).read_position(text)
    choice = MonteCarlo(simulations=N, rollouts=1).find(position, Rollouts(position.game), seed=1)
    if good is None:
        assert choice.value == 1.0
        assert str(position.play(choice.move).to_move) == "white"
    elif choice.value == 1.0 or not JIT_DISABLED:  # where there were enough simulations
        assert choice.value == 1.0
        assert position.write_move(choice.move) in good


def wins_within(position, plies):
    """The moves that win by force within so many plies, by trying everything."""
    found = []
    for move in position.moves():
        after = position.play(move)
        outcome = after.outcome()
        if outcome is not None:
            won = outcome.winner == position.to_move
        else:
            won = plies >= 3 and all(
                wins_within(after.play(reply), plies - 2) for reply in after.moves()
            )
        if won:
            found.append(move)
    return found


@pytest.mark.skipif(JIT_DISABLED, reason="too many simulations without the compiler")
@pytest.mark.parametrize(
    ("name", "parameters", "plies"),
    [
        ("hex", {"size": 4}, 5),
        ("go", {"size": 3, "max_moves": 14}, 3),
        ("checkers", {}, 3),
    ],
)
def test_forced_wins_near_the_end_are_found(name, parameters, plies):
    game = load_game(name, **parameters)
    evaluator = Rollouts(game)
    found = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        positions = [game.start()]
        while moves := positions[-1].moves():
            positions.append(positions[-1].play(moves[rng.integers(len(moves))]))
        for position in positions[-plies - 1 : -1]:
            winning = wins_within(position, plies)
            if winning:
                choice = MonteCarlo(rollouts=1).find(position, evaluator, seed=seed)
                assert choice.value == 1.0
                found += 1
    assert found > 2


@pytest.mark.skipif(JIT_DISABLED, reason="endgame tables take long without the compiler")
def test_a_checkers_win_beyond_the_tables_is_found():
    position = load_game("checkers").read_position("B:W18,26:B15,1,2,3,4")
    choice = MonteCarlo(simulations=100, rollouts=1).find(position, Rollouts(position.game))
    assert (position.write_move(choice.move), choice.value) == ("15x31", 1.0)


@pytest.mark.skipif(JIT_DISABLED, reason="endgame tables take long without the compiler")
def test_what_the_endgame_tables_know_is_played_out():
    # Two kings against one in the open: the table's distance goes down with every move.
    position = load_game("checkers").read_position("B:WK4:BK14,K18,K10")
    evaluator = Rollouts(position.game)
    search = MonteCarlo(simulations=200, rollouts=1)
    plies = 0
    while position.outcome() is None and plies < 60:
        position = position.play(search.find(position, evaluator).move)
        plies += 1
    assert position.outcome().winner == "black"


def test_a_lost_position_is_told_and_a_move_is_still_made():
    position = load_game("hex", size=2).read_position(".R/.. blue")
    choice = MonteCarlo(simulations=N, rollouts=1).find(position, Rollouts(position.game))
    assert choice.value == -1.0
    assert choice.move in position.moves()
    assert choice.cost.simulations < N


def test_a_drawn_end_is_proven():
    # On 2x2 with komi 0 and one move left, a pass leaves an empty board: nobody has more.
    game = load_game("go", size=2, komi=4, max_moves=1)
    choice = MonteCarlo(simulations=50, rollouts=1).find(game.start(), Rollouts(game))
    assert choice.value == 0.0
    assert {candidate.value for candidate in choice.candidates} == {0.0, -1.0}


def test_superko_is_kept_at_the_root():
    game = load_game("go", size=2, komi=0, superko=True)
    position = game.start()
    rng = np.random.default_rng(3)
    refused = 0
    rules = compiled_rules_of(game)
    board = specialised("clauseboard.search.board_template", rules)
    search = MonteCarlo(simulations=40, rollouts=1)
    for _ in range(30):
        if not position.moves():
            break
        codes = np.zeros(rules.most_moves(game), np.int64)
        count, _ = board.list_moves(
            rules.state_of(position), rules.settings_of(game), rules.new_scratch(game), codes
        )
        refused += count - len(position.moves())
        choice = search.find(position, Rollouts(game))
        listed, legal = {c.move for c in choice.candidates}, set(position.moves())
        # What is proven ends the search before every move was looked at.
        assert listed <= legal if choice.proven else listed == legal
        moves = [move for move in position.moves() if not move.is_pass] or position.moves()
        position = position.play(moves[rng.integers(len(moves))])
    assert refused > 0
