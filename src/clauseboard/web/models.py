"""Everything that is said between page and server, as docs/web-api.md explains it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

LONGEST_RECORD = 200_000
"""Letters of a record; a long game of Go with comments has some ten thousand."""

Name = Annotated[str, StringConstraints(max_length=100)]
Text = Annotated[str, StringConstraints(max_length=2000)]
Record = Annotated[str, StringConstraints(max_length=LONGEST_RECORD)]
Value = bool | int | float | Name | None
Number = Annotated[float, Field(allow_inf_nan=False)]
Ply = Annotated[int, Field(ge=0, le=100_000)]


class Model(BaseModel):
    """What is sent has no fields but these."""

    model_config = ConfigDict(extra="forbid")


# ---- what there is


class Problem(Model):
    """An error, in one sentence for the person."""

    detail: str


class SettingChoice(Model):
    """A value of a setting."""

    value: Any
    title: str


class GameSetting(Model):
    """A parameter of a game that can be chosen."""

    name: str
    title: str
    kind: Literal["choice", "flag", "number"]
    choices: list[SettingChoice]
    least: float | None
    most: float | None
    default: Any


class RecordKind(Model):
    """How the files of a game end, and what they are called."""

    suffix: str
    name: str


class GameKind(Model):
    """A game that can be played."""

    name: str
    title: str
    colours: list[str]
    settings: list[GameSetting]
    record: RecordKind
    counted: bool


class About(Model):
    """What the server has."""

    version: str
    quit: bool
    seconds: list[float]
    usual_seconds: float
    games: list[GameKind]


class OpponentLine(Model):
    """Somebody to play against."""

    id: str
    title: str
    about: str
    strength: str
    readable: bool
    judges: bool
    hints: bool
    usual: bool
    person: bool


class CellShape(Model):
    """A cell of the board."""

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
    """How a piece looks, around 0, 0."""

    svg: str
    title: str
    colour: str


class BoardShape(Model):
    """The geometry of a board."""

    game: str
    settings: dict[str, Any]
    width: float
    height: float
    background: str
    cells: list[CellShape]
    pieces: dict[str, PieceShape]


# ---- requests


class Placed(Model):
    """A piece on a cell."""

    cell: Name
    piece: Name


class PositionRequest(Model):
    """A board that was set up: as text, or piece by piece."""

    text: Text | None = None
    pieces: Annotated[list[Placed], Field(max_length=400)] | None = None
    to_move: Name | None = None


class ClockRequest(Model):
    """Time for a game, for each side."""

    minutes: Annotated[float, Field(gt=0, le=600, allow_inf_nan=False)]
    increment: Annotated[float, Field(ge=0, le=600, allow_inf_nan=False)] = 0.0


class NewGame(Model):
    """What to play, against whom."""

    game: Name
    settings: Annotated[dict[Name, Value], Field(max_length=20)] = {}
    opponent: Name | None = None
    colour: Name = "first"
    seconds: Annotated[float, Field(gt=0, le=60, allow_inf_nan=False)] | None = None
    judge: Name | None = None
    marks: bool = True
    clock: ClockRequest | None = None
    position: PositionRequest | None = None
    record: Record | None = None


class VersionRequest(Model):
    """A change of a game as the client knows it."""

    version: int | None = None


class MoveRequest(Model):
    """A move."""

    move: Text
    version: int | None = None


class DeadStonesRequest(Model):
    """Stones that are dead."""

    cells: Annotated[list[Name], Field(max_length=400)]


class RecordRequest(Model):
    """A game to go on with."""

    text: Record


class WhyRequest(Model):
    """What is to be explained."""

    about: Literal["opponent", "own", "position"] = "position"
    ply: Ply | None = None
    study: bool = False


class WhyNotRequest(Model):
    """A move to be compared with the judge's."""

    move: Text
    ply: Ply | None = None
    study: bool = False


# ---- a game


class Summary(Model):
    """A game in a list."""

    id: str
    game: str
    title: str
    opponent: str
    ply: int
    outcome: str | None
    text: str
    changed: float


class PlayerSummary(Model):
    """A player of this game."""

    id: str
    title: str
    readable: bool
    judges: bool


