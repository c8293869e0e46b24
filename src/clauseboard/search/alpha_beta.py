"""Alpha-beta: looks deeper and deeper, and leaves out whatever cannot change the choice.

At a given depth the value is that of plain minimax, unless it is `selective`; but that captures
which must be made are played to their end first, boards of the endgame tables have their known
result, and a board that comes up again is a draw. Evaluators that are data
(`Evaluator.compiled`) are searched by kernels, in games that have compiled rules; all others by
`PlainWork`, which does the same in plain Python, without a table.

    >>> from clauseboard.game import load_game
    >>> from clauseboard.search import load_search
    >>> load_search("alpha-beta", depth=5)
    AlphaBeta(depth=5)
"""

from __future__ import annotations

import dataclasses
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, ClassVar, NamedTuple

import numpy as np

from clauseboard.checks import flag, real_number, whole_number
from clauseboard.evaluation import Compiled, Evaluator, Limit, seconds_now
from clauseboard.game import Game, Move, Position
from clauseboard.kernels.compiler import specialised
from clauseboard.player import Candidate, Choice, Cost
from clauseboard.search import Search
from clauseboard.search.compiled_rules import (
    WITHOUT_CONCEPTS,
    CompiledRules,
    compiled_rules_of,
)

TEMPLATE = "clauseboard.search.alpha_beta_template"

MOST_DEPTH = 100
BEYOND = 28
"""Moves that captures may add to a line: more than there are pieces to take."""

ONE_POINT = 1_000_000
"""The score of a judgement of 1. Scores are whole numbers, for the side to move."""
WIN = 2_000_000
"""The score of a won game, less the moves to it."""
SURE = WIN - 1_000
"""Scores above are wins that are certain."""
INFINITE = 3_000_000

SLICE = 0.004
"""Seconds between looks at the clock."""
FIRST_SLICE, MOST_SLICE = 256, 40_000
"""Nodes up to the first look at the clock, and the most between two, however fast it seems."""


