"""A game on the page: a `GameSession` with an id, an opponent and a judge, as the page shows it."""

from __future__ import annotations

import dataclasses
import pickle
import random
import time
from collections import Counter
from collections.abc import Iterator, MutableMapping
from typing import TYPE_CHECKING, Any

from clauseboard.explanation import percent
from clauseboard.game import Game, Move, Outcome, Position
from clauseboard.games.plugins import PAGE
from clauseboard.games.records import Noted, RecordNotes
from clauseboard.games.solving import exact_end, exact_words
from clauseboard.games.vocabulary import Count, vocabulary_of
from clauseboard.play import PERSON, GameSession, suffixes_of
from clauseboard.player import Choice
from clauseboard.players.levels import next_around
from clauseboard.web.board_view import (
    game_of,
    kind_of,
    opening_of,
    path_of,
    pieces_on,
    settings_of,
    winning_cells,
)
from clauseboard.web.models import (
    AnalysisProgress,
    BoardAt,
    Clocks,
    GameEnding,
    GameScore,
    LegalMove,
    PlayedMove,
    PlayerSummary,
    RecordView,
    State,
)
from clauseboard.web.opponents import Opponent

if TYPE_CHECKING:
    from clauseboard.web.worker_pool import Job


NEXT_AROUND = "next_around"
"""Under which a finished game keeps the level for the next one; see `levels.next_around`."""


class PackedChoices(MutableMapping[int, Choice]):
    """Choices by the number of moves before, packed: on a large board one of them takes 50 KB."""

    def __init__(self) -> None:
        self._packed: dict[int, bytes] = {}

    def __getitem__(self, ply: int) -> Choice:
        choice: Choice = pickle.loads(self._packed[ply])
        return choice

    def __setitem__(self, ply: int, choice: Choice) -> None:
        self._packed[ply] = pickle.dumps(choice)

    def __delitem__(self, ply: int) -> None:
        del self._packed[ply]

    def __iter__(self) -> Iterator[int]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)


@dataclasses.dataclass
class Analysis:
    """The analysis of a whole game: how many positions have been judged, and whether it goes on."""

    done: int = 0
    running: bool = True


