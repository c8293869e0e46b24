"""Trees of Monte-Carlo search: in arrays, which kernels walk, or position by position, in Python.

The second kind serves evaluators that are Python, and games without a `compiled_rules` module. It
draws the same random numbers as the tree in arrays and comes to the same visits, but where a random
game hangs on how a state came about, as in Go. It knows no endgame tables, and leaves repetitions
to the rules.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from clauseboard.evaluation import Compiled, Evaluator
from clauseboard.game import IllegalMoveError
from clauseboard.kernels.bits import STREAM_STEP, mixed_number
from clauseboard.kernels.compiler import specialised
from clauseboard.search.compiled_rules import (
    DRAW,
    WITHOUT_CONCEPTS,
    CompiledRules,
    compiled_rules_of,
)

TEMPLATE = "clauseboard.search.mcts_template"

EXPECTED = 5
EXPECTED_SHARE = 0.05
"""A move is part of an expected line if it was tried so often, and in so many of the simulations
that went through the line's first move. What was tried less is hardly compared with anything;
followed to its end, such a line would be a random game. Proven wins are expected at once, what is
proven to lose is not while something else is open, and a proven position is followed to where it is
certain."""

NO_PRIORS = Compiled(Compiled.NOTHING), Compiled(Compiled.NOTHING)
NO_JUDGE = Compiled(Compiled.NOTHING)


@dataclass(frozen=True, eq=False)
class LeafEvaluator:
    """How a tree judges its positions and chooses its ways."""

    evaluator: Evaluator
    compiled: tuple[Compiled, Compiled] | None
    priors: tuple[Compiled, Compiled] | None
    rollouts: int
    mix: float
    scale: float | None
    exploration: float
    prior_weight: float
    rave: float = 0.0
    score: float = 0.0
    answers: NDArray[np.uint16] | None = None
    board_judge: Compiled | None = None
    """A judge of boards by concepts, beside random games; its share, and from which visit on."""
    judged_share: float = 0.0
    judged_from: int = 1
    expand_from: int = 2
    """At which visit a position gets its children."""
    settles: bool = True
    """Whether concepts may prove a node, where those of a game do (`compiled_rules.settled`)."""

    @property
    def counts_concepts(self) -> bool:
        """Whether the kernels judge by concepts."""
        return self.compiled is not None and self.compiled[0].kind == Compiled.CONCEPTS

    @property
    def reads_concepts(self) -> bool:
        """Whether the kernels count concepts, for values or beside random games."""
        return self.counts_concepts or self.board_judge is not None

    def value(self, position: Any) -> float:
        """What the evaluator says, for the side to move."""
        judged = self.evaluator.judge([position])
        if self.scale is None:
            return float(judged.values[0])
        margin = float(judged.margins(position.to_move)[0])
        return min(max(margin / self.scale, -1.0), 1.0)

    def has_priors(self, position: Any) -> bool:
        """Whether the evaluator has an opinion about moves that counts."""
        return self.prior_weight > 0 and self.evaluator.priors([position]) is not None


@dataclass(frozen=True)
class Child:
    """A move at the root: visits, value for the mover, and the same if it is proven."""

    move: Any
    visits: int
    value: float
    proof: int | None


def word(counter: int, step: int = 0) -> int:
    """64 random bits: those that come `step` draws after a counter."""
    return mixed_number((int(counter) + (step + 1) * int(STREAM_STEP)) % 2**64)


def start_of(seed: int) -> int:
    """Where the counter of random numbers begins for a seed."""
    return word(seed % 2**64, 2**20)


def word_after(counter: int) -> int:
    """The counter after one draw."""
    return (int(counter) + int(STREAM_STEP)) % 2**64


NOISE_WITHOUT_PRIORS = (
    "noise={} is mixed into priors, and {} gives none: set noise to 0, or play with a temperature."
)


NO_ANSWERS = np.zeros(0, np.uint16)


def check_games(judge: LeafEvaluator, rules: CompiledRules | None, has_priors: bool) -> None:
    """Refuse RAVE where nobody can tell who played where in a random game, or there is none; points
    where games have none; and answers where random games know none."""
    able = judge.mix > 0 and hasattr(rules, "play_out_noting")
    if judge.rave and not (able and has_priors):
        raise ValueError(
            f"rave={judge.rave:g} needs random games (rollouts of 1 or more), an evaluator with "
            "priors, both compiled, and a game that notes moves, such as Hex and Go: set rave to 0."
        )
    if judge.score and not (judge.mix > 0 and hasattr(rules, "margin_share")):
        raise ValueError(
            f"score={judge.score:g} needs compiled random games (rollouts of 1 or more) of a game "
            "that is won by points, such as Go: set score to 0."
        )
    if judge.answers is not None and not (able and hasattr(rules, "play_out_answering")):
        raise ValueError(
            "answers are for random games (rollouts of 1 or more) of Go, compiled: set answers to "
            "0."
        )


def noise_of(n: int, shape: float, seed: int) -> NDArray[np.float64]:
    """Shares of 1 for n moves, drawn from a Dirichlet distribution."""
    return np.random.default_rng(seed).dirichlet(np.full(n, shape))


class ArrayTree:
    """A tree that kernels walk; see `mcts_template`."""

    MOST_DEPTH: ClassVar[int] = 1000

    def __init__(
        self, position: Any, judge: LeafEvaluator, most_nodes: int, rules: CompiledRules
    ) -> None:
        self._uses_priors = judge.priors is not None
        check_games(judge, rules, self._uses_priors)
        without = "" if judge.reads_concepts else WITHOUT_CONCEPTS
        self._kernels = specialised(TEMPLATE, rules, without=without)
        self._board = specialised("clauseboard.search.board_template", rules)
        self._rules, self.judge, self._most_nodes = rules, judge, most_nodes
        game = position.game
        self._settings, self._scratch = rules.settings_of(game), rules.new_scratch(game)
        self._knowledge = rules.knowledge_of(game)
        self._room_of_concepts: Any = np.zeros(1, np.int64)
        if judge.reads_concepts and hasattr(rules, "new_concept_room"):
            new_room = rules.new_concept_room
            if not judge.counts_concepts:
                new_room = getattr(rules, "new_quick_room", new_room)
            self._room_of_concepts = new_room(game)
        self._codes = np.zeros(rules.most_moves(game), np.int64)
        points = getattr(rules, "n_owned", None)
        rows = (0, 0) if points is None else (rules.n_codes(game), points(game) + 1)
        self._owned = np.zeros(rows, np.int32)
        self._n_bytes = -(-len(game.bits()) // 8)
        self._tally = np.zeros(self._kernels.TALLY, np.int64)
        self._arrays = self._room()
        self.counter = 0
        self._plant(position)

    def _room(self) -> tuple[NDArray[Any], ...]:
        kinds = (np.int32, np.float64, np.int32, np.int32, np.int32, np.int32, np.int8)
        arrays = [np.empty(self._most_nodes, kind) for kind in kinds]
        arrays.append(np.empty(self._most_nodes if self._uses_priors else 1, np.float64))
        later = self._most_nodes if self.judge.rave else 1
        scored = self._most_nodes if self.judge.score else 1
        said = self._most_nodes if self.judge.board_judge is not None else 1
        scored = max(scored, said)
        kinds_of_more = (
            (later, np.int32), (later, np.float64), (scored, np.float32), (said, np.float32)
        )  # fmt: skip
        return *arrays, *(np.empty(room, kind) for room, kind in kinds_of_more)

    def _set_root(self, position: Any) -> None:
        self.root = position
        self._state = self._rules.state_of(position)
        self._before = self._rules.keys_before(position)
        self._moves = {self._rules.code_of(position, move): move for move in position.moves()}

    def _plant(self, position: Any) -> None:
        self._set_root(position)
        if len(self._moves) >= self._most_nodes:
            raise ValueError(
                f"most_nodes={self._most_nodes} is too few for the {len(self._moves)} moves here."
            )
        kernels, arrays, used = self._kernels, self._arrays, 1 + len(self._moves)
        for array in arrays:
            array[:used] = 0
        arrays[kernels.PROOFS][:used] = kernels.OPEN
        arrays[kernels.SAID][:used] = kernels.UNREAD
        arrays[kernels.CODES][:used] = [-1, *self._moves]
        arrays[kernels.FIRST][0], arrays[kernels.COUNTS][0] = 1, len(self._moves)
        self._tally[kernels.USED], self._tally[kernels.NEW_ROOT] = used, 1

    def simulate(self, simulations: int, most_positions: int, most_depth: int) -> None:
        """Walk down the tree so many times."""
        judge = self.judge
        compiled = judge.compiled
        assert compiled is not None
        self.counter = self._kernels.simulate(
            self._state, self._settings, self._scratch, self._knowledge,
            *(part.arguments() for part in (*compiled, *(judge.priors or NO_PRIORS))),
            (judge.board_judge or NO_JUDGE).arguments(),
            self._arrays, self._tally, self._before, len(self._codes), self._n_bytes,
            simulations, most_positions, judge.exploration,
            judge.prior_weight if self._uses_priors else 0.0, judge.rave,
            judge.judged_share if judge.board_judge is not None else 0.0, judge.judged_from,
            judge.expand_from, judge.mix, judge.score, judge.rollouts,
            NO_ANSWERS if judge.answers is None else judge.answers, most_depth,
            self._room_of_concepts, judge.settles, self._owned, np.uint64(self.counter),
        )  # fmt: skip

    # ---- counts

    def reset_counts(self) -> None:
        """Count what the next move costs from 0."""
        self._owned[:] = 0
        self._tally[self._kernels.SIMULATIONS :] = 0

    @property
    def simulations(self) -> int:
        """Simulations since the counts were reset."""
        return int(self._tally[self._kernels.SIMULATIONS])

    @property
    def positions(self) -> int:
        """Positions walked through since then."""
        return int(self._tally[self._kernels.POSITIONS])

    @property
    def deepest(self) -> int:
        """The longest walk since then."""
        return int(self._tally[self._kernels.DEEPEST])

    @property
    def n_nodes(self) -> int:
        """Nodes of the tree."""
        return int(self._tally[self._kernels.USED])

    @property
    def is_proven(self) -> bool:
        """Whether the root's value is certain."""
        return bool(self._arrays[6][0] != self._kernels.OPEN)

    # ---- nodes

    def _below(self, node: int) -> range:
        first = int(self._arrays[3][node])
        return range(first, first + int(self._arrays[4][node])) if first else range(0)

    def _value(self, node: int) -> float:
        """The mean result of a node's games alone, without bonuses, or its proof."""
        visits, totals, proof = (self._arrays[k][node] for k in (0, 1, 6))
        if proof != self._kernels.OPEN:
            return float(proof)
        mean = float(totals) / int(visits) if visits else 0.0
        if len(self._arrays[self._kernels.BONUSES]) > 1 and visits:
            # Bonuses are kept in short numbers.
            mean = round(mean - float(self._arrays[self._kernels.BONUSES][node]) / int(visits), 6)
        return mean

    def children(self) -> list[Child]:
        """The root's moves that are worth a try, in the order of `position.moves()`."""
        visits, codes, proofs = (self._arrays[k] for k in (0, 2, 6))
        at = {int(codes[node]): node for node in self._below(0)}
        return [
            Child(
                move=move,
                visits=int(visits[at[code]]),
                value=self._value(at[code]),
                proof=None if proofs[at[code]] == self._kernels.OPEN else int(proofs[at[code]]),
            )
            for code, move in self._moves.items()
            if code in at
        ]

    def owners(self, move: Any = None) -> tuple[int, ...]:
        """The points' owners in the random games after a move, or all, as `Candidate` has them."""
        if not len(self._owned):
            return ()
        code = None if move is None else self._rules.code_of(self.root, move)
        row = self._owned.sum(axis=0) if code is None else self._owned[code]
        return tuple(row.tolist()) if row[-1] else ()

    def line(self, move: Any) -> tuple[Any, ...]:
        """The moves that are expected, the first of them this one; see `EXPECTED`."""
        visits, codes, proofs = (self._arrays[k] for k in (0, 2, 6))
        position = self.root.play(move)
        code = self._rules.code_of(self.root, move)
        node = next(n for n in self._below(0) if codes[n] == code)
        line, enough = [move], max(EXPECTED, EXPECTED_SHARE * visits[node])
        while True:
            open_ = proofs[node] == self._kernels.OPEN
            least = enough if open_ else 1
            # Where something is still open, nobody is expected to play what is known to lose.
            tried = [
                n
                for n in self._below(node)
                if proofs[n] == 1 or (visits[n] >= least and not (open_ and proofs[n] == -1))
            ]
            if not tried or position.outcome() is not None:
                return tuple(line)
            node = max(
                tried, key=lambda n: (proofs[n] == 1, proofs[n] != -1, visits[n], self._value(n))
            )
            move = self._rules.move_of(position, int(codes[node]))
            try:
                position = position.play(move)
            except IllegalMoveError:  # a state knows nothing of superko
                return tuple(line)
            line.append(move)

    def advance(self, move: Any) -> bool:
        """Make the position after a move the root, and forget the rest; whether it has a tree."""
        code = self._rules.code_of(self.root, move)
        node = next((n for n in self._below(0) if self._arrays[2][n] == code), None)
        if node is None or not self._arrays[3][node]:
            return False
        room = self._room()
        source = np.empty(self._most_nodes, np.int32)
        self._tally[self._kernels.USED] = self._kernels.replant(self._arrays, node, room, source)
        self._arrays = room
        self._set_root(self.root.play(move))
        return True

    def fits(self) -> bool:
        """Whether the root has the legal moves: a state knows less than a position.

        Moves that are not worth a try may be missing.
        """
        codes = {int(self._arrays[2][n]) for n in self._below(0)}
        return codes == set(self._moves) or (
            bool(codes) and codes < set(self._moves) and hasattr(self._rules, "worth_trying")
        )

    def add_noise(self, share: float, shape: float, seed: int) -> None:
        """Mix noise into the priors of the root's moves."""
        if not self._uses_priors:
            raise ValueError(NOISE_WITHOUT_PRIORS.format(share, self.judge.evaluator))
        if self._tally[self._kernels.NEW_ROOT]:
            first, second = (part.arguments() for part in self.judge.priors or NO_PRIORS)
            self._kernels.give_root_priors(
                self._state, self._settings, self._scratch, first, second, self._arrays,
                self._tally, self._n_bytes,
            )  # fmt: skip
        below = self._below(0)
        priors = self._arrays[7][below.start : below.stop]
        priors += share * (noise_of(len(priors), shape, seed) - priors)

    def by_knowledge(self) -> Child | None:
        """The best move where the end is known without a search: the quickest win, if it is one."""
        sure, _, _ = self._board.exact_value(self._state, self._settings, self._knowledge)
        if not sure:
            return None
        best: tuple[tuple[int, int], Child] | None = None
        for code, move in self._moves.items():
            state = self._state.copy()
            self._board.play(state, self._settings, self._scratch, self._codes, code)
            count, result = self._board.list_moves(
                state, self._settings, self._scratch, self._codes
            )
            known, value, plies = self._board.exact_value(state, self._settings, self._knowledge)
            if count == 0:
                side = self._board.side_to_move(state)
                value, plies = 0 if result == DRAW else 1 if result == side else -1, 0
            elif not known:
                return None
            rank = (-int(value), int(value) * int(plies))
            if best is None or rank > best[0]:
                best = rank, Child(move, 0, -float(value), -int(value))
        return None if best is None else best[1]


# ---- position by position, in Python


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
            if not node.children and (
                node.visits + 1 < self.judge.expand_from or not self._expand(node, position)
            ):
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
