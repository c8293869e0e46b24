"""What is read off a machine, worked out by hand on machines that are made by hand."""

from __future__ import annotations

import doctest
import json
import re

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from clauseboard.tsetlin import (
    CastVote,
    Clause,
    RuleBook,
    Tally,
    ThermometerEncoder,
    TsetlinMachineClassifier,
    TsetlinMachineRegressor,
)
from clauseboard.tsetlin import clauses as module
from clauseboard.tsetlin.clauses import simplified


def set_clauses(machine, *banks):
    """Make the clauses of a fitted machine by hand, as (required, forbidden, weight) a clause.

    Required and forbidden are numbers of features; what is not given stays without literals.
    """
    n = machine.banks_.view.n_features
    machine.banks_.automata[:] = 0
    machine.banks_.weights[:] = 1
    for bank, clauses in enumerate(banks):
        for clause, (required, forbidden, weight) in enumerate(clauses):
            machine.banks_.weights[bank, clause] = weight
            for literal in [*required, *(n + k for k in forbidden)]:
                word, bit = divmod(literal, 64)
                machine.banks_.automata[bank, clause, -1, word] |= np.uint64(1 << bit)
    machine._table = None
    return machine


A, B, C = 0, 1, 2
LOSS = [
    ([B], [], 2),
    ([B], [], 2),  # against: takes the vote of the one before away
    ([], [A, B, C], 1),
    ([A, B, C], [], 6),
]
WIN = [
    ([A], [B], 3),
    ([C], [], 5),
    ([A], [B], 4),
    ([A], [B], 2),
    ([], [], 9),  # without literals it never votes
    ([A], [A], 9),  # and never with a bit and its negation
]


@pytest.fixture
def player():
    X = np.array([[0, 0, 1], [1, 0, 0]])
    machine = TsetlinMachineClassifier(n_clauses=6, epochs=1, random_state=0)
    machine.fit(X, ["win", "loss"], bit_names=["a", "b", "c"])
    return set_clauses(machine, LOSS, WIN)


@pytest.fixture
def judge():
    X = np.array([[0, 0, 1], [1, 0, 0]])
    machine = TsetlinMachineRegressor(n_clauses=4, threshold=10, epochs=1, random_state=0)
    machine.fit(X, [0.0, 5.0], bit_names=["a", "b", "c"])
    return set_clauses(machine, [([A], [], 3), ([B], [C], 4), ([A], [], 2), ([], [A], 1)])


def test_examples_in_the_docstrings():
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0


# ------------------------------------------------------------------ clauses


def test_clauses_of_a_class_by_hand(player):
    assert player.clauses_of("win") == [
        Clause("win", True, 3, ("a",), ("b",), index=0),
        Clause("win", False, 5, ("c",), (), index=1),
        Clause("win", True, 4, ("a",), ("b",), index=2),
        Clause("win", False, 2, ("a",), ("b",), index=3),
    ]
    assert [str(clause) for clause in player.clauses_of("loss")] == [
        "+2 loss: b",
        "-2 loss: b",
        "+1 loss: not a, not b, not c",
        "-6 loss: a, b, c",
    ]
    assert [clause.votes for clause in player.clauses_of("loss")] == [2, -2, 1, -6]


def test_other_names_for_once(player):
    names = ["king on 1", "man on 2", "man, on 3"]
    assert str(player.clauses_of("win", names)[1]) == "-5 win: man, on 3"
    assert str(player.clauses_of("win")[1]) == "-5 win: c"
    assert str(player.rules(names)[0]) == "-6 loss: king on 1, man on 2, man, on 3"
    assert player.explain([0, 0, 1], names).cast[0].clause.required == ("man, on 3",)


def test_classes_are_pythons_own_values():
    X = np.array([[0, 1], [1, 0]])
    for labels, kinds in (([3, 4], int), ([False, True], bool), (["x", "y"], str)):
        machine = TsetlinMachineClassifier(n_clauses=2, epochs=1).fit(X, labels)
        set_clauses(machine, [([0], [], 1)], [([1], [], 1)])
        assert type(machine.clauses_of(labels[0])[0].class_) is kinds
        tally = machine.explain(X[0])
        assert [type(class_) for class_ in tally.votes] == [kinds, kinds]
        assert tally.votes == {labels[0]: 0, labels[1]: 1}
        assert [vote.clause.class_ for vote in tally.of(labels[1])] == [labels[1]]


