"""Monte-Carlo tree search: against its slow twin, the truth about small boards, and its limits."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from clauseboard.compiled import JIT_DISABLED, specialised
from clauseboard.evaluation import (
    BitEvaluator,
    Compiled,
    Evaluator,
    Judgements,
    Limit,
    linear,
)
from clauseboard.game import Outcome, load_game
from clauseboard.judging import values_of
from clauseboard.player import Candidate
from clauseboard.search.base import load_search, search_names
from clauseboard.search.board import searching_of
from clauseboard.search.mcts import MonteCarlo, Rollouts, _way
from clauseboard.search.mcts_positions import PositionTree
from clauseboard.search.mcts_trees import ArrayTree, start_of
from clauseboard.voting import TILE_WORDS, fill_table
from naive.mcts import NaiveTree

HEX = load_game("hex", size=3)
FEW = 20 if JIT_DISABLED else 100


class Linear(BitEvaluator):
    """A made-up judge: a random number for each bit."""

    def __init__(self, game, seed=1, view="board", compiles=True):
        self.game, self.view, self.compiles = game, view, compiles
        numbers = np.random.default_rng(seed).normal(size=(2, len(game.bits())))
        self.parts = tuple(linear(row, view=view, scale=3.0, offset=0.1) for row in numbers)

    def judge_bits(self, bits, sides):
        return Judgements(values_of(self.parts, bits, sides))

    def compiled(self):
        return self.parts if self.compiles else None


def clause_table(game, n_outputs, seed, n_clauses=40):
    """A clause table with random clauses of two literals, shared out among the outputs."""
    rng = np.random.default_rng(seed)
    n_bits = len(game.bits())
    words = -(-n_clauses // 64) * n_outputs
    n_tiles = -(-words // TILE_WORDS)
    table = np.zeros((n_tiles, 16 * 2 * -(-n_bits // 8), TILE_WORDS), np.uint64)
    out = np.full((n_tiles, 1, TILE_WORDS), ~np.uint64(0))
    include = np.zeros((n_outputs * n_clauses, -(-2 * n_bits // 64)), np.uint64)
    for row in include:
        for literal in rng.choice(2 * n_bits, 2, replace=False):
            row[literal // 64] |= np.uint64(1) << np.uint64(literal % 64)
    slots = np.concatenate([64 * n + np.arange(n_clauses) for n in range(n_outputs)])
    fill_table(include, slots.astype(np.int64), n_bits, table, out)
    weights = np.zeros(64 * n_tiles * TILE_WORDS, np.int64)
    weights[slots] = rng.integers(-9, 10, len(slots))
    owners = np.zeros(n_tiles * TILE_WORDS, np.int64)
    owners[:n_outputs] = np.arange(n_outputs)
    return table, out, weights, owners


def votes_of(compiled, bits):
    """The votes on one row of packed bits, from the table."""
    from clauseboard.judging import N_PLANES, TABLE
    from clauseboard.voting import count_votes

    votes = np.zeros((1, compiled.n_outputs), np.int64)
    features = np.ascontiguousarray(bits[:, None, :])
    count_votes(features, *compiled.arguments()[TABLE : N_PLANES + 1], votes)
    return votes[0]


class Voting(BitEvaluator):
    """Random clauses, which vote for a win of the first colour."""

    def __init__(self, game, seed=3, compiles=True):
        self.game, self.compiles = game, compiles
        table, out, weights, owners = clause_table(game, 1, seed)
        self.part = Compiled(
            Compiled.CLAUSES, scale=50.0, table=table, out=out, weights=weights, owners=owners
        )

    def judge_bits(self, bits, sides):
        values = values_of((self.part, self.part), bits, sides)
        margins = np.array([votes_of(self.part, row[None])[0] for row in bits])
        votes = np.stack([margins, np.zeros_like(margins)], axis=1)
        return Judgements(values, votes, self.game.colours)

    def compiled(self):
        return (self.part, self.part) if self.compiles else None


class Guiding(Linear):
    """A judge that also has an opinion about moves: clauses with an output for each code."""

    def __init__(self, game, seed=1, compiles=True, scale=10.0):
        super().__init__(game, seed, compiles=compiles)
        rules = searching_of(game)
        n_codes = rules.n_codes(game)
        self.guides = []
        for side in range(2):
            table, out, weights, owners = clause_table(game, n_codes, seed + side)
            self.guides.append(
                Compiled(
                    Compiled.CLAUSES,
                    scale=scale,
                    table=table,
                    out=out,
                    weights=weights,
                    owners=owners,
                    n_outputs=n_codes,
                )
            )

    def priors(self, positions):
        found = []
        for position in positions:
            guide = self.guides[self.game.colours.index(position.to_move)]
            row = np.packbits(self.game.encode([position]), axis=1, bitorder="little")
            votes = votes_of(guide, row)
            rules = searching_of(self.game)
            codes = [rules.code_of(position, move) for move in position.moves()]
            shares = np.exp((votes[codes] - votes[codes].max()) / guide.scale)
            found.append(shares / shares.sum())
        return found

    def compiled_priors(self):
        return tuple(self.guides) if self.compiles else None


def one_by_one(search, position, evaluator, seed, steps=FEW):
    """The visits of the root's moves after each simulation, and the positions walked through."""
    tree = search._planted(position, search._judge(evaluator))
    tree.counter = start_of(seed)
    history = []
    for _ in range(steps):
        tree.simulate(1, 2**62, tree.MOST_DEPTH)
        history.append(([child.visits for child in tree.children()], tree.positions))
    return tree, history


