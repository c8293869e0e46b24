"""Moves by what is around them: data, clauses, weights, priors, reasons, a life, refusals."""

import dataclasses
import itertools
import re

import numpy as np
import pytest

from clauseboard.explaining import Account, compare
from clauseboard.explaining.clause_statistics import count_patterns
from clauseboard.explaining.html_writer import account_section, clause_picture
from clauseboard.explaining.questions import explain_choice, explain_move, explain_reply
from clauseboard.explaining.writers import account_markdown, account_text
from clauseboard.game import load_game
from clauseboard.games.plugins import PAGE
from clauseboard.kernels.compiler import JIT_DISABLED
from clauseboard.learners.tsetlin.board_evaluator import MachineEvaluator
from clauseboard.learners.tsetlin.move_votes import (
    CLASSES,
    PatternEvaluator,
    PatternVotes,
    likely_votes,
)
from clauseboard.players import load_player
from clauseboard.search.compiled_rules import move_features_of, unpacked
from clauseboard.search.mcts import MonteCarlo
from clauseboard.search.mcts_trees import PositionTree
from clauseboard.selfplay import fit_weights
from clauseboard.selfplay.find_clauses import (
    RARE,
    find_patterns,
    merged,
    move_accuracy,
    pattern_machine,
    vote_accuracy,
)
from clauseboard.selfplay.fit_weights import weigh_patterns, win_loss_machine
from clauseboard.selfplay.games import LearningStore, SelfPlayGame, play_self_game
from clauseboard.selfplay.running import SelfPlayRun, run
from clauseboard.selfplay.settings import MachineSettings, settings_for
from clauseboard.selfplay.training_set import move_training_set
from clauseboard.tsetlin import TsetlinMachineClassifier
from clauseboard.tsetlin.joint_weights import UNIT, fires, single_literals, voting_machine

GAMES = {"hex": load_game("hex", size=4), "go": load_game("go", size=4)}
both_games = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def drawn_machine(game, seed=0):
    """A machine for patterns with random clauses of one and two literals."""
    names = list(move_features_of(game).names)
    draws = np.random.default_rng(seed)
    clauses = single_literals(len(names))
    clauses = clauses | clauses[draws.permutation(len(clauses))]
    weights = draws.integers(-90, 90, len(clauses))
    owners = draws.integers(0, 2, len(clauses))
    return voting_machine(clauses, weights, owners, np.array(CLASSES), names)


def positions(game, n_games=3):
    player, found = load_player("random", game), []
    for seed in range(n_games):
        position = game.start()
        for text in play_self_game(game, player, seed, most_moves=12).moves:
            found.append(position)
            position = position.play(position.read_move(text))
    return found


def all_clauses(machine):
    return [clause for label in CLASSES for clause in machine.clauses_of(label)]


def likely_sums(machine, rows):
    """What the clauses vote, one after the other."""
    sums = np.zeros(len(rows), np.int64)
    for clause in all_clauses(machine):
        names = machine.bit_names_
        fires = np.ones(len(rows), bool)
        for name in clause.required:
            fires &= rows[:, names.index(name)] == 1
        for name in clause.forbidden:
            fires &= rows[:, names.index(name)] == 0
        sums += fires * clause.votes * (1 if clause.class_ == "likely" else -1)
    return sums


# ---- priors


@both_games
@pytest.mark.parametrize("sharpness", [0.5, 1.0, 3.0])
def test_priors_are_softmax_of_the_votes_for_each_move(game, sharpness):
    machine = drawn_machine(game)
    votes = PatternVotes(game, machine, sharpness)
    seen = move_features_of(game)
    seats = positions(game, 1)
    for position, shares in zip(seats, votes.priors(seats), strict=True):
        sums = likely_sums(machine, unpacked(seen.rows(position), len(seen.names)))
        assert votes.votes(position).tolist() == sums.tolist()
        wanted = np.exp(sharpness * (sums - sums.max()) / UNIT)
        assert np.allclose(shares, wanted / wanted.sum())


def visits_of(search, position, judge):
    return {c.move: c.visits for c in search.find(position, judge, seed=3).candidates}


