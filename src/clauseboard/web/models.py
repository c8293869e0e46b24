"""The JSON of every request and answer; docs/web-api.md is generated from these models.

The server builds its answers with them, so that there is one schema.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from clauseboard.play import Mistake

LONGEST_RECORD = 200_000
"""Characters of a record; a long game of Go with comments has some ten thousand."""
LEAST_GAMES, MOST_GAMES, USUAL_GAMES = 20, 2000, 300
"""Games that are played for a training."""

Name = Annotated[str, StringConstraints(max_length=100)]
Text = Annotated[str, StringConstraints(max_length=2000)]
Record = Annotated[str, StringConstraints(max_length=LONGEST_RECORD)]
Title = Annotated[str, StringConstraints(strip_whitespace=True, max_length=60)]
Value = bool | int | float | Name | None
Values = Annotated[dict[Name, Value], Field(max_length=20)]
Number = Annotated[float, Field(allow_inf_nan=False)]
Ply = Annotated[int, Field(ge=0, le=100_000)]
Sort = Literal["weight", "votes", "right", "wrong", "support", "short"]
Favours = Literal["for", "against"]
Phase = Literal["waiting", "boards", "training", "measuring", "done", "stopped", "failed"]


class Model(BaseModel):
    """A request or answer has no other fields than these."""

    model_config = ConfigDict(extra="forbid", from_attributes=True)


class Problem(Model):
    """An error, in one sentence for the person."""

    detail: str


# ---- games, opponents and boards


class SettingChoice(Model):
    """A value of a setting."""

    value: Any
    title: str


class GameSetting(Model):
    """A parameter of a game. `choices` is empty unless `kind` is "choice"; `least` and `most` are
    null unless it is "number"."""

    name: str
    title: str
    kind: Literal["choice", "flag", "number"]
    choices: list[SettingChoice]
    least: float | None
    most: float | None
    default: Any


class RecordKind(Model):
    """The format of a game's files: ".pdn", "PDN"."""

    suffix: str
    name: str


class GameKind(Model):
    """A game that can be played. `counted`: the end is counted, and a `State` has a `score`.
    `openings` are the openings that have names, by their moves; `training` are settings with which
    a training in the lab learns quickly."""

    name: str
    title: str
    colours: list[str]
    settings: list[GameSetting]
    record: RecordKind
    counted: bool
    openings: dict[str, str]
    training: dict[str, Any]


class About(Model):
    """The games, and the thinking times to choose from. `quit`: whether POST /api/quit works."""

    version: str
    quit: bool
    seconds: list[float]
    usual_seconds: float
    games: list[GameKind]


class PlayerSummary(Model):
    """A player in short."""

    id: str
    title: str
    readable: bool
    judges: bool


class OpponentLine(PlayerSummary):
    """An opponent. `about` describes it in one line; `strength` is what was measured. `judges`: it
    can judge moves (`hint`, mistakes). `hints`: as a judge it only names moves. `readable`: `why`
    gives reasons. `person`: two people play at one board. `level`: the name of a level of the
    shipped player, with `stars` from 1 on (0: it adapts, or is no level)."""

    about: str
    strength: str
    hints: bool
    usual: bool
    person: bool
    level: str | None
    stars: int


class CellShape(Model):
    """A cell of the board. `x`, `y` is its centre. Its outline is the polygon `points` ("x,y x,y
    ..."), or a circle of radius `r` if that is empty. The arrow keys lead to the cells `up`,
    `down`, `left` and `right`."""

    id: str
    x: float
    y: float
    r: float
    points: str
    label: str
    up: str | None
    down: str | None
    left: str | None
    right: str | None


class PieceShape(Model):
    """A picture of a piece around the point 0, 0."""

    svg: str
    title: str
    colour: str


class BoardShape(Model):
    """The geometry of a board. `background` is a picture of the empty board whose viewBox is
    0 0 `width` `height`. `pieces` are in the order in which a palette lists them."""

    game: str
    settings: dict[str, Any]
    width: float
    height: float
    background: str
    cells: list[CellShape]
    pieces: dict[str, PieceShape]


# ---- requests about a game


class Placed(Model):
    """A piece on a cell."""

    cell: Name
    piece: Name