class WebGame(GameSession):
    """A game with its id. `version` grows with each change, `moved` is that of the last move."""

    def __init__(
        self,
        id: str,
        game: Game,
        opponent: Opponent,
        colour: str,
        *,
        judge: Opponent | None = None,
        seconds: float = 1.0,
        marks: bool = True,
    ) -> None:
        self.id, self.opponent, self.judge = id, opponent, judge
        self.seconds, self.wants_marks = seconds, marks
        self.version = self.moved = 0
        self.thinking: Job | None = None
        """The work on the opponent's move, if any."""
        self.error: str | None = None
        self.used = time.monotonic()
        """When it was last asked for."""
        self.stored: float | None = None
        """When it was saved last."""
        self.analysis: Analysis | None = None
        self.ends: dict[int, tuple[Any, Outcome]] = {}
        """How the game ends with best play, by the number of moves before; with the position."""
        self._state: tuple[Any, str] = (None, "")
        super().__init__(game, colour, two_people=opponent.person)

    def restart(self, position: Any = None) -> None:
        """Begin a game anew; an analysis of the one before ends."""
        if self.analysis is not None:
            self.analysis.running = False
        self.analysis = None
        super().restart(position)

    def new_choices(self) -> PackedChoices:
        """Where choices are kept: there may be hundreds of games."""
        return PackedChoices()

    def changed(self, earned: bool = True) -> None:
        """Called after every move and every end."""
        self.error = None
        self.version += 1
        self.moved = self.version
        super().changed(earned)

    def is_answered(self, ply: int) -> bool:
        """Whether a person has moved since this move, or cannot any more."""
        later = range(ply + 1, self.ply)
        return self.outcome is not None or any(self.mover(n) in self.people for n in later)

    # ---- files

    def saved(self) -> dict[str, Any]:
        """The game as JSON; `restored` makes it again."""
        return {
            **super().saved(),
            **self._adapted(),
            "version": self.version,
            "moved": self.moved,
            "game": self.game.name,
            "settings": settings_of(self.game),
            "opponent": self.opponent.id,
            "judge": None if self.judge is None else self.judge.id,
            "seconds": self.seconds,
            "wants_marks": self.wants_marks,
        }

    def _adapted(self) -> dict[str, str]:
        """Around which level the opponent that adapts plays; and the next time, after an end.

        Only games in which the person moved, from the usual start and not from a record, count.
        """
        around, outcome = self.opponent.around, self.outcome
        if around is None:
            return {}
        saved = {"around": around}
        is_own = self.start_text is None and self.notes == RecordNotes() and not self.names
        moved = any(self.mover(ply) in self.people for ply in range(self.ply))
        if outcome is not None and is_own and moved:
            points = {None: 0.5, self.colour: 0.0}.get(outcome.winner, 1.0)
            saved[NEXT_AROUND] = next_around(self.game, around, points)
        return saved

    @classmethod
    def restored(
        cls, id: str, saved: dict[str, Any], opponent: Opponent, judge: Opponent | None
    ) -> WebGame:
        """A game from what `saved` gave."""
        rules = game_of(saved["game"], saved["settings"])
        game = cls(
            id,
            rules,
            opponent,
            saved["colour"],
            judge=judge,
            seconds=saved["seconds"],
            marks=saved["wants_marks"],
        )
        game.resume(saved)
        game.version, game.moved = saved["version"], saved["moved"]
        return game

    def download(self, verdicts: bool = False) -> tuple[str, str]:
        """The game as PDN or SGF, and a file name; with `verdicts` in comments, if wanted."""
        opponent = PERSON if self.opponent.person else self.opponent.line
        text = self.record(opponent, self._verdicts() if verdicts else ())
        return text, f"{self.game.name}{suffixes_of(self.game)[0]}"

    def _verdicts(self) -> Noted:
        """What the judge found of each move, in a sentence or two."""
        judge = "" if self.judge is None else self.judge.title
        first, said = self.game.colours[0], []
        for ply, chance in sorted(self.chances.items()):
            if ply == 0:
                continue
            mistake = self.mistakes.get(ply - 1)
            mark = "" if mistake is None else f" {mistake.kind.capitalize()}: {mistake.text}"
            said.append((ply, f"{judge}: {first} {percent(chance)}.{mark}"))
        return tuple(said)

    # ---- as the page sees it

    def state_text(self) -> str:
        """The state as JSON, made once for all requests."""
        key = self.version, self.thinking is None, self.error
        if self._state[0] != key or self.clock is not None:
            self._state = key, self.state().model_dump_json()
        return self._state[1]

    def state(self) -> State:
        """The game as it stands."""
        position, outcome = self.position, self.outcome
        your_turn = outcome is None and position.to_move in self.people
        return State(
            id=self.id,
            version=self.version,
            game=self.game.name,
            title=PAGE.of(self.game).TITLE,
            settings=settings_of(self.game),
            colours=list(self.game.colours),
            people=list(self.people),
            opponent=PlayerSummary.model_validate(self.opponent),
            judge=None if self.judge is None else PlayerSummary.model_validate(self.judge),
            seconds=self.seconds,
            marks=self.wants_marks,
            ply=self.ply,
            to_move=None if outcome is not None else position.to_move,
            your_turn=your_turn,
            pieces=pieces_on(position),
            last=self._touched(self.ply),
            winning=winning_cells(position),
            legal=[legal_move(position, move) for move in position.moves()] if your_turn else [],
            moves=self._played(),
            chances=self._chances(),
            captured=self._captured(),
            outcome=None if outcome is None else ending_of(outcome, self.count()),
            thinking=self.thinking is not None,
            error=self.error,
            can_retry=self.opponents_turn and self.thinking is None,
            can_undo=self.ended_early is not None
            or any(self.mover(ply) in self.people for ply in range(self.ply)),
            clocks=self._clocks(),
            score=self._score(),
            start=self.start_text,
            names=self.names,
            record=self._record_view(),
            analysis=None
            if self.analysis is None
            else AnalysisProgress(
                done=self.analysis.done,
                of=self.ply + 1 if self.analysis.running else self.analysis.done,
            ),
            opening=None if self.start_text else opening_of(self.game, self.move_texts()),
            exact=self.exact_words(self.ply) if outcome is None else None,
            position=self.game.write_position(position),
            text=self._text(),
        )

    def _record_view(self) -> RecordView | None:
        if self.notes == RecordNotes():
            return None
        variations: dict[int, list[str]] = {}
        for ply, text in self.notes.variations:
            variations.setdefault(ply, []).append(text)
        comments: dict[int, str] = {}
        for ply, text in self.notes.comments:
            comments[ply] = f"{comments[ply]}\n{text}" if ply in comments else text
        return RecordView(
            headers=dict(self.notes.headers), comments=comments, variations=variations
        )

    def summary(self) -> dict[str, Any]:
        """The game in a list: a `Summary` but for its id and time."""
        outcome = self.outcome
        return {
            "game": self.game.name,
            "title": PAGE.of(self.game).TITLE,
            "opponent": self.opponent.title,
            "ply": self.ply,
            "outcome": None if outcome is None else str(outcome),
            "text": self._text(),
        }

    def at(self, ply: int) -> BoardAt:
        """The position after `ply` moves."""
        position = self.positions[ply]
        over = position.outcome() is not None
        return BoardAt(
            ply=ply,
            to_move=None if over else position.to_move,
            pieces=pieces_on(position),
            last=self._touched(ply),
            winning=winning_cells(position),
            legal=[] if over else [legal_move(position, move) for move in position.moves()],
            exact=None if over else self.exact_words(ply),
            position=self.game.write_position(position),
            text=f"After {self.move_texts()[ply - 1]}, move {ply}." if ply else "The start.",
        )

    def _touched(self, ply: int) -> list[str]:
        if ply == 0:
            return []
        return list(PAGE.of(self.game).touched(self.positions[ply], self.moves[ply - 1]))

    def _played(self) -> list[PlayedMove]:
        return [
            PlayedMove(
                text=text,
                colour=self.mover(ply),
                ply=ply,
                path=path_of(self.game, self.moves[ply]),
                mark=self.mistakes.get(ply),
                best=self.best.get(ply) == text,
            )
            for ply, text in enumerate(self.move_texts())
        ]

    def _chances(self) -> list[float | None]:
        """The first colour's chance after each number of moves; an end is certain.

        So is what endgame tables, a solver or a proof know.
        """
        first, second = self.game.colours
        certain = {first: 1.0, second: 0.0, None: 0.5}
        found = [self.chances.get(ply) for ply in range(self.ply + 1)]
        for ply, chance in enumerate(found):
            end = None if chance is None else self.known_end(ply)
            if end is not None:
                found[ply] = certain[end.winner]
        # Whoever resigned, or was out of time, did not lose by the last move.
        if self.outcome is not None and (self.ended_early is None or found[-1] is None):
            found[-1] = certain[self.outcome.winner]
        return found

    def exact_words(self, ply: int) -> str | None:
        """How the game ends with best play after `ply` moves, in a sentence, if it is known."""
        words = exact_words(self.positions[ply])
        end = None if words else self.known_end(ply)
        return words if end is None else end.reason

    def note_end(self, ply: int, position: Position, end: Outcome | None) -> None:
        """Note how the game ends with best play after `ply` moves, if that is known."""
        if end is not None:
            self.ends[ply] = position, end

    def known_end(self, ply: int) -> Outcome | None:
        """The same as an outcome: what the tables know, or what was found out by the judge."""
        position, end = self.ends.get(ply, (None, None))
        return end if position == self.positions[ply] else exact_end(self.positions[ply])

    def _captured(self) -> dict[str, int]:
        """The pieces that each colour has taken from the other, in games in which pieces go."""
        first, second = self.game.colours
        prisoners = getattr(self.position, "prisoners", None)
        if prisoners is not None:
            return dict(zip(self.game.colours, prisoners, strict=True))
        if not any(len(path_of(self.game, move)) > 1 for move in self.moves):
            return {}
        before, now = (self._counts(ply) for ply in (0, self.ply))
        return {first: before[second] - now[second], second: before[first] - now[first]}

    def _counts(self, ply: int) -> Counter[str]:
        """How many pieces each colour has after `ply` moves."""
        colours = {name: part[0] for name, part in vocabulary_of(self.game).pieces.items()}
        pieces = PAGE.of(self.game).pieces_on(self.positions[ply]).values()
        return Counter(colours[piece] for piece in pieces)

    def _clocks(self) -> Clocks | None:
        if self.clock is None:
            return None
        now = time.monotonic()
        left = {colour: round(self.clock.left(colour, now), 1) for colour in self.game.colours}
        return Clocks(remaining=left, running=self.clock.running, increment=self.clock.increment)

    def _score(self) -> GameScore | None:
        count = self.count()
        if count is None:
            return None
        return GameScore(**dataclasses.asdict(count), suggested=self.dead_suggested)

    def _text(self) -> str:
        """How the game stands, in a sentence or two."""
        outcome, last = self.outcome, ""
        if self.ply:
            last = f"{self.mover(self.ply - 1).capitalize()} played {self.move_texts()[-1]}. "
        if outcome is not None:
            text = ending_of(outcome, self.count()).text
            return f"{last}The game is over: {text[:1].lower()}{text[1:]}"
        side = self.position.to_move
        if self.two_people:
            return f"{last}{side.capitalize()} to move."
        if side in self.people:
            return f"{last}Your turn: you are {side}."
        return f"{last}{self.opponent.title} is to move, as {side}."


def legal_move(position: Position, move: Move) -> LegalMove:
    """A legal move as the page shows it."""
    text, path = position.write_move(move), path_of(position.game, move)
    return LegalMove(text=text, path=path, kind=kind_of(text, path))


def ending_of(outcome: Outcome, count: Count | None = None) -> GameEnding:
    """An outcome as the page shows it; where points were counted, with the difference first."""
    text = str(outcome)
    if count is not None and outcome.winner is not None:
        first, second = count.totals.values()
        points = f"{abs(first - second):g} point{'' if abs(first - second) == 1 else 's'}"
        text = f"{outcome.winner} wins by {points}: {outcome.reason}"
    return GameEnding(
        winner=outcome.winner, reason=outcome.reason, text=f"{text[:1].upper()}{text[1:]}."
    )


def colour_of(game: Game, asked: str) -> str:
    """The person's colour: named, "first", "second" or "random"."""
    places = {"first": 0, "second": 1, "random": random.SystemRandom().randrange(2)}
    if asked in places:
        return game.colours[places[asked]]
    if asked not in game.colours:
        listed = ", ".join([*game.colours, *places])
        raise ValueError(f"colour is one of {listed} in {game.name}, not {asked!r}.")
    return asked
