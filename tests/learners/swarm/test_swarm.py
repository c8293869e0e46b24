"""The swarm: neighbours, how particles move, what counts as best; one seed, one swarm."""

import dataclasses

import numpy as np
import pytest

from clauseboard.game import load_game
from clauseboard.learners.swarm import swarm as module
from clauseboard.learners.swarm.network import NetworkShape
from clauseboard.learners.swarm.swarm import (
    FIGURES,
    TOPOLOGIES,
    Swarm,
    SwarmOptions,
    neighbours,
)
from naive import swarm as naive

HEX = load_game("hex", size=3)
SMALL = SwarmOptions(rounds=3, particles=4, games=4, hidden=2, opening=1)


def begun(**changes):
    options = dataclasses.replace(SMALL, **changes)
    return Swarm.begin(NetworkShape(HEX, options.hidden), options)


def test_neighbours_in_a_rectangle():
    known = neighbours("von_neumann", 12)  # 4 rows of 3
    assert set(known[0].tolist()) == {0, 9, 3, 2, 1}
    assert set(known[7].tolist()) == {7, 4, 10, 6, 8}


@pytest.mark.parametrize("topology", TOPOLOGIES)
@pytest.mark.parametrize("n", [2, 7, 16])
def test_neighbours_know_each_other(topology, n):
    known = [set(row.tolist()) for row in neighbours(topology, n)]
    assert len(known) == n
    for one in range(n):
        assert one in known[one]
        assert known[one] <= set(range(n))
        assert all(one in known[other] for other in known[one])
    if topology == "global":
        assert all(row == set(range(n)) for row in known)


@pytest.mark.parametrize("inertia", [0.0, 0.73, 1.0])
@pytest.mark.parametrize("max_speed", [0.0, 0.1, 5.0])
@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_particles_move_by_the_formula(inertia, max_speed, topology):
    swarm = begun(inertia=inertia, max_speed=max_speed, topology=topology, own_pull=1.2)
    rng = np.random.default_rng(7)
    swarm.velocity = rng.normal(size=swarm.place.shape)
    swarm.best = rng.normal(size=swarm.place.shape)
    swarm.fitness, swarm.ages = np.array([1.0, 3.0, -2.0, 0.0]), np.array([1, 1, 1, 1])
    place, velocity = swarm.place.copy(), swarm.velocity.copy()
    swarm._move(np.random.default_rng(9))
    r1, r2 = np.random.default_rng(9).random((2, *place.shape))
    for n, known in enumerate(neighbours(topology, 4)):
        leader = max(known, key=lambda k: swarm.fitness[k])
        expected = naive.swarm_step(
            place[n].copy(), velocity[n].copy(), swarm.best[n], swarm.best[leader], inertia, 1.2,
            1.5, r1[n], r2[n], max_speed,
        )  # fmt: skip
        np.testing.assert_allclose(swarm.place[n], expected[0], rtol=1e-12)
        np.testing.assert_allclose(swarm.velocity[n], expected[1], rtol=1e-12)


@pytest.mark.parametrize("spread", [0.0, 0.7, 30.0])
def test_weights_begin_evenly_about_nothing(spread):
    place = begun(spread=spread, particles=100).place
    assert abs(place).max() <= spread
    assert abs(place).mean() == pytest.approx(spread / 2, rel=0.1)
    assert place.mean() == pytest.approx(0.0, abs=0.1 * spread)


def test_a_first_round_makes_every_place_a_best():
    swarm = begun()
    start = swarm.place.copy()
    swarm.advance()
    assert swarm.best.tolist() == start.tolist()
    assert swarm.ages.tolist() == [1] * 4
    assert np.isfinite(swarm.fitness).all()
    figures = dict(zip(FIGURES, swarm.history[0], strict=True))
    assert figures["first won"] + figures["second won"] + figures["drawn"] == 4 * 4
    assert figures["fitness"] == swarm.fitness.max()
    assert not np.array_equal(swarm.place, start)