def twin_history(twin, steps=FEW):
    history, walked = [], 0
    for _ in range(steps):
        path = twin.simulate()
        walked += 0 if path is None else len(path)
        history.append((twin.root_visits(), walked))
    return history


def value_judge(evaluator):
    return lambda position, counter, path: (float(evaluator.judge([position]).values[0]), counter)


POSITIONS = [
    load_game("hex", size=3).start(),
    load_game("hex", size=4, swap=True).read_position("..../.R../..../.... blue"),
    load_game("go", size=3, komi=1).start(),
    load_game("checkers").start(),
]


# ---- the twin


@pytest.mark.parametrize("position", POSITIONS, ids=repr)
@pytest.mark.parametrize("seed", [0, 1, 12345])
def test_selections_are_those_of_the_twin(position, seed):
    search = MonteCarlo(exploration=[math.sqrt(2), 0.5, 3.0][seed % 3])
    fast, slow = Linear(position.game), Linear(position.game, compiles=False)
    twin = NaiveTree(position, value_judge(fast), start_of(seed), exploration=search.exploration)
    expected = twin_history(twin)
    tree, history = one_by_one(search, position, fast, seed)
    assert isinstance(tree, ArrayTree)
    assert history == expected
    tree, history = one_by_one(search, position, slow, seed)
    assert isinstance(tree, PositionTree)
    assert history == expected


@pytest.mark.parametrize("position", POSITIONS[:3], ids=repr)
@pytest.mark.parametrize("weight", [0.5, 1.0, 4.0])
def test_selections_by_priors_are_those_of_the_twin(position, weight):
    search = MonteCarlo(prior_weight=weight)
    fast, slow = Guiding(position.game), Guiding(position.game, compiles=False)
    twin = NaiveTree(
        position, value_judge(fast), start_of(5), weight=weight,
        priors=lambda position: fast.priors([position])[0],
    )  # fmt: skip
    expected = twin_history(twin)
    assert one_by_one(search, position, fast, 5)[1] == expected
    tree, history = one_by_one(search, position, slow, 5)
    assert isinstance(tree, PositionTree)
    assert history == expected


@pytest.mark.parametrize("position", POSITIONS[:3], ids=repr)
@pytest.mark.parametrize(("rollouts", "mix"), [(1, 1.0), (2, 0.25), (3, 0.5)])
def test_selections_with_rollouts_are_those_of_the_twin(position, rollouts, mix):
    game = position.game
    rules = searching_of(game)
    board = specialised("clauseboard.search.board_template", rules)
    fast, slow = Linear(game), Linear(game, compiles=False)

    settings, scratch = rules.settings_of(game), rules.new_scratch(game)
    codes = np.zeros(rules.most_moves(game), np.int64)

    def judge(end, counter, path):
        value = value_judge(fast)(end, counter, path)[0] if mix < 1 else 0.0
        # The moves are played, since in Go a random game hangs on how the state came about.
        state, before = rules.state_of(position), position
        for move in path:
            board.play(state, settings, scratch, codes, rules.code_of(before, move))
            before = before.play(move)
        total = 0
        for _ in range(rollouts):
            result, counter = board.play_out(state.copy(), settings, scratch, np.uint64(counter))
            if result != 2:
                total += 1 if game.colours[result] == end.to_move else -1
        return value + mix * (total / rollouts - value), int(counter)

    search = MonteCarlo(rollouts=rollouts, mix=mix)
    expected = twin_history(NaiveTree(position, judge, start_of(2)))
    assert one_by_one(search, position, fast, 2)[1] == expected
    if game.name == "hex":
        assert one_by_one(search, position, slow, 2)[1] == expected
    if mix == 1.0:
        assert one_by_one(search, position, Rollouts(game), 2)[1] == expected


