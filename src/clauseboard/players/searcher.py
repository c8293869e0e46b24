"""A player that is an evaluator plus a search."""

from __future__ import annotations

import dataclasses
import functools
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from clauseboard.evaluation import Evaluator, Limit, seconds_now
from clauseboard.explanation import (
    RULES,
    SEARCH,
    TABLE,
    UNIT,
    Explanation,
    Line,
    chance_of_votes,
    percent,
    settled,
    split,
    votes_of,
)
from clauseboard.game import Game, Move, Position, line_texts
from clauseboard.games.plugins import COUNTING, LINE_FACTS, TERRITORY
from clauseboard.games.solving import exact_end, exact_words
from clauseboard.kernels.compiler import prepare
from clauseboard.player import Candidate, Choice, Cost, Listener, Player
from clauseboard.search import Search, load_search

LIMITS = tuple(field.name for field in dataclasses.fields(Limit))

TRIAL = Limit(depth=1, simulations=1)
"""The least that a search can do."""

ENOUGH = 1000
"""Simulations before a player believes that a game is lost."""

LOOK = Limit(nodes=50_000)
"""How far to look ahead from a board before it is explained."""
AGREES = UNIT / 2
"""Votes by which a judgement may differ from what such a look finds: about a third of a man."""

ENOUGH_GAMES = 100
"""Random games after another move with which those after the chosen one are compared."""

MOST_TOLD = 4
"""Moves of an expected line that are told where nothing can be said of its end."""

CERTAIN = 1e-6
"""Values that differ by less are the same."""


