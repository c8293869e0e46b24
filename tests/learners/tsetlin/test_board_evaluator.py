"""Machines as judges: votes against a slow count by names, values against compiled tables."""

import collections

import numpy as np
import pytest

from clauseboard.evaluation import Compiled, sides_of
from clauseboard.game import load_game
from clauseboard.games.hex.encoding import as_layers
from clauseboard.kernels.compiler import JIT_DISABLED
from clauseboard.kernels.evaluators import values_of
from clauseboard.learners.tsetlin import make_evaluator
from clauseboard.learners.tsetlin.board_evaluator import MachineEvaluator
from clauseboard.tsetlin import TsetlinMachineClassifier, TsetlinMachineRegressor
from naive.machines import names_on, played, slow_votes, small_game, small_machine, small_regressor

GAMES = ("checkers", "go", "hex")
FEW = 5 if JIT_DISABLED else 60
MANY = 40 if JIT_DISABLED else 3000

all_games = pytest.mark.parametrize("name", GAMES)
views = pytest.mark.parametrize("view", ["board", "mover"])


def positions_of(game, n):
    found = [position for position, _ in played(game)]
    return found[:: max(1, len(found) // n)][:n]


def by_kernel(judge, positions):
    rows = np.packbits(judge.game.encode(positions, view=judge.view), axis=1, bitorder="little")
    return values_of(judge.compiled(), rows, sides_of(judge.game, positions))


@all_games
@views
def test_votes_are_those_of_the_clauses_read_one_by_one(name, view):
    game = small_game(name)
    machine = small_machine(game, view)
    judge = MachineEvaluator(game, machine, view=view)
    positions = positions_of(game, FEW)
    judgements = judge.judge(positions)
    first, second = game.colours
    assert judgements.winners[:2] == game.colours
    for row, position in enumerate(positions):
        names = names_on(game, position, view)
        turned = view == "mover" and position.to_move == second
        seen = {first: second, second: first} if turned else {first: first, second: second}
        for column, winner in enumerate(judgements.winners):
            class_ = "draw" if winner is None else seen[winner]
            assert judgements.votes[row, column] == slow_votes(machine, class_, names)
        lead = judgements.margins(position.to_move)[row]
        # Each class strives for 50 votes, so that a lead of 100 is worth 1.
        assert judgements.values[row] == min(max(lead / 100, -1), 1)


@all_games
@views
@pytest.mark.parametrize("scale", [None, 7.0, 100_000])
def test_compiled_values_are_the_same_to_the_last_bit(name, view, scale):
    game = small_game(name)
    judge = MachineEvaluator(game, small_machine(game, view), view=view, scale=scale)
    positions = positions_of(game, MANY)
    values = judge.judge(positions).values
    assert np.array_equal(by_kernel(judge, positions), values)
    assert len(set(values)) > (1 if JIT_DISABLED else 10)
    assert judge.compiled()[0].kind == Compiled.CLAUSES
    assert judge.compiled()[0] is judge.compiled()[1]


@all_games
def test_two_machines_judge_by_the_side_to_move(name):
    game = small_game(name)
    second = game.colours[1]
    machines = small_machine(game, seed=1), small_machine(game, seed=2)
    judge = MachineEvaluator(game, machines)
    alone = [MachineEvaluator(game, machine) for machine in machines]
    positions = positions_of(game, MANY)
    judgements = judge.judge(positions)
    for side, colour in enumerate(game.colours):
        rows = np.array([position.to_move == colour for position in positions])
        expected = alone[side].judge([p for p in positions if p.to_move == colour])
        assert np.array_equal(judgements.values[rows], expected.values)
        assert np.array_equal(judgements.votes[rows], expected.votes)
    assert np.array_equal(by_kernel(judge, positions), judgements.values)
    assert str(judge) == "two Tsetlin Machines"
    position = next(p for p in positions if p.to_move == second)
    assert judge.explain(position).reasons == alone[1].explain(position).reasons


@all_games
@views
def test_an_explanation_adds_up_to_the_votes(name, view):
    game = small_game(name)
    judge = MachineEvaluator(game, small_machine(game, view), view=view)
    bits = set(game.bits())
    some = 0
    for position in positions_of(game, FEW):
        judgements = judge.judge([position])
        explained = judge.explain(position)
        sums = collections.Counter()
        here = names_on(game, position)
        for reason in explained.reasons:
            sums[reason.about] += reason.votes
            # Told of the board as it is, whatever the machine saw.
            assert {bit.name for bit in reason.needed} <= here
            assert not {bit.name for bit in reason.forbidden} & here
            assert {*reason.needed, *reason.forbidden} <= bits
            assert all(bit.name in reason.text for bit in reason.needed)
        votes = dict(zip(judgements.winners, judgements.votes[0].tolist(), strict=True))
        assert explained.votes == votes
        assert {winner: sums[winner] for winner in votes} == votes
        assert explained.value == judgements.values[0]
        assert (explained.position, explained.line) == (position, ())
        some += len(explained.reasons)
    assert some > 0


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        ({"first": 1, "second": 0, "draw": 2}, None),
        ({"first": 1, "second": -1, "draw": 0}, None),
        ({"first": 1.0, "second": 0.0, "draw": 2.0}, None),
        ({"first": "win", "second": "loss", "draw": "draw"}, None),
        ({"first": 7, "second": 3, "draw": 5}, {7: "win", 3: "white", 5: None}),
        ({"first": "b", "second": "w", "draw": "-"}, {"b": "black", "w": "loss", "-": "draw"}),
    ],
)
def test_labels_of_other_kinds_mean_the_same(labels, classes):
    game = load_game("go", size=4, max_moves=24, komi=0.0)
    positions = positions_of(game, FEW)
    judge = MachineEvaluator(game, small_machine(game, **labels), classes=classes)
    judgements = judge.judge(positions)
    assert judgements.winners == ("black", "white", None)
    machine = judge.judges[0].machine
    for column, word in enumerate(("first", "second", "draw")):
        column_of = machine.classes_.tolist().index(labels[word])
        assert np.array_equal(
            judgements.votes[:, column], machine.votes(game.encode(positions))[:, column_of]
        )


