"""The loop: what a round is, that it goes on where it was stopped, and who takes whose place."""

import dataclasses
import os
import signal
import subprocess
import sys
import time

import pytest
from small_runs import HEX, SMALL, small_run

from clauseboard.arena.ratings import ratings_chart
from clauseboard.game import load_game
from clauseboard.selfplay import running
from clauseboard.selfplay.games import Generation, LearningStore
from clauseboard.selfplay.running import Phase, PlayerSpec, SelfPlayRun, learned_player, run
from clauseboard.selfplay.settings import SelfPlaySettings, settings_for


def facts(store):
    """All that is kept, but for how it came about."""
    return (
        [game.write() for game in store.games(0, 99)],
        [dataclasses.replace(one, figures={}) for one in store.generations()],
        [[g.moves for g in store.match_games(r)] for r in (1, 2)],
    )


def test_a_round_is_games_a_machine_a_match_and_a_decision(tmp_path):
    self_play = small_run(tmp_path / "life")
    seen = [(step.round, step.phase) for step in self_play.steps(1)]
    assert list(dict.fromkeys(seen)) == [
        (1, Phase.GAMES), (1, Phase.MACHINE), (1, Phase.MATCH), (1, Phase.DECISION),
    ]  # fmt: skip
    [made] = self_play.store.generations()
    assert made.parent == 0
    assert made.accepted is not None
    assert made.accepted == (self_play.result(1).score.score > self_play.settings.gate)
    assert self_play.store.best() == int(made.accepted)
    assert len(self_play.store.match_games(1)) == 6
    assert made.moves is not None
    assert 0 <= made.figures["right"] <= 1


@pytest.mark.parametrize("stop_after", [1, 3, 5, 9])
def test_a_life_that_was_stopped_goes_on_as_if_nothing_had_happened(tmp_path, stop_after):
    whole = small_run(tmp_path / "whole")
    run(whole, rounds=2)
    for n, _ in enumerate(small_run(tmp_path / "cut").steps(2), 1):
        if n == stop_after:
            break
    rest = small_run(tmp_path / "cut")
    while rest.store.decided() < 2:
        run(rest, rounds=1)
    assert facts(rest.store) == facts(whole.store)


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_a_sparring_partner_takes_a_side_in_some_games(tmp_path, share):
    # The solver is sure of every board, and the random player never says anything.
    self_play = small_run(
        tmp_path / "life",
        games=12,
        sparring="solver",
        sparring_share=share,
        random_moves=0,
        noise=0.2,
    )
    for step in self_play.steps(1):
        if step.phase is Phase.MACHINE:
            break
    spars = [any(map(abs, game.values)) for game in self_play.store.games(1, 1)]
    assert abs(sum(spars) - 12 * share) <= (share == 0.5) * 4


def test_games_to_learn_from_may_be_searched_without_the_judge(tmp_path):
    search = "mcts,simulations=20,rollouts=1"
    self_play = small_run(tmp_path / "life", play_search=search, local_moves=True, gate=0.0)
    run(self_play, rounds=1)
    assert self_play.playing_spec(0) == self_play.player_spec(0)
    playing, matched = self_play.playing_spec(1), self_play.player_spec(1)
    assert [name for name, _ in playing.files] == ["moves"]
    assert playing.spec == f"tsetlin:moves={{moves}},search={search}"
    assert [name for name, _ in matched.files] == ["machine", "moves"]
    run(self_play, rounds=1)
    assert len(self_play.store.games(2, 2)) == self_play.settings.games
    assert small_run(tmp_path / "other").playing_spec(0).spec == self_play.settings.begin


def test_games_and_machines_are_the_same_for_any_number_of_jobs(tmp_path):
    runs = [small_run(tmp_path / f"{jobs}").on("cpu", jobs, None) for jobs in (1, 2, 3)]
    for self_play in runs:
        run(self_play, rounds=2)
    assert facts(runs[0].store) == facts(runs[1].store) == facts(runs[2].store)
    assert [self_play.settings.stored() for self_play in runs[1:]] == [
        runs[0].settings.stored()
    ] * 2