class SearchPlayer(Player):
    """Plays the move that a search finds with an evaluator, or with one for each colour it plays.

    `limit` applies where a match sets none. `board_judge` judges boards in accounts, beside a
    search whose values come from random games, and may have a say in where that searches. Each
    colour has a search of its own, so that a player who plays against itself shares nothing with
    its opponent but the evaluator.
    """

    def __init__(
        self,
        evaluator: Evaluator | Mapping[str, Evaluator],
        search: Search,
        name: str = "searcher",
        limit: Limit | None = None,
        board_judge: Evaluator | None = None,
    ) -> None:
        if isinstance(evaluator, Evaluator):
            self.game = evaluator.game
            self.evaluators: Mapping[str, Evaluator] = dict.fromkeys(self.game.colours, evaluator)
        else:
            self.game = next(iter(evaluator.values())).game
            self.evaluators = dict(evaluator)
            if set(self.evaluators) != set(self.game.colours):
                listed = " and ".join(map(repr, self.game.colours))
                raise ValueError(f"There must be an evaluator for each colour: {listed}.")
        self.search = search
        self.name = name
        self.limit = limit or Limit()
        self.board_judge = board_judge
        self._searches: dict[str, Search] = {}
        self._draws = {colour: _draws(0, colour) for colour in self.game.colours}

    @property
    def uses_tables(self) -> bool:
        """Whether its search does."""
        return bool(getattr(self.search, "endgames", False))

    def begin(self, game: Game, colour: str, seed: int) -> None:
        """Forget the last game; each move's seed is drawn from this one."""
        check_game(self, self.game, game)
        self._draws[colour] = _draws(seed, colour)
        if colour in self._searches:
            self._searches[colour].begin()
            self._set_settling(getattr(self.search, "settle", False))

    def choose(self, position: Position, limit: Limit | None = None) -> Choice:
        """The move that the search finds; the explanation is of the end of its expected line."""
        check_going_on(position)
        colour = position.to_move
        if colour not in self._searches:
            self._searches[colour] = self._fresh_search()
        evaluator = self.evaluators[colour]
        within = (limit or Limit()).or_else(self.limit)
        choice = self._fair(position, evaluator, within) if position.may_be_swapped else None
        choice = choice or self._found(position, evaluator, within)
        choice = self._with_chances(choice, colour)
        explain = functools.partial(self._explain, evaluator, position, choice)
        return dataclasses.replace(choice, explain=explain, position=position)

    def dead_stones(self, position: Position) -> Sequence[str] | None:
        """What the game suggests, if the player passes though there are dead stones."""
        counting = COUNTING.find(position.game) if getattr(self.search, "settle", False) else None
        return None if counting is None else counting.find_dead(position)

    def resume(self) -> None:
        """Take what is dead before it passes again."""
        self._set_settling(False)

    def _set_settling(self, settle: bool) -> None:
        """Have its searches pass where all is settled, or not, if they can."""
        for search in self._searches.values():
            if hasattr(search, "settle"):
                search.settle = settle

    def release(self) -> None:
        """Free the memory of its searches: trees and tables of the last move."""
        self._searches.clear()

    def chance(self, colour: str, value: float) -> float:
        """The chance by its evaluator's scale; a value of 1 or -1 is certain."""
        certain = abs(value) >= 1
        return (1 + value) / 2 if certain else self.evaluators[colour].chance(value)

    def priors(self, position: Position) -> Mapping[Move, float] | None:
        """The opinion of its evaluator, where that judges moves."""
        told = self.evaluators[position.to_move].priors([position])
        return (
            None if told is None else dict(zip(position.moves(), map(float, told[0]), strict=True))
        )

    def _with_chances(self, choice: Choice, colour: str) -> Choice:
        """A choice with chances beside its values, and with a line."""
        territory = TERRITORY.find(self.game)
        candidates = tuple(
            dataclasses.replace(
                one,
                chance=self.chance(colour, float(one.value)),
                points=territory.expected_score(self.game, one.owners, colour)
                if territory is not None and one.owners
                else None,
            )
            for one in choice.candidates
        )
        chance = None if choice.value is None else self.chance(colour, float(choice.value))
        line = choice.line or (choice.move,)
        resign = getattr(self.search, "resign", 0.0)
        enough = choice.cost.simulations >= ENOUGH and not getattr(choice.move, "is_pass", False)
        return dataclasses.replace(
            choice,
            line=line,
            candidates=candidates,
            chance=chance,
            gives_up=chance is not None and enough and resign > 0 and chance <= resign,
        )

    def _found(self, position: Position, evaluator: Evaluator, within: Limit) -> Choice:
        """The choice of the search of the side to move."""
        colour = position.to_move
        search = self._searches[colour]
        listener = self.listener
        search.listener = (
            None if listener is None else lambda one: listener(self._with_chances(one, colour))
        )
        search.is_stopped = self.is_stopped
        seed = self._draws[colour].getrandbits(63)
        unswapped = position.unswapped()
        choice = search.find(position if unswapped is None else unswapped, evaluator, within, seed)
        if unswapped is not None:
            choice = swap_or_not(position, choice)
            search.begin()
        return choice

    def _fair(self, position: Position, evaluator: Evaluator, within: Limit) -> Choice | None:
        """A first move that invites no swap; None if the search cannot look at many of them."""
        search, draws = self._fresh_search(), self._draws[position.to_move]
        if not search.takes_less:
            return None
        search.is_stopped = self.is_stopped
        if within == Limit(depth=within.depth):
            within = within.or_else(Limit(simulations=getattr(search, "simulations", None)))

        def look(board: Position, share: Limit) -> Choice:
            search.begin()
            return search.find(board, evaluator, share, draws.getrandbits(63))

        return fair_move(position, look, within, draws, self.listener)

    def explain(self, position: Position, choice: Choice) -> Explanation:
        """Why a choice in a position is judged as it is: one of this player's, or a candidate."""
        return self._explain(self.evaluators[position.to_move], position, choice)

    def get_ready(self) -> None:
        """Search at the start of the game with hardly any work, and forget it.

        This loads kernels and tables before a clock runs, and refuses options that do not go
        together before there is a game to lose.
        """
        evaluators = {id(evaluator): evaluator for evaluator in self.evaluators.values()}
        prepare(self._fresh_search().kernels(self.game, next(iter(evaluators.values()))))
        for evaluator in evaluators.values():
            self._fresh_search().find(self.game.start(), evaluator, TRIAL)

    def _fresh_search(self) -> Search:
        """A search of the same parameters, with nothing remembered."""
        search: Search = dataclasses.replace(self.search)  # type: ignore[type-var]
        search.board_judge = self.board_judge
        return search

    def explain_move(
        self, position: Position, move: Move, value: float, owners: Sequence[int] = ()
    ) -> Explanation | None:
        """Why a move of such a value is likely; None if the evaluator judges boards instead.

        `owners` are those of a `Candidate`: where there are some, the lines tell the score.
        """
        explanation = self.evaluators[position.to_move].explain_move(position, move)
        if explanation is None:
            return None
        chance, colour = (1 + value) / 2, position.to_move
        line = playouts_line(colour, value)
        # A swap, or a move that may be swapped, is chosen by the value of the board, not by votes.
        if move in swaps(position):
            text = f"to play on gives {colour.capitalize()} {percent(1 - chance)}"
        elif position.may_be_swapped:
            text = f"the other side may swap, which leaves {percent(chance)}"
        else:
            judged = dataclasses.replace(explanation, value=value, lines=(line,), chance=chance)
            told = with_territory(judged, position.play(move), owners)
            return with_contrast(told, self._alone(position, move), owners)
        line = dataclasses.replace(line, concept="swap", text=text)
        return Explanation(position, value, "its search", move=move, lines=(line,), chance=chance)

    def _alone(self, position: Position, move: Move) -> Explanation | None:
        """The board after a move by the judge of boards, if there is one and the game goes on."""
        after = position.play(move)
        if self.board_judge is None or after.outcome() is not None:
            return None
        return dataclasses.replace(self.board_judge.explain(after), line=(move,))

    def explain_board(self, position: Position, line: Sequence[Move] = ()) -> Explanation:
        """Why the board at the end of a line is judged as it is, without a search.

        Where the game is over, the rules judge it, and a table where the search looks into one.
        """
        end = end_of(position, line)
        if end.outcome() is not None:
            return explain_end(end, line)
        words = exact_words(end) if self.uses_tables else None
        known = None if words is None else exact_end(end)
        if words is not None and known is not None:
            text = words.rstrip(".")
            return settled(end, known.winner, f"the endgame table: {text}", TABLE, text, line)
        explanation = self.evaluators[position.to_move].explain(end)
        if explanation.is_settled and line:
            (certain,) = explanation.lines
            text = f"after {' '.join(line_texts(position, line))} {certain.text}"
            lines = (dataclasses.replace(certain, text=text),)
            explanation = dataclasses.replace(explanation, lines=lines)
        return dataclasses.replace(explanation, line=tuple(line))

    def _explain(self, evaluator: Evaluator, position: Position, choice: Choice) -> Explanation:
        owners = owners_of(choice, choice.move)
        explanation = self.explain_move(position, choice.move, choice.value or 0.0, owners)
        if explanation is not None:
            return with_aim(explanation, position, choice)
        share = getattr(self.search, "playout_share", 0.0)
        if self.search.averages and not share and (found := self._after_move(position, choice)):
            return found
        explained = self._explain_settled(position, choice)
        if choice.value is None or not 0 < share < 1 or explained.is_settled:
            return explained
        value, chance = self._seen_from(explained.position, position.to_move, choice.value)
        return with_playouts(explained, value, chance, share)

    def _explain_settled(self, position: Position, choice: Choice) -> Explanation:
        """The end of a line; or, if a look ahead disagrees there, the best board on the way.

        A search judges the last boards of its lines as they stand, though a shot may come next,
        which no sentence about such a board can tell. Of the quiet boards before it on which a look
        ahead agrees with the judge, the one whose concepts come closest to the value of the search
        is explained, with a line for the rest. Judges without concepts explain the end.
        """
        line = _explained_line(position, choice)
        explained = self.explain_board(position, line)
        if self.search.averages or choice.value is None or self._holds(explained):
            return explained
        colour, settled_boards = position.to_move, []
        for n in range(len(line) - 1, 0, -1):
            judged = self.explain_board(position, line[:n])
            if judged.is_settled or captures(judged.position) or not self._holds(judged):
                continue
            value, chance = self._seen_from(judged.position, colour, choice.value)
            told = with_search(judged, value, chance, line[n:])
            more = sum(abs(line.votes) for line in told.lines if line.concept == SEARCH)
            settled_boards.append((more, -n, told))
        return min(settled_boards, default=(0, 0, explained))[2]

    def _holds(self, explained: Explanation) -> bool:
        """Whether a look ahead finds about what the judge says of a board, or need not look."""
        if explained.is_settled or not explained.lines or explained.chance is None:
            return True
        colour = explained.position.to_move
        found = self._fresh_search().find(explained.position, self.evaluators[colour], LOOK)
        chance = self.chance(colour, found.value or 0.0)
        return abs(votes_of(chance) - votes_of(explained.chance)) <= AGREES

    def _after_move(self, position: Position, choice: Choice) -> Explanation | None:
        """The board after the move by concepts, and what the search found beyond it.

        The value of a search that averages is that of no single board. None for judges that have no
        concepts, and where a result is certain for the search alone.
        """
        if choice.value is None:
            return None
        judged = self.explain_board(position, (choice.move,))
        if abs(choice.value) >= 1 - CERTAIN or judged.is_settled:
            agrees = judged.is_settled and judged.value_for(position.to_move) == choice.value
            return dataclasses.replace(judged, ahead=choice.line[1:]) if agrees else None
        if not judged.lines or judged.chance is None:
            return None
        value, chance = self._seen_from(judged.position, position.to_move, choice.value)
        return with_search(judged, value, chance, choice.line[1:])

    def _seen_from(self, board: Position, colour: str, value: float) -> tuple[float, float]:
        """What a value for a colour that searches is to the side to move on a board; its chance."""
        value = value if board.to_move == colour else -value
        return value, self.chance(colour, value)