@pytest.mark.parametrize("scale", [10.0, 100.0, 100_000])
def test_votes_divided_by_a_scale(scale):
    position = POSITIONS[0]
    evaluator = Voting(position.game)

    def judge(position, counter, path):
        margin = evaluator.judge([position]).margins(position.to_move)[0]
        return min(max(margin / scale, -1.0), 1.0), counter

    expected = twin_history(NaiveTree(position, judge, start_of(4)))
    search = MonteCarlo(scale=scale)
    assert one_by_one(search, position, evaluator, 4)[1] == expected
    assert one_by_one(search, position, Voting(position.game, compiles=False), 4)[1] == expected


# ---- the truth

N = 100 if JIT_DISABLED else 3000


def random_hex(size, seed, plies):
    rng = np.random.default_rng(seed)
    position = load_game("hex", size=size).start()
    for _ in range(plies):
        moves = position.moves()
        after = position.play(moves[rng.integers(len(moves))])
        if after.outcome() is not None:
            break
        position = after
    return position


@pytest.mark.skipif(JIT_DISABLED, reason="too many simulations without the compiler")
@pytest.mark.parametrize("size", [3, 4])
def test_proofs_in_hex_agree_with_the_solver(size):
    from clauseboard.games.hex.solver import solver_for

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
    tree = search._planted(position, search._judge(Linear(position.game)))
    tree.counter = start_of(0)
    from clauseboard.games.hex.solver import solver_for

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
    assert position.outcome() == Outcome("black", position.outcome().reason)


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
    rules = searching_of(game)
    board = specialised("clauseboard.search.board_template", rules)
    search = MonteCarlo(simulations=40, rollouts=1)
    for _ in range(30):
        if not position.moves():
            break
        codes = np.zeros(rules.most_moves(game), np.int64)
        count, _ = board.look(
            rules.state_of(position), rules.settings_of(game), rules.new_scratch(game), codes
        )
        refused += count - len(position.moves())
        choice = search.find(position, Rollouts(game))
        assert {c.move for c in choice.candidates} == set(position.moves())
        moves = [move for move in position.moves() if not move.is_pass] or position.moves()
        position = position.play(moves[rng.integers(len(moves))])
    assert refused > 0


# ---- what it promises


def test_the_same_seed_gives_the_same_choice():
    position = load_game("hex", size=5).start()
    evaluator = Rollouts(position.game)
    n = 60 if JIT_DISABLED else 2000
    one, two, other = (
        MonteCarlo(simulations=n, rollouts=1).find(position, evaluator, seed=seed)
        for seed in (7, 7, 8)
    )
    assert one == two
    assert [c.visits for c in one.candidates] != [c.visits for c in other.candidates]


def test_slices_change_nothing():
    position = load_game("hex", size=4).start()
    search = MonteCarlo(rollouts=1)
    whole, parts = (search._planted(position, search._judge(Rollouts(position.game))),) * 2
    parts = search._planted(position, search._judge(Rollouts(position.game)))
    whole.simulate(60, 2**62, 1000)
    for n in (1, 2, 7, 50):
        parts.simulate(n, 2**62, 1000)
    assert whole.children() == parts.children()