@both_games
@pytest.mark.parametrize("beside", [False, True], ids=["alone", "beside values"])
def test_compiled_and_plain_trees_visit_alike(game, beside, monkeypatch):
    if beside:
        n_bits = len(game.bits())
        weights = np.random.default_rng(0).integers(-60, 60, 2 * n_bits)
        names = [bit.name for bit in game.bits()]
        values = win_loss_machine(single_literals(n_bits), weights, names, 4.0)
        judge = MachineEvaluator(game, values, view="mover", moves=drawn_machine(game))
        search = MonteCarlo(simulations=40)
    else:
        # Random games in Go hang on the order of a list; in Hex they are the same.
        if game.name == "go":
            return
        judge, search = PatternEvaluator(game, drawn_machine(game)), MonteCarlo(40, rollouts=1)
    for position in positions(game)[:4]:
        quick = visits_of(search, position, judge)
        with monkeypatch.context() as patch:
            patch.setattr(
                MonteCarlo, "_planted", lambda self, p, j: PositionTree(p, j, self.most_nodes)
            )
            search.begin()
            slow = visits_of(search, position, judge)
        search.begin()
        assert quick == slow


@both_games
def test_without_votes_all_moves_are_alike(game):
    judge = PatternEvaluator(game, drawn_machine(game), zero=True)
    [shares] = judge.priors([game.start()])
    assert np.allclose(shares, 1 / len(game.start().moves()))
    assert not judge.compiled_priors()[0].weights.any()
    assert judge.explain_move(game.start(), game.start().moves()[0]).reasons == ()


def test_patterns_of_one_board_serve_another():
    machine = drawn_machine(GAMES["hex"])
    for size in (3, 5, 11):
        game = load_game("hex", size=size)
        [shares] = PatternVotes(game, machine).priors([game.start()])
        assert len(shares) == size * size
        assert abs(shares.sum() - 1) < 1e-9


# ---- reasons


@both_games
def test_reasons_add_up_and_are_true_of_the_board(game):
    judge = PatternEvaluator(game, drawn_machine(game))
    votes = PatternVotes(game, drawn_machine(game))
    for position in positions(game, 2)[::3]:
        counted = votes.votes(position)
        board = {
            bit.name for bit, is_set in
            zip(game.bits(), game.encode([position])[0], strict=True) if is_set
        }  # fmt: skip
        for move, sum_ in zip(position.moves(), counted, strict=True):
            told = judge.explain_move(position, move)
            assert sum(reason.votes for reason in told.reasons) == sum_
            assert told.votes == {position.to_move: sum_}
            for reason in told.reasons:
                assert all(bit.name in board for bit in reason.needed if bit.cell)
                assert not any(bit.name in board for bit in reason.forbidden if bit.cell)


@both_games
def test_what_clauses_did_on_moves(game):
    votes = PatternVotes(game, drawn_machine(game))
    rows, chosen = [], []
    for position in positions(game, 3)[::4]:
        if position.moves():
            rows.append(votes.rows(position))
            chosen += [n == 0 for n in range(len(rows[-1]))]
    seen, chosen = np.concatenate(rows), np.array(chosen)
    start = game.start()
    counts = count_patterns(votes, start, start.moves()[0], seen, chosen)
    clauses = votes.clauses(start, start.moves()[0])
    assert len(counts) == len(clauses)
    names = votes.names
    told = {id(one.reason): one for one in counts}
    by_index = {(one.index, one.reason.favours, one.reason.text): one for one in told.values()}
    for clause, reason in clauses:
        one = by_index[clause.index, reason.favours, reason.text]
        fired = right = 0
        for row, made in zip(seen, chosen, strict=True):
            on = {name for name, bit in zip(names, row, strict=True) if bit}
            if on.issuperset(clause.required) and not on & set(clause.forbidden):
                fired += 1
                right += bool(made) == reason.favours
        assert (one.fired, one.right, one.boards) == (fired, right, len(seen))


def pattern_player(folder, game):
    drawn_machine(game).save(folder / "p.tm", inference_only=True)
    return load_player(
        "tsetlin", game, moves=str(folder / "p.tm"), search="mcts", rollouts=1, simulations=30
    )


def test_a_player_explains_its_move(tmp_path):
    game = GAMES["hex"]
    choice = pattern_player(tmp_path, game).choose(game.start())
    told = choice.explanation
    assert told.move == choice.move
    assert told.position == game.start()
    assert sum(reason.votes for reason in told.reasons) == told.votes["red"]
    assert told.value == choice.value
    assert Account(told, game.start()).heading() == f"The move {choice.move}"


