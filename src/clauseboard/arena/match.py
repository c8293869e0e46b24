"""Matches and tournaments: who plays whom, how often, with which colours; and how they are played.

A match is two players and a number of games, the colours swapped after each. Game n depends on the
match and on n only: its seed, its opening and who begins. So it does not matter in which order the
games are played, by how many processes, or in how many runs. A tournament is a round robin: every
player against every other one, as often with either colour.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import hashlib
import json
import random
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from clauseboard.arena.playing import (
    MOST_MOVES,
    GameFile,
    GameRecord,
    MatchStore,
    derived_seed,
    play_game,
)
from clauseboard.arena.ratings import (
    Rating,
    ScoreInterval,
    bradley_terry,
    elo_difference,
    score_interval,
)
from clauseboard.checks import whole_number
from clauseboard.evaluation import Limit, processor_time
from clauseboard.game import Ending, Game, NotationError
from clauseboard.games.plugins import OPENINGS
from clauseboard.games.solving import truths
from clauseboard.parallel import spread
from clauseboard.player import Player
from clauseboard.players import named_files, read_player
from clauseboard.players.simple import Person

MakePlayer = Callable[[str, Game], Player]
"""Makes a player of a game from its description."""

GameCallback = Callable[[int, GameRecord], None]
"""Called for each game that ends, with the index of its match."""


# ---- openings: first moves that both players get, once on either side

Opening = tuple[str, ...]

MOST_REPLAYS = 2
"""How often a game is played again that was broken off."""

NO_OPENINGS: tuple[Opening, ...] = ((),)
"""Every game begins at the start."""


def read_openings(game: Game, which: str, seed: int = 0) -> tuple[Opening, ...]:
    """The openings that a word stands for: "none", "all", a number of them, or a file.

    A number draws so many of the game's openings by the seed. A file has an opening a line: moves
    with spaces between them; lines that start with # are skipped.

    >>> from clauseboard.game import load_game
    >>> read_openings(load_game("hex", size=2), "all")
    (('a1',), ('b1',), ('a2',), ('b2',))
    """
    if which == "none":
        return NO_OPENINGS
    if which == "all" or which.isdecimal():
        openings = openings_of(game)
        if which == "all":
            return openings
        if not 1 <= int(which) <= len(openings):
            raise ValueError(
                f"{game!r} has 1 to {len(openings)} openings to draw from, not {which}."
            )
        return tuple(random.Random(seed).sample(openings, int(which)))
    path = Path(which)
    if not path.is_file():
        raise ValueError(
            f"Openings are 'none', 'all', a number, or a file with one a line; {which!r} is none."
        )
    return _openings_in_file(game, path)


def openings_of(game: Game) -> tuple[Opening, ...]:
    """All the openings that a game has."""
    offered = OPENINGS.find(game)
    if offered is None:
        raise ValueError(
            f"{game.name} has no openings of its own; choose 'none', or a file with one a line."
        )
    return tuple(tuple(str(o).split()) for o in offered.deck(game))


def _openings_in_file(game: Game, path: Path) -> tuple[Opening, ...]:
    """The openings of a file, each one tried on the board."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not text in UTF-8, so it has no openings.") from None
    openings = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        position, texts = game.start(), []
        try:
            for text in line.split():
                move = position.read_move(text)
                texts.append(position.write_move(move))
                position = position.play(move)
        except NotationError as error:
            raise ValueError(f"{path}, line {number}: {error}") from None
        if position.outcome() is not None:
            raise ValueError(f"{path}, line {number}: the game is over ({position.outcome()}).")
        openings.append(tuple(texts))
    if not openings:
        raise ValueError(f"{path} has no opening in it; write the moves of one a line.")
    return tuple(openings)


# ---- matches and their results