class PositionRequest(Model):
    """A position: as `text` in the game's notation, or as `pieces` and the side to move."""

    text: Text | None = None
    pieces: Annotated[list[Placed], Field(max_length=400)] | None = None
    to_move: Name | None = None


class ClockRequest(Model):
    """The time of each side for a game."""

    minutes: Annotated[float, Field(gt=0, le=600, allow_inf_nan=False)]
    increment: Annotated[float, Field(ge=0, le=600, allow_inf_nan=False)] = 0.0


class NewGame(Model):
    """A new game; all but `game` may be omitted. `colour` is "first", "second", "random" or one of
    the game. `marks`: mistakes are marked. `record` continues the first game of a PDN or SGF text,
    whose rules replace `settings`."""

    game: Name
    settings: Values = {}
    opponent: Name | None = None
    colour: Name = "first"
    seconds: Annotated[float, Field(gt=0, le=60, allow_inf_nan=False)] | None = None
    judge: Name | None = None
    marks: bool = True
    clock: ClockRequest | None = None
    position: PositionRequest | None = None
    record: Record | None = None


class TryRequest(Model):
    """A move to try after `ply` moves, instead of the one that was played there."""

    ply: Ply
    move: Text


class HintRequest(Model):
    """`idea`: what the hint is about, before the move is told."""

    idea: bool = False


class VersionRequest(Model):
    """The version of the game that the client knows; the server refuses an old one."""

    version: int | None = None


class MoveRequest(VersionRequest):
    """A move."""

    move: Text


class DeadStonesRequest(Model):
    """The dead stones; one cell of each chain is enough."""

    cells: Annotated[list[Name], Field(max_length=400)]


class RecordRequest(Model):
    """A game to continue, as PDN or SGF."""

    text: Record


class PlyRequest(Model):
    """A number of moves, by default all. `study`: explain a move before it is answered."""

    ply: Ply | None = None
    study: bool = False


class WhyRequest(PlyRequest):
    """What to explain: the opponent's move, the person's own move, or the position after `ply`
    moves; by default the last one."""

    about: Literal["opponent", "own", "position"] = "position"


class WhyNotRequest(PlyRequest):
    """A move to compare with the judge's."""

    move: Text


# ---- a game


class Summary(Model):
    """A game in a list; `changed` is in seconds since 1970."""

    id: str
    game: str
    title: str
    opponent: str
    ply: int
    outcome: str | None
    text: str
    changed: float


class PieceOnCell(Model):
    """A piece on a cell, and the text for screen readers: "14, white man"."""

    cell: str
    piece: str
    label: str


class LegalMove(Model):
    """A legal move. `path` are the cells to click in turn; it is empty for a pass or a swap
    (`kind`), which need a button."""

    text: str
    path: list[str]
    kind: str


class PlayedMove(Model):
    """A move that was played. The position before it is `at/{ply}`. `best`: the judge found no
    better one."""

    text: str
    colour: str
    ply: int
    path: list[str]
    mark: Mistake | None
    best: bool


class GameEnding(Model):
    """How the game ended; the winner is null after a draw."""

    winner: str | None
    reason: str
    text: str


class Clocks(Model):
    """The seconds that each side has left."""

    remaining: dict[str, float]
    running: str | None
    increment: float


class GameScore(Model):
    """A counted board. `suggested`: the server has found the dead stones, not the person."""

    territory: dict[str, str]
    dead: list[str]
    totals: dict[str, float]
    komi: float
    winner: str | None
    text: str
    suggested: bool


class RecordView(Model):
    """What the record of a game says besides its moves. `headers` are its tags (PDN) or properties
    (SGF); comments and variations are by the number of moves before them."""

    headers: dict[str, str]
    comments: dict[int, str]
    variations: dict[int, list[str]]


class AnalysisProgress(Model):
    """The analysis of a whole game: `done` of `of` positions have been judged."""

    done: int
    of: int


