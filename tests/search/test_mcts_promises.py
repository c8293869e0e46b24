"""What Monte-Carlo tree search promises: seeds, trees that are kept, limits, and its parameters."""

import itertools

import pytest
from mcts_judges import POSITIONS, Guiding, Linear, one_by_one, random_hex

from clauseboard.evaluation import Limit
from clauseboard.game import load_game
from clauseboard.kernels.compiler import JIT_DISABLED
from clauseboard.player import Candidate
from clauseboard.search.mcts import MonteCarlo, Rollouts, _way
from clauseboard.search.mcts_trees import EXPECTED, EXPECTED_SHARE


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
    whole, parts = (
        search._planted(position, search._judge(Rollouts(position.game), position.game)),
    ) * 2
    parts = search._planted(position, search._judge(Rollouts(position.game), position.game))
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
    assert tree.line(line[1])[: len(line) - 1] == line[1:]
    assert tree.fits()
    tree.simulate(20, 2**62, 1000)
    assert sum(child.visits for child in tree.children()) == visits + 19


@pytest.mark.parametrize("compiles", [True, False])
def test_a_line_has_moves_that_were_tried_often_and_proven_wins(compiles):
    position = load_game("hex", size=4).start()
    search = MonteCarlo(simulations=300)
    choice = search.find(position, Linear(position.game, compiles=compiles))
    line, tree = choice.line, search._tree
    enough = max(EXPECTED, EXPECTED_SHARE * choice.candidates[0].visits)
    assert len(line) > 1
    for move, following in itertools.pairwise(line):
        assert tree.advance(move)
        (child,) = [child for child in tree.children() if child.move == following]
        assert child.visits >= enough or child.proof == 1
    # It ends where nothing is expected, or the game does.
    if tree.advance(line[-1]):
        assert all(c.visits < enough and c.proof != 1 for c in tree.children())


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