def test_literals_far_from_the_first_word():
    X = np.random.default_rng(0).integers(2, size=(4, 200))
    machine = TsetlinMachineClassifier(n_clauses=2, epochs=1).fit(X, [0, 1, 0, 1])
    set_clauses(machine, [([0, 63, 64, 199], [1, 127, 128, 198], 7)])
    (clause,) = machine.clauses_of(0)
    assert clause.required == ("x0", "x63", "x64", "x199")
    assert clause.forbidden == ("x1", "x127", "x128", "x198")
    board = np.zeros(200, int)
    board[[0, 63, 64, 199]] = 1
    assert machine.votes([board]).tolist() == [[7, 0]]
    for bit in (0, 1, 63, 64, 127, 128, 198, 199):
        board[bit] ^= 1
        assert machine.votes([board]).tolist() == [[0, 0]]
        board[bit] ^= 1


def test_a_regressor_has_one_list_of_clauses(judge):
    assert [str(clause) for clause in judge.clauses()] == [
        "+3: a",
        "+4: b, not c",
        "+2: a",
        "+1: not a",
    ]


def test_a_clause_in_words():
    assert str(Clause("x", True, 1, (), ())) == "+1 x: (always)"
    assert str(Clause(0, False, 1, (), ("b",))) == "-1 0: not b"
    assert str(Clause(None, True, 12, ("a",), ())) == "+12: a"
    assert Clause(None, True, 1, ("a",), ("b", "c")).literals == ("a", "not b", "not c")


# ------------------------------------------------------------------ rules


def test_equal_clauses_are_merged_and_the_strongest_come_first(player):
    rules = player.rules()
    assert list(rules) == [
        Clause("loss", False, 6, ("a", "b", "c"), (), index=3),
        Clause("win", True, 5, ("a",), ("b",), index=None),  # 3 + 4 - 2
        Clause("win", False, 5, ("c",), (), index=1),
        Clause("loss", True, 1, (), ("a", "b", "c"), index=2),
    ]
    assert len(rules) == 4
    assert rules[0] is rules.clauses[0]
    assert rules[-1].class_ == "loss"
    assert isinstance(rules[:2], RuleBook)
    assert str(rules[:2]) == "-6 loss: a, b, c\n+5 win: a, not b"


def test_rules_as_text_json_and_markdown(player):
    rules = player.rules()
    assert str(rules) == (
        "-6 loss: a, b, c\n+5 win: a, not b\n-5 win: c\n+1 loss: not a, not b, not c"
    )
    assert json.loads(rules.to_json()) == [
        {
            "class": "loss",
            "favours": False,
            "weight": 6,
            "required": ["a", "b", "c"],
            "forbidden": [],
            "index": 3,
        },
        {
            "class": "win",
            "favours": True,
            "weight": 5,
            "required": ["a"],
            "forbidden": ["b"],
            "index": None,
        },
        {
            "class": "win",
            "favours": False,
            "weight": 5,
            "required": ["c"],
            "forbidden": [],
            "index": 1,
        },
        {
            "class": "loss",
            "favours": True,
            "weight": 1,
            "required": [],
            "forbidden": ["a", "b", "c"],
            "index": 2,
        },
    ]
    assert rules.to_markdown() == (
        "| votes | class | needs | forbids |\n"
        "|---:|---|---|---|\n"
        "| -6 | loss | a, b, c |  |\n"
        "| +5 | win | a | b |\n"
        "| -5 | win | c |  |\n"
        "| +1 | loss |  | a, b, c |"
    )


def test_a_machine_without_rules(player):
    set_clauses(player)
    rules = player.rules()
    assert len(rules) == 0
    assert str(rules) == ""
    assert rules.to_json() == "[]"
    assert rules.to_markdown() == "| votes | class | needs | forbids |\n|---:|---|---|---|"
    assert player.clauses_of("win") == []
    assert player.explain([1, 1, 1]).cast == ()
    assert player.predict([[1, 1, 1]]).tolist() == ["loss"]  # no votes at all: the first class


def test_merged_rules_vote_like_the_clauses(player):
    for board in np.ndindex(2, 2, 2):
        fires = [
            rule
            for rule in player.rules()
            if all(board["abc".index(n)] for n in rule.required)
            and not any(board["abc".index(n)] for n in rule.forbidden)
        ]
        votes = [sum(r.votes for r in fires if r.class_ == c) for c in ("loss", "win")]
        assert player.votes([board]).tolist() == [votes]


def test_rules_of_a_regressor(judge):
    assert str(judge.rules()) == "+5: a\n+4: b, not c\n+1: not a"
    assert [rule["class"] for rule in json.loads(judge.rules().to_json())] == [None] * 3
    assert judge.rules().to_markdown().splitlines()[2] == "| +5 |  | a |  |"