def _explained_line(position: Position, choice: Choice) -> Sequence[Move]:
    """The line of a choice, without a last move that ends the game with another value than the
    choice has: a search that averages may reach an end without being sure of it, and the rules give
    no reasons for its value."""
    line = choice.line
    outcome = end_of(position, line).outcome()
    if outcome is None or len(line) < 2:
        return line
    worth = 0.0 if outcome.winner is None else 1.0 if outcome.winner == position.to_move else -1.0
    return line if choice.value is None or abs(choice.value - worth) < CERTAIN else line[:-1]


def playouts_line(colour: str, value: float) -> Line:
    """The line of a judge whose value comes from random games."""
    chance = (1 + value) / 2
    text = f"random games give {colour.capitalize()} {percent(chance)}"
    return Line("playouts", text, round(votes_of(chance)))


def with_playouts(
    explanation: Explanation, value: float, chance: float, share: float
) -> Explanation:
    """The explanation of a board by concepts, where random games have a share in every value.

    Concepts count their own share of their votes; a line of the random games has what is left to
    the value that the search found, which is for the side to move on the board explained.
    """
    if not explanation.lines or explanation.chance is None or explanation.unit:
        return explanation
    amounts = [(1 - share) * line.votes for line in explanation.lines]
    votes = split(round(sum(amounts)), amounts)
    lines = []
    for line, n in zip(explanation.lines, votes, strict=True):
        parts = [(1 - share) * clause.votes for clause in line.clauses]
        counted = split(n, parts) if parts else []
        clauses = tuple(
            dataclasses.replace(clause, votes=part)
            for clause, part in zip(line.clauses, counted, strict=True)
        )
        lines.append(dataclasses.replace(line, votes=n, clauses=clauses))
    text = f"random games, which are {percent(share)} of every judgement of the search"
    lines.append(Line("random games", text, round(votes_of(chance)) - sum(votes)))
    return dataclasses.replace(explanation, value=value, chance=chance, lines=tuple(lines))


