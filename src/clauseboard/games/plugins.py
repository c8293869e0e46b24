"""What a game's folder may offer beyond the rules: one `Protocol` for each thing, and one lookup.

A plug-in is a module of the game's folder, or some names in it. `games/hex/solving.py` makes Hex a
game that can be solved; a game without that file is one that cannot. Nothing is registered:

    >>> from clauseboard.game import load_game
    >>> SOLVING.find(load_game("go")) is None, SOLVING.games()
    (True, ('checkers', 'hex'))
    >>> RECORDS.of(load_game("go")).SUFFIXES
    ('.sgf',)

The protocols say what the names are; `docs/extending.md` shows a game with some of them. mypy
checks the modules of our games against the protocols (`tests/games/plugin_types.py`).
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from clauseboard.game import Bit, Game, Move, Outcome, Position, game_names

if TYPE_CHECKING:
    from clauseboard.explanation import Line
    from clauseboard.games.concepts import Concept, Feature
    from clauseboard.games.datasets import Composition
    from clauseboard.games.records import Recorded, RecordNotes, Report
    from clauseboard.games.solving import Progress, Solution, TablesStatus, Truth
    from clauseboard.games.vocabulary import Cell, Count, Engine, Setting, Vocabulary

G_contra = TypeVar("G_contra", contravariant=True)
"""The game's own class of games, and below those of its positions and moves."""
G = TypeVar("G")
P = TypeVar("P", bound=Position)
P_contra = TypeVar("P_contra", contravariant=True)
M = TypeVar("M", bound=Move)
M_contra = TypeVar("M_contra", contravariant=True)
M_co = TypeVar("M_co", covariant=True)
T = TypeVar("T")

_PACKAGE = "clauseboard.games"

KernelFunction = Callable[..., Any]
"""A function that kernels call (`kernels.compiler.helper`); Numba finds its types."""


# ---- what a plug-in offers


class NotationPlugin(Protocol[G_contra, P, M]):
    """`notation`: moves and positions as text."""

    def read_move(self, position: P, text: str) -> M:
        """The legal move that a text means in a position."""

    def write_move(self, position: P, move: M) -> str:
        """A legal move as text that `read_move` takes back."""

    def read_position(self, game: G_contra, text: str) -> P:
        """The position that a text describes, without the moves that led there."""

    def write_position(self, position: P) -> str:
        """A position as one line that `read_position` takes back."""


class DrawingPlugin(Protocol[G_contra, P_contra]):
    """`drawing`: boards as pictures and as text."""

    def draw(self, game: G_contra, position: P_contra | None = None, **marks: Any) -> str:
        """A picture (SVG) of a position, or of an empty board."""

    def text_board(
        self,
        game: G_contra,
        position: P_contra | None = None,
        *,
        colour: bool = False,
        **marks: Any,
    ) -> str:
        """A position, or an empty board, as text."""


class BitsPlugin(Protocol[G_contra, P]):
    """`encoding`: boards as bits."""

    def bits(self, game: G_contra) -> tuple[Bit, ...]:
        """The bits of an encoded board, in their order."""

    def encode(
        self, game: G_contra, positions: Iterable[P], view: str = "board"
    ) -> NDArray[np.uint8]:
        """Boards as 0 and 1, positions × bits."""

    def decode(self, game: G_contra, row: NDArray[np.uint8], to_move: str) -> P:
        """The position that a row of bits shows, with this side to move."""


class EncodingPlugin(Protocol[G_contra]):
    """`encoding`: the bits of a board as the second colour sees them."""

    def mover_source(self, game: G_contra) -> NDArray[np.intp]:
        """For each bit of the view "mover", with the second colour to move, the board's bit."""


class SymmetriesPlugin(Protocol[G_contra]):
    """`encoding`: the symmetries that keep the goals of both sides."""

    def cell_symmetries(self, game: G_contra) -> NDArray[np.intp]:
        """For each symmetry the cell that is seen at each cell; first the board as it is."""