def test_a_tree_is_kept_from_move_to_move():
    position = load_game("hex", size=4).start()
    evaluator = Rollouts(position.game)
    n = 300
    search = MonteCarlo(simulations=n, rollouts=1, exploration=0.5)
    first = search.find(position, evaluator)
    assert sum(c.visits for c in first.candidates) == n
    reply = max(search._tree.line(first.move)[1:2])
    after = position.play(first.move).play(reply)
    second = search.find(after, evaluator)
    assert second.move in after.moves()
    assert second.cost.simulations == n
    assert {c.move for c in second.candidates} == set(after.moves())
    kept = sum(c.visits for c in second.candidates) - n
    assert kept > 0
    # Forgotten, or not kept at all, it begins anew.
    search.begin()
    assert sum(c.visits for c in search.find(after, evaluator).candidates) == n
    search = MonteCarlo(simulations=n, rollouts=1, exploration=0.5, keep=False)
    search.find(position, evaluator)
    assert sum(c.visits for c in search.find(after, evaluator).candidates) == n


@pytest.mark.parametrize("compiles", [True, False])
def test_a_moved_root_has_the_visits_that_it_had_below(compiles):
    position = load_game("hex", size=3).start()
    evaluator = Linear(position.game, compiles=compiles)
    search = MonteCarlo(simulations=150)
    choice = search.find(position, evaluator)
    tree = search._tree
    visits = choice.candidates[0].visits
    nodes = tree.n_nodes
    line = tree.line(choice.move)
    assert tree.advance(choice.move)
    assert sum(child.visits for child in tree.children()) == visits - 1
    assert 1 < tree.n_nodes < nodes
    assert tree.line(line[1]) == line[1:]
    assert tree.fits()
    tree.simulate(20, 2**62, 1000)
    assert sum(child.visits for child in tree.children()) == visits + 19


def test_both_sides_of_a_game_share_one_tree():
    position = load_game("hex", size=3).start()
    search = MonteCarlo(simulations=200)
    evaluator = Linear(position.game)
    while position.outcome() is None:
        choice = search.find(position, evaluator)
        assert choice.move in position.moves()
        assert choice.line[0] == choice.move
        position = position.play(choice.move)


def test_another_game_or_evaluator_or_far_position_begins_anew():
    start = load_game("hex", size=4).start()
    search = MonteCarlo(simulations=100)
    evaluator = Linear(start.game)
    choice = search.find(start, evaluator)
    assert sum(c.visits for c in search.find(start, Linear(start.game)).candidates) == 100
    search.find(start, evaluator)
    other = load_game("hex", size=3).start()
    assert sum(c.visits for c in search.find(other, Linear(other.game)).candidates) <= 100
    far = random_hex(4, 0, 3)
    assert _way(start, choice.move, far) is None
    assert _way(start, choice.move, start) == ()
    near = start.play(choice.move)
    assert _way(start, choice.move, near) == (choice.move,)
    further = near.play(near.moves()[4])
    assert _way(start, choice.move, further) == (choice.move, near.moves()[4])


@pytest.mark.parametrize("compiles", [True, False])
@pytest.mark.parametrize("simulations", [1, 10, 90])
def test_a_limit_on_simulations_is_kept(compiles, simulations):
    position = load_game("hex", size=4).start()
    evaluator = Linear(position.game, compiles=compiles)
    choice = MonteCarlo().find(position, evaluator, Limit(simulations=simulations))
    assert choice.cost.simulations == simulations
    assert sum(c.visits for c in choice.candidates) == simulations


@pytest.mark.parametrize("compiles", [True, False])
@pytest.mark.parametrize("nodes", [1, 20, 150])
def test_a_limit_on_nodes_is_kept(compiles, nodes):
    position = load_game("hex", size=4).start()
    evaluator = Linear(position.game, compiles=compiles)
    cost = MonteCarlo().find(position, evaluator, Limit(nodes=nodes)).cost
    assert nodes <= cost.nodes < nodes + cost.depth


@pytest.mark.parametrize("compiles", [True, False])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_limit_on_depth_is_kept(compiles, depth):
    position = load_game("hex", size=3).start()
    evaluator = Linear(position.game, compiles=compiles)
    choice = MonteCarlo(exploration=0.1).find(
        position, evaluator, Limit(depth=depth, simulations=150)
    )
    assert choice.cost.depth == depth


