"""The loop of self-play: play, learn, and replace the old player if the new one wins.

The next step follows from what the store has, so that a run that was stopped, by Ctrl-C or by
force, resumes: no game is played again, and no machine trained twice.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import itertools
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from clauseboard.arena.match import NO_OPENINGS, Match, MatchResult, Opening, openings_of
from clauseboard.arena.playing import GameRecord, derived_seed
from clauseboard.arena.ratings import Rating, bradley_terry
from clauseboard.game import Game
from clauseboard.parallel import spread
from clauseboard.player import Player
from clauseboard.players import read_player
from clauseboard.selfplay.games import Generation, LearningStore, SelfPlayGame, play_self_game
from clauseboard.selfplay.settings import SelfPlaySettings, settings_for

if TYPE_CHECKING:
    from clauseboard.selfplay.training_set import TrainingSet
    from clauseboard.tsetlin.classifier import TsetlinMachineClassifier

GAMES_A_TASK = 4
"""Games of a player against itself that are one task."""

BETWEEN_EQUALS = 0.75
"""The score of a match up to which its games say what an advantage is worth."""

HELD_BACK = 0.1
"""The share of the games on which a new machine is tested instead of trained."""


class Phase(Enum):
    """The parts of a round."""

    GAMES = "games"
    MACHINE = "machine"
    MATCH = "match"
    DECISION = "decision"


@dataclass(frozen=True)
class SelfPlayStep:
    """What has just been done: in which round, which phase, and how far that is."""

    round: int
    phase: Phase
    done: int
    of: int
    note: str = ""


StepCallback = Callable[[SelfPlayStep], None]


# ---- players with their machines


@dataclass(frozen=True)
class PlayerSpec:
    """A player with the content of its machines, so that any process can make it.

    `spec` is its line, in which `{name}` stands for the file of each of its machines.
    """

    spec: str
    files: tuple[tuple[str, bytes], ...] = ()

    def player(self, game: Game) -> Player:
        """The player; made once in every process, since loading machines takes time."""
        return _load(self, game)

    def line(self, folder: Path) -> str:
        """The player in one line, with its machines written to a folder."""
        paths = {}
        for name, content in self.files:
            path = folder / f"{name}-{hashlib.sha256(content).hexdigest()[:12]}.tm"
            if not path.exists():
                path.write_bytes(content)
            paths[name] = repr(str(path))
        return self.spec.format(**paths)


@functools.lru_cache(maxsize=4)
def _load(spec: PlayerSpec, game: Game) -> Player:
    with tempfile.TemporaryDirectory() as folder:
        return read_player(spec.line(Path(folder)), game)


def learned_player(search: str, machine: bytes, moves: bytes | None) -> PlayerSpec:
    """The player of a machine and of one for moves, with this search.

    Without content there is no machine, and random games give values.

    >>> learned_player("mcts,simulations=10", b"...", None).spec
    'tsetlin:machine={machine},view=mover,search=mcts,simulations=10'
    >>> learned_player("mcts,rollouts=1", b"", b"...").spec
    'tsetlin:moves={moves},search=mcts,rollouts=1'
    """
    files, options = [], []
    if machine:
        files.append(("machine", machine))
        options += ["machine={machine}", "view=mover"]
    if moves is not None:
        files.append(("moves", moves))
        options.append("moves={moves}")
    return PlayerSpec(f"tsetlin:{','.join([*options, f'search={search}'])}", tuple(files))


# ---- the loop


@dataclass(frozen=True, eq=False)
class SelfPlayRun:
    """A run of self-play: its game, its settings, and its file.

    `earlier` has the settings that held before, each with the last round that was theirs.
    """

    game: Game
    settings: SelfPlaySettings
    store: LearningStore
    jobs: int = 1
    cluster: str | None = None
    earlier: tuple[tuple[int, SelfPlaySettings], ...] = ()

    def on(self, device: str, jobs: int, cluster: str | None) -> SelfPlayRun:
        """The same run on a device, in so many processes, or on a cluster: the result is the same.

        With `jobs` a machine is trained in as many threads.
        """
        machine = dataclasses.replace(self.settings.machine, device=device, n_jobs=jobs)
        settings = dataclasses.replace(self.settings, machine=machine)
        return dataclasses.replace(self, settings=settings, jobs=jobs, cluster=cluster)

    def settings_of(self, round_: int) -> SelfPlaySettings:
        """The settings that hold in a round, or held."""
        return next((old for last, old in self.earlier if round_ <= last), self.settings)

    def steps(self, rounds: int | None = None) -> Iterator[SelfPlayStep]:
        """Go through so many more rounds, or without end; yields every game and machine."""
        last = None if rounds is None else self.store.decided() + rounds
        while last is None or self.store.decided() < last:
            round_ = self.store.decided() + 1
            if self.store.generation(round_) is None:
                yield from self._play(round_)
                yield self._learn(round_)
            yield from self._match(round_)
            yield self._decide(round_)

    def _play(self, round_: int) -> Iterator[SelfPlayStep]:
        """Games of the best player against itself."""
        settings, best = self.settings, self.store.best()
        played = self.store.game_numbers(round_)
        missing = [number for number in range(settings.games) if number not in played]
        openings = openings_of(self.game) if settings.openings else NO_OPENINGS
        seed = derived_seed(settings.seed, round_)
        player = self.playing_spec(best)
        tasks = (
            (self.game, player, settings, openings, seed, tuple(missing[n : n + GAMES_A_TASK]))
            for n in range(0, len(missing), GAMES_A_TASK)
        )
        done = len(played)
        for games in spread(_play_games, tasks, self.jobs, self.cluster):
            for number, game in games:
                self.store.add_game(round_, number, best, game)
            done += len(games)
            yield SelfPlayStep(round_, Phase.GAMES, done, settings.games)

    def _learn(self, round_: int) -> SelfPlayStep:
        """Machines from the games of the last rounds."""
        machine_settings = self.settings.machine
        games = self.store.games(round_ - self.settings.window + 1, round_)
        machine, moves = b"", None
        figures: dict[str, float] = {}
        if machine_settings.kept:
            machine, moves, figures = self._learn_boards(games)
        if machine_settings.local_moves:
            moves, pattern_figures = self._learn_patterns(games)
            for name, value in pattern_figures.items():
                figures[f"{name} for moves" if name in figures else name] = value
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
        return SelfPlayStep(round_, Phase.MACHINE, 1, 1, note)

    def _learn_boards(
        self, games: list[SelfPlayGame]
    ) -> tuple[bytes, bytes | None, dict[str, float]]:
        """A machine that evaluates boards, one for moves if it sees boards, too, and figures."""
        from clauseboard.selfplay.concept_machine import concept_machine_of
        from clauseboard.selfplay.find_clauses import move_machine, value_machine
        from clauseboard.selfplay.training_set import (
            held_back,
            training_set_of,
            with_fewer_draws,
            with_symmetries,
        )

        settings, machine_settings = self.settings, self.settings.machine
        if machine_settings.local_moves:
            machine_settings = dataclasses.replace(machine_settings, move_clauses=0)
        data = training_set_of(
            self.game,
            games,
            result_share=settings.result_share,
            odds=machine_settings.worth_one if settings.odds else 0.0,
            by_solver=settings.by_solver,
            with_moves=machine_settings.move_clauses > 0,
            off_path=settings.off_path_positions,
            concepts=machine_settings.concepts,
            seed=settings.seed,
        )
        if len(data) == 0:
            raise ValueError("The games have no board to learn from; play longer or more of them.")
        data = with_fewer_draws(data, settings.draws, settings.seed)
        training, test = held_back(data, HELD_BACK, settings.seed)
        if machine_settings.concepts:
            machine, figures = concept_machine_of(self.game, training, test, machine_settings)
            return _bytes_of(machine), None, {"boards": float(len(training)), **figures}
        if settings.symmetric:
            training = with_symmetries(self.game, training)
        names = [bit.name for bit in self.game.bits()]
        machine = value_machine(training, names, machine_settings)
        moves = move_machine(training, names, machine_settings)
        figures = {"boards": float(len(training)), **_accuracy(machine, test)}
        return _bytes_of(machine), None if moves is None else _bytes_of(moves), figures

    def _learn_patterns(self, games: list[SelfPlayGame]) -> tuple[bytes, dict[str, float]]:
        """A machine that votes for moves by what is around them, and figures."""
        from clauseboard.selfplay.find_clauses import move_accuracy, pattern_machine
        from clauseboard.selfplay.training_set import move_training_set

        n_test = int(HELD_BACK * len(games))
        training = move_training_set(self.game, games[n_test:], seed=self.settings.seed)
        machine = pattern_machine(training, self.game, self.settings.machine)
        figures = {"boards for moves": float(len(training))}
        if n_test:
            test = move_training_set(self.game, games[:n_test], others=None)
            figures |= move_accuracy(machine, test)
        return _bytes_of(machine), figures

    def _match(self, round_: int) -> Iterator[SelfPlayStep]:
        """The new player against its parent."""
        match = self._match_of(round_)
        played = {record.number for record in self.store.match_games(round_)}
        pair = self.player_spec(round_), self.player_spec(self._generation(round_).parent)
        tasks = ((match, pair, n) for n in range(match.n_games) if n not in played)
        done = len(played)
        for record in spread(_play_match_game, tasks, self.jobs, self.cluster):
            self.store.add_match_game(round_, record)
            done += 1
            yield SelfPlayStep(round_, Phase.MATCH, done, match.n_games)

    def _decide(self, round_: int) -> SelfPlayStep:
        score = self.result(round_).score.score
        accepted = score > self.settings_of(round_).gate
        machine_settings = self.settings_of(round_).machine
        # A match between unequal players tells more of them than of boards.
        between_equals = 1 - BETWEEN_EQUALS <= score <= BETWEEN_EQUALS
        if machine_settings.concepts and machine_settings.kept and between_equals:
            self.store.set_machine(round_, self._calibrated(round_))
        self.store.decide(round_, accepted)
        verdict = "replaces" if accepted else "does not replace"
        note = f"scored {100 * score:.1f} % and {verdict} the player before it"
        return SelfPlayStep(round_, Phase.DECISION, 1, 1, note)

    def _calibrated(self, round_: int) -> bytes:
        """The machine of a round over concepts, with votes that tell the chances of its match."""
        from clauseboard.learners.tsetlin.board_evaluator import loaded
        from clauseboard.selfplay.concept_machine import calibrated_on_games
        from clauseboard.tsetlin.classifier import TsetlinMachineClassifier

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "machine.tm"
            path.write_bytes(self._generation(round_).machine)
            machine = loaded(path)
        if not isinstance(machine, TsetlinMachineClassifier):
            raise TypeError(f"The machine of round {round_} is not a classifier.")
        games = ((record.moves, record.winner) for record in self.store.match_games(round_))
        return _bytes_of(calibrated_on_games(machine, self.game, games))

    # ---- players and results

    def player_spec(self, round_: int) -> PlayerSpec:
        """The player of a round; 0 is the one before any round."""
        if round_ == 0:
            return PlayerSpec(self.settings_of(round_).begin)
        made = self._generation(round_)
        return learned_player(self.settings_of(round_).search, made.machine, made.moves)

    def playing_spec(self, round_: int) -> PlayerSpec:
        """The player of a round as it plays the games to learn from.

        A judge hardly teaches patterns anything that they did not make it look at; random games do.
        """
        if round_ == 0 or not self.settings.play_search:
            return self.player_spec(round_)
        return learned_player(self.settings.play_search, b"", self._generation(round_).moves)

    def result(self, round_: int) -> MatchResult:
        """The match of a round as far as it was played."""
        return MatchResult(self._match_of(round_), tuple(self.store.match_games(round_)))

    def ratings(self) -> list[Rating]:
        """The ratings of the first player, which has 0 points, and of every round's."""
        rounds = self.store.generations()
        size = 1 + max((made.round for made in rounds), default=0)
        points = [[0.0] * size for _ in range(size)]
        for made in rounds:
            counts = self.result(made.round).counts(0)
            points[made.round][made.parent] += counts.points
            points[made.parent][made.round] += counts.games - counts.points
        ratings = bradley_terry(points)
        zero = ratings[0].elo
        return [Rating(r.elo - zero, r.low - zero, r.high - zero) for r in ratings]

    def _generation(self, round_: int) -> Generation:
        made = self.store.generation(round_)
        if made is None:
            raise ValueError(f"There is no machine of round {round_} yet.")
        return made

    def _match_of(self, round_: int) -> Match:
        settings = self.settings_of(round_)
        return Match(
            self.game,
            (f"round {round_}", f"round {self._generation(round_).parent}"),
            settings.match_games,
            seed=derived_seed(settings.seed, 10**6 + round_) % 2**31,
            openings=_match_openings(self.game, settings.match_games),
            most_moves=max(settings.most_moves, 200),
        )


