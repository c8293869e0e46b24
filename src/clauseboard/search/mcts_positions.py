"""A tree of Monte-Carlo search that is walked position by position, in Python.

It serves evaluators that are Python, and games without a `compiled_rules` module. It draws the same
random numbers as the tree in arrays and comes to the same visits, but where a random game hangs on
how a state came about, as in Go. It knows no endgame tables, and leaves repetitions to the rules.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from clauseboard.kernels.compiler import specialised
from clauseboard.search.compiled_rules import DRAW, compiled_rules_of
from clauseboard.search.mcts_trees import (
    EXPECTED,
    EXPECTED_SHARE,
    NOISE_WITHOUT_PRIORS,
    Child,
    LeafEvaluator,
    check_games,
    noise_of,
    word,
    word_after,
)


@dataclass(eq=False, slots=True)
class Node:
    """A node of a tree of positions; its value and proof are for the side that moved to it."""

    move: Any
    prior: float = 0.0
    visits: int = 0
    total: float = 0.0
    children: list[Node] = field(default_factory=list)
    tried: int = 0
    proof: int | None = None

    @property
    def value(self) -> float:
        """The proof, or else the mean."""
        if self.proof is not None:
            return float(self.proof)
        return self.total / self.visits if self.visits else 0.0


class PositionTree:
    """A tree that is walked position by position, in Python."""

    MOST_DEPTH: ClassVar[int] = 1000

    def __init__(self, position: Any, judge: LeafEvaluator, most_nodes: int) -> None:
        check_games(judge, None, has_priors=False)
        self.judge, self._most_nodes = judge, most_nodes
        self._uses_priors = judge.has_priors(position)
        self.root, self._top = position, Node(None)
        self.counter = 0
        self.n_nodes = 1
        self.reset_counts()
        if not self._expand(self._top, position):
            raise ValueError(
                f"most_nodes={most_nodes} is too few for the {len(position.moves())} moves here."
            )

    def reset_counts(self) -> None:
        """Count what the next move costs from 0."""
        self.simulations = self.positions = self.deepest = 0

    @property
    def is_proven(self) -> bool:
        """Whether the root's value is certain."""
        return self._top.proof is not None

    # ---- walks

    def simulate(self, simulations: int, most_positions: int, most_depth: int) -> None:
        """Walk down the tree so many times."""
        for _ in range(simulations):
            if self.is_proven or self.positions >= most_positions:
                break
            self._walk(most_depth)

    def _walk(self, most_depth: int) -> None:
        node, position, path = self._top, self.root, [self._top]
        while len(path) <= most_depth and node.proof is None:
            if not node.children and (not node.visits or not self._expand(node, position)):
                break
            node = self._next(node)
            position = position.play(node.move)
            path.append(node)
        value = 0.0
        if not node.visits and (outcome := position.outcome()) is not None:
            draw, lost = outcome.winner is None, outcome.winner == position.to_move
            node.proof = 0 if draw else -1 if lost else 1
            self._prove(path)
        if node.proof is None:
            value = -self._leaf_value(position)
        self.simulations += 1
        self.positions += len(path) - 1
        self.deepest = max(self.deepest, len(path) - 1)
        for node in reversed(path):
            if node.proof is not None:
                value = float(node.proof)
            node.visits += 1
            node.total += value
            value = -value

    def _expand(self, node: Node, position: Any) -> bool:
        """Give a node its children; whether there was room for them."""
        moves = position.moves()
        if self.n_nodes + len(moves) > self._most_nodes:
            return False
        node.children = [Node(move) for move in moves]
        self.n_nodes += len(moves)
        if self._uses_priors:
            told = self.judge.evaluator.priors([position])
            assert told is not None
            for child, prior in zip(node.children, told[0], strict=True):
                child.prior = float(prior)
        return True

    def _next(self, node: Node) -> Node:
        """The child to walk to."""
        children, judge = node.children, self.judge
        if self._uses_priors:
            width = judge.prior_weight * math.sqrt(max(node.visits, 1))
            mean = -node.total / node.visits if node.visits else 0.0

            def bound(child: Node) -> float:
                value = child.total / child.visits if child.visits else mean
                return value + width * child.prior / (1.0 + child.visits)

        elif node.tried < len(children):
            n = node.tried
            drawn = n + self._draw(len(children) - n)
            children[n], children[drawn] = children[drawn], children[n]
            node.tried += 1
            return children[n]
        else:
            width = judge.exploration * math.sqrt(math.log(node.visits))

            def bound(child: Node) -> float:
                return child.total / child.visits + width / math.sqrt(child.visits)

        return max((child for child in children if child.proof != -1), key=bound)

    def _draw(self, below: int) -> int:
        """A random number from 0 to below - 1."""
        drawn = (word(self.counter) >> 32) * below >> 32
        self.counter = word_after(self.counter)
        return drawn

    def _prove(self, path: list[Node]) -> None:
        """Pass a proof up: a move that wins proves its node, and so do moves all proven."""
        for n in range(len(path) - 1, 0, -1):
            proof, parent = path[n].proof, path[n - 1]
            if proof is None:
                return
            if proof != 1:
                proofs = [child.proof for child in parent.children]
                if None in proofs:
                    return
                proof = max(proof for proof in proofs if proof is not None)
            parent.proof = -proof

    def _leaf_value(self, position: Any) -> float:
        """What a position is worth to the side to move."""
        judge = self.judge
        value = judge.value(position) if judge.mix < 1 else 0.0
        if judge.mix > 0:
            won = sum(self._played_out(position) for _ in range(judge.rollouts))
            value += judge.mix * (won / judge.rollouts - value)
        return value

    def _played_out(self, position: Any) -> int:
        """The end of a random game for the side to move: 1 a win, -1 a loss, 0 a draw."""
        rules = compiled_rules_of(position.game)
        if rules is None:
            side = position.to_move
            while (outcome := position.outcome()) is None:
                moves = position.moves()
                position = position.play(moves[self._draw(len(moves))])
            return 0 if outcome.winner is None else 1 if outcome.winner == side else -1
        game = position.game
        result, counter = specialised("clauseboard.search.board_template", rules).play_out(
            rules.state_of(position), rules.settings_of(game), rules.new_scratch(game),
            np.uint64(self.counter),
        )  # fmt: skip
        self.counter = int(counter)
        winner = None if result == DRAW else game.colours[result]
        return 0 if winner is None else 1 if winner == position.to_move else -1

    # ---- nodes

    def children(self) -> list[Child]:
        """The root's moves, in the order of `position.moves()`."""
        at = {child.move: child for child in self._top.children}
        return [
            Child(move, at[move].visits, at[move].value, at[move].proof)
            for move in self.root.moves()
        ]

    def owners(self, move: Any = None) -> tuple[int, ...]:
        """Nobody counts the owners of points here."""
        return ()

    def line(self, move: Any) -> tuple[Any, ...]:
        """The moves that are expected, the first of them this one; see `EXPECTED`."""
        node = next(child for child in self._top.children if child.move == move)
        line, enough = [move], max(EXPECTED, EXPECTED_SHARE * node.visits)
        while tried := [
            child
            for child in node.children
            if child.proof == 1
            or (child.visits >= enough and child.proof != -1)
            or (node.proof is not None and child.visits)
        ]:
            node = max(tried, key=lambda c: (c.proof == 1, c.proof != -1, c.visits, c.value))
            line.append(node.move)
        return tuple(line)

    def advance(self, move: Any) -> bool:
        """Make the position after a move the root, and forget the rest; whether it has a tree."""
        node = next((child for child in self._top.children if child.move == move), None)
        if node is None or not node.children:
            return False
        self.root, self._top = self.root.play(move), node
        self.n_nodes = _count(node)
        return True

    def fits(self) -> bool:
        """Whether the root has exactly the legal moves; always, as they come from positions."""
        return True

    def add_noise(self, share: float, shape: float, seed: int) -> None:
        """Mix noise into the priors of the root's moves."""
        if not self._uses_priors:
            raise ValueError(NOISE_WITHOUT_PRIORS.format(share, self.judge.evaluator))
        noise = noise_of(len(self._top.children), shape, seed)
        for child, part in zip(self._top.children, noise, strict=True):
            child.prior += share * (float(part) - child.prior)

    def by_knowledge(self) -> Child | None:
        """Nothing is known but what the rules say."""
        return None


def _count(node: Node) -> int:
    nodes, waiting = 0, [node]
    while waiting:
        found = waiting.pop()
        nodes += 1
        waiting += found.children
    return nodes