class VocabularyPlugin(Protocol[G_contra]):
    """`vocabulary`: what the game calls things, for sentences about its boards."""

    def vocabulary(self, game: G_contra) -> Vocabulary:
        """The words of the game."""


class RecordsPlugin(Protocol[G_contra, P_contra, M_contra]):
    """`records`: games in files, in the format that other programs use."""

    SUFFIXES: tuple[str, ...]
    """How the names of the files end, the usual one first."""

    def write_game(
        self,
        game: G_contra,
        moves: Sequence[M_contra],
        outcome: Outcome | None,
        players: Mapping[str, str],
        event: str,
        number: int,
        start: P_contra | None = None,
        notes: RecordNotes | None = None,
    ) -> str:
        """A game as text, with the players by colour, the event and the game's number in it.

        What `notes` has, of another record of this game, is written as well. Without an event
        nothing is written but what the game and the notes tell.
        """

    def read_games(self, path: Path, report: Report) -> Iterator[Recorded]:
        """The games of a file that can be replayed; the report counts the others."""


class SolvingPlugin(Protocol[G_contra, P_contra, M_co]):
    """`solving`: the exact value of positions."""

    QUICK: bool
    """Whether `truths` only looks into a table."""

    def check(self, game: G_contra) -> None:
        """Raise a `ValueError` if the solver does not take the game's parameters."""

    def solve(self, position: P_contra, progress: Progress | None = None) -> Solution:
        """The solution of a position, or a `ValueError` where it is not known."""

    def best_move(self, position: P_contra, seed: int) -> tuple[M_co, str | None] | None:
        """A best move and the winner, or None where they are not known."""

    def truths(self, game: G_contra, positions: Sequence[P_contra]) -> Sequence[Truth | None]:
        """The winner of each position, or None where it is not known."""


class EndgamesPlugin(Protocol[G_contra, P_contra]):
    """`endgames`: large tables of endings, made once; `games.solving` explains each function."""

    def exact_words(self, position: P_contra) -> str | None:
        """How a position ends with best play, in a sentence, if a table at hand tells."""

    def exact_end(self, position: P_contra) -> Outcome | None:
        """The same as an outcome."""

    def make_ready(self, game: G_contra, progress: Progress | None = None) -> str | None:
        """Make the tables if need be, and use them; a sentence if that cannot be."""

    def start(self, game: G_contra, build: bool = True) -> None:
        """Have the tables made in the background."""

    def stop(self) -> None:
        """End the making of tables."""

    def release(self) -> None:
        """Give back the memory of what was looked up."""

    def status(self) -> TablesStatus:
        """How far the tables are."""


class CompiledRulesPlugin(Protocol[G_contra, P_contra, M]):
    """`compiled_rules`: the game as kernels see it; `search.compiled_rules` explains each name."""

    __name__: str

    STATE: str
    """The type of the array of a state."""
    SCRATCH: str
    """The type of the array in which `list_moves` takes notes."""
    KNOWLEDGE: str
    """The type of what `exact_value` looks into."""
    PLAY_NEEDS_MOVES: bool
    """Whether the moves of a state must be listed before one is played."""
    REPEATS: bool
    """Whether boards may come up again."""

    def new_state(self, game: G_contra) -> NDArray[Any]:
        """Room for a state."""

    def new_scratch(self, game: G_contra) -> NDArray[Any]:
        """Room for notes."""

    def state_of(self, position: P_contra) -> NDArray[Any]:
        """The state of a position."""

    def settings_of(self, game: G_contra) -> NDArray[np.int64]:
        """The game's parameters."""

    def most_moves(self, game: G_contra) -> int:
        """At least as many as any state has moves."""

    def n_codes(self, game: G_contra) -> int:
        """Codes are 0 to this number - 1."""

    def code_of(self, position: P_contra, move: M) -> int:
        """The code of a move."""

    def move_of(self, position: P_contra, code: int) -> M:
        """The move of a code."""

    def keys_before(self, position: P_contra) -> NDArray[np.uint64]:
        """The keys of earlier boards that may come up again."""

    def knowledge_of(self, game: G_contra) -> object:
        """What `exact_value` looks into."""

    side_to_move: KernelFunction
    list_moves: KernelFunction
    result: KernelFunction
    play: KernelFunction
    is_quiet: KernelFunction
    at_rest: KernelFunction
    write_bits: KernelFunction
    key: KernelFunction
    play_out: KernelFunction
    exact_value: KernelFunction