def test_bests_are_remembered_by_their_mean():
    swarm = begun()
    swarm.fitness, swarm.ages = np.array([4.0, 4.0, 1.0, 1.0]), np.array([1, 1, 1, 3])
    best = swarm.best.copy()
    swarm.place = best + 1
    swarm._remember(np.array([3.0, 2.0, 5.0, 0.0]), np.array([2.0, 2.0, 1.0, 5.0]))
    # The first and the third did better than the own best in the same games; an equal does not.
    assert np.array_equal(swarm.best, np.where([[1], [0], [1], [0]], best + 1, best))
    assert swarm.fitness.tolist() == [3.0, 3.0, 5.0, 2.0]
    assert swarm.ages.tolist() == [1, 2, 1, 4]


def test_who_did_well_once_does_not_lead():
    swarm = begun()
    swarm.fitness, swarm.ages = np.array([9.0, 6.0, 0.0, 1.0]), np.array([1, 12, 4, 4])
    # The mean is 4; a fitness after n rounds keeps n / (n + 4) of what it is off by.
    assert swarm.standing().tolist() == [5.0, 5.5, 2.0, 2.5]
    assert swarm.leader().tolist() == swarm.best[1].tolist()
    swarm.ages[0] = 8
    assert swarm.leader().tolist() == swarm.best[0].tolist()


def test_before_any_game_nobody_leads():
    swarm = begun()
    assert swarm.leader().tolist() == swarm.best[0].tolist()


def test_without_rejudging_a_fitness_stands():
    swarm = begun(rejudge=False)
    swarm.fitness, swarm.ages = np.array([4.0, 4.0, 1.0, 1.0]), np.array([1, 1, 1, 1])
    swarm._remember(np.array([3.0, 6.0, 1.0, 0.0]), swarm.fitness)
    assert swarm.fitness.tolist() == [4.0, 6.0, 1.0, 1.0]


@pytest.mark.parametrize("rejudge", [False, True])
def test_nobody_plays_against_itself(rejudge, monkeypatch):
    swarm = begun(rejudge=rejudge)
    swarm.advance()
    seen = []

    def watched(networks, pairs, counters, **settings):
        seen.append(pairs)
        return real(networks, pairs, counters, **settings)

    real = module.play
    monkeypatch.setattr(module, "play", watched)
    swarm._judged(np.random.default_rng(1))
    assert len(seen) == 4 * (1 + rejudge)
    for who, pairs in enumerate(seen):
        assert pairs.shape == (4, 2)
        assert pairs[:, 0].tolist()[::2] == pairs[:, 1].tolist()[1::2] == [who] * 2
        assert ((pairs == who).sum(axis=1) == 1).all()


@pytest.mark.parametrize("explore", [0.0, 0.4, 1.0])
def test_only_the_others_play_moves_of_chance(explore, monkeypatch):
    swarm = begun(explore=explore, games=3)
    seen = []

    def watched(networks, pairs, counters, **settings):
        seen.append(settings["explore"].tolist())
        return real(networks, pairs, counters, **settings)

    real = module.play
    monkeypatch.setattr(module, "play", watched)
    swarm._judged(np.random.default_rng(1))
    assert seen == [[[0.0, explore], [explore, 0.0], [0.0, explore]]] * 4


@pytest.mark.parametrize("captures", [False, True])
def test_captures_are_played_out_if_they_are_to_be(captures, monkeypatch):
    swarm = begun(captures=captures)
    seen = []

    def watched(networks, pairs, counters, **settings):
        seen.append(settings["captures"])
        return real(networks, pairs, counters, **settings)

    real = module.play
    monkeypatch.setattr(module, "play", watched)
    swarm._judged(np.random.default_rng(1))
    assert seen == [captures] * 4