def test_killed_by_force_nothing_is_lost(tmp_path):
    path = tmp_path / "life"
    arguments = [f"--set={name}={value}" for name, value in SMALL.items() if name != "search"]
    command = [sys.executable, "-m", "clauseboard", "learn", "hex", "--set=size=3", *arguments]
    process = subprocess.Popen(
        [*command, "--out", str(path)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        until = time.monotonic() + 240
        while time.monotonic() < until and process.poll() is None:
            if path.exists() and _games_in(path) > 3:
                break
            time.sleep(0.05)
    finally:
        process.send_signal(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
        process.wait()
    there = _games_in(path)
    assert there > 3
    plan = settings_for(HEX, {k: v for k, v in SMALL.items() if k != "search"})
    with LearningStore(path) as store:
        assert store.plans() == {1: {"game": repr(HEX), **plan.stored()}}
        self_play = SelfPlayRun(HEX, plan, store)
        before = store.decided()
        run(self_play, rounds=1)
        assert store.decided() == before + 1


def _games_in(path):
    try:
        with LearningStore(path) as store:
            return len(store.game_numbers(1))
    except OSError:
        return 0


def test_who_does_not_win_does_not_take_the_place(tmp_path):
    self_play = small_run(tmp_path / "life", gate=1.0)
    run(self_play, rounds=2)
    assert [one.accepted for one in self_play.store.generations()] == [False, False]
    assert [one.parent for one in self_play.store.generations()] == [0, 0]
    assert self_play.store.best() == 0
    assert self_play.player_spec(0) == PlayerSpec("random")


def test_who_wins_is_learned_from_next(tmp_path):
    self_play = small_run(tmp_path / "life", gate=0.0)
    run(self_play, rounds=2)
    if all(one.accepted for one in self_play.store.generations()):
        assert [one.parent for one in self_play.store.generations()] == [0, 1]
    ratings = self_play.ratings()
    assert len(ratings) == 3
    assert ratings[0].elo == 0


def test_time_ends_it(tmp_path):
    self_play = small_run(tmp_path / "life")
    steps = []
    run(self_play, hours=1e-9, on_step=steps.append)
    assert len(steps) == 1


def test_a_machine_that_is_not_there(tmp_path):
    with pytest.raises(ValueError, match="no machine of round 4"):
        small_run(tmp_path / "life").player_spec(4)


def test_games_without_boards_are_refused(tmp_path):
    game = load_game("hex", size=1)
    self_play = small_run(tmp_path / "life", game, games=2, move_clauses=0)
    self_play.store.add_game(1, 0, 0, _empty_game())
    self_play.store.add_game(1, 1, 0, _empty_game())
    with pytest.raises(ValueError, match="no board to learn from"):
        run(self_play, rounds=1)


def _empty_game():
    from clauseboard.selfplay.games import SelfPlayGame

    return SelfPlayGame(("a1",), 1, "red", "won", (), ())


def test_a_change_holds_from_the_next_machine_on(tmp_path):
    """In the middle of a match it is the match that was begun which is played to its end."""
    stopped = small_run(tmp_path / "life")
    with stopped.store as store:
        for step in stopped.steps(1):
            if (step.phase, step.done) == (Phase.MATCH, 2):
                break
        store.set_plan({"game": repr(HEX), **stopped.settings.stored()})
        going_on = running.open_run(
            store, HEX, {"match_games": 2, "search": "mcts,simulations=9"}, change=True
        )
        run(going_on, rounds=2)
        assert [len(store.match_games(round_)) for round_ in (1, 2)] == [SMALL["match_games"], 2]
        assert [going_on.settings_of(round_).match_games for round_ in (0, 1, 2, 9)] == [6, 6, 2, 2]
        assert going_on.player_spec(1).spec.endswith("simulations=20")
        assert going_on.player_spec(2).spec.endswith("simulations=9")
        again = running.open_run(store, HEX, {})
        assert again.settings == going_on.settings
        assert again.earlier == going_on.earlier


@pytest.mark.parametrize("rounds", [(), (2,), (2, 5), (1,), (1, 3)])
def test_plans_are_kept_by_round(tmp_path, rounds):
    with LearningStore(tmp_path / "life") as store:
        assert store.plans() == {}
        plans = {round_: {"game": "hex", "games": round_} for round_ in (1, *rounds)}
        for round_, plan in plans.items():
            store.set_plan(plan, round_)
        assert store.plans() == plans
        assert list(store.plans()) == sorted(plans)


def test_another_file_is_refused(tmp_path):
    path = tmp_path / "games"
    from clauseboard.arena.playing import MatchStore

    MatchStore(path).close()
    with pytest.raises(ValueError, match="another program"):
        LearningStore(path)


def test_a_generation_is_read_as_it_was_kept(tmp_path):
    with LearningStore(tmp_path / "life") as store:
        made = Generation(1, 0, b"machine", None, {"right": 0.5}, None)
        store.add_generation(made)
        assert store.generation(1) == made
        assert store.decided() == store.best() == 0
        store.decide(1, True)
        assert store.generation(1).accepted is True
        assert store.decided() == store.best() == 1
        assert store.generation(2) is None


# ---- plans


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"games": 0}, "games=0"),
        ({"games": True}, "games=True"),
        ({"window": 0}, "window=0"),
        ({"match_games": 1}, "match_games=1"),
        ({"gate": 1.5}, "gate=1.5"),
        ({"result_share": -0.1}, "result_share"),
        ({"draws": 2}, "draws=2"),
        ({"noise": 1.1}, "noise=1.1"),
        ({"sparring": 4}, "sparring=4"),
        ({"sparring_share": -1}, "sparring_share=-1"),
        ({"asides": -1}, "off_path_positions=-1"),
        ({"off_path_positions": -1}, "off_path_positions=-1"),
        ({"asides": 3, "by_solver": False}, "set by_solver=True"),
        ({"deck": 1}, "openings=1"),
        ({"random_moves": -1}, "random_moves=-1"),
        ({"begin": ""}, "begin=''"),
        ({"search": 3}, "search=3"),
        ({"play_search": 3}, "play_search=3"),
        ({"play_search": "mcts", "local_moves": False}, "play_search='mcts' needs patterns"),
        ({"wisdom": 1}, "no setting 'wisdom'"),
        ({"seed": -1}, "seed=-1"),
    ],
)
def test_wrong_settings_are_refused(changes, told):
    with pytest.raises(ValueError, match=told):
        settings_for(HEX, changes)