@pytest.mark.parametrize("labels", [{"first": 1, "second": 0}, {"first": 1, "second": -1}])
def test_two_classes_are_loss_and_win(labels):
    game = small_game("hex")
    judge = MachineEvaluator(game, small_machine(game, **labels))
    plain = judge.judges[0].machine.votes(game.encode(positions_of(game, 5)))
    assert judge.winners == ("red", "blue")
    assert np.array_equal(judge.judge(positions_of(game, 5)).votes, plain[:, ::-1])


def test_classes_that_mean_the_same_are_added_up():
    game = small_game("hex")
    boards = [p for p, _ in played(game)]
    labels = [f"{w}{p.to_move}" for p, w in played(game)]
    machine = TsetlinMachineClassifier(n_clauses=20, epochs=2, random_state=0)
    machine.fit(game.encode(boards), labels)
    classes = {label: "win" if label.startswith("red") else "loss" for label in set(labels)}
    judge = MachineEvaluator(game, machine, classes=classes)
    votes, own = judge.judge(boards[:9]).votes, machine.votes(game.encode(boards[:9]))
    reds = [k for k, label in enumerate(machine.classes_) if label.startswith("red")]
    assert len(reds) == 2
    assert np.array_equal(votes[:, 0], own[:, reds].sum(axis=1))
    assert np.array_equal(by_kernel(judge, boards[:MANY]), judge.judge(boards[:MANY]).values)


@views
def test_inverted_swaps_wins_and_losses(view):
    game = small_game("hex")
    plain = MachineEvaluator(game, small_machine(game, view), view=view)
    turned = MachineEvaluator(game, small_machine(game, view), view=view, inverted=True)
    positions = positions_of(game, FEW)
    one, two = plain.judge(positions), turned.judge(positions)
    assert np.array_equal(one.values, -two.values)
    assert np.array_equal(one.votes, two.votes[:, ::-1])
    assert np.array_equal(by_kernel(turned, positions), two.values)
    explained = turned.explain(positions[3]).votes
    assert explained == {"red": two.votes[3, 0], "blue": two.votes[3, 1]}


