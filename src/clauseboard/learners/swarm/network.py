"""Networks: what they compute, how they are saved, how they judge and explain boards, and play.

A network has one input a cell of the board, a hidden layer, and one sigmoid output.

An input is 0 for an empty cell, the worth of the piece that stands there (a man is 1) if it is of
the side to move, and minus that if it is the other side's. The board is seen by the side to move
(the view "mover"). The output is how likely that side is to win; so a player prefers the
move after which the output is nearest to 0. All weights are one vector, which a swarm moves: those
from inputs to hidden units (cells × units), the units' biases, those from units to the
output, and its bias.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clauseboard.array_file import expect, read, write
from clauseboard.checks import known_name
from clauseboard.evaluation import BitEvaluator, Compiled, Judgements, network, sides_of
from clauseboard.explanation import Explanation, Term
from clauseboard.game import Game, Position
from clauseboard.games.plugins import MATERIAL
from clauseboard.games.squares import mover_source
from clauseboard.kernels.compiler import specialised
from clauseboard.kernels.evaluators import values_of
from clauseboard.learners import (
    check_same_boards,
    check_version,
    game_of_page,
    game_to_page,
)
from clauseboard.search.compiled_rules import DRAW, compiled_rules_of

FORMAT = "clauseboard network"
VERSION = 1
MOST_HIDDEN = 1000

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class NetworkShape:
    """What a network is before it has weights: its game, its hidden units, what pieces are worth.

    >>> from clauseboard.game import load_game
    >>> NetworkShape(load_game("checkers"), hidden=10).size
    341
    """

    game: Game
    hidden: int
    worth: tuple[tuple[str, float], ...] = ()
    balanced: bool = False
    """Whether a board is worth to one side what it costs the other: every hidden unit has a twin
    that sees the board as the other side does, and counts against it. The bias of the output then
    cancels out."""

    @property
    def cells(self) -> tuple[str, ...]:
        """The cells of the board, in the order of the inputs."""
        return tuple(dict.fromkeys(bit.cell for bit in self.game.bits() if bit.cell is not None))

    @property
    def size(self) -> int:
        """How many weights there are."""
        return (len(self.cells) + 2) * self.hidden + 1

    def inputs_of_bits(self) -> Numbers:
        """What each bit of a board adds to each input: bits × cells."""
        places = {cell: n for n, cell in enumerate(self.cells)}
        worth = dict(self.worth)
        mine, theirs = self.game.colours
        added = np.zeros((len(self.game.bits()), len(places)))
        for n, bit in enumerate(self.game.bits()):
            colour, _, kind = bit.piece.partition(" ")
            if bit.cell is not None and colour in (mine, theirs):
                sign = 1.0 if colour == mine else -1.0
                added[n, places[bit.cell]] = sign * worth.get(kind, 1.0)
        return added

    def parts(self, weights: Numbers) -> tuple[Numbers, Numbers, Numbers, float]:
        """A vector of weights as what it stands for: to hidden units, biases, to the output, bias.

        The arrays are views: to change them is to change the vector.
        """
        n_inputs = len(self.cells) * self.hidden
        hidden = weights[:n_inputs].reshape(len(self.cells), self.hidden)
        biases = weights[n_inputs : n_inputs + self.hidden]
        return hidden, biases, weights[n_inputs + self.hidden : -1], float(weights[-1])

    def bias_places(self) -> NDArray[np.int64]:
        """Where the biases are in a vector of weights."""
        first = len(self.cells) * self.hidden
        return np.append(np.arange(first, first + self.hidden), self.size - 1)

    def random_weights(self, rng: np.random.Generator) -> Numbers:
        """Weights to begin with: even from -1 to 1, those of wide layers smaller."""
        weights = rng.uniform(-1.0, 1.0, self.size)
        hidden, biases, output, _ = self.parts(weights)
        hidden /= math.sqrt(len(self.cells))
        biases /= math.sqrt(len(self.cells))
        output /= math.sqrt(self.hidden)
        return weights

    def on_bits(self, weights: Numbers) -> tuple[Numbers, Numbers, Numbers, float]:
        """The same as `parts`, over the bits of a board, and with the twins if it is balanced."""
        to_hidden, biases, output, bias = self.parts(weights)
        hidden = self.inputs_of_bits() @ to_hidden
        if not self.balanced:
            return hidden, biases, output, bias
        twins = hidden[mover_source(self.game)]
        return (
            np.concatenate([hidden, twins], axis=1),
            np.concatenate([biases, biases]),
            np.concatenate([output, -output]),
            0.0,
        )

    def compiled(self, weights: Numbers) -> Compiled:
        """A network as data for kernels, over the bits of a board in the view "mover"."""
        return network(*self.on_bits(weights), view="mover")

    def stack(self, weights: Numbers) -> NetworkStack:
        """Many networks, a row of weights each, for kernels that play whole games."""
        n_bits, units = len(self.game.bits()), self.hidden * (1 + self.balanced)
        rows = np.atleast_2d(weights)
        hidden = np.zeros((len(rows), -(-n_bits // 8) * 8, units))
        top = np.zeros((len(rows), 2, units + 1))
        for n, row in enumerate(rows):
            hidden[n, :n_bits], top[n, 0, :-1], top[n, 1, :-1], top[n, 1, -1] = self.on_bits(row)
        return NetworkStack(self.game, hidden, top)


@dataclass(frozen=True)
class NetworkStack:
    """Networks of one shape, for kernels that play whole games.

    `hidden` is what each bit of a board adds to each hidden unit (networks × bits × units). `top`
    (networks × 2 × units + 1) has the biases of the units in its first row, and in the second one
    the weights from these to the output, with its bias at the end.
    """

    game: Game
    hidden: Numbers
    top: Numbers

    def beside(self, other: NetworkStack) -> NetworkStack:
        """These networks and those of another stack, which may have more units or fewer.

        What a network lacks are units that lead nowhere.
        """
        if self.game != other.game:
            raise ValueError(f"Networks for {self.game!r} and {other.game!r} share no board.")
        units = max(self.hidden.shape[2], other.hidden.shape[2])
        hidden, top = [], []
        for stack in (self, other):
            more = units - stack.hidden.shape[2]
            hidden.append(np.pad(stack.hidden, ((0, 0), (0, 0), (0, more))))
            padded = np.pad(stack.top[:, :, :-1], ((0, 0), (0, 0), (0, more)))
            top.append(np.concatenate([padded, stack.top[:, :, -1:]], axis=2))
        return NetworkStack(self.game, np.concatenate(hidden), np.concatenate(top))


def worths_of(game: Game, own: Mapping[str, float] | None = None) -> tuple[tuple[str, float], ...]:
    """What the kinds of piece are worth as inputs; without `own` as `material.py` says.

    >>> from clauseboard.game import load_game
    >>> worths_of(load_game("checkers"), {"king": 2})
    (('king', 2.0), ('man', 1.0))
    """
    kinds = {bit.piece.partition(" ")[2] for bit in game.bits() if bit.cell is not None}
    worth = dict.fromkeys(sorted(kinds), 1.0)
    material = MATERIAL.find(game)
    worth |= {} if material is None else material.WORTH
    if own is not None and not isinstance(own, Mapping):
        raise ValueError(f"worth={own!r} does not say what pieces are worth, as {worth!r} does.")
    for kind, number in (own or {}).items():
        known_name(f"{game.name} has no kind of piece", kind, worth)
        fit = isinstance(number, int | float) and not isinstance(number, bool)
        if not fit or not math.isfinite(number):
            raise ValueError(f"The worth of a {kind} is a number, not {number!r}.")
        worth[kind] = float(number)
    return tuple(sorted(worth.items()))


def sigmoid(x: Any) -> Any:
    """From 0 to 1, one half at 0; no overflow at either end."""
    return 0.5 * (1.0 + np.tanh(0.5 * np.asarray(x)))


def forward(shape: NetworkShape, weights: Numbers, inputs: Numbers) -> tuple[Numbers, Numbers]:
    """The hidden units and the outputs for rows of inputs: rows × units, rows; without twins."""
    hidden, biases, output, bias = shape.parts(weights)
    units = sigmoid(inputs @ hidden + biases)
    return units, sigmoid(units @ output + bias)


@dataclass(frozen=True)
class NetworkFile:
    """A saved network: its shape, weights and trainer, and what that trainer needs to go on."""

    path: Path
    shape: NetworkShape
    weights: Numbers
    trained_by: str
    options: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]]

    def array(self, name: str, *shape: int, dtype: Any = np.float64) -> NDArray[Any]:
        """An array that the trainer kept, if it is as it should be."""
        return expect(self.path, self.arrays, name, shape, dtype)


def save_network(
    path: Path,
    shape: NetworkShape,
    weights: Numbers,
    trained_by: str,
    options: Any,
    arrays: Mapping[str, NDArray[Any]],
) -> None:
    """Write a network, and what its trainer (by name) needs to go on.

    The number of threads is left out, so that it changes no byte.
    """
    settings = {name: value for name, value in vars(options).items() if name != "n_jobs"}
    page = {
        "trained_by": trained_by,
        "game": game_to_page(shape.game),
        "hidden": shape.hidden,
        "worth": dict(shape.worth),
        "balanced": shape.balanced,
        "options": settings,
    }
    write(path, FORMAT, VERSION, page, {"weights": weights, **arrays})


def load_network(path: Path | str) -> NetworkFile:
    """Read a network; a `ValueError` that says what is wrong with the file."""
    path = Path(path)
    page, arrays = read(path, FORMAT, VERSION)
    try:
        game = game_of_page(page["game"])
        hidden, worth = page["hidden"], worths_of(game, page["worth"])
        if type(hidden) is not int or not 1 <= hidden <= MOST_HIDDEN:
            raise ValueError(f"it has {hidden!r} hidden units")
        balanced = page.get("balanced", False)
        if not isinstance(balanced, bool):
            raise ValueError(f"balanced is {balanced!r}")
        trained_by, options = str(page["trained_by"]), dict(page["options"])
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} is damaged: {error}.") from error
    check_version(path, game, page["game"])
    shape = NetworkShape(game, hidden, worth, balanced)
    weights = expect(path, arrays, "weights", (shape.size,), np.float64)
    return NetworkFile(path, shape, weights, trained_by, options, arrays)


def load_training(path: Path, trained_by: str) -> NetworkFile:
    """Read a network that this trainer is to go on with."""
    kept = load_network(path)
    if kept.trained_by != trained_by:
        raise ValueError(
            f"{path} was trained by {kept.trained_by!r}, and only that can go on; this is "
            f"{trained_by!r}."
        )
    return kept


class NetworkEvaluator(BitEvaluator):
    """Judges boards by a network: 2 × output - 1, for the side to move."""

    view = "mover"

    def __init__(self, shape: NetworkShape, weights: Numbers) -> None:
        self.game = shape.game
        self.shape = shape
        self.weights = weights
        self._compiled = shape.compiled(weights)

    @classmethod
    def load(cls, path: Path | str, game: Game | None = None) -> NetworkEvaluator:
        """The network of a file; a `ValueError` if it is of another game."""
        kept = load_network(path)
        shape = kept.shape
        if game is not None and game != shape.game:
            check_same_boards(path, shape.game, game)
            shape = replace(shape, game=game)
        return cls(shape, kept.weights)

    def judge_bits(self, bits: NDArray[np.uint8], sides: NDArray[np.int64]) -> Judgements:
        """Judge packed rows of bits, as the side to move sees them."""
        return Judgements(values_of(self.compiled(), bits, sides))

    def compiled(self) -> tuple[Compiled, Compiled]:
        """The network as data: the same for either side to move."""
        return self._compiled, self._compiled

    def explain(self, position: Position) -> Explanation:
        """Why a position is judged so: by how much the value falls if a piece is taken away.

        A network is no sum, so that these changes do not add up to the value; each is true for
        itself. The greatest come first.
        """
        row = self.game.encode([position], view="mover")[0]
        there = np.flatnonzero(row)
        without = np.repeat(row[None], len(there) + 1, axis=0)
        without[np.arange(len(there)), there] = 0  # the last row stays as it is
        side = sides_of(self.game, [position])
        packed = np.packbits(without, axis=1, bitorder="little")
        *changed, value = self.judge_bits(packed, np.repeat(side, len(packed))).values.tolist()
        # The bits of the view have to be named as they lie on the board.
        source = mover_source(self.game) if side[0] else np.arange(len(row))
        bits = [self.game.bits()[k] for k in source[there]]
        terms = [
            Term(bit.name, value - less, bit.cell, f"value without it: {less:+.2f}")
            for bit, less in zip(bits, changed, strict=True)
        ]
        terms.sort(key=lambda term: -abs(term.amount))
        return Explanation(
            position=position,
            value=value,
            judge=str(self),
            terms=tuple(terms),
            about_terms=f"By how much the value for {position.to_move} would fall if a piece were "
            "taken away; a network is no sum, so that these changes do not add up to it.",
            terms_add_up=False,
        )

    def __str__(self) -> str:
        return f"a network of {self.shape.hidden} hidden units"


# ---- games between networks


MOST_CAPTURES = 24
"""Captures that are played out one after the other; in checkers there are no more pieces."""


@dataclass(frozen=True)
class PlayedGames:
    """Games that were played: the side that won each (`DRAW`: none), how many moves it took.

    If they were recorded: `boards`, the packed bits of each board with a side to move as that side
    saw it, and `gains`, what the game brought that side: 1, -1, or 0 for a draw.
    """

    results: NDArray[np.int64]
    lengths: NDArray[np.int64]
    boards: NDArray[np.uint8]
    gains: NDArray[np.float64]

    def scores(
        self, side: int | NDArray[np.int64], win: float = 1.0, loss: float = -1.0
    ) -> NDArray[np.float64]:
        """What each game brought to one side, or to a side that is another one in each game."""
        return np.where(self.results == DRAW, 0.0, np.where(self.results == side, win, loss))


class SwarmGames(NamedTuple):
    """What differs from game to game, and what becomes of each.

    `pairs` are the two networks that play, the one that begins first. `explore` is the share of the
    moves of either side that are drawn at random, by the `counters` of random numbers. The boards
    with a side to move are kept in `boards` (games × moves × 1 × bytes), as far as there is room,
    with `sides`.
    """

    pairs: Any
    explore: Any
    counters: Any
    results: Any
    lengths: Any
    boards: Any
    sides: Any


class CapturesAhead(NamedTuple):
    """Room for boards on which captures are played out, a row for each; one is none.

    `flat` is the memory of `states`. `left` has the captures of each board that are still to be
    tried, and `worth` the best of those that were.
    """

    states: Any
    flat: Any
    scratches: Any
    codes: Any
    left: Any
    worth: Any


class SwarmNetworks(NamedTuple):
    """Networks (see `network.Stack`), and room for the bits of a board and for sums."""

    hidden: Any
    top: Any
    features: Any
    sums: Any


def named_figures(game: Game, names: Sequence[str], numbers: Iterable[float]) -> dict[str, float]:
    """Figures by their names, with the colours in the place of "first" and "second".

    >>> from clauseboard.game import load_game
    >>> named_figures(load_game("hex"), ["first won", "drawn"], [3, 0])
    {'red won': 3.0, 'drawn': 0.0}
    """
    sides = dict(zip(("first", "second"), game.colours, strict=True))
    words = [" ".join(sides.get(word, word) for word in name.split()) for name in names]
    return dict(zip(words, map(float, numbers), strict=True))


def searchable(game: Game) -> Game:
    """The game, if whole games of it can be played by kernels; a sentence otherwise."""
    if compiled_rules_of(game) is None:
        raise ValueError(
            f"{game.name} has no module `compiled_rules`, so that no kernel can play it."
        )
    return game


def play(
    networks: NetworkStack,
    pairs: ArrayLike,
    counters: NDArray[np.uint64] | Sequence[int],
    *,
    longest: int = 100,
    opening: int = 0,
    explore: ArrayLike = (0.0, 0.0),
    captures: bool = True,
    record: bool = False,
) -> PlayedGames:
    """Games between networks that look one move ahead; of each pair the first one begins.

    Each counter is the seed of one game. `opening` moves are drawn at random, and later ones of
    each side by chance, `explore`: 1.0 is a random player. After `longest` moves the
    game is a draw. `pairs` and `explore` are two numbers for all games, or a row for each. With
    `captures` those that have to be made are played out before a network is asked.
    """
    game = searchable(networks.game)
    rules = compiled_rules_of(game)
    assert rules is not None
    kernels = specialised("clauseboard.learners.swarm.games_template", rules)
    seeds = np.array(counters, np.uint64)
    n_games, n_bytes = len(seeds), networks.hidden.shape[1] // 8
    results, lengths = np.empty(n_games, np.int64), np.empty(n_games, np.int64)
    room = longest if record else 0
    boards = np.zeros((n_games, room, 1, n_bytes), np.uint8)
    sides = np.zeros((n_games, room), np.int64)
    most = rules.most_moves(game)
    # Without room for further boards none is played out.
    n_ahead = 1 + MOST_CAPTURES * (captures and getattr(rules, "MUST_CAPTURE", False))
    states = np.stack([rules.new_state(game)] * n_ahead)
    ahead = CapturesAhead(
        states=states,
        flat=states.reshape(n_ahead, -1),
        scratches=np.stack([rules.new_scratch(game)] * n_ahead),
        codes=np.empty((n_ahead, most), np.int64),
        left=np.empty(n_ahead, np.int64),
        worth=np.empty(n_ahead),
    )
    games = SwarmGames(
        pairs=_for_each(n_games, pairs, np.int64),
        explore=_for_each(n_games, explore, np.float64),
        counters=seeds,
        results=results,
        lengths=lengths,
        boards=boards,
        sides=sides,
    )
    kernels.play_games(
        networks.hidden, networks.top, games, rules.state_of(game.start()), rules.new_state(game),
        ahead, rules.settings_of(game), rules.new_scratch(game), np.empty(most, np.int64), longest,
        getattr(game, "repetitions", None) or 0, opening,
    )  # fmt: skip
    kept = np.arange(room) < lengths[:, None]
    winners = np.broadcast_to(results[:, None], kept.shape)[kept]
    gains = np.where(winners == DRAW, 0.0, np.where(winners == sides[kept], 1.0, -1.0))
    return PlayedGames(results, lengths, boards[:, :, 0][kept], gains)


def _for_each(n_games: int, pairs: ArrayLike, dtype: Any) -> NDArray[Any]:
    """Two numbers for each game; those for all games are repeated."""
    return np.array(np.broadcast_to(np.asarray(pairs, dtype), (n_games, 2)), order="C")


def wins_against_chance(
    networks: NetworkStack,
    who: int,
    games: int,
    seed: int,
    longest: int = 1000,
    captures: bool = True,
) -> tuple[float, float, float]:
    """The shares of games won, drawn and lost against a player of random moves; colours swapped."""
    counters = np.random.default_rng(seed).integers(0, 2**64, games, np.uint64)
    own = np.arange(games) % 2
    played = play(
        networks, (who, who), counters, longest=longest, explore=np.eye(2)[1 - own],
        captures=captures,
    )  # fmt: skip
    scores = played.scores(own)
    return tuple(float((scores == gain).mean()) for gain in (1.0, 0.0, -1.0))  # type: ignore[return-value]