class State(Model):
    """A game as it stands. `version` grows with each change. `to_move` is null when the game is
    over. `last` are the cells that the last move touched, `winning` those by which the game was won
    (the chain in Hex). `legal` is empty unless a person is to move. `chances` has the first
    colour's chance of winning after 0, 1, ... moves, null where the judge has not looked.
    `captured` counts the pieces that each colour has taken. `start` is a start position that was
    set up. `names` has the players' names and `record` the rest, where the game was read from a
    record. `analysis` is null unless the whole game is or was analysed. `opening` names the
    opening, if it has a name; `exact` says how the game ends with best play, if a table tells.
    `text` is for screen readers."""

    id: str
    version: int
    game: str
    title: str
    settings: dict[str, Any]
    colours: list[str]
    people: list[str]
    opponent: PlayerSummary
    judge: PlayerSummary | None
    seconds: float
    marks: bool
    ply: int
    to_move: str | None
    your_turn: bool
    pieces: list[PieceOnCell]
    last: list[str]
    winning: list[str]
    legal: list[LegalMove]
    moves: list[PlayedMove]
    chances: list[float | None]
    captured: dict[str, int]
    outcome: GameEnding | None
    thinking: bool
    error: str | None
    can_retry: bool
    can_undo: bool
    clocks: Clocks | None
    score: GameScore | None
    start: str | None
    names: dict[str, str]
    record: RecordView | None
    analysis: AnalysisProgress | None
    opening: str | None
    exact: str | None
    position: str
    text: str


class BoardAt(Model):
    """An earlier position of a game, and the moves that are legal there."""

    ply: int
    to_move: str | None
    pieces: list[PieceOnCell]
    last: list[str]
    winning: list[str]
    legal: list[LegalMove]
    exact: str | None
    position: str
    text: str


class Compiling(Model):
    """A kernel that a worker compiles, the first time on a machine; `done` of `expected` are."""

    kernel: str
    done: int
    expected: int


class Thinking(Model):
    """The opponent's thinking: the seconds so far and its limit, and, as soon as its search has a
    choice, the cost, the expected line and its value for the opponent. `preparing`: the player is
    still being loaded; `compiling`: and kernels are compiled for it."""

    seconds: float
    limit: float
    preparing: bool
    compiling: Compiling | None = None
    nodes: int | None = None
    simulations: int | None = None
    depth: int | None = None
    value: float | None = None
    chance: float | None = None
    line: list[str] | None = None


class TablesLine(Model):
    """How far the endgame tables are that are made in the background; empty: nothing to say."""

    text: str


# ---- reasons


class MoveLine(Model):
    """Moves as text, and the cells of each."""

    line: list[str]
    line_paths: list[list[str]]


class CandidateLine(MoveLine):
    """A move that the search considered, with its value and its chance for the side to move.
    `at_most`: the search broke off, so that the move may be worth less. `visits`: how often a tree
    search looked at it, by which it ranks moves; 0 in other searches."""

    move: str
    path: list[str]
    value: float | None
    chance: float | None
    at_most: bool
    visits: int


class Hint(MoveLine):
    """The move that the judge would play. `idea` is what matters here in a sentence, without the
    move, and `idea_cells` the cells that it speaks of; both are empty unless they were asked for,
    and where the judge gives no reasons."""

    judge: PlayerSummary
    move: str | None
    path: list[str]
    kind: str
    value: float | None
    chance: float | None
    colour: str
    candidates: list[CandidateLine]
    resigns: bool
    idea: str
    idea_cells: list[str]
    text: str


class TriedMove(Model):
    """A move and its chance for the side that makes it."""

    move: str
    chance: float | None


class Tried(Model):
    """A move that was tried instead of the one that was played, both beside the judge's move;
    `path` and `pieces` show the board after it. `better` says whether it is better (1), as good (0)
    or worse (-1) than the one that was played, and `text` compares them."""

    ply: int
    colour: str
    tried: TriedMove
    played: TriedMove
    best: TriedMove
    path: list[str]
    pieces: list[PieceOnCell]
    better: Literal[-1, 0, 1]
    text: str


class ShownClause(Model):
    """A clause: `sentence` says what is on the board, `votes_text` how it votes. `svg` shows
    it on an empty board, and is empty for a clause about no cell."""

    sentence: str
    votes_text: str
    cells: list[str]
    svg: str


class ReasonLine(ShownClause):
    """A clause and its votes, below 0 if they are against the colour asked about."""

    votes: int
    needed: list[Placed]
    forbidden: list[Placed]


class Votes(Model):
    """The votes for an outcome; null is a draw."""

    winner: str | None
    votes: int


class Rest(Model):
    """Reasons that are not listed."""

    count: int
    votes: int