def test_a_machine_trained_with_inverted_results_is_put_right():
    """Player 2 of the checkers thesis: the same boards, a win of white called a win."""
    game = load_game("go", size=4, max_moves=24, komi=0.0)
    ours = MachineEvaluator(game, small_machine(game, first=1, second=0, draw=2))
    machine = small_machine(game, first=0, second=1, draw=2)
    theirs = MachineEvaluator(game, machine, inverted=True)
    wins_of_white = MachineEvaluator(game, machine, wins_of="white")
    positions = positions_of(game, FEW)
    assert np.array_equal(theirs.judge(positions).votes, wins_of_white.judge(positions).votes)
    # Both have learned who wins: they agree far more often than not.
    agree = ours.judge(positions).predicted() == theirs.judge(positions).predicted()
    assert agree.mean() > 0.6


def test_votes_set_to_zero():
    game = small_game("hex")
    judge = MachineEvaluator(game, small_machine(game), zero=True)
    positions = positions_of(game, 4)
    judgements = judge.judge(positions)
    assert not judgements.values.any()
    assert not judgements.votes.any()
    assert judgements.winners == ("red", "blue")
    assert not judge.compiled()[0].weights.any()
    assert judge.explain(positions[0]).reasons == ()
    assert not by_kernel(judge, positions).any()


@pytest.mark.parametrize("ends", [(-1.0, 1.0), (0.0, 1.0), (-0.5, 0.25)])
@pytest.mark.parametrize("settings", [{}, {"inverted": True}, {"wins_of": "blue"}])
def test_a_regressor_gives_its_value(ends, settings):
    game = small_game("hex")
    machine = small_regressor(game, *ends)
    judge = MachineEvaluator(game, machine, **settings)
    positions = positions_of(game, FEW)
    judgements = judge.judge(positions)
    assert judgements.votes is None
    within = machine.votes(game.encode(positions)) <= machine._threshold()
    signs = np.array([1 if p.to_move == "red" else -1 for p in positions])
    expected = signs * machine.predict(game.encode(positions)) * (-1 if settings else 1)
    assert np.allclose(judgements.values[within], expected[within])
    assert within.any()
    assert np.array_equal(by_kernel(judge, positions), judgements.values)
    explained = judge.explain(positions[3])
    about = "blue" if settings else "red"
    assert explained.votes == {about: sum(reason.votes for reason in explained.reasons)}


def test_a_machine_that_learns_on_is_compiled_again():
    game = small_game("hex")
    boards = [p for p, _ in played(game)]
    machine = TsetlinMachineClassifier(n_clauses=10, epochs=1, random_state=0)
    machine.fit(game.encode(boards), [w for _, w in played(game)])
    judge = MachineEvaluator(game, machine)
    before = judge.compiled()
    assert judge.compiled() is before
    machine.partial_fit(game.encode(boards), [w for _, w in played(game)])
    assert judge.compiled() is not before
    assert np.array_equal(by_kernel(judge, boards[:50]), judge.judge(boards[:50]).values)


def test_a_window_sees_boards_by_the_names_of_its_bits():
    game = small_game("hex")
    boards = [p for p, _ in played(game)]
    order = as_layers(game, np.arange(32)[None]).reshape(-1)
    names = [game.bits()[k].name for k in order]
    rows = game.encode(boards)[:, order]
    machine = TsetlinMachineClassifier(
        n_clauses=20, epochs=1, random_state=0, board_shape=(4, 4, 2), window=(3, 3)
    ).fit(rows, [w for _, w in played(game)], bit_names=names)
    judge = MachineEvaluator(game, machine)
    blue, red = machine.votes(rows[:30]).T
    votes = judge.judge(boards[:30]).votes
    assert np.array_equal(votes, np.stack([red, blue], axis=1))
    assert judge.compiled() is None
    explained = judge.explain(boards[20])
    sums = collections.Counter()
    for reason in explained.reasons:
        sums[reason.about] += reason.votes
    assert explained.votes == {"red": votes[20, 0], "blue": votes[20, 1]}
    assert explained.votes == {"red": sums["red"], "blue": sums["blue"]}
    unnamed = TsetlinMachineClassifier(
        n_clauses=4, epochs=1, random_state=0, board_shape=(4, 4, 2), window=(3, 3)
    ).fit(rows, [w for _, w in played(game)])
    with pytest.raises(ValueError, match="how its bits lie"):
        MachineEvaluator(game, unnamed)