class PieceOnCell(Model):
    """What stands on a cell, and how it is read out."""

    cell: str
    piece: str
    label: str


class LegalMove(Model):
    """A move that can be made."""

    text: str
    path: list[str]
    kind: str


class Mark(Model):
    """A move that was not good."""

    kind: Literal["mistake", "blunder"]
    better: str
    loss: float
    text: str


class PlayedMove(Model):
    """A move that was made."""

    text: str
    colour: str
    ply: int
    path: list[str]
    mark: Mark | None


class GameEnding(Model):
    """How the game ended."""

    winner: str | None
    reason: str
    text: str


class Clocks(Model):
    """The time that is left."""

    remaining: dict[str, float]
    running: str | None
    increment: float


class Score(Model):
    """A counted board."""

    territory: dict[str, str]
    dead: list[str]
    totals: dict[str, float]
    komi: float
    winner: str | None
    text: str
    suggested: bool


class State(Model):
    """A game as it stands."""

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
    legal: list[LegalMove]
    moves: list[PlayedMove]
    outcome: GameEnding | None
    thinking: bool
    error: str | None
    can_retry: bool
    can_undo: bool
    clocks: Clocks | None
    score: Score | None
    start: str | None
    position: str
    text: str


class BoardAt(Model):
    """An earlier board of a game."""

    ply: int
    to_move: str | None
    pieces: list[PieceOnCell]
    last: list[str]
    position: str
    text: str


# ---- reasons


class CandidateLine(Model):
    """A move that was looked at; `at_most`: it is not worth more, and was looked at no further."""

    move: str
    path: list[str]
    value: float | None
    at_most: bool
    line: list[str]
    line_paths: list[list[str]]


class Hint(Model):
    """What the judge would play."""

    judge: PlayerSummary
    move: str | None
    path: list[str]
    kind: str
    value: float | None
    colour: str
    line: list[str]
    line_paths: list[list[str]]
    candidates: list[CandidateLine]
    resigns: bool
    text: str


class ReasonLine(Model):
    """A reason: a clause with its votes."""

    votes: int
    votes_text: str
    sentence: str
    needed: list[Placed]
    forbidden: list[Placed]
    cells: list[str]
    svg: str


class Votes(Model):
    """The votes for an end of the game; null is a draw."""

    winner: str | None
    votes: int


class Rest(Model):
    """Reasons that are not listed."""

    count: int
    votes: int


class Weaker(Model):
    """What is not listed, by its side."""

    for_: Rest = Field(alias="for")
    against: Rest
    draw: Rest


class AboutMove(Model):
    """What is explained."""

    ply: int
    move: str | None
    path: list[str]
    colour: str


class EndBoard(Model):
    """The board that the reasons are about."""

    pieces: list[PieceOnCell]
    svg: str


class TermLine(Model):
    """A part of a sum."""

    text: str
    amount: float
    cell: str | None


class Why(Model):
    """Why a move, or a board, is judged as it is."""

    judge: PlayerSummary
    said_by: str
    about: AboutMove
    value_before: float | None
    value_after: float | None
    better: str | None
    line: list[str]
    line_paths: list[list[str]]
    line_said: str
    board: EndBoard
    votes: list[Votes]
    votes_for: str | None
    """The move that votes are for or against, where the judge is one of moves and not of ends."""
    for_: list[ReasonLine] = Field(alias="for")
    against: list[ReasonLine]
    draw: list[ReasonLine]
    weaker: Weaker
    shares: dict[str, float]
    candidates: list[CandidateLine]
    terms: list[TermLine]
    about_terms: str


class Side(Model):
    """One of two moves that are compared."""

    move: str
    value: float
    line: list[str]
    line_paths: list[list[str]]
    line_said: str
    svg: str


class Difference(Model):
    """What speaks on one board and not on the other."""

    sentence: str
    votes: int
    votes_text: str
    where: str
    svg: str
    cells: list[str]


class TermDifference(Model):
    """A term that differs."""

    text: str
    there: float
    here: float


class WhyNot(Model):
    """Why not this move?"""

    better: Side
    yours: Side
    colour: str
    lead: int
    differences: list[Difference]
    terms: list[TermDifference]
    text: str