class Weaker(Model):
    """The reasons that are not listed, by side, so that all votes add up."""

    for_: Rest = Field(alias="for")
    against: Rest
    draw: Rest


class VerdictLine(Model):
    """How a side stands: its chance from 0 to 1, its points, and both in words."""

    chance: float
    total: float
    words: str
    text: str


class ClauseLine(Model):
    """A clause under a line, and its points."""

    text: str
    points: float
    cells: list[str]


class ConceptLine(ClauseLine):
    """A concept that counts: its points are those of its clauses, and all lines add up to the total
    of the verdict. Of many clauses the strongest are given, and the sum of the others."""

    concept: str
    clauses: list[ClauseLine]


class AboutMove(Model):
    """The move or position that is explained."""

    ply: int
    move: str | None
    path: list[str]
    colour: str


class EndBoard(Model):
    """The position that the reasons are about: the end of the expected line."""

    pieces: list[PieceOnCell]
    svg: str


class TermLine(Model):
    """A term of a sum."""

    text: str
    amount: float
    cell: str | None


class BoardAlone(Model):
    """The board after the move by a judge that does not search: `text` is its verdict, to which the
    lines add up, for the colour that was asked about."""

    text: str
    lines: list[ConceptLine]


class Why(MoveLine):
    """Why a move or a position is judged as it is. `headline` is one sentence, and `details` are
    sentences for which it has no room, such as the links of a connection; `verdict` is of the
    board at the end of the line, and its `lines` add up to it, for `about.colour`. `value_before`
    is the value of the judge's best move for that colour, `value_after` that of the move played,
    `chance_before` and `chance_after` are their chances of winning, and `stands` says the latter
    in words. `better` is the judge's move, if it is another one; `exact` says how the game ends
    with best play, if a table tells. `votes_for` is the move that votes are for or against, where
    the judge judges moves and not outcomes. `for` and `against` list at most 8 reasons each.
    `shares` is the share of each cell, from -1 to 1. `alone` is there where values come from random
    games, and a judge of boards has been learned."""

    judge: PlayerSummary
    said_by: str
    about: AboutMove
    headline: str
    details: list[str]
    verdict: VerdictLine
    lines: list[ConceptLine]
    alone: BoardAlone | None
    value_before: float | None
    value_after: float | None
    chance_before: float | None
    chance_after: float | None
    stands: str
    exact: str | None
    better: str | None
    line_said: str
    board: EndBoard
    votes: list[Votes]
    votes_for: str | None
    for_: list[ReasonLine] = Field(alias="for")
    against: list[ReasonLine]
    draw: list[ReasonLine]
    weaker: Weaker
    shares: dict[str, float]
    candidates: list[CandidateLine]
    terms: list[TermLine]
    about_terms: str


class ComparedMove(MoveLine):
    """One of two moves that are compared."""

    move: str
    value: float
    chance: float
    headline: str
    line_said: str
    svg: str


class Difference(ShownClause):
    """A clause that votes after one move and not after the other; `votes` are for the better."""

    votes: int
    where: str


class TermDifference(Model):
    """A term that differs: after the better move (`there`), and after yours (`here`)."""

    text: str
    there: float
    here: float


class ConceptDifference(Model):
    """A concept that counts differently: what is said of it after the better move and after yours,
    and by how many points the better one leads in it."""

    concept: str
    better: str
    yours: str
    points: float
    cells: list[str]


class WhyNot(Model):
    """Two moves compared; `better` leads by `lead` votes, or by the points of the `lines`."""

    better: ComparedMove
    yours: ComparedMove
    colour: str
    lead: int
    lines: list[ConceptDifference]
    differences: list[Difference]
    terms: list[TermDifference]
    text: str


# ---- the lab


class Machine(Model):
    """A player whose clauses can be read; its id is that of the opponent. `kept`: trained here."""

    id: str
    title: str
    about: str
    strength: str
    kept: bool


class ClauseCard(ShownClause):
    """A clause, and on how many boards it `fired`, rightly and wrongly. `about` is a colour, "draw"
    or "move". `support` is the share of boards on which it fired, `precision` how many of these
    were right."""

    about: str
    favours: bool
    number: int
    weight: int
    fired: int
    right: int
    wrong: int
    support: float
    precision: float | None