@dataclass(frozen=True)
class Match:
    """Two players, as the command line describes them, and all that their games depend on.

    Games come in pairs from the same opening: the first player begins in one, and the second in
    the other. `n_games` may be raised later, and the match goes on.
    """

    game: Game
    players: tuple[str, str]
    n_games: int = 100
    seed: int = 1
    limit: Limit = dataclasses.field(default_factory=Limit)
    openings: tuple[Opening, ...] = NO_OPENINGS
    most_moves: int = MOST_MOVES
    processor_time: bool = False
    """Whether the seconds of the limit are those of the processor (`evaluation.processor_time`)."""

    def __post_init__(self) -> None:
        for name, least in {"n_games": 1, "most_moves": 1, "seed": 0}.items():
            # NumPy's numbers cannot be written as JSON.
            object.__setattr__(self, name, whole_number(name, getattr(self, name), least))
        if len(self.players) != 2:
            raise ValueError(f"A match has two players, not {len(self.players)}.")
        if not self.openings:
            raise ValueError("A match needs an opening; the one without moves is ().")

    def settings(self) -> dict[str, object]:
        """What the games depend on, for JSON."""
        return {
            "game": repr(self.game),
            "rules": self.game.version,
            "players": list(self.players),
            "files": self.files,
            "seed": self.seed,
            "limit": {k: v for k, v in dataclasses.asdict(self.limit).items() if v is not None},
            "openings": [" ".join(opening) for opening in self.openings],
            "most_moves": self.most_moves,
            # Matches of older versions keep their names.
            **({"processor_time": True} if self.processor_time else {}),
        }

    @functools.cached_property
    def files(self) -> dict[str, str]:
        """The files that the players' descriptions name, with a hash of the content of each.

        A machine that learned more, under the same name, plays another match.
        """
        hashes = {}
        for name in (name for text in self.players for name in named_files(text)):
            with open(name, "rb") as file:
                hashes[name] = hashlib.file_digest(file, "sha256").hexdigest()[:16]
        return hashes

    @functools.cached_property
    def id(self) -> str:
        """Sixteen hex digits that differ if anything differs that the games depend on."""
        text = json.dumps(self.settings(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def play(self, number: int, players: Sequence[Player]) -> GameRecord:
        """Play one game of the match, by its number from 0 on.

        One that is broken off, since a player failed or broke the rules, is lost for that player if
        a solver or a table knows that it was; or else it is played again, with another seed.
        """
        swapped = number % 2 == 1
        seed = derived_seed(self.seed, number)
        for attempt in range(MOST_REPLAYS + 1):
            with processor_time() if self.processor_time else contextlib.nullcontext():
                record = play_game(
                    self.game,
                    players[::-1] if swapped else players,
                    seed=derived_seed(seed, attempt) if attempt else seed,
                    limit=self.limit,
                    opening=self.openings[number // 2 % len(self.openings)],
                    number=number,
                    swapped=swapped,
                    most_moves=self.most_moves,
                )
            record = adjudicated(self.game, dataclasses.replace(record, replays=attempt))
            if not record.is_broken_off:
                break
        return record


def adjudicated(game: Game, record: GameRecord) -> GameRecord:
    """A game that was broken off, with a result if a solver or a table knows that it was lost.

    That it was won does not help who failed, for it had not won it yet.
    """
    if not record.is_broken_off:
        return record
    position = game.start()
    for text in record.moves:
        position = position.play(position.read_move(text))
    [truth] = truths(game, [position])
    if truth is None or truth.winner is None or truth.winner != record.winner:
        return record
    reason = f"{record.reason}; with best play {truth.winner} wins"
    return dataclasses.replace(record, reason=reason, ending=Ending.SOLVED)


@dataclass(frozen=True)
class ScoreCounts:
    """Games won, drawn and lost."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """How many games there are."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """A point for a win, half a point for a draw."""
        return self.wins + self.draws / 2

    def __add__(self, other: ScoreCounts) -> ScoreCounts:
        return ScoreCounts(
            self.wins + other.wins, self.draws + other.draws, self.losses + other.losses
        )


@dataclass(frozen=True)
class MatchResult:
    """The games of a match that were played, and their statistics.

    Games that were broken off, since a player failed or broke the rules, are counted apart: they
    are nobody's win.
    """

    match: Match
    games: tuple[GameRecord, ...]

    def __str__(self) -> str:
        from clauseboard.arena.reporting import match_text

        return match_text(self)

    def _repr_html_(self) -> str:
        """The result, for notebooks."""
        from clauseboard.arena.reporting import match_part

        return match_part(self)

    @functools.cached_property
    def counted(self) -> tuple[GameRecord, ...]:
        """The games that count: those that were not broken off."""
        return tuple(game for game in self.games if not game.is_broken_off)

    @property
    def broken_off(self) -> tuple[int, int]:
        """Games that do not count since the first player, or the second, failed there."""
        colours = self.match.game.colours
        tally = Counter(
            # Its opponent would have won.
            1 ^ colours.index(game.winner) ^ int(game.swapped)
            for game in self.games
            if game.is_broken_off and game.winner is not None
        )
        return tally[0], tally[1]

    @property
    def replayed(self) -> int:
        """Games that count and were played instead of others that were broken off."""
        return sum(game.replays > 0 for game in self.counted)

    @property
    def adjudicated(self) -> int:
        """Games that were broken off and count, since a solver or a table knows who had won."""
        return sum(game.ending is Ending.SOLVED for game in self.games)

    def counts(self, player: int, colour: str | None = None) -> ScoreCounts:
        """Games of a player (0 or 1), with one colour or with both."""
        colours = self.match.game.colours
        tally: Counter[bool | None] = Counter()
        for game in self.counted:
            own = colours[int(game.swapped) ^ player]
            if colour in (None, own):
                tally[None if game.winner is None else game.winner == own] += 1
        return ScoreCounts(tally[True], tally[None], tally[False])

    @property
    def score(self) -> ScoreInterval:
        """The first player's share of the points."""
        total = self.counts(0)
        return score_interval(total.wins, total.draws, total.losses)

    @property
    def elo(self) -> Rating:
        """How far the first player is ahead."""
        total = self.counts(0)
        return elo_difference(total.wins, total.draws, total.losses)

    @property
    def wins_by_colour(self) -> dict[str, int]:
        """How many games each colour won."""
        return {
            colour: sum(game.winner == colour for game in self.counted)
            for colour in self.match.game.colours
        }

    @property
    def average_length(self) -> float:
        """Moves of both sides in a game, the opening's included."""
        return sum(len(game.moves) for game in self.games) / max(len(self.games), 1)

    @property
    def repeats(self) -> int:
        """Games that were played before, move by move, by the same players with the same colours.

        Two players without randomness repeat one game, which is no more than one.
        """
        return len(self.games) - len({(game.players, game.moves) for game in self.games})

    @property
    def reasons(self) -> Counter[str]:
        """How the games ended, in words; those that were counted go together."""
        counted = (Ending.SCORE, Ending.MOVE_LIMIT)
        outcomes = (game.outcome for game in self.counted)
        broken_off = (f"broken off: {g.reason}" for g in self.games if g.is_broken_off)
        return Counter(
            str(
                dataclasses.replace(o, reason=f"by {o.ending}", joined=True)
                if o.ending in counted
                else o
            )
            for o in outcomes
        ) + Counter(broken_off)

    @property
    def late(self) -> tuple[int, int]:
        """Moves of either player that took far longer than allowed."""
        pairs = [game.late[::-1] if game.swapped else game.late for game in self.games]
        return sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)


# ---- playing


def play_match(
    game: Game,
    first: str | Player,
    second: str | Player,
    games: int = 100,
    *,
    seconds: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    simulations: int | None = None,
    openings: str = "none",
    seed: int = 1,
    jobs: int = 1,
) -> MatchResult:
    """Play a match between two players, who swap colours after each game; print the result.

    A player is an object, or a description such as "material:depth=5". The limits hold for each
    move of both. `openings` is "none", "all", a number of them or a file; only descriptions can be
    played by several processes (`jobs`).

    >>> import clauseboard as cb
    >>> result = cb.play_match(cb.load_game("hex", size=3), "solver", "random", games=4)
    >>> result.counts(0).games
    4
    """
    limit = Limit(seconds, depth, nodes, simulations)
    chosen = read_openings(game, openings, seed)
    match = Match(game, (str(first), str(second)), games, seed, limit, chosen)
    if isinstance(first, str) and isinstance(second, str):
        return run_matches([match], jobs)[0]
    if first is second:
        raise ValueError("A match needs two player objects; one cannot play both sides.")
    if jobs != 1:
        raise ValueError(f"Player objects play in this process: jobs must be 1, not {jobs}.")
    players = [
        read_player(each, game) if isinstance(each, str) else each for each in (first, second)
    ]
    return MatchResult(match, tuple(match.play(number, players) for number in range(games)))


def run_matches(
    matches: Sequence[Match],
    jobs: int = 1,
    store: MatchStore | None = None,
    games_to: str | Path | None = None,
    make: MakePlayer = read_player,
    on_game: GameCallback | None = None,
    cluster: str | None = None,
) -> list[MatchResult]:
    """Play the games of some matches that are not yet in the store; the results of all of them.

    With several `jobs`, or on the workers of a `cluster`, each process makes its own players. The
    games are the same wherever they are played. `games_to` names a PDN or SGF file for the games
    besides the store.
    """
    whole_number("jobs", jobs, 1)
    played: list[dict[int, GameRecord]] = []
    for match in matches:
        kept = [] if store is None else store.games(match.id)
        played.append({game.number: game for game in kept if game.number < match.n_games})
    tasks = [
        (index, number)
        for index, match in enumerate(matches)
        for number in range(match.n_games)
        if number not in played[index]
    ]
    with contextlib.ExitStack() as open_files:
        # The players first: a wrong description is reported before anything is written.
        pairs = open_files.enter_context(_players_of(matches, make))
        here = jobs == 1 and cluster is None
        if not here and any(isinstance(player, Person) for pair in pairs for player in pair):
            raise ValueError(
                "A person plays at this terminal, in one process: leave out --jobs and --cluster."
            )
        if store is not None:
            for match in matches:
                store.add_match(match.id, match.settings())
        file = None
        if games_to is not None:
            kept_games = [list(games.values()) for games in played]
            file = GameFile(games_to, zip(matches, kept_games, strict=True))
            open_files.callback(file.close)
        new_games: Iterator[tuple[int, GameRecord]]
        if here:
            new_games = ((index, matches[index].play(n, pairs[index])) for index, n in tasks)
        else:
            run = uuid.uuid4().hex
            for_workers = ((run, index, matches[index], n, make) for index, n in tasks)
            new_games = spread(_play_in_worker, for_workers, jobs, cluster)
        for index, record in new_games:
            # Another run may have been faster; then its game counts.
            if store is not None and not store.add(matches[index].id, record):
                record = store.game(matches[index].id, record.number)
            played[index][record.number] = record
            if file is not None:
                file.add(matches[index], record)
            if on_game is not None:
                on_game(index, record)
    return [
        MatchResult(match, tuple(games[number] for number in sorted(games)))
        for match, games in zip(matches, played, strict=True)
    ]


@contextlib.contextmanager
def _players_of(matches: Sequence[Match], make: MakePlayer) -> Iterator[list[list[Player]]]:
    """The players of each match, made once for each description and side."""
    made: dict[tuple[str, int], Player] = {}
    try:
        for match in matches:
            for side, text in enumerate(match.players):
                if (text, side) not in made:
                    made[text, side] = make(text, match.game)
        yield [[made[text, side] for side, text in enumerate(m.players)] for m in matches]
    finally:
        for player in made.values():
            player.close()


_workers_players: dict[tuple[str, tuple[str, str]], list[Player]] = {}
"""The players of a worker process: a machine may take longer to load than a game to play."""


def _play_in_worker(
    run: str, index: int, match: Match, number: int, make: MakePlayer
) -> tuple[int, GameRecord]:
    key = (run, match.players)
    if key not in _workers_players:
        for old in [other for other in _workers_players if other[0] != run]:
            for player in _workers_players.pop(old):
                player.close()
        _workers_players[key] = [make(text, match.game) for text in match.players]
    return index, match.play(number, _workers_players[key])


# ---- tournaments: every player against every other one


def round_robin(match: Match, players: Sequence[str], itself: bool = False) -> list[Match]:
    """The matches of a tournament: `match` for every two of the players.

    Each has a seed of its own, which does not change when more players come. `itself`: every
    player has a match against itself, too.
    """
    if len(set(players)) < len(players):
        twice = next(text for text in players if list(players).count(text) > 1)
        raise ValueError(f"{twice!r} is there twice; give --itself for games against itself.")
    if len(players) < 2:
        raise ValueError(f"A tournament has two players or more, not {len(players)}.")
    return [
        dataclasses.replace(match, players=(a, b), seed=_seed(match.seed, a, b))
        for place, a in enumerate(players)
        for b in players[place if itself else place + 1 :]
    ]


def _seed(seed: int, *players: str) -> int:
    digest = hashlib.sha256("\0".join(players).encode()).digest()
    return derived_seed(seed, int.from_bytes(digest[:8], "little"))


@dataclass(frozen=True)
class Standings:
    """What the matches of a tournament come to.

    `counts[i][j]` is how player i fared when it began against j, None where they did not play;
    `lengths[i][j]` the average length of those games.
    """

    players: tuple[str, ...]
    results: tuple[MatchResult, ...]
    counts: tuple[tuple[ScoreCounts | None, ...], ...]
    lengths: tuple[tuple[float | None, ...], ...]
    ratings: tuple[Rating, ...]

    def _repr_html_(self) -> str:
        """The tables of the tournament, for notebooks."""
        from clauseboard.arena.reporting import tournament_part

        return tournament_part(self)

    @property
    def n_games(self) -> int:
        """The games of all matches."""
        return sum(len(result.games) for result in self.results)

    @property
    def ranking(self) -> list[int]:
        """The places of the players, the strongest first."""
        return sorted(range(len(self.players)), key=lambda place: -self.ratings[place].elo)

    def total(self, place: int) -> ScoreCounts:
        """How a player fared against all the others, with both colours."""
        total = ScoreCounts()
        for other in range(len(self.players)):
            if other != place:
                total += self.counts[place][other] or ScoreCounts()
                replied = self.counts[other][place] or ScoreCounts()
                total += ScoreCounts(replied.losses, replied.draws, replied.wins)
        return total


def standings(players: Sequence[str], results: Sequence[MatchResult]) -> Standings:
    """The tables of a tournament from the results of its matches."""
    n = len(players)
    counts: list[list[ScoreCounts | None]] = [[None] * n for _ in range(n)]
    moves = [[0] * n for _ in range(n)]
    for result in results:
        first = result.match.game.colours[0]
        i, j = (players.index(text) for text in result.match.players)
        for begins, replies, side in ((i, j, 0), (j, i, 1)):
            fared = result.counts(side, first)
            if fared.games:
                counts[begins][replies] = (counts[begins][replies] or ScoreCounts()) + fared
        for game in result.counted:
            begins, replies = (j, i) if game.swapped else (i, j)
            moves[begins][replies] += len(game.moves)
    points = [[0.0] * n for _ in range(n)]
    lengths: list[list[float | None]] = [[None] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            fared_here = counts[i][j]
            if fared_here is not None:
                points[i][j] += fared_here.points
                points[j][i] += fared_here.games - fared_here.points
                lengths[i][j] = moves[i][j] / fared_here.games
    return Standings(
        tuple(players),
        tuple(results),
        tuple(map(tuple, counts)),
        tuple(map(tuple, lengths)),
        tuple(bradley_terry(points)),
    )