@dataclass(repr=False)
class AlphaBeta(Search):
    """Iterative deepening with a table of boards that were searched before.

    `depth`: moves to look ahead where the limit names none of depth, nodes and seconds.
    `table_bits`: the table has 2 to this power boards of 16 bytes, 0 is no table; it is kept from
    one move to the next, until `begin` or another evaluator. `quiescence`: a line does not end
    while the side to move must take something. `endgames`: whether endgame tables are looked into
    (and made, if need be). `draw_score`: what a draw is worth to the side that searches.
    `every_move`: all candidates get their exact values; otherwise those of moves that are not
    better than the best one are only what they cannot be better than. `grain`: values are rounded
    to multiples of it, 0 for none; the search looks deeper if it need not tell apart what is alike.
    `selective`: moves that nothing speaks for are looked at less deep at first, and what a deeper
    search has found counts. A value is then no longer that of minimax to its depth, but the search
    sees further in the same time. Evaluators in Python are searched in full. `margin`: a quiet
    board whose value differs by more than this from the value that it is compared with is searched
    two moves less deep, 0 for never; like `selective`, it gives up some certainty for depth.
    """

    uses: ClassVar[str] = "values"
    takes_less: ClassVar[bool] = True

    depth: int = 8
    table_bits: int = 18
    quiescence: bool = True
    endgames: bool = True
    draw_score: float = 0.0
    every_move: bool = False
    grain: float = 0.0
    selective: bool = False
    margin: float = 0.0
    _memory: _Memory | None = field(default=None, init=False, compare=False)

    def __post_init__(self) -> None:
        whole_number("depth", self.depth, 1, MOST_DEPTH)
        whole_number("table_bits", self.table_bits, 0, 28)
        for name in ("quiescence", "endgames", "every_move", "selective"):
            flag(name, getattr(self, name))
        real_number("draw_score", self.draw_score, -1, 1)
        real_number("grain", self.grain, 0, 1)
        real_number("margin", self.margin, 0, 1)

    def begin(self) -> None:
        """Forget the boards of the game before."""
        self._memory = None

    def find(
        self, position: Position, evaluator: Evaluator, limit: Limit | None = None, seed: int = 0
    ) -> Choice:
        """Find a move; of several equally good ones, the seed decides.

        A search that a limit ends in the middle of a depth plays the best move found so far there,
        if any is finished, and else that of the depth before. Nodes are boards visited.
        """
        started = seconds_now()
        if position.outcome() is not None:
            raise ValueError(f"There is no move to find: the game is over, {position.outcome()}.")
        limit = limit or Limit()
        if limit.depth is None and limit.seconds is None and limit.nodes is None:
            limit = Limit(depth=self.depth)
        moves = list(position.moves())
        random.Random(seed).shuffle(moves)
        work = self._work(position, evaluator)
        work.start(position, moves)
        state = _Progress(moves)
        deadline = None if limit.seconds is None else started + limit.seconds

        def so_far() -> Choice:
            cost = Cost(seconds_now() - started, work.nodes, depth=state.depth)
            return dataclasses.replace(state.choice(work.moves_of), cost=cost)

        for depth in range(1, min(limit.depth or MOST_DEPTH, MOST_DEPTH) + 1):
            # One move is looked ahead in any case: there is nothing to choose by before.
            is_stopped = self.is_stopped if depth > 1 else None
            finished = work.iterate(depth, state.moves, limit.nodes, deadline, is_stopped)
            state.take(work.results(), finished, depth)
            if not finished or work.is_settled(depth):
                break
            if self.is_stopped is not None and self.is_stopped():
                break
            if deadline is not None and len(moves) == 1:
                break  # there is nothing to think about
            self.tell(so_far)
        return so_far()

    def kernels(self, game: Game, evaluator: Evaluator | None = None) -> Sequence[Any]:
        """The kernels that a first move needs, the one that takes longest to compile first."""
        rules = compiled_rules_of(game)
        if rules is None:
            return ()
        compiled = None if evaluator is None else evaluator.compiled()
        return _kernels_for(rules, compiled).search, *getattr(rules, "KERNELS", ())

    def _work(self, position: Position, evaluator: Evaluator) -> Any:
        rules = compiled_rules_of(position.game)
        compiled = None if rules is None else evaluator.compiled()
        by_concepts = any(part.kind == Compiled.CONCEPTS for part in compiled or ())
        if by_concepts and not hasattr(rules, "count_concepts"):
            compiled = None  # the kernels do not count the concepts of this game
        if rules is None or compiled is None:
            return PlainWork(self, evaluator)
        memory = self._memory
        if memory is None or not memory.serves(self, position, compiled):
            memory = self._memory = _Memory(self, position, rules, compiled)
        return memory

    def __repr__(self) -> str:
        fields = [one for one in dataclasses.fields(self) if one.init]
        given = [
            (f.name, getattr(self, f.name)) for f in fields if getattr(self, f.name) != f.default
        ]
        return f"AlphaBeta({', '.join(f'{name}={value!r}' for name, value in given)})"


SEARCH = AlphaBeta


def _kernels_for(rules: CompiledRules, compiled: tuple[Compiled, Compiled] | None) -> ModuleType:
    """The kernels for evaluators as data; those that count no concepts need no code for it."""
    counts = compiled is None or any(part.kind == Compiled.CONCEPTS for part in compiled)
    leaves_out = hasattr(rules, "count_concepts") and not counts
    return specialised(TEMPLATE, rules, without=WITHOUT_CONCEPTS if leaves_out else "")


@dataclass(frozen=True)
class Result:
    """What is known of a move at the root: a score, and whether it is exact or only a bound.

    The line begins with the move, if the score is exact; it may be written in codes.
    """

    move: Move
    score: int
    exact: bool
    line: Sequence[Move]