def with_search(
    explanation: Explanation, value: float, chance: float, ahead: Sequence[Move]
) -> Explanation:
    """The explanation of a board by concepts, with a line for what a search made of it.

    Its votes are what is left to the value of the search, which is for the side to move on that
    board; `ahead` are the moves that it expects there.
    """
    board, votes = explanation.position, sum(line.votes for line in explanation.lines)
    more = round(votes_of(chance)) - votes
    better = board.to_move if more > 0 else board.game.other(board.to_move)
    sign = 1 if more > 0 else -1
    before, after = (
        percent(chance_of_votes(sign * votes)),
        percent(chance if more > 0 else 1 - chance),
    )
    rise = f"from {before} to {after}" if before != after else "by less than 1 %"
    text = f"looking ahead raises {better} {rise}"
    if ahead:
        told = LINE_FACTS.call(board.game, "stands", board, ahead, better)
        moves = line_texts(board, ahead)
        if told is not None:
            text += f": after {' '.join(moves[: told[0]])} {told[1]}"
        else:
            text += f"; it looked most at {' '.join(moves[:MOST_TOLD])}"
    lines = (*explanation.lines, Line(SEARCH, text, more)) if more else explanation.lines
    ordered = tuple(sorted(lines, key=lambda line: -abs(line.votes)))
    return dataclasses.replace(
        explanation, value=value, chance=chance, lines=ordered, ahead=tuple(ahead)
    )