def run(
    self_play: SelfPlayRun,
    rounds: int | None = None,
    hours: float | None = None,
    on_step: StepCallback = lambda step: None,
) -> None:
    """Learn for so many rounds, or hours, whichever is over first; what is done is kept."""
    until = None if hours is None else time.monotonic() + 3600 * hours
    for step in self_play.steps(rounds):
        on_step(step)
        if until is not None and time.monotonic() > until:
            return


# ---- resuming


def open_run(
    store: LearningStore, game: Game, options: Mapping[str, object], change: bool = False
) -> SelfPlayRun:
    """The run of a file, new or resumed.

    In a file that is not new, settings that are not given are those of the file. Different ones are
    refused, or, with `change`, hold from the first round on that has no machine yet: what was
    played and learned before stays as it is.
    """
    kept = store.plans()
    if not kept:
        settings = settings_for(game, options)
        store.set_plan(_stored(game, settings))
        return SelfPlayRun(game, settings, store)
    now = kept[max(kept)]
    if now["game"] != repr(game):
        raise ValueError(
            f"{store.path} was begun with {now['game']}, not {game!r}; name that game with its "
            "parameters (--set size=6), or another file."
        )
    settings = settings_for(game, {**_without_game(now), **options})
    wanted = _stored(game, settings)
    if wanted != now:
        if not change:
            raise ValueError(_refusal(store, now, wanted))
        store.set_plan(wanted, store.next_machine())
        kept = store.plans()
    earlier = tuple(
        (after - 1, settings_for(game, _without_game(kept[first])))
        for first, after in itertools.pairwise(kept)
    )
    return SelfPlayRun(game, settings, store, earlier=earlier)


