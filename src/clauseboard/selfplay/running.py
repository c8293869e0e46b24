"""The loop: play, learn, and let the new player take the old one's place if it wins.

What comes next is seen from what the store has, so that a run that was stopped, by Ctrl-C or by
force, goes on where it was: games that are there are not played again, nor is a machine made twice.
"""

from __future__ import annotations

import functools
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clauseboard.arena.game_record import GameRecord
from clauseboard.arena.match import Match, Result
from clauseboard.arena.openings import NO_OPENINGS, Opening, deck_of
from clauseboard.arena.playing import derived_seed
from clauseboard.arena.ratings import Rating, bradley_terry
from clauseboard.game import Game
from clauseboard.parallel import spread
from clauseboard.selfplay.contestants import Contestant, learned
from clauseboard.selfplay.plan import Plan
from clauseboard.selfplay.self_play import OwnGame, play_itself
from clauseboard.selfplay.store import Generation, LearningStore

FEW = 4
"""Games of a player against itself that are one task."""

HELD_BACK = 0.1
"""The share of the games on which a new machine is tested instead of learning from them."""


@dataclass(frozen=True)
class Step:
    """What has just been done: which round, what, and how far it is."""

    round: int
    what: str
    done: int
    of: int
    note: str = ""


@dataclass(frozen=True, eq=False)
class Life:
    """A player's life: its game, its plan, and where it is kept.

    `earlier` has the plans that held before, each with the last round that was theirs.
    """

    game: Game
    plan: Plan
    store: LearningStore
    jobs: int = 1
    cluster: str | None = None
    earlier: tuple[tuple[int, Plan], ...] = ()

    def plan_of(self, round_: int) -> Plan:
        """The plan that holds in a round, or held."""
        return next((plan for last, plan in self.earlier if round_ <= last), self.plan)

    def steps(self, rounds: int | None = None) -> Iterator[Step]:
        """Go through so many rounds more, or without end; tells of every game and machine."""
        last = None if rounds is None else self.store.decided() + rounds
        while last is None or self.store.decided() < last:
            yield from self._round(self.store.decided() + 1)

    # ---- one round

    def _round(self, round_: int) -> Iterator[Step]:
        if self.store.generation(round_) is None:
            yield from self._play(round_)
            yield self._learn(round_)
        yield from self._match(round_)
        yield self._decide(round_)

    def _play(self, round_: int) -> Iterator[Step]:
        """Games of the best player against itself."""
        plan, best = self.plan, self.store.best()
        there = self.store.game_numbers(round_)
        missing = [number for number in range(plan.games) if number not in there]
        player = self.contestant(best)
        openings = deck_of(self.game) if plan.deck else NO_OPENINGS
        seed = derived_seed(plan.seed, round_)
        tasks = (
            (self.game, player, plan, openings, seed, tuple(missing[n : n + FEW]))
            for n in range(0, len(missing), FEW)
        )
        done = len(there)
        for games in spread(_play_some, tasks, self.jobs, self.cluster):
            for number, played in games:
                self.store.add_game(round_, number, best, played)
            done += len(games)
            yield Step(round_, "games", done, plan.games)

    def _learn(self, round_: int) -> Step:
        """Machines from the games of the last rounds."""
        taste = self.plan.taste
        games = self.store.games(round_ - self.plan.window + 1, round_)
        machine, moves, figures = self._by_boards(games) if taste.kept else (b"", None, {})
        if taste.local_moves:
            moves, by_patterns = self._by_patterns(games)
            figures = {**figures, **by_patterns}
        self.store.add_generation(
            Generation(
                round=round_,
                parent=self.store.best(),
                machine=machine,
                moves=moves,
                figures=figures,
                accepted=None,
            )
        )
        note = ", ".join(f"{name} {value:.4g}" for name, value in figures.items())
        return Step(round_, "machine", 1, 1, note)

    def _by_boards(self, games: list[OwnGame]) -> tuple[bytes, bytes | None, dict[str, float]]:
        """A machine that judges boards, one for moves if it sees boards, too, and figures."""
        from clauseboard.selfplay.finding import move_machine, value_machine
        from clauseboard.selfplay.lessons import (
            held_back,
            lessons_of,
            with_fewer_draws,
            with_symmetries,
        )

        plan, taste = self.plan, self.plan.taste
        if taste.local_moves:
            taste = taste.changed(move_clauses=0)
        lessons = lessons_of(
            self.game,
            games,
            result_share=plan.result_share,
            odds=taste.worth_one if plan.odds else 0.0,
            by_solver=plan.by_solver,
            with_moves=taste.move_clauses > 0,
            asides=plan.asides,
            seed=plan.seed,
        )
        if len(lessons) == 0:
            raise ValueError("The games have no board to learn from; play longer or more of them.")
        lessons = with_fewer_draws(lessons, plan.draws, plan.seed)
        known, test = held_back(lessons, HELD_BACK, plan.seed)
        if plan.symmetric:
            known = with_symmetries(self.game, known)
        names = [bit.name for bit in self.game.bits()]
        machine = value_machine(known, names, taste)
        moves = move_machine(known, names, taste)
        figures = {"boards": float(len(known)), **_figures(machine, test)}
        return _bytes_of(machine), None if moves is None else _bytes_of(moves), figures

    def _by_patterns(self, games: list[OwnGame]) -> tuple[bytes, dict[str, float]]:
        """A machine that votes for moves by what is around them, and figures."""
        from clauseboard.selfplay.patterns import move_lessons, pattern_machine, told_right

        n_test = int(HELD_BACK * len(games))
        known = move_lessons(self.game, games[n_test:], seed=self.plan.seed)
        machine = pattern_machine(known, self.game, self.plan.taste)
        figures = {"boards for moves": float(len(known))}
        if n_test:
            figures |= told_right(machine, move_lessons(self.game, games[:n_test], others=None))
        return _bytes_of(machine), figures

    def _match(self, round_: int) -> Iterator[Step]:
        """The new player against the one whose place it wants."""
        match = self._match_of(round_)
        there = {record.number for record in self.store.match_games(round_)}
        missing = [number for number in range(match.n_games) if number not in there]
        both = self.contestant(round_), self.contestant(self._made(round_).parent)
        done = len(there)
        tasks = ((match, both, number) for number in missing)
        for record in spread(_play_match_game, tasks, self.jobs, self.cluster):
            self.store.add_match_game(round_, record)
            done += 1
            yield Step(round_, "match", done, match.n_games)

    def _decide(self, round_: int) -> Step:
        result = self.result(round_)
        accepted = result.score.score > self.plan_of(round_).gate
        self.store.decide(round_, accepted)
        said = "takes the place" if accepted else "does not take the place"
        note = f"scored {100 * result.score.score:.1f} % and {said} of the player before it"
        return Step(round_, "decision", 1, 1, note)

    # ---- who plays

    def contestant(self, round_: int) -> Contestant:
        """The player of a round; 0 is the one that there was before."""
        if round_ == 0:
            return Contestant(self.plan_of(round_).begin)
        made = self._made(round_)
        return learned(self.plan_of(round_).search, made.machine, made.moves)

    def result(self, round_: int) -> Result:
        """The match of a round as far as it was played."""
        return Result(self._match_of(round_), tuple(self.store.match_games(round_)))

    def ratings(self) -> list[Rating]:
        """Of the first player and of every round's; the first one has 0 points."""
        rounds = self.store.generations()
        size = 1 + max((made.round for made in rounds), default=0)
        points = [[0.0] * size for _ in range(size)]
        for made in rounds:
            counts = self.result(made.round).counts(0)
            points[made.round][made.parent] += counts.points
            points[made.parent][made.round] += counts.games - counts.points
        found = bradley_terry(points)
        zero = found[0].elo
        return [Rating(r.elo - zero, r.low - zero, r.high - zero) for r in found]

    def _made(self, round_: int) -> Generation:
        made = self.store.generation(round_)
        if made is None:
            raise ValueError(f"There is no machine of round {round_} yet.")
        return made

    def _match_of(self, round_: int) -> Match:
        # Without openings of its own, a search is random enough not to play one game twice.
        plan = self.plan_of(round_)
        return Match(
            self.game,
            (f"round {round_}", f"round {self._made(round_).parent}"),
            plan.match_games,
            seed=derived_seed(plan.seed, 10**6 + round_) % 2**31,
            openings=_openings(self.game, plan.match_games),
            most_moves=max(plan.most_moves, 200),
        )