class MoveFeaturesPlugin(Protocol):
    """`move_features`: the bits around a move, which patterns are learned from."""

    NAMES: tuple[str, ...]
    """The names of the bits."""
    IMPLIES: tuple[tuple[str, str], ...]
    """Pairs of bits: where the first is set, the second is, too."""
    WAYS: NDArray[np.intp]
    """For each symmetry of the board, the bit that is seen as each bit."""
    N_CELLS: int
    """How many cells are looked at; each has two bits, which come first."""
    N_BYTES: int
    """How many bytes a packed row of bits has."""
    SAID: dict[str, tuple[str, str]]
    """What a bit that is on no cell says where it is set, and where it is not."""
    BEYOND: tuple[str, str]
    """What the bits of a cell beyond the edge say; empty where there is nothing to say."""

    def cell_seen(self, size: int, side: int, code: int, step: int) -> int | None:
        """The cell that a step leads to from a move; None beyond the edge."""


class ShapePlayoutsPlugin(Protocol):
    """`shape_playouts`: random games in which learned patterns choose the answers."""

    N_WEIGHTS: int
    """How many weights there are."""

    def shape_bits(self) -> NDArray[np.uint8]:
        """The bits of every shape, packed."""

    def elsewhere_bits(self) -> NDArray[np.uint8]:
        """The bits of a move far from the last one, packed."""

    def weights_of(self, logs: NDArray[np.floating[Any]], elsewhere: float) -> NDArray[np.uint16]:
        """The weights of answers, from the logarithms of what they are worth."""


class FeaturesPlugin(Protocol):
    """`board_features`: numbers that evaluators weigh (`games.concepts`)."""

    FEATURES: tuple[Feature, ...]
    """What can be counted for a piece of the first colour."""
    SETS: dict[str, tuple[str, ...]]
    """The names of features, by the name of the set."""


class MaterialPlugin(Protocol):
    """`board_features`: what the kinds of piece are worth."""

    WORTH: dict[str, float]
    """By kind of piece, which is the last word of a bit's piece: "king" of "black king"."""


class DatasetsPlugin(Protocol):
    """`datasets`: the data sets that can be made of the game's boards."""

    COMPOSITIONS: tuple[type[Composition], ...]
    """The compositions; the first that reads files is the usual one."""


class ConceptsPlugin(Protocol[P_contra]):
    """`concepts`: what players of the game count on a board (`games.concepts`)."""

    CONCEPTS: tuple[Concept, ...]
    """The concepts; `compiled_rules.count_concepts` counts them for searches, in this order."""

    def count(self, positions: Sequence[P_contra]) -> NDArray[np.int64]:
        """The numbers of both sides: positions × colours × concepts."""

    def cells(self, position: P_contra, concept: str, colour: str) -> tuple[str, ...]:
        """The cells that a concept, by its name, speaks of on a position, for one side."""

    def line_text(
        self,
        position: P_contra,
        line: str,
        side: str,
        ours: NDArray[np.int64],
        theirs: NDArray[np.int64],
    ) -> str:
        """The sentence of a line that speaks for a side; empty where its numbers do not.

        `ours` and `theirs` are the counts of that side and of the other one.
        """


class SelfplayPlugin(Protocol[G_contra]):
    """`selfplay`: the settings of self-play."""

    def usual(self, game: G_contra) -> dict[str, Any]:
        """The settings of `clauseboard learn` that differ from the general ones."""