def test_fitness_is_one_for_a_win_and_minus_two_for_a_loss():
    swarm = begun(games=20, explore=0.4)
    others, counters = np.ones(20, np.int64), np.arange(20, dtype=np.uint64)
    total, ends = swarm._fitness(swarm.shape.stack(swarm.place), 0, others, counters)
    assert ends.sum() == 20
    assert ends[2] == 0  # Hex has no draws
    expected = 0
    for n, seed in enumerate(counters):
        sides = swarm.place[:2] if n % 2 == 0 else swarm.place[1::-1]
        explore = (0.0, 0.4) if n % 2 == 0 else (0.4, 0.0)
        winner, _, _ = naive.play(HEX, sides, 2, {}, seed, 100, 1, explore)
        expected += 1 if winner == HEX.colours[n % 2] else -2
    assert total == expected


@pytest.mark.parametrize("n_jobs", [1, 2, 5])
@pytest.mark.parametrize("rejudge", [False, True])
def test_one_seed_gives_one_swarm_whatever_the_threads(n_jobs, rejudge):
    one, other = begun(rejudge=rejudge), begun(rejudge=rejudge, n_jobs=n_jobs)
    for _ in range(2):
        one.advance()
        other.advance()
    assert one.place.tobytes() == other.place.tobytes()
    assert one.history.tobytes() == other.history.tobytes()
    another = begun(rejudge=rejudge, seed=2)
    another.advance()
    assert another.place.tobytes() != one.place.tobytes()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"rounds": 0}, "rounds=0 must be an integer >= 1"),
        ({"particles": 1}, "particles=1 must be an integer from 2"),
        ({"games": 1.5}, "games=1.5 must be an integer"),
        ({"hidden": 0}, "hidden=0 must be an integer from 1 to 1000"),
        ({"hidden": 1001}, "hidden=1001"),
        ({"spread": -1}, "spread=-1 must be a number from 0 to 1000"),
        ({"inertia": -0.1}, "inertia=-0.1 must be a number from 0 to 2"),
        ({"inertia": float("nan")}, "inertia=nan"),
        ({"own_pull": "a"}, "own_pull='a'"),
        ({"swarm_pull": 11}, "swarm_pull=11"),
        ({"max_speed": -1}, "max_speed=-1"),
        ({"explore": 1.1}, "explore=1.1 must be a number from 0 to 1"),
        ({"topology": "star"}, "topology='star' must be one of 'global', 'ring', 'von_neumann'"),
        ({"rejudge": 1}, "rejudge=1 must be True or False"),
        ({"captures": "no"}, "captures='no' must be True or False"),
        ({"balanced": None}, "balanced=None must be True or False"),
        ({"biases": 0}, "biases=0 must be True or False"),
        ({"min_error": 1.5}, "min_error=1.5"),
        ({"opening": -1}, "opening=-1"),
        ({"longest": 0}, "longest=0"),
        ({"seed": -1}, "seed=-1"),
        ({"n_jobs": 0}, "n_jobs=0 must be an integer other than 0"),
    ],
)
def test_wrong_options_are_refused(wrong, said):
    with pytest.raises(ValueError, match=said):
        SwarmOptions(**wrong)


def test_without_biases_they_stay_zero():
    swarm = begun(biases=False)
    for _ in range(3):
        swarm.advance()
    _, biases, output, bias = swarm.shape.parts(swarm.leader())
    assert not biases.any()
    assert bias == 0
    assert output.any()
    for row in (*swarm.place, *swarm.best):
        assert not swarm.shape.parts(row)[1].any()


def test_training_stops_at_the_least_error():
    def rounds(**changes):
        options = dataclasses.replace(SMALL, rounds=6, **changes)
        trainer = module.SwarmTrainer.begin(HEX, options)
        return trainer, list(trainer.steps())

    _, whole = rounds()
    errors = [1 - told.figures["against chance"] for told in whole]
    assert len(errors) == 6
    least = sorted(errors)[2]
    expected = next(n for n, error in enumerate(errors, 1) if error <= least)
    trainer, told = rounds(min_error=least)
    assert len(told) == expected
    assert list(trainer.steps()) == []  # also when it is taken up again