@pytest.mark.parametrize("name", ["a|b", "|", "||", "x | y | z"])
def test_a_pipe_in_a_name_does_not_break_the_table(player, name):
    table = player.rules([name, "b", "c"]).to_markdown()
    for line in table.splitlines():
        assert len(re.findall(r"(?<!\\)\|", line)) == 5
    assert name.replace("|", "\\|") in table
    assert name in str(player.rules([name, "b", "c"]))


def test_a_pipe_in_a_class_does_not_break_the_table():
    machine = TsetlinMachineClassifier(n_clauses=2, epochs=1).fit([[0], [1]], ["a|b", "c"])
    set_clauses(machine, [([0], [], 3)])
    assert machine.rules().to_markdown().splitlines()[2:] == ["| +3 | a\\|b | x0 |  |"]


def test_a_line_break_in_a_name_does_not_break_the_table(player):
    assert len(player.rules(["a\nb", "b", "c"]).to_markdown().splitlines()) == 6


# ------------------------------------------------------------------ explanations


def test_an_explanation_by_hand(player):
    tally = player.explain([1, 0, 1])
    assert tally.votes == {"loss": 0, "win": 0}
    assert [vote.clause.votes for vote in tally.cast] == [-5, 4, 3, -2]
    assert tally.of("loss") == ()
    assert str(tally) == (
        "+0 votes for loss\n"
        "+0 votes for win\n"
        "  -5 win: c\n"
        "  +4 win: a, not b\n"
        "  +3 win: a, not b\n"
        "  -2 win: a, not b"
    )
    assert tally.to_markdown() == (
        "- **loss**: +0\n"
        "- **win**: +0\n"
        "\n"
        "| votes | class | needs | forbids |\n"
        "|---:|---|---|---|\n"
        "| -5 | win | c |  |\n"
        "| +4 | win | a | b |\n"
        "| +3 | win | a | b |\n"
        "| -2 | win | a | b |"
    )
    assert json.loads(player.explain([0, 0, 0]).to_json()) == {
        "votes": [{"class": "loss", "votes": 1}, {"class": "win", "votes": 0}],
        "cast": [
            {
                "class": "loss",
                "favours": True,
                "weight": 1,
                "required": [],
                "forbidden": ["a", "b", "c"],
                "index": 2,
                "patches": [],
            }
        ],
    }


@pytest.mark.parametrize(
    ("board", "loss", "win"),
    [
        ([0, 0, 0], 1, 0),
        ([1, 0, 0], 0, 5),
        ([0, 1, 0], 0, 0),
        ([0, 0, 1], 0, -5),
        ([1, 1, 0], 0, 0),
        ([1, 0, 1], 0, 0),
        ([0, 1, 1], 0, -5),
        ([1, 1, 1], -6, -5),
    ],
)
def test_votes_by_hand(player, board, loss, win):
    assert player.votes([board]).tolist() == [[loss, win]]
    assert player.explain(board).votes == {"loss": loss, "win": win}
    assert player.predict([board]).tolist() == ["win" if win > loss else "loss"]


def test_one_board_in_any_form(player):
    expected = player.explain([1, 0, 0])
    for board in (
        np.array([1, 0, 0]),
        np.array([[True, False, False]]),
        (1.0, 0.0, 0.0),
        [[1, 0, 0]],
    ):
        assert player.explain(board) == expected


def test_a_regressors_explanation_by_hand(judge):
    tally = judge.explain([1, 1, 0])
    assert tally == Tally(
        {None: 9},
        (
            CastVote(Clause(None, True, 4, ("b",), ("c",), index=1)),
            CastVote(Clause(None, True, 3, ("a",), (), index=0)),
            CastVote(Clause(None, True, 2, ("a",), (), index=2)),
        ),
    )
    assert tally.of(None) == tally.cast
    assert str(tally) == "+9 votes\n  +4: b, not c\n  +3: a\n  +2: a"
    assert tally.to_markdown().splitlines()[0] == "- **value**: +9"
    assert json.loads(tally.to_json())["votes"] == [{"class": None, "votes": 9}]
    assert judge.votes([[1, 1, 0]]).tolist() == [9]
    assert judge.predict([[1, 1, 0], [0, 0, 0]]).tolist() == [4.5, 0.5]  # 9 and 1 of 10 votes


def random_clauses(rng, n_clauses, n_features, most):
    """Clauses with few literals, some of them equal, empty or contradicting themselves."""
    made = []
    for _ in range(n_clauses):
        chosen = rng.choice(n_features, rng.integers(0, most + 1), replace=False).tolist()
        cut = rng.integers(0, len(chosen) + 1)
        made.append((chosen[:cut], chosen[cut:], int(rng.integers(1, 50))))
    made[5] = made[3]
    made[6] = ([1], [1], 40)
    return made