class OpeningsPlugin(Protocol[G_contra]):
    """`selfplay`: openings, so that the games of a match are not all the same."""

    def deck(self, game: G_contra) -> Sequence[object]:
        """The openings; `str` of one is its moves with spaces between them."""


class RandomGamesPlugin(Protocol[P_contra]):
    """`selfplay`: whole random games, faster than move by move."""

    def random_game(
        self, position: P_contra, picks: Sequence[Callable[[int], int]], most_moves: int
    ) -> tuple[list[str], Outcome | None]:
        """The moves as text, and how the game ended; None if `most_moves` were made.

        `picks` has a function for each colour: given the number of moves, it picks one by its
        place in `position.moves()`.
        """


class LineFactsPlugin(Protocol[P_contra, M_contra]):
    """`line_facts`: what can be said of a line of moves by looking at its boards."""

    def line_fact(self, position: P_contra, line: Sequence[M_contra]) -> str | None:
        """What a line brings the side to move, as the rest of a sentence that begins with its first
        move: "loses a man to 22x13"; None if nothing happens. It must be true on the boards."""


class TerritoryPlugin(Protocol[G_contra, P_contra]):
    """`territory`: the expected score of a position, told by the owners of its points."""

    def expected_score(self, game: G_contra, owners: Sequence[int], colour: str) -> float:
        """The points by which a colour may expect to win, or to lose if it is less than 0."""

    def territory_lines(
        self, position: P_contra, owners: Sequence[int], colour: str
    ) -> tuple[Line, ...]:
        """Lines, in hundredths of a point for a colour, that add up to the expected score.

        `owners` are those of a `Candidate`, in the random games from the position on.
        """

    def final_owners(self, position: P_contra, owners: Sequence[int]) -> tuple[int, ...]:
        """The owners as the rules count them, where the game is over; else the same."""

    def owner_shares(
        self, position: P_contra, owners: Sequence[int], colour: str
    ) -> dict[str, float]:
        """Whose each point is in the end, from -1 to 1 for a colour."""

    def contrast(self, position: P_contra, owners: Sequence[int], colour: str) -> str:
        """Where random games give a colour more than is counted on the board, or nothing."""

    def aim(
        self,
        position: P_contra,
        move: Any,
        owners: Sequence[int],
        others: Sequence[int],
        rival: str = ...,
    ) -> str:
        """What a move is for, as the rest of a sentence, or nothing: what it does, and random games
        come to after it (`owners`) beside those after the other moves, or a rival alone."""


class BoardInputPlugin(Protocol[P_contra, M_co]):
    """`notation`: whole boards typed or pasted at the terminal instead of moves."""

    def write_digits(self, position: P_contra, before: P_contra | None = None) -> str:
        """A board, with marks on what has changed."""

    def read_next_board(self, position: P_contra, text: str) -> M_co:
        """The move that leads from a position to a board."""


class PagePlugin(Protocol[G_contra, P_contra, M_contra]):
    """`vocabulary`: what the browser page needs, so that the game can be played by clicks."""

    TITLE: str
    """What the game is called."""
    RECORD: str
    """What the format of its files is called."""
    SETTINGS: tuple[Setting, ...]
    """The parameters that a person may choose."""
    ENGINES: tuple[Engine, ...]
    """Other programs that play it, which are offered where they are installed."""

    def cells(self, game: G_contra) -> list[Cell]:
        """Where the cells lie in the picture of `game.draw()`."""

    def pieces(self, game: G_contra) -> dict[str, str]:
        """A picture of each piece, around the point 0, 0."""

    def pieces_on(self, position: P_contra) -> dict[str, str]:
        """The piece on each cell that has one."""

    def path(self, game: G_contra, move: M_contra) -> list[str]:
        """The cells to be clicked in turn; none for a pass or a swap."""

    def touched(self, position: P_contra, move: M_contra) -> list[str]:
        """The cells that a move changed; `position` is the one after it."""