class TrainedClause(ClauseCard):
    """A clause during a training. `weight_before` is what it weighed at the last look at the
    clauses, and `changed` how many of its conditions came or went since; the weight is null if it
    is another clause now, with less than half of the conditions in common."""

    weight_before: int | None
    changed: int


class Gallery(Model):
    """A page of clauses: `found` of `total` fit the question. `boards` were counted on; `seen_by`
    says from which side boards are seen. `abouts` are the outcomes that there are clauses about."""

    machine: Machine
    total: int
    found: int
    page: int
    pages: int
    boards: int
    about_boards: str
    seen_by: str
    abouts: list[str]
    clauses: list[ClauseCard]


class LearnerOption(Model):
    """An option of a learner, and its bounds."""

    name: str
    title: str
    help: str
    least: float
    most: float
    default: float
    whole: bool


class OfferedLearner(Model):
    """A learner that can be trained for this game."""

    name: str
    title: str
    about: str
    step_name: str
    needs_boards: bool
    options: list[LearnerOption]


class TrainingSource(Model):
    """Where boards to learn from can come from. `games`: a number of games can be chosen."""

    id: str
    title: str
    about: str
    games: bool


class Choices(Model):
    """The options of a training; the usual source comes first."""

    learners: list[OfferedLearner]
    sources: list[TrainingSource]
    least_games: int
    most_games: int
    usual_games: int


class TrainingRequest(Model):
    """A training to begin."""

    game: Name
    settings: Values = {}
    learner: Name = "tsetlin"
    options: Annotated[dict[Name, Number], Field(max_length=20)] = {}
    source: Name | None = None
    games: Annotated[int, Field(ge=LEAST_GAMES, le=MOST_GAMES)] = USUAL_GAMES


class SaveMachineRequest(Model):
    """The title of a machine; by default that of its training."""

    title: Title = ""


class MeasuredStep(Model):
    """What was measured after a step."""

    step: int
    figures: dict[str, float]
    notes: list[str]


class TrainingBoards(Model):
    """The boards of a training, and their results: {"win": count, ...}. `guess` is the share of
    the most frequent result among those held out: what is right without learning anything."""

    learned: int
    held_out: int
    results: dict[str, int]
    guess: float


class TrainingState(Model):
    """A training as it stands. `place` is its number in the queue, 0 unless it waits. `share` of
    the boards or games are made; there will be `of` steps. `text` says how far it is, or what
    failed. `kept` is the id of the opponent that it was saved as."""

    id: str
    game: str
    settings: dict[str, Any]
    title: str
    learner: str
    step_name: str
    phase: Phase
    place: int
    stopping: bool
    text: str
    share: float
    of: int
    boards: TrainingBoards | None
    steps: list[MeasuredStep]
    strength: str
    can_keep: bool
    kept: str | None
    begun: float


class LearningClauses(Model):
    """The strongest of `count` clauses after a step, with their weights after step `since`."""

    step: int
    since: int
    count: int
    clauses: list[TrainedClause]


class FileEntry(Model):
    """A tournament or report; `own` if it was made on the page, so that it can be deleted there."""

    id: str
    title: str
    changed: float
    own: bool


class TournamentRequest(Model):
    """A tournament to begin: the ids of its opponents, the games of each pair, and the seconds for
    a move."""

    game: Name
    settings: Values = {}
    players: Annotated[list[Name], Field(min_length=2, max_length=8)]
    games: Annotated[int, Field(ge=1, le=500)] = 20
    seconds: Annotated[float, Field(ge=0.01, le=10.0)] = 0.1


class ReportRequest(Model):
    """A report to keep: the text of a Markdown or HTML file."""

    title: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=60)]
    kind: Literal["md", "html"]
    text: str


class ResultTable(Model):
    """A table of text."""

    title: str
    heads: list[str]
    rows: list[list[str]]


class TournamentPart(Model):
    """The tables of the games of one kind."""

    title: str
    tables: list[ResultTable]
    notes: list[str]


class Tournament(Model):
    """The games of a tournament. There will be `of` games, if that is known; `text` says how far
    it is, or what failed. `running`: it is being played here."""

    id: str
    title: str
    own: bool
    games: int
    of: int | None
    running: bool
    text: str
    parts: list[TournamentPart]