def test_explanations_add_up_to_the_votes_exactly():
    rng = np.random.default_rng(1)
    X = rng.integers(2, size=(400, 10))
    machine = TsetlinMachineClassifier(n_clauses=61, epochs=1).fit(X, np.arange(400) % 3)
    banks = [random_clauses(rng, 61, 10, 4) for _ in range(3)]
    set_clauses(machine, *banks)
    for x, votes in zip(X, machine.votes(X).tolist(), strict=True):
        tally = machine.explain(x)
        assert list(tally.votes.values()) == votes
        assert [sum(v.clause.votes for v in tally.of(c)) for c in range(3)] == votes
        by_hand = [
            {
                k
                for k, (required, forbidden, _) in enumerate(bank)
                if x[required].all() and not x[forbidden].any() and required + forbidden
            }
            for bank in banks
        ]
        assert [{v.clause.index for v in tally.of(c)} for c in range(3)] == by_hand
        weights = [vote.clause.weight for vote in tally.cast]
        assert weights == sorted(weights, reverse=True)


# ------------------------------------------------------------------ windows

SHAPE = (4, 3, 2)  # rows, columns, planes
PATCHES = [(row, column) for row in range(3) for column in range(2)]


def holds(literal, board, row, column):
    """Is a literal, by its name, true of the 2 × 2 patch at this row and column?"""
    if literal.startswith("not "):
        return not holds(literal.removeprefix("not "), board, row, column)
    if found := re.fullmatch(r"patch (row|column) > (\d+)", literal):
        return {"row": row, "column": column}[found[1]] > int(found[2])
    r, c, plane = map(int, re.fullmatch(r"cell \((\d), (\d)\) plane (\d)", literal).groups())
    return bool(board[row + r, column + c, plane])


@pytest.fixture
def scanner():
    X = np.random.default_rng(2).integers(2, size=(300, 24))
    machine = TsetlinMachineClassifier(
        n_clauses=41, epochs=1, board_shape=SHAPE, window=(2, 2), random_state=0
    )
    return machine.fit(X, np.arange(300) % 2), X


def test_names_of_what_a_window_sees(scanner):
    machine, _ = scanner
    # Features: two bits for the row, one for the column, then the window's cells.
    set_clauses(machine, [([0, 2, 3], [1, 10], 3), ([6], [], 4)])
    assert [str(clause) for clause in machine.clauses_of(0)] == [
        "+3 0: patch row > 0, patch column > 0, cell (0, 0) plane 0, "
        "not patch row > 1, not cell (1, 1) plane 1",
        "-4 0: cell (0, 1) plane 1",
    ]


def test_patches_by_hand(scanner):
    machine, _ = scanner
    set_clauses(machine, [([6], [], 4), ([0, 6], [], 1), ([], [0, 6], 2)])
    board = np.zeros(SHAPE, int)
    board[1, 1, 1] = board[2, 2, 1] = 1  # seen at (0, 1) of the patches (1, 0) and (2, 1)
    tally = machine.explain(board.ravel())
    assert tally.votes == {0: 5, 1: 0}
    assert [(vote.clause.index, vote.patches) for vote in tally.cast] == [
        (0, ((1, 0), (2, 1))),
        (2, ((0, 0), (0, 1))),
        (1, ((1, 0), (2, 1))),
    ]
    assert str(tally.cast[0]) == "+4 0: cell (0, 1) plane 1  at (1, 0), (2, 1)"
    assert json.loads(tally.to_json())["cast"][0]["patches"] == [[1, 0], [2, 1]]


def test_explanations_add_up_and_name_the_patches(scanner):
    machine, X = scanner
    rng = np.random.default_rng(3)
    set_clauses(machine, *(random_clauses(rng, 41, 11, 4) for _ in range(2)))
    readable = {c: {clause.index: clause for clause in machine.clauses_of(c)} for c in (0, 1)}
    for x, votes in zip(X, machine.votes(X).tolist(), strict=True):
        tally = machine.explain(x)
        assert list(tally.votes.values()) == votes
        board = x.reshape(SHAPE)
        for class_ in (0, 1):
            fired = {vote.clause.index: vote.patches for vote in tally.of(class_)}
            by_hand = {
                index: tuple(
                    p for p in PATCHES if all(holds(n, board, *p) for n in clause.literals)
                )
                for index, clause in readable[class_].items()
            }
            assert fired == {index: patches for index, patches in by_hand.items() if patches}
            assert sum(readable[class_][index].votes for index in fired) == votes[class_]