class _Progress:
    """The best move so far, and what is known of the others, from depth to depth."""

    def __init__(self, moves: Sequence[Move]) -> None:
        self.moves = list(moves)
        self.depth = 0
        self.best: Result | None = None
        self.known: dict[Move, Result] = {}

    def take(self, results: Sequence[Result], finished: bool, depth: int) -> None:
        """Take over the results of a depth, in the order of the moves, as far as it has come."""
        best = None
        for one in results:
            self.known[one.move] = one
            if one.exact and (best is None or one.score > best.score):
                best = one
        if best is not None:
            self.best = best
            # The best move goes first at the next depth; the others stay in their order.
            self.moves.remove(best.move)
            self.moves.insert(0, best.move)
        if finished:
            self.depth = depth

    def choice(self, moves_of: Callable[[Sequence[Any]], tuple[Move, ...]]) -> Choice:
        """The choice, with the candidates; `moves_of` reads a line."""
        if self.best is None:  # not even one move could be looked at
            return Choice(self.moves[0], line=(self.moves[0],))
        others = [self.known[move] for move in self.moves[1:] if move in self.known]
        others.sort(key=lambda one: -one.score)
        candidates = tuple(
            Candidate(one.move, value_of(one.score), moves_of(one.line))
            for one in (self.best, *others)
        )
        best = candidates[0]
        return Choice(best.move, best.value, best.line, candidates)


class SearchPath(NamedTuple):
    """The boards on the path, a row of each array for each of them.

    `frames` is where the search stands there. `keys` are those of repetitions and of the table.
    `lines` has the line that is expected from there on. `flat` is the memory of `states`, one row a
    state. `order` says how promising the moves of `codes` are.
    """

    frames: Any
    keys: Any
    lines: Any
    states: Any
    flat: Any
    scratches: Any
    codes: Any
    order: Any


class SearchRoot(NamedTuple):
    """The root: its moves in their order, and what is found of each.

    `found` has a score and its kind for each move, `lines` the line expected after it if the score
    is exact. `before` are the keys of boards of the game so far; `marks` counts the boards before
    and on the path, by the last bits of their keys.
    """

    moves: Any
    found: Any
    lines: Any
    before: Any
    marks: Any


class SearchMemory(NamedTuple):
    """What was learned on other boards: moves that refuted some, scores, and judgements."""

    killers: Any
    history: Any
    table: Any
    judged: Any


class SearchJudges(NamedTuple):
    """The evaluators for either side to move, and room for them to work in."""

    first: Any
    second: Any
    features: Any
    fired: Any
    votes: Any
    counts: Any