class CountingPlugin(Protocol[P_contra]):
    """`vocabulary`: games whose end is counted without dead stones."""

    def count(self, position: P_contra, dead: Iterable[str] = ()) -> Count | None:
        """The count of a finished game without the chains of these stones."""

    def find_dead(self, position: P_contra) -> tuple[str, ...]:
        """A suggestion which stones are dead."""

    def find_open(self, position: P_contra) -> tuple[str, ...]:
        """A stone of each chain that may live or die, so that the game should go on."""


class GtpPlugin(Protocol[G, P, M]):
    """`gtp`: the words of the Go Text Protocol for this game (`clauseboard.engines`)."""

    COLOURS: dict[str, str]
    """The colours by the words for them, in lower case; the first word of a colour is sent."""
    COMMANDS: dict[str, Callable[..., str]]
    """Commands that other games do not have: functions of the session and of the arguments."""

    def read_move(self, position: P, word: str) -> M:
        """The move that a word means."""

    def write_move(self, position: P, move: M) -> str:
        """The word for a move."""

    def turned(self, position: P, colour: str) -> P:
        """The position with this colour to move, or a `ValueError`.

        The protocol lets a colour move twice in a row, and play on after two passes.
        """

    def emptied(self, game: G) -> G:
        """The game that `clear_board` begins."""

    def final_score(self, position: P) -> str:
        """How the game ended: `B+3.5`, `W+` or `0`."""

    def commands_to(self, position: P) -> list[str]:
        """The commands that bring an engine to a position from nowhere."""


class GtpSwapPlugin(Protocol[P, M]):
    """`gtp`: games in which a move makes players exchange their colours at the other program."""

    def exchanges(self, move: M) -> bool:
        """Whether the players take each other's colour with this move, as in MoHex's swap."""

    def exchanged(self, position: P) -> P:
        """What a board looks like there from then on."""

    def exchanged_move(self, move: M) -> M:
        """What a move looks like there from then on."""


class OpenSpielPlugin(Protocol[G, P_contra, M]):
    """`gtp`: the game as OpenSpiel knows it (`engines.openspiel`)."""

    OPENSPIEL_NAME: str
    """What OpenSpiel calls the game."""

    def openspiel_parameters(self, game: G) -> dict[str, Any]:
        """OpenSpiel's parameters for a game."""

    def openspiel_game(self, parameters: Mapping[str, Any]) -> G:
        """The game that OpenSpiel's parameters mean."""

    def openspiel_turns(self, position: P_contra, move: M) -> tuple[str, ...]:
        """What OpenSpiel calls the turns of a move, one or several."""

    def openspiel_moves(self, position: P_contra) -> tuple[M, ...]:
        """The legal moves, with all ways to play each of them."""


# ---- the lookup


class Plugin(Generic[T]):
    """One thing that a game's folder may offer: the module that has it, and its protocol.

    A module may hold several plug-ins (`shared`); it offers one if it has all its names. Where a
    module is for one plug-in alone, an `AttributeError` says which names it lacks.
    `what` is what a game without it has none of.
    """

    def __init__(self, module: str, protocol: type, what: str, *, shared: bool = False) -> None:
        self.module, self.what, self.shared = module, what, shared
        declared = [*vars(protocol), *vars(protocol).get("__annotations__", ())]
        self.names = [name for name in declared if not name.startswith("_")]

    def find(self, game: Game | str) -> T | None:
        """What the game offers, or None."""
        return cast("T | None", _found(self, game if isinstance(game, str) else game.name))

    def of(self, game: Game | str) -> T:
        """What the game offers; where it offers nothing, a `ValueError` names games that do."""
        offered = self.find(game)
        if offered is None:
            name = game if isinstance(game, str) else game.name
            others = ", ".join(self.games()) or "none"
            raise ValueError(f"{name} has no {self.what}; games that have: {others}.")
        return offered

    def call(self, game: Game | str, name: str, *arguments: object) -> Any:
        """What a function gives that a game may leave out; None where it is left out."""
        function = getattr(self.find(game), name, None)
        return None if function is None else function(*arguments)

    def games(self) -> tuple[str, ...]:
        """The names of the games that offer it."""
        # Folders are looked at, not imported, where that is enough: `--help` lists such games.
        there = [name for name in game_names() if self.module in _modules(name)]
        return tuple(name for name in there if not self.shared or self.find(name) is not None)