def test_a_limit_on_seconds_ends_the_search():
    position = load_game("hex", size=5).start()
    evaluator = Rollouts(position.game)
    search = MonteCarlo(rollouts=1, keep=False)
    search.find(position, evaluator, Limit(simulations=1))
    cost = search.find(position, evaluator, Limit(seconds=0.05)).cost
    assert cost.simulations >= 1
    assert cost.seconds < 5
    both = search.find(position, evaluator, Limit(seconds=60, simulations=33)).cost
    assert both.simulations == 33


@pytest.mark.parametrize("compiles", [True, False])
def test_a_full_tree_grows_no_more(compiles):
    position = load_game("hex", size=11).start()
    evaluator = Linear(position.game, compiles=compiles)
    search = MonteCarlo(most_nodes=1000)
    choice = search.find(position, evaluator, Limit(simulations=200))
    assert search._tree.n_nodes <= 1000
    assert choice.cost.simulations == 200
    assert sum(c.visits for c in choice.candidates) == 200


@pytest.mark.parametrize("most_nodes", [1000, 5000, 100_000])
def test_the_number_of_nodes_is_kept(most_nodes):
    position = load_game("hex", size=6).start()
    search = MonteCarlo(most_nodes=most_nodes, rollouts=1)
    search.find(position, Rollouts(position.game), Limit(simulations=60 if JIT_DISABLED else 3000))
    assert search._tree.n_nodes <= most_nodes


def test_candidates_are_ranked_and_begin_with_the_choice():
    position = load_game("hex", size=3).start()
    choice = MonteCarlo(simulations=60).find(position, Linear(position.game))
    assert isinstance(choice.candidates[0], Candidate)
    assert choice.candidates[0].move == choice.move
    assert choice.candidates[0].value == choice.value
    assert choice.line == choice.candidates[0].line
    visits = [c.visits for c in choice.candidates if c.value != -1.0]
    assert visits == sorted(visits, reverse=True)
    for candidate in choice.candidates:
        after = position
        for move in candidate.line:
            after = after.play(move)
        assert candidate.line[0] == candidate.move


def test_the_end_of_the_line_is_explained():
    position = load_game("hex", size=4).start()
    evaluator = Linear(position.game)
    choice = MonteCarlo(simulations=100).find(position, evaluator)
    explanation = choice.explanation
    assert explanation.line == choice.line
    after = position
    for move in choice.line:
        after = after.play(move)
    assert explanation.position == after
    assert explanation.value == evaluator.judge([after]).values[0]
    nothing = MonteCarlo(simulations=20, rollouts=1).find(position, Rollouts(position.game))
    assert nothing.explanation is None


def test_exploration_spreads_the_visits():
    position = load_game("hex", size=4).start()
    evaluator = Linear(position.game)
    most = [
        MonteCarlo(simulations=400, exploration=exploration)
        .find(position, evaluator)
        .candidates[0]
        .visits
        for exploration in (0.1, 1.0, 10.0)
    ]
    assert most[0] > most[1] > most[2]


@pytest.mark.parametrize("temperature", [0.5, 1.0, 100.0])
def test_a_temperature_draws_moves_by_their_visits(temperature):
    position = load_game("hex", size=3).read_position(".../.../... red")
    evaluator = Linear(position.game)
    n = 200
    drawn = []
    for seed in range(n):
        search = MonteCarlo(simulations=12, temperature=temperature, keep=False)
        choice = search.find(position, evaluator, seed=seed)
        top = max(c.visits for c in choice.candidates)
        drawn.append(choice.candidates[0].visits == top)
        assert choice.candidates[0].visits > 0
    assert 0 < sum(drawn) < n or temperature < 1


def test_noise_changes_the_priors_of_the_root():
    position = load_game("hex", size=3).start()
    evaluator = Guiding(position.game)
    for judge in (evaluator, Guiding(position.game, compiles=False)):
        counts = []
        for noise in (0.0, 0.5, 1.0):
            search = MonteCarlo(simulations=60, noise=noise, noise_shape=0.1, keep=False)
            one, two = (search.find(position, judge, seed=s) for s in (1, 2))
            counts.append([{c.move: c.visits for c in one.candidates}])
            same = {c.move: c.visits for c in one.candidates} == {
                c.move: c.visits for c in two.candidates
            }
            # Without noise nothing is drawn by PUCT.
            assert same == (noise == 0.0)
        assert counts[0] != counts[1] != counts[2]
    with pytest.raises(ValueError, match=r"noise=0\.5 is mixed into priors"):
        MonteCarlo(noise=0.5).find(position, Linear(position.game))
    with pytest.raises(ValueError, match=r"noise=0\.5 is mixed into priors"):
        MonteCarlo(noise=0.5).find(position, Linear(position.game, compiles=False))