@both_games
def test_any_move_is_explained_and_set_beside_the_chosen_one(tmp_path, game):
    player, start = pattern_player(tmp_path, game), game.start()
    choice = player.choose(start)
    own = explain_choice(player, start, choice)
    for move in start.moves()[:5]:
        reply = player.choose(start.play(move))
        for account in (
            explain_move(player, start, move, choice),
            explain_reply(player, start, move, reply),
        ):
            told = account.explanation
            assert (told.move, account.move) == (move, start.write_move(move))
            assert sum(reason.votes for reason in told.reasons) == told.votes[start.to_move]
            if move != choice.move:
                found = compare(own, account)
                assert found.names == (start.write_move(choice.move), account.move)
                assert found.lead == sum(effect for effect, _, _ in found.parts())
                for _, where, one in found.parts():
                    about = found.account_of(one).move
                    assert where in (f"around {about}", "on both, counted differently")
                    assert found.account_of(one).votes(one).split()[-1] == about
        assert account.value == -reply.value


@both_games
def test_every_reason_has_a_small_board_with_a_ring_where_the_move_is(tmp_path, game):
    player = pattern_player(tmp_path, game)
    account = explain_choice(player, game.start(), player.choose(game.start()))
    (cell,) = PAGE.of(game).path(game, account.explanation.move)
    ring = set(drawn_shapes(game.draw(ringed=[cell]))) - set(drawn_shapes(game.draw()))
    assert len(ring) == 1
    for one in account.arguments:
        assert ring <= set(drawn_shapes(clause_picture(account, one)))
    board = Account(dataclasses.replace(account.explanation, move=None), game.start())
    for one in board.arguments:
        assert not ring & set(drawn_shapes(clause_picture(board, one)))


def drawn_shapes(picture):
    return re.findall(r"<circle[^>]*>", picture)


@both_games
def test_votes_are_told_to_be_for_the_move_and_not_for_a_colour(tmp_path, game):
    player = pattern_player(tmp_path, game)
    account = explain_choice(player, game.start(), player.choose(game.start()))
    heads = [head for head, _ in account.sides()]
    assert set(heads) <= {f"For {account.move}", f"Against {account.move}"}
    for text in (
        account_text(account, 8),
        account_markdown(account, 8),
        "".join(account_section(account)),
    ):
        assert heads[0] in text
        assert "ead of" not in text
        assert not re.search(rf"votes? (for|against) ({'|'.join(game.colours)})", text)


# ---- training sets


def by_hand(game):
    """A game of five moves, of which the first was given."""
    moves = ("a1", "b2", "c3", "b3", "d4")
    counts = (((3, 10),), ((4, 20), (5, 10)), (), ((0, 7),))
    return SelfPlayGame(moves, 1, "red", "", (0.0,) * 4, counts)


@pytest.mark.parametrize("others", [1, 4, None])
def test_rows_have_the_moves_visited_and_some_others(others):
    game = GAMES["hex"]
    data = move_training_set(game, [by_hand(game)], others=others)
    assert len(data) == 4
    assert data.games.tolist() == [0, 0, 0, 0]
    for board in range(4):
        rows = slice(*data.first[board : board + 2])
        share, extra = data.shares[rows], data.extra[rows]
        assert abs(share.sum() - 1) < 1e-9
        good, legal = (share > 0).sum(), 15 - board
        assert len(share) == (legal if others is None else good + others)
        # What was drawn stands for all that is left.
        assert np.isclose(np.exp(extra[share == 0]).sum(), legal - good)
        assert not extra[share > 0].any()


def test_shares_are_squares_of_visits_and_the_chosen_move_is_among_them():
    game = GAMES["hex"]
    data = move_training_set(game, [by_hand(game)], others=None)
    second = data.shares[data.first[1] : data.first[2]]
    c3 = [str(m) for m in played(game, "a1", "b2").moves()].index("c3")
    wanted = np.zeros(14)
    wanted[4], wanted[5], wanted[c3] = 400, 100, 400
    assert np.allclose(second, wanted / wanted.sum())