def test_bits_in_another_order_are_put_in_order():
    game = small_game("hex")
    boards = [p for p, _ in played(game)]
    names = [bit.name for bit in game.bits()][::-1]
    machine = TsetlinMachineClassifier(n_clauses=20, epochs=1, random_state=0)
    machine.fit(game.encode(boards)[:, ::-1], [w for _, w in played(game)], bit_names=names)
    judge = MachineEvaluator(game, machine)
    own = machine.votes(game.encode(boards[:20])[:, ::-1])
    assert np.array_equal(judge.judge(boards[:20]).votes, own[:, ::-1])
    assert judge.compiled() is None
    reason = judge.explain(boards[9]).reasons[0]
    assert {bit.name for bit in reason.needed} <= names_on(game, boards[9])


def test_a_file_is_as_good_as_the_machine(tmp_path):
    game = small_game("hex")
    small_machine(game).save(tmp_path / "m.tm", inference_only=True)
    small_regressor(game).save(tmp_path / "r.tm")
    positions = positions_of(game, 10)
    for source, machine in (("m.tm", small_machine(game)), ("r.tm", small_regressor(game))):
        read = MachineEvaluator(game, str(tmp_path / source)).judge(positions)
        assert np.array_equal(read.values, MachineEvaluator(game, machine).judge(positions).values)


def one_sided():
    game = small_game("hex")
    rows = game.encode([p for p, _ in played(game)][:20])
    return TsetlinMachineClassifier(n_clauses=4, epochs=1).fit(rows, ["red"] * 10 + ["draw"] * 10)


def of_classes(*classes):
    game = small_game("hex")
    rows = game.encode([p for p, _ in played(game)][:30])
    labels = [classes[k % len(classes)] for k in range(30)]
    return TsetlinMachineClassifier(n_clauses=4, epochs=1, random_state=0).fit(rows, labels)


def misnamed():
    game = small_game("hex")
    rows = game.encode([p for p, _ in played(game)][:20])
    names = [f"bit {k}" for k in range(32)]
    labels = ["red", "blue"] * 10
    return TsetlinMachineClassifier(n_clauses=4, epochs=1).fit(rows, labels, bit_names=names)


@pytest.mark.parametrize(
    ("machine", "settings", "told"),
    [
        (lambda: small_machine(small_game("go")), {}, "'black stone at A4', which hex has not"),
        (lambda: small_machine(load_game("hex", size=3)), {}, "boards of 18 bits"),
        (misnamed, {}, "'bit 0', which hex has not"),
        (TsetlinMachineClassifier, {}, "learned nothing yet"),
        (lambda: "nowhere.tm", {}, "There is no file 'nowhere.tm'"),
        (lambda: 5, {}, "not 5"),
        (one_sided, {}, "one for a win and one for a loss"),
        (lambda: of_classes(3, 4), {}, "not known what the classes"),
        (lambda: of_classes("a", "b"), {}, "not known what the classes"),
        (lambda: of_classes(3, 4), {"classes": {3: "win"}}, "does not say what 4 means"),
        (lambda: of_classes(3, 4), {"classes": {3: "win", 4: "oops"}}, "cannot mean 'oops'"),
        (None, {"view": "sky"}, "'board', 'mover'"),
        (None, {"scale": 0}, "scale=0"),
        (None, {"scale": True}, "scale=True"),
        (None, {"scale": "big"}, "scale='big'"),
        (None, {"inverted": 1}, "inverted=1 must be True or False"),
        (None, {"zero": "no"}, "zero='no' must be True or False"),
        (None, {"wins_of": "green"}, "'red', 'blue'"),
        (None, {"wins_of": ("red", "blue")}, "One machine or two"),
        (None, {"wins_of": "red", "view": "mover"}, "view='board'"),
        (lambda: small_regressor(small_game("hex")), {"scale": 3}, "no `scale`"),
        (lambda: small_regressor(small_game("hex"), 0, 5), {}, "from 0 to 5"),
        (lambda: (small_machine(small_game("hex")), of_classes(0, 1, 2)), {}, "differ"),
        (lambda: (1, 2, 3), {}, "One machine or two"),
    ],
)
def test_what_is_refused(machine, settings, told):
    game = small_game("hex")
    with pytest.raises(ValueError, match=told):
        MachineEvaluator(game, small_machine(game) if machine is None else machine(), **settings)