def test_a_trained_machine_with_a_window_explains_itself():
    rng = np.random.default_rng(4)
    X = rng.integers(2, size=(300, 24))
    y = X[:, 0] | X[:, 5]
    machine = TsetlinMachineClassifier(
        n_clauses=60, epochs=4, board_shape=SHAPE, window=(2, 3), specificity=4.0, random_state=0
    ).fit(X, y)
    for x, votes in zip(X, machine.votes(X).tolist(), strict=True):
        tally = machine.explain(x)
        assert list(tally.votes.values()) == votes
        assert [sum(vote.clause.votes for vote in tally.of(c)) for c in (0, 1)] == votes
        assert all(vote.patches for vote in tally.cast)


# ---- fewer words


def clause_of(required=(), forbidden=(), votes=5):
    return Clause("win", votes > 0, abs(votes), tuple(required), tuple(forbidden))


@pytest.mark.parametrize(
    ("required", "forbidden", "left"),
    [
        (["a > 1", "a > 3", "a > 2.5"], [], ["a > 3"]),
        ([], ["a > 1", "a > 3"], ["not a > 1"]),
        (["a > 1"], ["a > 3"], ["a > 1", "not a > 3"]),
        (["a > -2e-05", "a > 1e3"], [], ["a > 1e3"]),
        (["kings >= 1", "kings >= 2", "men >= 1"], [], ["kings >= 2", "men >= 1"]),
        (["a > 2", "a >= 2"], [], ["a > 2"]),
        (["a > b", "a > 1.2.3"], [], ["a > b", "a > 1.2.3"]),
        (["a is 1 ahead"], ["a is 2 ahead"], ["a is 1 ahead", "not a is 2 ahead"]),
        (["a > 3"], ["a > 1"], None),
        (["a > 3"], ["a > 3"], None),
    ],
)
def test_literals_that_others_imply_are_left_out(required, forbidden, left):
    short = simplified(clause_of(required, forbidden))
    assert (None if short is None else list(short.literals)) == left


def cancer_machine():
    rows, y = load_breast_cancer(return_X_y=True)
    encoder = ThermometerEncoder(6).fit(rows)
    X = encoder.transform(rows)
    # With so high a specificity clauses are long, and say much twice.
    machine = TsetlinMachineClassifier(60, 120, 9.0, epochs=4, block_size=64, random_state=1)
    return machine.fit(X, y, bit_names=encoder.get_feature_names_out()), X, y


def test_rules_say_the_same_in_fewer_words():
    machine, X, _ = cancer_machine()
    rules = machine.rules()
    long = [clause for class_ in machine.classes_ for clause in machine.clauses_of(class_)]
    words = [np.mean([len(clause.literals) for clause in book]) for book in (long, rules)]
    assert words[1] < 0.9 * words[0]
    assert len({(rule.class_, rule.literals) for rule in rules}) == len(rules)
    places = {name: k for k, name in enumerate(machine.bit_names_)}
    votes = np.zeros((len(X), 2), np.int64)
    for rule in rules:
        fired = X[:, [places[name] for name in rule.required]].all(axis=1)
        fired &= ~X[:, [places[name] for name in rule.forbidden]].any(axis=1)
        votes[:, rule.class_] += rule.votes * fired
    assert (votes == machine.votes(X)).all()


def test_rules_tell_how_often_they_fire_and_are_right():
    machine, X, y = cancer_machine()
    rules = machine.rules(X=X, y=y)
    cast = [rule.weight * rule.coverage for rule in rules]
    assert cast == sorted(cast, reverse=True)
    places = {name: k for k, name in enumerate(machine.bit_names_)}
    for rule in list(rules)[:20]:
        fired = X[:, [places[name] for name in rule.required]].all(axis=1)
        fired &= ~X[:, [places[name] for name in rule.forbidden]].any(axis=1)
        assert rule.coverage == pytest.approx(fired.mean())
        of_class = (y[fired] == rule.class_).mean()
        assert rule.precision == pytest.approx(of_class if rule.favours else 1 - of_class)
    assert "fires on" in str(rules[0])
    assert "| coverage | precision |" in rules.to_markdown()
    assert "coverage" in rules.to_json()
    assert "coverage" not in machine.rules().to_json()
    assert machine.rules(X=X)[0].precision is None
    with pytest.raises(ValueError, match="y needs the samples"):
        machine.rules(y=y)
    with pytest.raises(ValueError, match="y has shape"):
        machine.rules(X=X, y=y[:5])
