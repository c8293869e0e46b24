"""Monte-Carlo tree search: walks down a tree that grows by a position each time (UCT, PUCT).

A simulation goes down from the root to a position that was not visited yet, judges it, and adds
its value to every node on the way. Below a node whose moves were all tried it takes the move with
the highest upper bound, mean + exploration · √(ln visits of the node / visits of the move); moves
not tried yet come before that, in an order drawn from the seed. Where the evaluator tells how
likely each move is to be the best, the bound is mean + weight · prior · √visits of the node /
(1 + visits of the move) instead.

A position is judged by the evaluator, by games played out from it at random, or by both. Where the
game is over, or its end is known, that is certain, and so is what follows from it further up: a
proven node is not searched again.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from clauseboard.checks import flag, positive_number, real_number, whole_number
from clauseboard.evaluation import Compiled, Evaluator, Judgements, Limit, seconds_now
from clauseboard.explanation import Explanation
from clauseboard.game import Game
from clauseboard.kernels.compiler import specialised
from clauseboard.player import Candidate, Choice, Cost
from clauseboard.search import Search
from clauseboard.search.compiled_rules import WITHOUT_CONCEPTS, compiled_rules_of
from clauseboard.search.mcts_trees import (
    TEMPLATE,
    ArrayTree,
    Child,
    LeafEvaluator,
    PositionTree,
    start_of,
    word,
)

LINES = 8
"""How many candidates are given with the line that is expected after them."""
MOST = 2**62
"""No limit."""
SLICE_SECONDS = 0.02
"""How often the clock is looked at."""
_LEAST = {"simulations": 1, "rollouts": 0, "judged_from": 1, "expand_from": 2}
SETTLING = 1000
"""Simulations after a pass, before it is believed that it loses nothing."""
TELLING_SECONDS = 0.2
"""How often who listens is told what the search would choose so far."""


@dataclass
class MonteCarlo(Search):
    """Monte-Carlo tree search.

    - `simulations` for each move, unless a limit says otherwise.
    - `exploration`: how much seldom tried moves are favoured; √2 as in UCT.
    - `rollouts`: random games for each new position. `mix`: their share in its value, beside the
      evaluator's; they are all of it where the evaluator says nothing (`Compiled.NOTHING`).
    - `scale`: judge by the votes for a win less those for a loss, divided by this and clipped to
      -1 and 1; None: by the evaluator's own value.
    - `prior_weight`: how much the evaluator's priors count, where it gives any; 0 is plain UCT.
    - `rave`: after so many visits a move's own value counts as much as that of the random games in
      which it was made at any time later (rapid action value estimation); 0: these do not count.
    - `score`: the share of the points in the worth of a random game, beside who won it, in a game
      that is won by points; so a won game is won by more, and a lost one by less.
    - `expand_from`: at which visit a position gets its children, from 2 on. The more children cost
      beside a random game, the more visits they may wait for.
    - `judged`: the share of what a judge of boards (`board_judge`) says in the worth of a random
      game, from positions on that were visited `judged_from` times. It chooses where to search;
      values stay the mean results of random games.
    - `answers`: how much random games answer moves by the evaluator's patterns, where it has any;
      1 is as these were calibrated, 0: all moves of a random game are alike.
    - `tactics`: random games with answers also know some tactics, such as keeping stones out of
      atari (`games.go.shape_playouts`).
    - `settle`: pass where all is settled (`games.go.settling`), dead stones being taken off at the
      end; without it they are taken before.
    - `resign`: in a game, resign where the chance of winning is this or less; 0: never.
    - `noise`: the share of noise in the priors of the root's moves (Dirichlet, `noise_shape`).
    - `temperature`: draw the move with a chance of visits to the power 1 / temperature; 0: the
      move with most visits.
    - `most_nodes`: how many nodes the tree may have; a full tree is walked on but grows no more.
    - `keep`: go on with the tree of the move before, where the new position is in it.

    >>> from clauseboard.game import load_game
    >>> position = load_game("hex", size=3).read_position(".R./.R./B.B red")
    >>> choice = MonteCarlo(simulations=50, rollouts=1).find(position, Rollouts(position.game))
    >>> str(choice.move), choice.value
    ('b3', 1.0)
    """

    simulations: int = 10_000
    exploration: float = math.sqrt(2)
    rollouts: int = 0
    mix: float = 0.5
    scale: float | None = None
    prior_weight: float = 1.0
    rave: float = 0.0
    score: float = 0.0
    judged: float = 0.0
    judged_from: int = 4
    expand_from: int = 2
    answers: float = 0.0
    tactics: bool = False
    settle: bool = False
    resign: float = 0.0
    noise: float = 0.0
    noise_shape: float = 0.3
    temperature: float = 0.0
    most_nodes: int = 2_000_000
    keep: bool = True

    uses: ClassVar[str] = "either"
    averages: ClassVar[bool] = True
    takes_less: ClassVar[bool] = True
    endgames: ClassVar[bool] = True
    """Whether endgame tables are looked into."""

    def __post_init__(self) -> None:
        for name, least in _LEAST.items():
            whole_number(name, getattr(self, name), least)
        whole_number("most_nodes", self.most_nodes, 1000, 2**31 - 1)
        for name in ("exploration", "prior_weight", "rave", "answers", "temperature"):
            real_number(name, getattr(self, name), 0.0)
        for name in ("mix", "noise", "score", "resign", "judged"):
            real_number(name, getattr(self, name), 0.0, 1.0)
        positive_number("noise_shape", self.noise_shape)
        if self.scale is not None:
            positive_number("scale", self.scale)
        flag("keep", self.keep)
        flag("settle", self.settle)
        flag("tactics", self.tactics)
        self.begin()

    @property
    def playout_share(self) -> float:
        """The share of random games in the value of a position, beside an evaluator."""
        return float(self.mix) if self.rollouts else 0.0

    def begin(self) -> None:
        """Forget the tree."""
        self._tree: ArrayTree | PositionTree | None = None
        self._evaluator: Evaluator | None = None
        self._chosen: Any = None
        self._passed: dict[Any, int] = {}

    def find(
        self, position: Any, evaluator: Evaluator, limit: Limit | None = None, seed: int = 0
    ) -> Choice:
        """Find a move; with a kept tree, what was found for the moves before counts as well."""
        started = seconds_now()
        moves = position.moves()
        if not moves:
            raise ValueError(f"There is no move any more: {position.outcome()}, in {position!r}.")
        judge = self._judge(evaluator, position.game)
        asked = position
        if self.settle:
            rules: Any = compiled_rules_of(position.game)
            position = rules.played_on(position)
        tree = self._kept(position, evaluator) or self._planted(position, judge)
        tree.judge, tree.counter = judge, start_of(seed)
        tree.reset_counts()
        if self.noise:
            tree.add_noise(self.noise, self.noise_shape, seed)
        known = tree.by_knowledge()
        if known is None:
            self._simulate(tree, limit or Limit(), seed)
        children = self._ranked(tree, seed)
        proving, line_left_out = tree, ()
        if known is None and children[0].proof in (-1, 1):
            room = max(self.most_nodes - tree.n_nodes, self.most_nodes // 4)
            rest = _what_is_left(limit or Limit(), started)
            if counted := _by_length(position, children):
                children = counted
                if counted[0].move not in {child.move for child in tree.children()}:
                    line_left_out = self._line(position, counted[0].move, judge, rest, seed, room)
            elif judge.counts_concepts and children[0].proof == -1:
                tree, children = self._making_most(position, judge, rest, seed, room)
        chosen = known if known is not None else self._drawn(children, seed)
        settled = None
        if self.settle and chosen.proof != 1:
            settled = self._settling(asked, tree, judge, children, seed)
            chosen = settled or chosen
        candidates = self._candidates(proving, children, chosen)
        if line_left_out:
            candidates = (dataclasses.replace(candidates[0], line=line_left_out), *candidates[1:])
        if settled is not None and settled.move.is_pass:
            # A pass is worth what the board is, and hardly a game went on from it.
            passing = dataclasses.replace(candidates[0], owners=tree.owners())
            candidates = (passing, *candidates[1:])
        if self.keep:
            self._tree, self._evaluator, self._chosen = tree, evaluator, chosen.move
        if asked != position:
            candidates = tuple(map(_without_rest, candidates))
        line = candidates[0].line
        cost = Cost(seconds_now() - started, tree.positions, tree.simulations, tree.deepest)
        explain = None
        if judge.mix < 1:
            explain = functools.partial(_explained, evaluator, position, line)
        proven = chosen.proof is not None
        return Choice(
            chosen.move, chosen.value, line, candidates, cost, explain=explain, proven=proven
        )

    def kernels(self, game: Game, evaluator: Evaluator | None = None) -> Sequence[Any]:
        """The kernels that a first move needs, the one that takes longest to compile first."""
        rules = compiled_rules_of(game)
        if rules is None:
            return ()
        compiled = None if evaluator is None else evaluator.compiled()
        counts = compiled is not None and compiled[0].kind == Compiled.CONCEPTS
        counts |= self._board_judge(game) is not None
        kernels = specialised(TEMPLATE, rules, without="" if counts else WITHOUT_CONCEPTS)
        parts = getattr(rules, "CONCEPT_KERNELS", ()) if counts else ()
        counting = getattr(rules, "counting_kernels", None)
        more = () if counting is None else counting(game)
        return kernels.simulate, *parts, *getattr(rules, "KERNELS", ()), *more

    # ---- the tree

    def _judge(self, evaluator: Evaluator, game: Game) -> LeafEvaluator:
        """How positions are judged: the evaluator as data where it can be, and what is mixed."""
        compiled = evaluator.compiled()
        if compiled is not None and any(c.kind == Compiled.CONCEPTS for c in compiled):
            counts = getattr(compiled_rules_of(game), "counts_concepts", None)
            if counts is None or not counts(game):
                compiled = None  # its kernels do not count the concepts of this game
        says_nothing = compiled is not None and all(c.kind == Compiled.NOTHING for c in compiled)
        if says_nothing and not self.rollouts:
            raise ValueError(
                f"{evaluator} says nothing about positions, and rollouts=0: set rollouts to 1 or "
                "more, or choose another evaluator."
            )
        if compiled is not None and self.scale is not None and not says_nothing:
            if any(c.kind != Compiled.CLAUSES for c in compiled):
                raise ValueError(
                    f"scale={self.scale!r} divides votes, and {evaluator} has none: set scale to "
                    "None, or choose an evaluator that votes."
                )
            first, second = (dataclasses.replace(c, scale=self.scale, offset=0.0) for c in compiled)
            compiled = first, second
        if self.settle and not hasattr(compiled_rules_of(game), "passing_is_right"):
            raise ValueError(
                f"settle=True passes where a board is settled, as in Go, and {game.name} "
                "has no such boards: leave it out."
            )
        mix = 1.0 if says_nothing else self.mix if self.rollouts else 0.0
        return LeafEvaluator(
            evaluator=evaluator,
            compiled=compiled,
            priors=evaluator.compiled_priors() if self.prior_weight else None,
            rollouts=int(self.rollouts),
            mix=float(mix),
            scale=self.scale,
            exploration=float(self.exploration),
            prior_weight=float(self.prior_weight),
            rave=float(self.rave),
            score=float(self.score),
            board_judge=self._board_judge(game),
            judged_share=float(self.judged),
            judged_from=int(self.judged_from),
            expand_from=int(self.expand_from),
            answers=self._answers(evaluator),
        )

    def _board_judge(self, game: Game) -> Compiled | None:
        """The judge of boards whose word counts beside random games, if there is one."""
        if not self.judged or self.board_judge is None:
            return None
        compiled = self.board_judge.compiled()
        counts = getattr(compiled_rules_of(game), "counts_concepts", None)
        return None if compiled is None or counts is None or not counts(game) else compiled[0]

    def _answers(self, evaluator: Evaluator) -> Any:
        """What answers in random games weigh, if they are wanted."""
        if not self.answers:
            return None
        answers = evaluator.compiled_answers(float(self.answers))
        if answers is None:
            raise ValueError(
                f"answers={self.answers!r} needs patterns of Go, and {evaluator} has none: set "
                "answers to 0."
            )
        if self.tactics:
            answers = answers.copy()
            answers[-1] = 1
        return answers

    def _planted(
        self, position: Any, judge: LeafEvaluator, room: int | None = None
    ) -> ArrayTree | PositionTree:
        rules, most_nodes = compiled_rules_of(position.game), room or self.most_nodes
        if rules is None or judge.compiled is None:
            return PositionTree(position, judge, most_nodes)
        if judge.priors is None and judge.has_priors(position):
            return PositionTree(position, judge, most_nodes)
        return ArrayTree(position, judge, most_nodes, rules)

    def _kept(self, position: Any, evaluator: Evaluator) -> ArrayTree | PositionTree | None:
        """The tree of the move before, with its root moved to a position up to two moves on."""
        tree = self._tree
        self._tree = None
        if tree is None or not self.keep or self._evaluator is not evaluator:
            return None
        if tree.root.game != position.game:
            return None
        way = _way(tree.root, self._chosen, position)
        if way is None:
            return None
        for move in way:
            if not tree.advance(move):
                return None
        return tree if tree.fits() else None

    def _simulate(self, tree: ArrayTree | PositionTree, limit: Limit, seed: int) -> None:
        """Walk down the tree until a limit is reached or the root is proven.

        The clock starts here: that kernels are loaded before the first move is not held against it.
        """
        unlimited = limit.seconds is None and limit.nodes is None
        most = limit.simulations or (self.simulations if unlimited else MOST)
        positions, depth = limit.nodes or MOST, limit.depth or tree.MOST_DEPTH
        if limit.seconds is None and self.is_stopped is None:
            tree.simulate(most, positions, min(depth, tree.MOST_DEPTH))
            return
        seconds = math.inf if limit.seconds is None else limit.seconds
        size, started = 1, seconds_now()
        told = started
        while tree.simulations < most and tree.positions < positions and not tree.is_proven:
            before = seconds_now()
            left = seconds - (before - started)
            stopped = self.is_stopped is not None and self.is_stopped()
            if (left <= 0 or stopped) and tree.simulations:
                break
            tree.simulate(
                min(size, most - tree.simulations), positions, min(depth, tree.MOST_DEPTH)
            )
            taken = max(seconds_now() - before, 1e-6)
            fits = min(SLICE_SECONDS, max(left - taken, 0.0) / 2) / taken
            size = max(1, int(size * min(2.0, fits)))
            if before - told >= TELLING_SECONDS:
                told = before
                self.tell(functools.partial(self._so_far, tree, seed, told - started))

    def _making_most(
        self, position: Any, judge: LeafEvaluator, limit: Limit, seed: int, room: int
    ) -> tuple[ArrayTree | PositionTree, list[Child]]:
        """The moves by a search that does not know that all of them lose.

        It makes the most of them, for an opponent who may not know it either. Its tree may have
        `room` nodes, for the other one is still needed.
        """
        tree = self._planted(position, dataclasses.replace(judge, settles=False), room)
        tree.counter = start_of(seed)
        self._simulate(tree, limit, seed)
        children = self._ranked(tree, seed)
        return tree, [dataclasses.replace(child, value=-1.0, proof=-1) for child in children]

    def _line(
        self, position: Any, move: Any, judge: LeafEvaluator, limit: Limit, seed: int, room: int
    ) -> tuple[Any, ...]:
        """The moves that are expected from one on that the tree has left out."""
        after = position.play(move)
        if after.outcome() is not None:
            return (move,)
        tree = self._planted(after, judge, room)
        tree.counter = start_of(seed)
        self._simulate(tree, limit, seed)
        return move, *tree.line(self._ranked(tree, seed)[0].move)

    def _settling(
        self,
        position: Any,
        tree: ArrayTree | PositionTree,
        judge: LeafEvaluator,
        children: list[Child],
        seed: int,
    ) -> Child | None:
        """A pass where it loses nothing, whatever the other side does then; None elsewhere.

        Where a pass would end the game and lose it, the best of the other moves. So also where it
        has passed on this board before: the other side could go round in circles for ever.
        """
        rules: Any = compiled_rules_of(position.game)
        passing = next((one for one in children if getattr(one.move, "is_pass", False)), None)
        owners = tree.owners()
        if passing is None or not owners:
            return None
        if not rules.passing_is_right(position, owners, children[0].value):
            ends = children[0] is passing and position.play(passing.move).outcome() is not None
            return children[1] if ends and len(children) > 1 else None
        after = position.play(passing.move)
        if after.outcome() is None:
            if self._passed.get(position.board, MOST) < position.moves_played:
                return next((one for one in children if one is not passing), None)
            other = self._planted(after, judge)
            other.counter = start_of(seed)
            other.simulate(SETTLING, MOST, other.MOST_DEPTH)
            owners_after = other.owners()
            if owners_after and not rules.loses_nothing(position, owners, after, owners_after):
                return None
            self._passed[position.board] = position.moves_played
        return dataclasses.replace(passing, value=children[0].value)

    # ---- the choice

    def _so_far(self, tree: ArrayTree | PositionTree, seed: int, seconds: float) -> Choice:
        """The move that most speaks for, while the search goes on."""
        children = self._ranked(tree, seed)
        best = children[0]
        cost = Cost(seconds, tree.positions, tree.simulations, tree.deepest)
        candidates = self._candidates(tree, children, best)
        return Choice(best.move, best.value, tree.line(best.move), candidates, cost)

    def _ranked(self, tree: ArrayTree | PositionTree, seed: int) -> list[Child]:
        """The root's moves, the best first: a proven win, most visits, the highest value."""

        def rank(numbered: tuple[int, Child]) -> tuple[Any, ...]:
            number, child = numbered
            won, lost = child.proof == 1, child.proof == -1
            return won, not lost, child.visits, child.value, word(seed, number)

        numbered = sorted(enumerate(tree.children()), key=rank, reverse=True)
        return [child for _, child in numbered]

    def _drawn(self, children: list[Child], seed: int) -> Child:
        """The first move; or, with a temperature, one drawn by visits from those not lost."""
        first = children[0]
        if not self.temperature or first.proof is not None:
            return first
        visits = np.array([child.visits * (child.proof != -1) for child in children], np.float64)
        with np.errstate(divide="ignore"):
            weights = np.exp(np.log(visits / visits.max()) / self.temperature)
        ends = np.cumsum(weights)
        at = ends[-1] * (word(seed, len(children)) / 2**64)
        return children[min(int(np.searchsorted(ends, at, side="right")), len(children) - 1)]

    def _candidates(
        self, tree: ArrayTree | PositionTree, children: list[Child], chosen: Child
    ) -> tuple[Candidate, ...]:
        """The moves looked at, the chosen one first; nothing is known of the others.

        The lines are those of a tree, which may be one that proves that all of them lose.
        """
        in_tree = {child.move for child in tree.children()}
        looked_at = [
            child
            for child in children
            if child.visits or child.proof is not None or child.move == chosen.move
        ]
        children = sorted(looked_at, key=lambda child: child.move != chosen.move)
        return tuple(
            Candidate(
                move=child.move,
                value=chosen.value if n == 0 else child.value,
                line=tree.line(child.move)
                if n < LINES and child.move in in_tree
                else (child.move,),
                visits=child.visits,
                owners=tree.owners(child.move) if n < LINES else (),
            )
            for n, child in enumerate(children)
        )