def test_a_regressor_of_one_value_is_refused():
    game = small_game("hex")
    rows = game.encode([p for p, _ in played(game)][:20])
    machine = TsetlinMachineRegressor(n_clauses=4, epochs=1).fit(rows, [0.5] * 20)
    with pytest.raises(ValueError, match=r"from 0\.5 to 0\.5"):
        MachineEvaluator(game, machine)


# ---- options of a player


def test_the_machine_of_a_colour_judges_after_its_own_moves():
    """As in the Hex thesis: red's machine judges where blue is to move, and the other way round."""
    game = small_game("hex")
    red, blue = (
        small_machine(game, seed=1, first=1, second=0),
        small_machine(game, seed=2, first=0, second=1),
    )
    judge = make_evaluator(game, red=red, blue=blue)
    positions = positions_of(game, FEW)
    judgements = judge.judge(positions)
    for row, position in enumerate(positions):
        bits = game.encode([position])
        loss, win = (red if position.to_move == "blue" else blue).votes(bits)[0]
        mine, theirs = judgements.votes[row][:: 1 if position.to_move == "blue" else -1]
        assert (mine, theirs) == (win, loss)
        # A lead for whoever has just moved is bad for the side to move.
        assert np.sign(judgements.values[row]) == -np.sign(win - loss)


def test_the_machine_of_a_colour_judges_for_its_player():
    """As in the checkers thesis: red's machine for all that red thinks of."""
    game = small_game("hex")
    red, blue = (
        small_machine(game, seed=1, first=1, second=0),
        small_machine(game, seed=2, first=0, second=1),
    )
    judges = make_evaluator(game, red=red, blue=blue, by="player")
    positions = positions_of(game, FEW)
    bits = game.encode(positions)
    assert np.array_equal(judges["red"].judge(positions).votes, red.votes(bits)[:, ::-1])
    assert np.array_equal(judges["blue"].judge(positions).votes, blue.votes(bits))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, "red=FILE and blue=FILE"),
        ({"red": "a.tm"}, "one for each colour"),
        ({"machine": "a.tm", "red": "a.tm"}, "one for each colour"),
        ({"machine": "a.tm", "by": "chance"}, "'last', 'player'"),
    ],
)
def test_which_machine_has_to_be_told(options, told):
    with pytest.raises(ValueError, match=told):
        make_evaluator(small_game("hex"), **options)


def test_a_clause_with_a_window_is_told_of_a_place_where_it_fires():
    """The bits of a reason are the board's own, there or not there as the clause wants them."""
    game = small_game("hex")
    boards = [p for p, _ in played(game)]
    order = as_layers(game, np.arange(32)[None]).reshape(-1)
    names = [game.bits()[k].name for k in order]
    machine = TsetlinMachineClassifier(
        n_clauses=20, epochs=3, random_state=0, board_shape=(4, 4, 2), window=(3, 2)
    ).fit(game.encode(boards)[:, order], [w for _, w in played(game)], bit_names=names)
    judge = MachineEvaluator(game, machine)
    told = 0
    for position in boards[::7]:
        there = {
            bit.name for bit, x in zip(game.bits(), game.encode([position])[0], strict=True) if x
        }
        for reason in judge.explain(position).reasons:
            assert all(bit.name in there for bit in reason.needed)
            assert not any(bit.name in there for bit in reason.forbidden)
            assert None not in reason.cells or not (reason.needed or reason.forbidden)
            rows = {int(cell[1:]) for cell in reason.cells if cell}
            columns = {ord(cell[0]) for cell in reason.cells if cell}
            assert not rows or max(rows) - min(rows) < 3
            assert not columns or max(columns) - min(columns) < 2
            assert reason.note.startswith("seen through its window")
            told += bool(rows)
    assert told > 100