def owners_of(choice: Choice, move: Move) -> tuple[int, ...]:
    """Who owned the points in the random games after a move; nothing if nobody counted that."""
    return next((one.owners for one in choice.candidates if one.move == move), ())


def with_territory(explanation: Explanation, board: Position, owners: Sequence[int]) -> Explanation:
    """An explanation by random games whose lines tell the expected score of a board, if it can."""
    territory = TERRITORY.find(board.game)
    if territory is None or not owners:
        return explanation
    colour, judge = explanation.position.to_move, f"{owners[-1]:,} random games"
    final = territory.final_owners(board, owners)
    if final != tuple(owners):
        # Nothing is left to play: the count decides, and random games have no say any more.
        points = territory.expected_score(board.game, final, colour)
        owners, judge, value = final, "the count", float((points > 0) - (points < 0))
        explanation = dataclasses.replace(explanation, value=value, chance=(1 + value) / 2)
    return dataclasses.replace(
        explanation,
        judge=judge,
        lines=territory.territory_lines(board, owners, colour),
        unit="points",
        owners=territory.owner_shares(board, owners, colour),
    )


def with_contrast(
    explanation: Explanation, alone: Explanation | None, owners: Sequence[int]
) -> Explanation:
    """An explanation with that of a judge that does not search, and on what the two differ."""
    if alone is None:
        return explanation
    mover, board = explanation.position.to_move, alone.position
    ours, theirs = explanation.chance or 0.5, 1 - (alone.chance or 0.5)
    territory = TERRITORY.find(board.game)
    if territory is not None and owners:
        better = mover if ours > theirs else board.game.other(mover)
        alone = dataclasses.replace(alone, contrast=territory.contrast(board, owners, better))
    return dataclasses.replace(explanation, alone=alone)


def captures(position: Position) -> bool:
    """Whether something can be taken, in games whose moves tell what they take."""
    return any(getattr(move, "captured", ()) for move in position.moves())


def with_aim(explanation: Explanation, position: Position, choice: Choice) -> Explanation:
    """The explanation of a move, with what it is for, if the random games after it tell that."""
    territory, owners = TERRITORY.find(position.game), owners_of(choice, choice.move)
    if territory is None or not owners:
        return explanation
    others = [one for one in choice.candidates if one.move != choice.move and one.owners]
    rival = max(others, key=lambda one: one.visits, default=None)
    if rival is not None and rival.owners[-1] >= ENOUGH_GAMES:
        name = position.write_move(rival.move)
        said = territory.aim(position, choice.move, owners, rival.owners, name)
    else:
        summed = [sum(counts) for counts in zip(*(one.owners for one in others), strict=True)]
        said = territory.aim(position, choice.move, owners, summed)
    return dataclasses.replace(explanation, aim=said)


def end_of(position: Position, line: Sequence[Move]) -> Position:
    """The position at the end of a line."""
    for move in line:
        position = position.play(move)
    return position


def explain_end(position: Position, line: Sequence[Move]) -> Explanation:
    """The explanation of a board on which the game is over."""
    outcome = position.outcome()
    if outcome is None:
        raise ValueError(f"The game goes on in {position!r}.")
    return settled(position, outcome.winner, f"the rules ({outcome})", RULES, str(outcome), line)


def searching_player(
    game: Game,
    evaluator: Callable[..., Evaluator | Mapping[str, Evaluator]],
    *,
    search: str,
    own: Sequence[str] = (),
    options: Mapping[str, object],
    usual: Mapping[str, object] | None = None,
    kind: Callable[..., SearchPlayer] = SearchPlayer,
) -> SearchPlayer:
    """A player from options: those of its `own`, `search`, that search's parameters, and limits.

    A name that is both a parameter of the search and of `Limit` is used for both, so that it holds
    together with other limits. `usual` has parameters for the default search; a limit of a match
    takes precedence over them.
    """
    left = dict(options)
    chosen = left.pop("search", search)
    if not isinstance(chosen, str):
        raise ValueError(f"search={chosen!r} is not the name of a search, such as {search!r}.")
    mine = {name: left.pop(name) for name in own if name in left}
    blank = load_search(chosen)
    fields = dataclasses.fields(blank)  # type: ignore[arg-type]
    parameters = [field.name for field in fields if field.init]
    for name in left:
        if name not in parameters and name not in LIMITS:
            allowed = dict.fromkeys((*own, "search", *parameters, *LIMITS))
            listed = ", ".join(map(repr, allowed))
            raise ValueError(
                f"A player that searches by {chosen} has no option {name!r}: {listed}."
            )
    limit = Limit(**{name: cast(Any, left[name]) for name in left if name in LIMITS})
    settings = dict(usual or {}) if type(blank) is type(load_search(search)) else {}
    settings |= {name: value for name, value in left.items() if name in parameters}
    player = kind(evaluator(game, **mine), load_search(chosen, **settings), limit=limit)
    player.get_ready()
    return player