def test_a_weight_of_0_leaves_the_priors_out():
    position = POSITIONS[0]
    evaluator = Guiding(position.game)
    plain = one_by_one(MonteCarlo(), position, Linear(position.game), 3)[1]
    assert one_by_one(MonteCarlo(prior_weight=0), position, evaluator, 3)[1] == plain
    assert one_by_one(MonteCarlo(), position, evaluator, 3)[1] != plain


# ---- a game without a `searching` module


@dataclass(frozen=True)
class NimPosition:
    """Take one to three matches; who takes the last one has won."""

    game: Any
    left: int
    to_move: str = "first"

    def moves(self):
        return tuple(range(1, min(3, self.left) + 1))

    def play(self, move):
        return NimPosition(self.game, self.left - move, self.game.other(self.to_move))

    def outcome(self):
        return Outcome(self.game.other(self.to_move), "the last match") if not self.left else None


class Nim:
    name = "nim"
    colours = ("first", "second")

    def other(self, colour):
        return "second" if colour == "first" else "first"


class Zero(Evaluator):
    def judge(self, positions):
        return Judgements(np.zeros(len(positions)))


@pytest.mark.parametrize("left", [5, 6, 7])
def test_a_game_is_searched_by_its_positions(left):
    position = NimPosition(Nim(), left)
    search = MonteCarlo(simulations=400, rollouts=2, mix=1.0)
    choice = search.find(position, Zero())
    assert isinstance(search._tree, PositionTree)
    assert choice.move == left % 4
    assert choice.value == 1.0
    lost = MonteCarlo(simulations=400, rollouts=2, mix=1.0).find(NimPosition(Nim(), 4), Zero())
    assert lost.value == -1.0


# ---- what is refused


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"simulations": 0}, "simulations=0 is no whole number from 1 on"),
        ({"simulations": True}, "simulations=True"),
        ({"rollouts": -1}, "rollouts=-1 is no whole number from 0 on"),
        ({"most_nodes": 10}, "most_nodes=10 is no whole number from 1000 on"),
        ({"most_nodes": 2**31}, "below 2\\*\\*31"),
        ({"exploration": -1.0}, "exploration=-1.0 is no number from 0 on"),
        ({"exploration": math.inf}, "exploration=inf"),
        ({"exploration": math.nan}, "exploration=nan"),
        ({"mix": 1.5}, "mix=1.5 is no number from 0 to 1"),
        ({"noise": "much"}, "noise='much'"),
        ({"noise_shape": 0}, "noise_shape=0 has to be above 0"),
        ({"noise_shape": None}, "noise_shape=None"),
        ({"scale": 0.0}, "scale=0.0 has to be above 0"),
        ({"temperature": -0.1}, "temperature=-0.1"),
        ({"prior_weight": -2}, "prior_weight=-2"),
        ({"keep": 1}, "keep=1 is neither True nor False"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        MonteCarlo(**parameters)


def test_it_is_found_by_its_name():
    assert "mcts" in search_names()
    assert load_search("mcts", simulations=5) == MonteCarlo(simulations=5)


def test_a_finished_game_has_no_move():
    over = load_game("hex", size=2).read_position("RB/R. blue")
    with pytest.raises(ValueError, match="There is no move any more: red wins"):
        MonteCarlo(rollouts=1).find(over, Rollouts(over.game))


def test_nothing_to_judge_by_is_refused():
    position = load_game("hex", size=3).start()
    with pytest.raises(ValueError, match="rollouts says nothing about positions"):
        MonteCarlo().find(position, Rollouts(position.game))


def test_a_scale_without_votes_is_refused():
    position = load_game("hex", size=3).start()
    with pytest.raises(ValueError, match=r"scale=5\.0 divides votes"):
        MonteCarlo(scale=5.0).find(position, Linear(position.game))
    with pytest.raises(ValueError, match="gives values and no votes"):
        MonteCarlo(scale=5.0).find(position, Linear(position.game, compiles=False))