def changes_in(store: LearningStore) -> dict[int, dict[str, object]]:
    """The settings that changed, by the round from which they hold."""
    return {
        first: {name: value for name, value in plan.items() if before.get(name) != value}
        for (_, before), (first, plan) in itertools.pairwise(store.plans().items())
    }


def _stored(game: Game, settings: SelfPlaySettings) -> dict[str, object]:
    return {"game": repr(game), **settings.stored()}


def _without_game(kept: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in kept.items() if name != "game"}


def _refusal(store: LearningStore, now: Mapping[str, object], wanted: Mapping[str, object]) -> str:
    name = next(n for n in wanted if n not in now or now[n] != wanted[n])
    if name not in now:
        return (
            f"{store.path} was begun when there was no setting {name}; add --change to go on with "
            f"{name}={wanted[name]!r}, or name another file."
        )
    return (
        f"{store.path} was begun with {name}={now[name]!r}, not {wanted[name]!r}; leave it as it "
        "was, add --change to go on with the new one, or name another file."
    )


# ---- tasks, which any process can do


def _play_games(
    game: Game,
    spec: PlayerSpec,
    settings: SelfPlaySettings,
    openings: tuple[Opening, ...],
    seed: int,
    numbers: tuple[int, ...],
) -> list[tuple[int, SelfPlayGame]]:
    player = spec.player(game)
    partner = PlayerSpec(settings.sparring).player(game) if settings.sparring else None
    games = []
    for number in numbers:
        own_seed = derived_seed(seed, number)
        spars = random.Random(f"sparring {own_seed}").random() < settings.sparring_share
        played = play_self_game(
            game,
            player,
            own_seed,
            openings=openings,
            random_moves=settings.random_moves,
            noise=settings.noise,
            sparring=partner if spars else None,
            most_moves=settings.most_moves,
            concepts=settings.machine.concepts and settings.machine.kept > 0,
        )
        games.append((number, played))
    return games


def _play_match_game(match: Match, pair: tuple[PlayerSpec, PlayerSpec], number: int) -> GameRecord:
    return match.play(number, [spec.player(match.game) for spec in pair])


@functools.cache
def _match_openings(game: Game, n_games: int) -> tuple[Opening, ...]:
    """As many openings as the games of a match need.

    A game without openings begins at the start: searches are random enough not to repeat a game.
    """
    try:
        openings = openings_of(game)
    except ValueError:
        return NO_OPENINGS
    return tuple(random.Random(0).sample(openings, min(len(openings), -(-n_games // 2))))


def _bytes_of(machine: TsetlinMachineClassifier) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "machine.tm"
        machine.save(path, inference_only=True)
        return path.read_bytes()


def _accuracy(machine: TsetlinMachineClassifier, test: TrainingSet) -> dict[str, float]:
    """How often the machine is right on games that it has not seen."""
    if len(test) == 0:
        return {}
    votes = machine._votes(test.boards)
    lead = votes[:, 1] - votes[:, 0]
    decided = test.values != 0
    right = (lead > 0) == (test.values > 0)
    share = float(right[decided].mean()) if decided.any() else 0.0
    return {"test boards": float(len(test)), "right": share}