def test_how_right_votes_are():
    game = GAMES["hex"]
    data = move_training_set(game, [by_hand(game)], others=None)
    sizes = np.diff(data.first)
    alike = vote_accuracy(np.zeros(data.first[-1]), data)
    assert np.isclose(alike["first"], (1 / sizes).mean())
    assert np.isclose(alike["in five"], (5 / sizes).mean())
    assert np.isclose(alike["loss"], np.log(sizes).mean())
    best = np.zeros(data.first[-1])
    for start, end in itertools.pairwise(data.first):
        best[start + data.shares[start:end].argmax()] = 100 * UNIT
    assert vote_accuracy(best, data)["first"] == vote_accuracy(best, data)["in five"] == 1
    assert vote_accuracy(-best, data)["in five"] == 0


def played(game, *texts):
    position = game.start()
    for text in texts:
        position = position.play(position.read_move(text))
    return position


@pytest.mark.parametrize(("value", "boards"), [(0.95, 4), (0.96, 3), (-1.0, 3)])
def test_boards_that_are_decided_are_left_out(value, boards):
    game = GAMES["hex"]
    one = dataclasses.replace(by_hand(game), values=(0.0, value, 0.1, -0.2))
    assert len(move_training_set(game, [one], others=2)) == boards


def test_some_boards_of_a_set():
    game = GAMES["hex"]
    data = move_training_set(game, [by_hand(game)] * 2, others=3)
    some = data.of(np.array([5, 2]))
    assert some.games.tolist() == [1, 0]
    for n, board in enumerate((5, 2)):
        new, old = slice(*some.first[n : n + 2]), slice(*data.first[board : board + 2])
        assert np.array_equal(some.rows[new], data.rows[old])
        assert np.array_equal(some.shares[new], data.shares[old])
        assert np.array_equal(some.extra[new], data.extra[old])


def test_no_boards_to_learn_from():
    with pytest.raises(ValueError, match="no board to learn from"):
        move_training_set(GAMES["hex"], [])


# ---- learning


def games_by_a_rule(game, name, n_games=30):
    """Games in which, wherever there is a move with a certain bit, it is played."""
    seen, found = move_features_of(game), []
    draws = np.random.default_rng(1)
    for _ in range(n_games):
        position, moves, counts = game.start(), [], []
        while position.outcome() is None and len(moves) < 30:
            bits = unpacked(seen.rows(position), len(seen.names))[:, seen.names.index(name)]
            good = np.flatnonzero(bits) if bits.any() else np.arange(len(bits))
            place = int(draws.choice(good))
            counts.append(((place, 10),))
            moves.append(position.write_move(position.moves()[place]))
            position = position.play(position.moves()[place])
        found.append(SelfPlayGame(tuple(moves), 0, None, "", (0.0,) * len(moves), tuple(counts)))
    return found


@pytest.mark.skipif(JIT_DISABLED, reason="minutes without the compiler")
@pytest.mark.parametrize(
    ("name", "rule"), [("hex", "makes a bridge"), ("go", "last move within 3")]
)
def test_a_rule_is_found(name, rule):
    game = load_game(name, size=6)
    games = games_by_a_rule(game, rule)
    settings = MachineSettings(move_clauses=20, moves_kept=40, move_epochs=8, move_literals=3)
    machine = pattern_machine(move_training_set(game, games[5:]), game, settings)
    told = move_accuracy(machine, move_training_set(game, games[:5], others=None))
    assert len(all_clauses(machine)) <= 40
    chance = move_accuracy(drawn_machine(game), move_training_set(game, games[:5], others=None))
    assert told["loss"] < chance["loss"] - 0.3
    data = move_training_set(game, games[:5], others=None)
    rows = unpacked(data.rows, len(machine.bit_names_))
    kept = rows[:, machine.bit_names_.index(rule)] == 1
    votes = likely_votes(machine, rows)
    assert votes[kept].mean() > votes[~kept].mean() + 50


@pytest.mark.skipif(JIT_DISABLED, reason="minutes without the compiler")
@pytest.mark.parametrize("most", [3, 10, 1000])
def test_no_more_clauses_are_kept_than_asked_for(most):
    game = GAMES["hex"]
    data = move_training_set(game, games_by_a_rule(game, "joins own stones", 10))
    seen = move_features_of(game)
    found = find_patterns(data, seen, MachineSettings(move_clauses=10, move_epochs=2))
    clauses, weights = weigh_patterns(data, found, seen, most=most, epochs=2)
    assert len(clauses) == len(weights) <= most
    assert (weights != 0).all()