SEARCH = MonteCarlo


class Rollouts(Evaluator):
    """An evaluator that says nothing, so that only games played out at random count."""

    def __init__(self, game: Any) -> None:
        self.game = game

    def judge(self, positions: Any) -> Any:
        """Nothing is better than anything else."""
        return Judgements(np.zeros(len(positions)))

    def compiled(self) -> tuple[Compiled, Compiled]:
        """The same, as data."""
        return Compiled(Compiled.NOTHING), Compiled(Compiled.NOTHING)

    def __str__(self) -> str:
        return "rollouts"


def _way(root: Any, chosen: Any, position: Any) -> tuple[Any, ...] | None:
    """The moves from a root to a position: none, one, or the chosen one and a reply."""
    if root == position:
        return ()
    for move in root.moves():
        if root.play(move) == position:
            return (move,)
    after = root.play(chosen)
    for reply in after.moves():
        if after.play(reply) == position:
            return chosen, reply
    return None


def _what_is_left(limit: Limit, started: float) -> Limit:
    """A limit of a search that has begun: a slice of time at least."""
    if limit.seconds is None:
        return limit
    return dataclasses.replace(
        limit, seconds=max(limit.seconds - (seconds_now() - started), SLICE_SECONDS)
    )


def _by_length(position: Any, children: list[Child]) -> list[Child] | None:
    """Moves of a decided position, first those that win soonest, or of lost ones hold out longest.

    None where the game does not count. Between equal ones the search decides by its visits: by how
    long it took to refute them. A move that it has left out is as lost, or as surely won.
    """
    proof = 1 if children[0].proof == 1 else -1
    name = "hurrying" if proof == 1 else "holding_out"
    counted = getattr(compiled_rules_of(position.game), name, None)
    moves = () if counted is None else counted(position)
    if not moves:
        return None
    first = [
        dataclasses.replace(child, value=float(proof), proof=proof)
        for child in children
        if child.move in moves
    ]
    rest = [child for child in children if child.move not in moves]
    return [*(first or [Child(moves[0], 0, float(proof), proof)]), *rest]


def _without_rest(candidate: Candidate) -> Candidate:
    """A candidate of a position in which a pass ends the game, so that nothing comes after it."""
    ends = getattr(candidate.move, "is_pass", False)
    return dataclasses.replace(candidate, line=(candidate.move,)) if ends else candidate


def _explained(evaluator: Evaluator, position: Any, line: tuple[Any, ...]) -> Explanation:
    """Why the board at the end of the expected line is judged as it is."""
    for move in line:
        position = position.play(move)
    return dataclasses.replace(evaluator.explain(position), line=line)