@functools.cache
def _found(plugin: Plugin[object], game: str) -> object | None:
    if plugin.module not in _modules(game):
        return None
    module = importlib.import_module(f"{_PACKAGE}.{game}.{plugin.module}")
    lacking = [name for name in plugin.names if not hasattr(module, name)]
    if lacking and not plugin.shared:
        raise AttributeError(f"games/{game}/{plugin.module}.py lacks {', '.join(lacking)}.")
    return None if lacking else module


def forget() -> None:
    """Look at the folders of the games anew: one was added or removed."""
    _found.cache_clear()
    _modules.cache_clear()


@functools.cache
def _modules(game: str) -> frozenset[str]:
    """The modules in a game's folder; none for a game that is not in this package."""
    above = importlib.import_module(_PACKAGE).__path__
    return frozenset(m.name for m in pkgutil.iter_modules([f"{folder}/{game}" for folder in above]))


# ---- the plug-ins there are
# A game's plug-in takes that game's own positions and moves. They are looked up by the game, so
# that those who call them have nothing else at hand; mypy is told of the general classes.

NOTATION: Plugin[NotationPlugin[Game, Position, Move]] = Plugin(
    "notation", NotationPlugin, "notation", shared=True
)
DRAWING: Plugin[DrawingPlugin[Game, Position]] = Plugin(
    "drawing", DrawingPlugin, "drawing", shared=True
)
BITS: Plugin[BitsPlugin[Game, Position]] = Plugin("encoding", BitsPlugin, "bits", shared=True)
ENCODING: Plugin[EncodingPlugin[Game]] = Plugin(
    "encoding", EncodingPlugin, "view of the mover", shared=True
)
SYMMETRIES: Plugin[SymmetriesPlugin[Game]] = Plugin(
    "encoding", SymmetriesPlugin, "symmetries", shared=True
)
VOCABULARY: Plugin[VocabularyPlugin[Game]] = Plugin(
    "vocabulary", VocabularyPlugin, "vocabulary", shared=True
)
RECORDS: Plugin[RecordsPlugin[Game, Position, Move]] = Plugin("records", RecordsPlugin, "records")
SOLVING: Plugin[SolvingPlugin[Game, Position, Move]] = Plugin("solving", SolvingPlugin, "solver")
ENDGAMES: Plugin[EndgamesPlugin[Game, Position]] = Plugin(
    "endgames", EndgamesPlugin, "endgame tables"
)
COMPILED_RULES: Plugin[CompiledRulesPlugin[Game, Position, Move]] = Plugin(
    "compiled_rules", CompiledRulesPlugin, "compiled rules"
)
MOVE_FEATURES: Plugin[MoveFeaturesPlugin] = Plugin(
    "move_features", MoveFeaturesPlugin, "features of moves"
)
SHAPE_PLAYOUTS: Plugin[ShapePlayoutsPlugin] = Plugin(
    "shape_playouts", ShapePlayoutsPlugin, "random games with learned answers"
)
FEATURES: Plugin[FeaturesPlugin] = Plugin("board_features", FeaturesPlugin, "features", shared=True)
MATERIAL: Plugin[MaterialPlugin] = Plugin(
    "board_features", MaterialPlugin, "material to count", shared=True
)
CONCEPTS: Plugin[ConceptsPlugin[Position]] = Plugin("concepts", ConceptsPlugin, "concepts")
DATASETS: Plugin[DatasetsPlugin] = Plugin("datasets", DatasetsPlugin, "data sets")
SELFPLAY: Plugin[SelfplayPlugin[Game]] = Plugin(
    "selfplay", SelfplayPlugin, "settings of self-play", shared=True
)
OPENINGS: Plugin[OpeningsPlugin[Game]] = Plugin(
    "selfplay", OpeningsPlugin, "openings of its own", shared=True
)
RANDOM_GAMES: Plugin[RandomGamesPlugin[Position]] = Plugin(
    "selfplay", RandomGamesPlugin, "fast random games", shared=True
)
LINE_FACTS: Plugin[LineFactsPlugin[Position, Move]] = Plugin(
    "line_facts", LineFactsPlugin, "facts about lines"
)
TERRITORY: Plugin[TerritoryPlugin[Game, Position]] = Plugin(
    "territory", TerritoryPlugin, "territory"
)
BOARD_INPUT: Plugin[BoardInputPlugin[Position, Move]] = Plugin(
    "notation", BoardInputPlugin, "boards to paste", shared=True
)
PAGE: Plugin[PagePlugin[Game, Position, Move]] = Plugin(
    "vocabulary", PagePlugin, "page", shared=True
)
COUNTING: Plugin[CountingPlugin[Position]] = Plugin(
    "vocabulary", CountingPlugin, "count at the end", shared=True
)
GTP: Plugin[GtpPlugin[Game, Position, Move]] = Plugin("gtp", GtpPlugin, "GTP (games/…/gtp.py)")
GTP_SWAP: Plugin[GtpSwapPlugin[Position, Move]] = Plugin("gtp", GtpSwapPlugin, "swap", shared=True)
OPENSPIEL: Plugin[OpenSpielPlugin[Game, Position, Move]] = Plugin(
    "gtp", OpenSpielPlugin, "part in OpenSpiel", shared=True
)


