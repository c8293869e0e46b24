"""What the tests of Monte-Carlo tree search share: made-up judges, positions, steps one by one."""

import numpy as np

from clauseboard.evaluation import BitEvaluator, Compiled, Judgements, linear
from clauseboard.game import load_game
from clauseboard.games.concepts import concept_bits
from clauseboard.games.hex import concepts
from clauseboard.kernels.clause_table import TILE_WORDS, count_votes, fill_table
from clauseboard.kernels.compiler import JIT_DISABLED
from clauseboard.kernels.evaluators import N_PLANES, TABLE, values_of
from clauseboard.learners.tsetlin.concept_evaluator import ConceptEvaluator
from clauseboard.search.compiled_rules import compiled_rules_of
from clauseboard.search.mcts_trees import start_of
from clauseboard.selfplay.fit_weights import win_loss_machine

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
        rules = compiled_rules_of(game)
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
            rules = compiled_rules_of(self.game)
            codes = [rules.code_of(position, move) for move in position.moves()]
            shares = np.exp((votes[codes] - votes[codes].max()) / guide.scale)
            found.append(shares / shares.sum())
        return found

    def compiled_priors(self):
        return tuple(self.guides) if self.compiles else None


def concept_judge(game):
    """Judges by who needs fewer moves, at first and by the second-best ways."""
    votes = {"they lead: needs >= 1": 60, "they lead: needs >= 2": 60,
             "they lead: second way >= 1": 40, "they lead: second way >= 2": 40}  # fmt: skip
    names = [bit.name for bit in concept_bits(concepts.CONCEPTS)]
    clauses = np.zeros((len(votes), 2 * len(names)), np.uint8)
    for row, name in enumerate(votes):
        clauses[row, names.index(name)] = 1
    machine = win_loss_machine(clauses, np.array(list(votes.values())), names, 4.0)
    return ConceptEvaluator(game, machine)


def one_by_one(search, position, evaluator, seed, steps=FEW):
    """The visits of the root's moves after each simulation, and the positions walked through."""
    tree = search._planted(position, search._judge(evaluator, position.game))
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
