"""What is said in the machine room, as docs/web-api.md explains it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from clauseboard.web.models import Model, Name, Number, Value

Sort = Literal["weight", "votes", "right", "wrong", "support", "short"]
Favours = Literal["for", "against"]
Title = Annotated[str, StringConstraints(strip_whitespace=True, max_length=60)]


class Machine(Model):
    """A player that can be read."""

    id: str
    title: str
    about: str
    strength: str
    kept: bool


class Clause(Model):
    """A clause, and what it did."""

    about: str
    favours: bool
    number: int
    weight: int
    sentence: str
    votes_text: str
    fired: int
    right: int
    wrong: int
    support: float
    precision: float | None
    cells: list[str]
    svg: str


class ShownClause(Clause):
    """A clause of a machine that learns; null where it was not there before."""

    weight_before: int | None


class Gallery(Model):
    """A page of clauses."""

    machine: Machine
    total: int
    found: int
    page: int
    pages: int
    boards: int
    about_boards: str
    seen_by: str
    abouts: list[str]
    clauses: list[Clause]


class Option(Model):
    """What can be set of a learner."""

    name: str
    title: str
    help: str
    least: float
    most: float
    default: float
    whole: bool


class Learner(Model):
    """Who can be trained."""

    name: str
    title: str
    about: str
    step_name: str
    needs_boards: bool
    options: list[Option]


class BoardSource(Model):
    """Where boards to learn from can come from."""

    id: str
    title: str
    about: str
    games: bool


class Choices(Model):
    """What a training can be made of."""

    learners: list[Learner]
    sources: list[BoardSource]
    least_games: int
    most_games: int
    usual_games: int


class TrainingRequest(Model):
    """A training to begin."""

    game: Name
    settings: Annotated[dict[Name, Value], Field(max_length=20)] = Field(default_factory=dict)
    learner: Name = "tsetlin"
    options: Annotated[dict[Name, Number], Field(max_length=20)] = Field(default_factory=dict)
    source: Name | None = None
    games: Annotated[int, Field(ge=20, le=2000)] = 300


class SaveMachineRequest(Model):
    """How a machine is to be called; nothing: as its training."""

    title: Title = ""


class Step(Model):
    """What was measured after a step."""

    step: int
    figures: dict[str, float]
    notes: list[str]


class Boards(Model):
    """The boards of a training."""

    learned: int
    held_out: int
    results: dict[str, int]


class TrainingState(Model):
    """A training as it stands."""

    id: str
    game: str
    settings: dict[str, Any]
    title: str
    learner: str
    step_name: str
    phase: Literal["waiting", "boards", "training", "measuring", "done", "stopped", "failed"]
    place: int
    stopping: bool
    text: str
    share: float
    of: int
    boards: Boards | None
    steps: list[Step]
    strength: str
    can_keep: bool
    kept: str | None
    begun: float


class LearningClauses(Model):
    """The strongest clauses after a step."""

    step: int
    since: int
    count: int
    clauses: list[ShownClause]


class FileEntry(Model):
    """A file on the shelf."""

    id: str
    title: str
    changed: float


class ResultTable(Model):
    """A table: its title, the heads of its columns, and rows of text."""

    title: str
    heads: list[str]
    rows: list[list[str]]


class TournamentPart(Model):
    """The tables of the games of one kind."""

    title: str
    tables: list[ResultTable]
    notes: list[str]


class Tournament(Model):
    """What was played in a store."""

    id: str
    title: str
    games: int
    parts: list[TournamentPart]