@pytest.mark.skipif(JIT_DISABLED, reason="minutes without the compiler")
def test_clauses_say_what_is_there_unless_wanted_otherwise():
    game = GAMES["hex"]
    data = move_training_set(game, games_by_a_rule(game, "joins own stones", 10))
    seen, settings = move_features_of(game), MachineSettings(move_clauses=10, move_epochs=2)
    n_bits = len(seen.names)
    found = find_patterns(data, seen, settings)
    assert not found[:, n_bits:].any()
    assert len(np.unique(found, axis=0)) == len(found)
    rows = unpacked(data.rows, n_bits)
    singles = {int(clause.argmax()) for clause in found if clause.sum() == 1}
    assert singles == set(range(n_bits))
    pairs = {tuple(np.flatnonzero(clause).tolist()) for clause in found if clause.sum() == 2}
    often = {
        (a, b)
        for a, b in itertools.combinations(range(n_bits), 2)
        if (rows[:, a] & rows[:, b]).sum() >= max(1, RARE * len(rows))
    }
    assert often <= pairs
    assert find_patterns(data, seen, dataclasses.replace(settings, only_there=False))[
        :, n_bits:
    ].any()


@pytest.mark.skipif(JIT_DISABLED, reason="minutes without the compiler")
def test_of_many_boards_some_choose_the_clauses(monkeypatch):
    game = GAMES["hex"]
    data = move_training_set(game, games_by_a_rule(game, "joins own stones", 40))
    seen = move_features_of(game)
    found = find_patterns(data, seen, MachineSettings(move_clauses=10, move_epochs=2))
    monkeypatch.setattr(fit_weights, "ENOUGH_FOR_PATTERNS", len(data) // 2)
    clauses, weights = weigh_patterns(data, found, seen, most=20, epochs=12)
    assert len(clauses) == len(weights) <= 20
    bits = unpacked(data.rows, len(seen.names))
    votes = fires(bits, clauses) @ weights
    joins = bits[:, seen.names.index("joins own stones")] == 1
    assert votes[joins].mean() > votes[~joins].mean() + 50


def test_moves_that_are_all_alike_teach_nothing():
    game = GAMES["hex"]
    alike = tuple((place, 5) for place in range(16))
    one = SelfPlayGame(("a1",), 0, None, "", (0.0,), (alike,))
    with pytest.raises(ValueError, match="No board has a move that is better"):
        find_patterns(
            move_training_set(game, [one]), move_features_of(game), MachineSettings(move_clauses=2)
        )


def test_weights_are_those_of_the_odds():
    """Two kinds of moves, of which one is chosen three times as often: e^w = 3."""
    game = GAMES["hex"]
    seen = move_features_of(game)
    data = move_training_set(game, [by_hand(game)] * 50, others=None)
    rows = np.zeros((400, 8), np.uint8)
    rows[::2, 0] = 1
    shares = np.tile([0.75, 0.25], 200)
    data = type(data)(rows, shares, np.zeros(400), np.arange(0, 401, 2), np.zeros(200, np.int64))
    single = single_literals(len(seen.names))[:1]
    data = type(data)(rows, shares, data.extra, data.first, data.games)
    unturned = type(seen)(game, seen.names, seen.ways[:1], seen._plugin, seen._rules)
    _, weights = weigh_patterns(data, single, unturned, epochs=120, penalty=0.0)
    assert abs(weights[0] - 100 * np.log(3)) <= 3


@pytest.mark.skipif(JIT_DISABLED, reason="minutes without the compiler")
@pytest.mark.parametrize("kept", [0, 20])
def test_a_life_with_patterns(tmp_path, kept):
    game = load_game("hex", size=4)
    plan = settings_for(
        game,
        {
            "begin": "rollouts:rollouts=1,simulations=200,exploration=0.2",
            "search": "mcts,simulations=20,rollouts=1",
            "games": 20, "match_games": 4, "random_moves": 2, "n_clauses": 20, "epochs": 2,
            "kept": kept, "local_moves": True, "move_clauses": 20, "moves_kept": 30,
            "move_epochs": 2, "by_solver": False,
        },
    )  # fmt: skip
    with LearningStore(tmp_path / "life.learn") as store:
        self_play = SelfPlayRun(game, plan, store)
        run(self_play, rounds=1)
        made = store.generation(1)
        assert bool(made.machine) == bool(kept)
        assert made.moves
        assert {"boards for moves", "first", "in five", "loss"} <= set(made.figures)
        line = self_play.player_spec(1).line(tmp_path)
        assert ("machine=" in line) == bool(kept)
        assert self_play.player_spec(1).player(game).choose(game.start()).move


# ---- what is refused


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"kept": 0}, "leaves nothing to play by"),
        ({"local_moves": 1}, "must be True or False"),
        ({"only_there": 0}, "must be True or False"),
        ({"local_moves": True, "move_clauses": 0}, "needs clauses"),
    ],
)
def test_plans_that_cannot_be(options, words):
    with pytest.raises(ValueError, match=words):
        settings_for(GAMES["hex"], options)