class ModularGame(Game[P, M]):
    """A game whose notation, bits and pictures are modules of its folder, apart from its rules."""

    def read_move(self, position: P, text: str) -> M:
        """The legal move that a text means in a position; see `notation.py`."""
        return cast("M", NOTATION.of(self).read_move(position, text))

    def write_move(self, position: P, move: M) -> str:
        """A legal move as text that `read_move` takes back."""
        return NOTATION.of(self).write_move(position, move)

    def read_position(self, text: str) -> P:
        """The position that a text describes, without the moves that led there."""
        return cast("P", NOTATION.of(self).read_position(self, text))

    def write_position(self, position: P) -> str:
        """A position as one line that `read_position` takes back."""
        return NOTATION.of(self).write_position(position)

    def bits(self) -> tuple[Bit, ...]:
        """The bits of an encoded board, in their order; see `encoding.py`."""
        return BITS.of(self).bits(self)

    def encode(self, positions: Iterable[P], view: str = "board") -> NDArray[np.uint8]:
        """Boards as 0 and 1, positions × bits."""
        return BITS.of(self).encode(self, positions, view)

    def decode(self, row: NDArray[np.uint8], to_move: str) -> P:
        """The position that a row of bits shows, with this side to move."""
        return cast("P", BITS.of(self).decode(self, row, to_move))

    def draw(self, position: P | None = None, **marks: Any) -> str:
        """A picture (SVG) of a position, or of an empty board; see `drawing.py`."""
        return DRAWING.of(self).draw(self, position, **marks)

    def path(self, move: M) -> list[str]:
        """The cells that a move leads over or is made on; see `vocabulary.py`."""
        page = PAGE.find(self)
        return [] if page is None else page.path(self, move)

    def text(self, position: P | None = None, *, colour: bool = False, **marks: Any) -> str:
        """A position, or an empty board, as text; see `drawing.py`."""
        return DRAWING.of(self).text_board(self, position, colour=colour, **marks)