@pytest.mark.parametrize("name", ["checkers", "go", "hex"])
def test_every_game_has_a_plan_whose_settings_can_be_given_again(name):
    game = load_game(name)
    plan = settings_for(game)
    assert settings_for(game, plan.named()) == plan
    assert settings_for(game, plan.stored()) == plan
    assert plan != SelfPlaySettings()


def test_the_seed_is_also_that_of_the_machines():
    assert settings_for(HEX, {"seed": 7}).machine.seed == 7


# ---- players in parcels


def test_a_contestant_is_made_once(tmp_path):
    one = PlayerSpec("random")
    assert one.player(HEX) is PlayerSpec("random").player(HEX)
    assert learned_player("mcts", b"x", b"y").spec.count("{") == 2
    line = learned_player("mcts", b"x", None).line(tmp_path)
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"x"]
    assert str(tmp_path) in line


# ---- the picture


@pytest.mark.parametrize("n", [1, 2, 12])
def test_the_picture_has_a_point_a_round(n):
    import xml.etree.ElementTree as ElementTree

    from clauseboard.arena.ratings import Rating

    ratings = [Rating(40.0 * k, 40.0 * k - 30, 40.0 * k + 30) for k in range(n)]
    picture = ratings_chart(ratings, [k % 2 == 0 for k in range(n)], "hex & friends")
    root = ElementTree.fromstring(picture)
    circles = [one for one in root.iter() if one.tag.endswith("circle")]
    assert len(circles) == n
    heights = [float(one.attrib["cy"]) for one in circles]
    assert heights == sorted(heights, reverse=True)
    assert all(0 <= height <= 360 for height in heights)