def check_game(player: Player, made_for: Game, game: Game) -> None:
    """Refuse a game that a player was not made for."""
    if game != made_for:
        raise ValueError(f"The player {player} was made for {made_for!r}, not for {game!r}.")


def check_going_on(position: Position) -> None:
    """Refuse a position in which there is no move to choose."""
    outcome = position.outcome()
    if outcome is not None:
        raise ValueError(f"There is no move to choose any more: {outcome}, in {position!r}.")


def _draws(seed: int, colour: str) -> random.Random:
    """The random numbers of one side in one game; both sides of a game have the same seed."""
    return random.Random(f"{seed} {colour}")


# ---- the swap rule of Hex: when to swap, and a fair first move


LOOKED_AT = 16
"""First moves, drawn at random, of which the fairest is played: a few are always fair, each can be
searched for long enough, and games begin in different ways."""


def swaps(position: Position) -> set[Move]:
    """The moves that are legal only because of the swap rule."""
    unswapped = position.unswapped()
    return set() if unswapped is None else set(position.moves()) - set(unswapped.moves())


def swap_or_not(position: Position, choice: Choice) -> Choice:
    """The choice where a swap is legal, from the choice of a player that does not swap.

    A swap is worth what the position is worth to the other side.
    """
    if choice.value is None:
        return choice
    (swap,) = swaps(position)
    instead = Candidate(swap, -choice.value, (swap,))
    if choice.value >= 0:
        return dataclasses.replace(choice, candidates=(*choice.candidates, instead))
    return dataclasses.replace(
        choice,
        move=swap,
        value=instead.value,
        line=instead.line,
        candidates=(instead, *choice.candidates),
    )


def fair_move(
    position: Position,
    look: Callable[[Position, Limit], Choice],
    limit: Limit,
    draws: random.Random,
    listener: Listener | None = None,
) -> Choice | None:
    """A move that is neither good nor bad, since the other side would take over a good one.

    Some moves are searched briefly, the fairer half of them for twice as long, and so on until one
    is left; all within the limit. None if `look` finds no values.
    """
    started = seconds_now()
    moves = position.moves()
    rest = draws.sample(moves, min(LOOKED_AT, len(moves)))
    stages = len(rest).bit_length()
    candidates: dict[Move, Candidate] = {}
    nodes = simulations = 0
    while True:
        share = _share(limit, stages * len(rest))
        for move in rest:
            after = position.play(move)
            found = look(after.unswapped() or after, share)
            if found.value is None:
                return None
            candidates[move] = _candidate(move, after, found)
            nodes += found.cost.nodes
            simulations += found.cost.simulations
        rest.sort(key=lambda move: -candidates[move].value)
        # Those that were looked at for longer come first.
        candidates = {
            move: candidates[move] for move in (*rest, *(m for m in candidates if m not in rest))
        }
        best = candidates[rest[0]]
        cost = Cost(seconds_now() - started, nodes, simulations)
        choice = Choice(best.move, best.value, best.line, tuple(candidates.values()), cost)
        if len(rest) == 1:
            return choice
        if listener is not None:
            listener(choice)
        rest = rest[: len(rest) // 2]


def _candidate(move: Move, after: Position, choice: Choice) -> Candidate:
    """A move's value if the other side swaps whenever that is better for it."""
    reply = swap_or_not(after, choice)
    assert reply.value is not None
    return Candidate(move, -reply.value, (move, *(reply.line or (reply.move,))))


def _share(limit: Limit, parts: int) -> Limit:
    """One of so many equal parts of a limit; a look from one move further on is less deep."""
    return Limit(
        seconds=None if limit.seconds is None else limit.seconds / parts,
        depth=None if limit.depth is None else max(1, limit.depth - 1),
        nodes=None if limit.nodes is None else max(1, limit.nodes // parts),
        simulations=None if limit.simulations is None else max(1, limit.simulations // parts),
    )