Told = Callable[[Step], None]


def live(
    life: Life,
    rounds: int | None = None,
    hours: float | None = None,
    told: Told = lambda step: None,
) -> None:
    """Learn for so many rounds, or hours, whichever is over first; what is at hand is kept."""
    until = None if hours is None else time.monotonic() + 3600 * hours
    for step in life.steps(rounds):
        told(step)
        if until is not None and time.monotonic() > until:
            return


# ---- tasks, which any process can do


def _play_some(
    game: Game,
    player: Contestant,
    plan: Plan,
    openings: tuple[Opening, ...],
    seed: int,
    numbers: tuple[int, ...],
) -> list[tuple[int, OwnGame]]:
    made = player.player(game)
    partner = Contestant(plan.sparring).player(game) if plan.sparring else None
    played = []
    for number in numbers:
        own = derived_seed(seed, number)
        spars = random.Random(f"sparring {own}").random() < plan.sparring_share
        one = play_itself(
            game,
            made,
            own,
            openings=openings,
            drawn=plan.drawn,
            noise=plan.noise,
            sparring=partner if spars else None,
            most_moves=plan.most_moves,
        )
        played.append((number, one))
    return played


def _play_match_game(match: Match, both: tuple[Contestant, Contestant], number: int) -> GameRecord:
    return match.play(number, [one.player(match.game) for one in both])


@functools.cache
def _openings(game: Game, n_games: int) -> tuple[Opening, ...]:
    """As many openings as the games of a match need; one without moves where there are none."""
    try:
        deck = deck_of(game)
    except ValueError:
        return NO_OPENINGS
    return tuple(random.Random(0).sample(deck, min(len(deck), -(-n_games // 2))))


def _bytes_of(machine: Any) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "machine.tm"
        machine.save(path, inference_only=True)
        return path.read_bytes()


def _figures(machine: Any, test: Any) -> dict[str, float]:
    """How the machine does on games that it has not seen."""
    if len(test) == 0:
        return {}
    votes = machine._votes(test.boards)
    lead = votes[:, 1] - votes[:, 0]
    decided = test.values != 0
    right = (lead > 0) == (test.values > 0)
    share = float(right[decided].mean()) if decided.any() else 0.0
    return {"test boards": float(len(test)), "right": share}