class _Memory:
    """The arrays of a search by kernels, of which the table is kept from move to move."""

    def __init__(
        self,
        search: AlphaBeta,
        position: Position,
        rules: CompiledRules,
        compiled: tuple[Compiled, Compiled],
    ) -> None:
        game = position.game
        self.game, self.rules, self.compiled = game, rules, compiled
        self.settled_by = _settings_of(search, position)
        self.kernels = kernels = _kernels_for(rules, compiled)
        plies = MOST_DEPTH + BEYOND + 1
        most = rules.most_moves(game)
        self.control = np.zeros(kernels.CONTROL, np.int64)
        states = np.stack([rules.new_state(game)] * plies)
        self.path = SearchPath(
            frames=np.zeros((plies, kernels.FRAME), np.int64),
            keys=np.zeros((plies, 2), np.uint64),
            lines=np.full((plies, plies + 1), -1, np.int64),
            states=states,
            flat=states.reshape(plies, -1),
            scratches=np.stack([rules.new_scratch(game)] * plies),
            codes=np.zeros((plies, most), np.int64),
            order=np.zeros((plies, most), np.int64),
        )
        self.settings = rules.settings_of(game)
        size = 1 << search.table_bits
        # A linear sum is as quick as a look into a table.
        cheap = all(one.kind in (Compiled.NOTHING, Compiled.LINEAR) for one in compiled)
        self.memory = SearchMemory(
            killers=np.full((plies, 2), -1, np.int64),
            history=np.zeros((2, rules.n_codes(game)), np.int64),
            table=np.zeros((max(size, 1), 2), np.uint64),
            judged=np.zeros((1 if cheap else max(size, 1), 2), np.uint64),
        )
        self.evaluators = tuple(one.arguments() for one in compiled)
        self.n_bytes = -(-len(game.bits()) // 8)
        self.knowledge = knowledge_of(rules, game, search.endgames)
        self.age = 0

    def serves(
        self, search: AlphaBeta, position: Position, compiled: tuple[Compiled, Compiled]
    ) -> bool:
        """Whether what is kept holds for this search too."""
        return (
            self.game == position.game
            and self.settled_by == _settings_of(search, position)
            and self.compiled[0] is compiled[0]
            and self.compiled[1] is compiled[1]
            # Larger endgame tables may have been made meanwhile.
            and self.knowledge is knowledge_of(self.rules, self.game, search.endgames)
        )

    def start(self, position: Position, moves: Sequence[Move]) -> None:
        """Get ready for the moves of one position."""
        kernels, control, rules = self.kernels, self.control, self.rules
        _, quiescence, endgames, draw_score, every_move, grain, selective, margin = self.settled_by[
            :8
        ]
        self.position, self.nodes = position, 0
        self.path.states[0] = rules.state_of(position)
        self.before = np.require(rules.keys_before(position), np.uint64, ["C", "W"])
        self.age = self.age % 63 + 1
        self.memory.killers[:] = -1
        np.right_shift(self.memory.history, 2, out=self.memory.history)
        control[kernels.NODES] = 0
        control[kernels.QUIESCENCE] = quiescence
        control[kernels.ENDGAMES] = endgames
        control[kernels.EVERY_MOVE] = every_move
        control[kernels.DRAWN] = round(draw_score * ONE_POINT)
        control[kernels.TIMES] = times_to_draw(position.game)
        control[kernels.AGE] = self.age
        control[kernels.GRAIN] = grain
        control[kernels.SELECTIVE] = selective
        control[kernels.MARGIN] = margin
        self.code = {move: rules.code_of(position, move) for move in moves}
        self.move = {code: move for move, code in self.code.items()}
        self.speed = 0.0

    def iterate(
        self,
        depth: int,
        moves: Sequence[Move],
        most: int | None,
        deadline: float | None,
        is_stopped: Callable[[], bool] | None = None,
    ) -> bool:
        """Search to one depth, the moves in their order; whether it was finished."""
        if is_stopped is not None and deadline is None:
            deadline = math.inf
        kernels, control, frame = self.kernels, self.control, self.path.frames[0]
        marked = (self.before & np.uint64(kernels.MARKS - 1)).astype(np.int64)
        self.root = SearchRoot(
            moves=np.array([self.code[move] for move in moves], np.int64),
            found=np.zeros((len(moves), 2), np.int64),
            lines=np.full((len(moves), self.path.lines.shape[1]), -1, np.int64),
            before=self.before,
            marks=np.bincount(marked, minlength=kernels.MARKS),
        )
        control[kernels.PLY], control[kernels.ENTERING], control[kernels.JUDGED] = 0, 1, 0
        frame[kernels.DEPTH] = depth
        frame[kernels.ALPHA], frame[kernels.BETA] = -INFINITE, INFINITE
        frame[kernels.NEXT] = 0
        while True:
            control[kernels.STOP_AT] = self._next_stop(most, deadline)
            before, clock = self.nodes, seconds_now()
            finished = kernels.search(
                control, self.path, self.root, self.memory, self.settings, *self.evaluators,
                self.knowledge, self.n_bytes,
            )  # fmt: skip
            self.nodes = int(control[kernels.NODES])
            now = seconds_now()
            if self.nodes > before:
                self.speed = (self.nodes - before) / max(now - clock, 1e-9)
            if finished:
                return True
            if (most is not None and self.nodes >= most) or (
                deadline is not None and now >= deadline
            ):
                return False
            if is_stopped is not None and is_stopped():
                return False

    def _next_stop(self, most: int | None, deadline: float | None) -> int:
        """Up to how many nodes to search before the clock is looked at again."""
        stop = 1 << 62
        if deadline is not None:
            left = min(SLICE, max(deadline - seconds_now(), 0.0))
            stop = self.nodes + min(max(int(self.speed * left), FIRST_SLICE), MOST_SLICE)
        return stop if most is None else min(stop, most)

    def results(self) -> list[Result]:
        """What the last iteration has found, as far as it came."""
        kernels, root = self.kernels, self.root
        results = []
        for i in range(int(self.path.frames[0, kernels.NEXT])):
            score, exact = int(root.found[i, 0]), bool(root.found[i, 1] == kernels.EXACT)
            codes = root.lines[i, : root.lines[i].argmin()] if exact else root.moves[i : i + 1]
            results.append(Result(self.move[int(root.moves[i])], score, exact, codes.tolist()))
        return results

    def moves_of(self, line: Sequence[int]) -> tuple[Move, ...]:
        """The moves of a line; it ends where the game does by a count that states leave out."""
        moves: list[Move] = []
        here = self.position
        for code in line:
            if here.outcome() is not None:
                break
            moves.append(self.rules.move_of(here, code))
            here = here.play(moves[-1])
        return tuple(moves)

    def is_settled(self, depth: int) -> bool:
        """Whether to look deeper would change nothing."""
        kernels = self.kernels
        best = int(self.path.frames[0, kernels.BEST])
        return int(self.control[kernels.JUDGED]) == 0 or WIN - abs(best) <= depth


def _settings_of(search: AlphaBeta, position: Position) -> tuple[Any, ...]:
    """All that scores in the table hang on, beside game and evaluator."""
    # What a draw is worth is told for the side that searches: the other one needs another table.
    side = position.to_move if search.draw_score else None
    return (
        search.table_bits,
        search.quiescence,
        search.endgames,
        search.draw_score,
        search.every_move,
        grain_of(search),
        search.selective,
        round(search.margin * ONE_POINT),
        side,
    )


def knowledge_of(rules: CompiledRules, game: Game, wanted: bool) -> Any:
    """What the game knows for certain; nothing where that is not wanted."""
    without: Callable[[Game], Any] = getattr(rules, "no_knowledge", rules.knowledge_of)
    return rules.knowledge_of(game) if wanted else without(game)


def times_to_draw(game: Game) -> int:
    """How often a board was there before if it makes a draw by the rules, whatever is known."""
    return max((getattr(game, "repetitions", None) or 1 << 30) - 1, 1)


def grain_of(search: AlphaBeta) -> int:
    """Scores of judgements are multiples of this."""
    return max(1, round(search.grain * ONE_POINT))


def value_of(score: int) -> float:
    """A score as a value from -1 to 1."""
    if abs(score) > SURE:
        return 1.0 if score > 0 else -1.0
    return score / ONE_POINT


# ---- over positions, in plain Python


Found = tuple[int, tuple[Move, ...]]
"""A score for the side to move, and the line that leads to it."""


class _StoppedError(Exception):
    """The limit is reached."""


class PlainWork:
    """A search of one position, with the scores of the kernels.

    Boards one move before the end of a line are judged together with those beside them, since
    evaluators like batches.
    """

    def __init__(self, search: AlphaBeta, evaluator: Evaluator) -> None:
        self.search, self.evaluator = search, evaluator
        self.nodes = 0

    def start(self, position: Position, moves: Sequence[Move]) -> None:
        """Get ready for the moves of one position."""
        self.position = position
        self.draw = round(self.search.draw_score * ONE_POINT)
        self.judged: dict[Any, int] = {}
        self.best_replies: dict[Any, Any] = {}
        rules = compiled_rules_of(position.game)
        self.rules: Any = rules
        self.path: list[int] = []
        if rules is not None:
            self.kernels = specialised("clauseboard.search.board_template", rules)
            self.settings = rules.settings_of(position.game)
            self.knowledge = knowledge_of(rules, position.game, self.search.endgames)
            self.before = rules.keys_before(position).tolist()
            self.times = times_to_draw(position.game)

    def iterate(
        self,
        depth: int,
        moves: Sequence[Move],
        most: int | None,
        deadline: float | None,
        is_stopped: Callable[[], bool] | None = None,
    ) -> bool:
        """Search to one depth, the moves in their order; whether it was finished."""
        self.most, self.deadline, self.is_stopped = most, deadline, is_stopped
        self.n_judged = 0
        self.found: list[Result] = []
        best = -INFINITE
        try:
            self._visit()
            self.path = [self._key(self.rules.state_of(self.position))] if self._repeats() else []
            for move in moves:
                alpha = -INFINITE if self.search.every_move else best
                after = self.position.play(move)
                score, line = self._score(after, depth - 1, -INFINITE, -alpha, 1)
                # Fail-soft: what is not better than the best so far is a bound from above.
                exact = -score > alpha
                self.found.append(Result(move, -score, exact, (move, *line) if exact else (move,)))
                best = max(best, -score)
        except _StoppedError:
            return False
        return True

    def results(self) -> list[Result]:
        """What the last iteration has found, as far as it came."""
        return self.found

    def moves_of(self, line: Sequence[Move]) -> tuple[Move, ...]:
        """The moves of a line."""
        return tuple(line)

    def is_settled(self, depth: int) -> bool:
        """Whether to look deeper would change nothing."""
        best = max(one.score for one in self.found)
        return self.n_judged == 0 or WIN - abs(best) <= depth

    # ---- inside

    def _visit(self) -> None:
        if (self.most is not None and self.nodes >= self.most) or (
            self.deadline is not None and seconds_now() >= self.deadline
        ):
            raise _StoppedError
        if self.is_stopped is not None and self.is_stopped():
            raise _StoppedError
        self.nodes += 1

    def _repeats(self) -> bool:
        return self.rules is not None and self.rules.REPEATS

    def _key(self, state: Any) -> int:
        return int(self.kernels.key(state))

    def _score(self, position: Position, depth: int, alpha: int, beta: int, ply: int) -> Found:
        self._visit()
        drawn = -self.draw if ply % 2 else self.draw
        state = None if self.rules is None else self.rules.state_of(position)
        key = self._key(state) if self._repeats() else 0
        times = (self.before + self.path[ply % 2 :: 2]).count(key) if self._repeats() else 0
        if self.rules is not None and self.search.endgames and times < self.times:
            sure, sign, distance = self.kernels.exact_value(state, self.settings, self.knowledge)
            if sure:
                return (sign * (WIN - ply - distance) if sign else drawn), ()
        outcome = position.outcome()
        if outcome is not None:
            if outcome.winner is None:
                return drawn, ()
            return (WIN - ply if outcome.winner == position.to_move else ply - WIN), ()
        if times:
            return drawn, ()
        moves = position.moves()
        if ply == MOST_DEPTH + BEYOND or (
            depth <= 0 and not (self.search.quiescence and _must_capture(moves))
        ):
            self.n_judged += 1
            return self._judge([position])[0], ()
        after = {move: position.play(move) for move in moves}
        if depth == 1:
            self._judge([one for one in after.values() if one.outcome() is None])
        if position in self.best_replies:
            first = self.best_replies[position]
            after = {first: after[first], **after}
        self.path.append(key)
        best: Found = (-INFINITE, ())
        for move, below in after.items():
            score, line = self._score(below, depth - 1, -beta, -max(alpha, best[0]), ply + 1)
            if -score > best[0]:
                best = (-score, (move, *line))
                self.best_replies[position] = move
            if best[0] >= beta:
                break
        self.path.pop()
        return best

    def _judge(self, positions: Sequence[Position]) -> list[int]:
        new = [position for position in positions if position not in self.judged]
        if new:
            values, grain = self.evaluator.judge(new).values, grain_of(self.search)
            scores = (
                math.floor(float(value) * ONE_POINT / grain + 0.5) * grain
                for value in np.clip(values, -1, 1)
            )
            self.judged.update(zip(new, scores, strict=True))
        return [self.judged[position] for position in positions]


def _must_capture(moves: Sequence[Move]) -> bool:
    """Whether every move takes something; where captures are free, no line goes on for them."""
    return all(getattr(move, "captured", ()) for move in moves)