@pytest.mark.parametrize("sharpness", [0, -1.0, float("inf"), True, "high"])
def test_sharpness_that_is_none(sharpness):
    with pytest.raises(ValueError, match="must be a number > 0"):
        PatternVotes(GAMES["hex"], drawn_machine(GAMES["hex"]), sharpness)


def test_machines_that_are_none_for_patterns(tmp_path):
    game = GAMES["hex"]
    with pytest.raises(ValueError, match="not those that are seen around a move of hex"):
        PatternVotes(game, drawn_machine(GAMES["go"]))
    names = [bit.name for bit in game.bits()]
    values = win_loss_machine(single_literals(len(names)), np.ones(2 * len(names), int), names, 4.0)
    assert isinstance(values, TsetlinMachineClassifier)
    with pytest.raises(ValueError, match="has the classes 'likely' and 'unlikely'"):
        PatternVotes(game, values)
    values.save(tmp_path / "v.tm", inference_only=True)
    with pytest.raises(ValueError, match="name that one, too"):
        load_player("tsetlin", game, moves=str(tmp_path / "v.tm"), search="mcts", rollouts=1)
    drawn_machine(game).save(tmp_path / "p.tm", inference_only=True)
    with pytest.raises(ValueError, match="scale is about a machine that judges boards"):
        load_player(
            "tsetlin", game, moves=str(tmp_path / "p.tm"), scale=3, search="mcts", rollouts=1
        )


@both_games
@pytest.mark.parametrize("negated", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_merged_clauses_vote_as_before(game, negated, seed):
    """On every row of bits in which what is implied is there."""
    draws = np.random.default_rng(seed)
    implied = move_features_of(game).implied
    n_bits = len(implied)
    clauses = draws.random((400, 2 * n_bits)) < 1.5 / n_bits
    clauses[:, n_bits:] &= negated
    weights = draws.integers(-50, 50, 400)
    rows = draws.random((500, n_bits)) < draws.choice([0.02, 0.1, 0.4], (500, 1))
    rows |= rows @ implied.astype(int) > 0
    shorter, votes = merged(clauses, weights, implied)
    assert np.array_equal(fires(rows, shorter) @ votes, fires(rows, clauses) @ weights)
    assert 0 < len(shorter) < len(clauses)
    assert len(np.unique(shorter, axis=0)) == len(shorter)
    assert votes.all()
    for clause in shorter:
        there, missing = np.flatnonzero(clause[:n_bits]), np.flatnonzero(clause[n_bits:])
        assert not implied[np.ix_(there, there)].any()
        assert not implied[np.ix_(missing, missing)].any()
        assert not implied[np.ix_(there, missing)].any()
        assert not set(there) & set(missing)
    again, same = merged(shorter, votes, implied)
    assert np.array_equal(again, shorter)
    assert np.array_equal(same, votes)


@both_games
def test_a_machine_says_nothing_twice(game):
    played = [play_self_game(game, load_player("random", game), seed) for seed in range(20)]
    data = move_training_set(game, played)
    settings = MachineSettings(move_clauses=20, move_epochs=1, moves_kept=300)
    machine = pattern_machine(data, game, settings)
    implied = move_features_of(game).implied
    names = move_features_of(game).names
    told = set()
    for label in CLASSES:
        for clause in machine.clauses_of(label, list(names)):
            needed = [names.index(name) for name in clause.required]
            assert not implied[np.ix_(needed, needed)].any()
            told.add((tuple(clause.required), tuple(clause.forbidden)))
    assert len(told) == int(machine.banks_.include.any(axis=2).sum())
