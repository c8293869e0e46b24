"""The judge of a game: hints, reasons, and mistakes."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from clauseboard.explanation import percent
from clauseboard.game import Move, Position, line_texts
from clauseboard.games.solving import exact_words
from clauseboard.player import Choice, chance_of, expectation
from clauseboard.players.searcher import explain_end
from clauseboard.web.board_view import (
    candidates_of,
    kind_of,
    looked_as_far,
    path_of,
    paths_of,
    pieces_on,
)
from clauseboard.web.models import (
    Hint,
    PlayerSummary,
    Tried,
    TriedMove,
    TryRequest,
    Why,
    WhyNot,
    WhyNotRequest,
    WhyRequest,
)
from clauseboard.web.opponents import Opponent
from clauseboard.web.responses import ApiError, checked
from clauseboard.web.web_game import Analysis, WebGame
from clauseboard.web.worker_pool import WorkerClient

MOST_QUESTIONS = 4
"""Questions about a game that wait for an answer."""
MARKING = 1.0
"""Seconds for each of the two searches that find out whether a move was a mistake, at most."""
ANALYSING = 0.5
"""Seconds for each position of a game that is analysed as a whole, at most."""
ALTERNATIVES = 5
"""Moves besides the one that was played that an analysis keeps of a position."""
SAME = 0.005
"""Chances that differ by less are written alike."""


class GameJudge:
    """Asks the judges of games; `changed` is called for a game in which a mistake was found."""

    def __init__(self, client: WorkerClient, changed: Callable[[WebGame], None]) -> None:
        self.client, self.changed = client, changed
        self.questions: dict[str, list[asyncio.Task[Any]]] = {}
        """The questions about each game that wait for an answer, the oldest first."""

    async def hint(self, game: WebGame, idea: bool = False) -> Hint:
        """The move that the judge would play; and what it is about, if that is asked for."""
        return await self._in_turn(game, self._hint(game, idea))

    async def try_move(self, game: WebGame, request: TryRequest) -> Tried:
        """Compare a move with the one that was played."""
        return await self._in_turn(game, self._try(game, request))

    async def why(self, game: WebGame, request: WhyRequest) -> Why:
        """Why a move or a position is judged as it is."""
        return await self._in_turn(game, self._why(game, request))

    async def why_not(self, game: WebGame, request: WhyNotRequest) -> WhyNot:
        """Why the judge's move is better than this one."""
        return await self._in_turn(game, self._why_not(game, request))

    async def _in_turn(self, game: WebGame, question: Coroutine[Any, Any, Any]) -> Any:
        """The answer to a question; newer ones about the same game may take its place.

        Whoever leafs through a game asks about each position, but reads the last answer.
        """
        task = asyncio.ensure_future(question)
        waiting = self.questions.setdefault(game.id, [])
        waiting.append(task)
        for older in waiting[:-MOST_QUESTIONS]:
            older.cancel()
        try:
            await asyncio.wait([task])
        finally:
            task.cancel()
            waiting.remove(task)
            if not waiting:
                self.questions.pop(game.id, None)
        if task.cancelled():
            raise ApiError(503, "Newer questions about this game have taken the place of this one.")
        return task.result()

    async def _hint(self, game: WebGame, idea: bool) -> Hint:
        if game.outcome is not None:
            raise ApiError(409, f"The game is over: {game.outcome}.")
        if game.opponents_turn:
            raise ApiError(409, f"It is {game.opponent.title}'s turn.")
        judge, position = self._judge_of(game), game.position
        choice = await self._judged(game, game.ply)
        colour = position.to_move
        move = None if choice.resigns else position.write_move(choice.move)
        path = [] if move is None else path_of(game.game, choice.move)
        line = () if choice.resigns else choice.line or (choice.move,)
        chance = chance_of(choice)
        value = "" if chance is None else f": {percent(chance)} for {colour}"
        exact = game.exact_words(game.ply)
        said, cells = "", list[str]()
        if idea and exact_words(position) is not None:
            said = exact or ""
        elif idea and judge.readable and not choice.resigns:
            said, cells = await self._idea(game, judge, choice)
        action = "give up" if move is None else f"play {move}{value if exact is None else ''}"
        return Hint(
            judge=PlayerSummary.model_validate(judge),
            move=move,
            path=path,
            kind="resign" if move is None else kind_of(move, path),
            value=choice.value,
            chance=chance,
            colour=colour,
            line=line_texts(position, line),
            line_paths=paths_of(position, line),
            candidates=candidates_of(position, choice),
            resigns=choice.resigns,
            idea=said,
            idea_cells=cells,
            text=" ".join(filter(None, (f"{judge.title} would {action}.", exact))),
        )

    async def _idea(self, game: WebGame, judge: Opponent, choice: Choice) -> tuple[str, list[str]]:
        """In what the judge's move leads, in a sentence that does not name it.

        It is compared with the second best; what every move has is no hint.
        """
        others = [one.move for one in choice.candidates if one.move != choice.move]
        if not others:
            return "There is only one move worth a look.", []
        arguments = {
            "line": judge.line,
            "position": game.position,
            "move": others[0],
            "choice": choice,
        }
        told: WhyNot = await self.client.ask("why_not", arguments, game.seconds)
        leads = [line for line in told.lines if line.points > 0]
        if not leads:
            return told.better.headline.replace(told.better.move, "The best move"), []
        concept, text = leads[0].concept, leads[0].better
        then = f": after the best move, {text[:1].lower()}{text[1:]}" if text else ""
        return f"Think of {concept}{then}.", leads[0].cells

    async def _try(self, game: WebGame, request: TryRequest) -> Tried:
        self._judge_of(game)
        before, ply = position_at(game, request.ply), request.ply
        if ply == game.ply:
            raise ApiError(409, "No move was played here yet; there is nothing to compare with.")
        move, played_move = checked(lambda: before.read_move(request.move)), game.moves[ply]
        best = self._known(game, ply) or await self._judged(game, ply)
        moves = (move, played_move, played_move if best.resigns else best.move)
        values = [await self._chance_of(game, ply, before, best, each) for each in moves[:2]]
        chances = (*values, chance_of(best))
        tried, played, own = (
            TriedMove(move=before.write_move(each), chance=chance)
            for each, chance in zip(moves, chances, strict=True)
        )
        gain = (tried.chance or 0.0) - (played.chance or 0.0)
        return Tried(
            ply=ply,
            colour=before.to_move,
            tried=tried,
            played=played,
            best=own,
            path=path_of(game.game, move),
            pieces=pieces_on(before.play(move)),
            better=0 if abs(gain) < SAME else 1 if gain > 0 else -1,
            text=_compared_with_played(tried, played, own),
        )

    async def _chance_of(
        self, game: WebGame, ply: int, before: Position, best: Choice, move: Move
    ) -> float | None:
        """The chance of the side to move after `ply` moves, if it makes this move."""
        if move == best.move:
            return chance_of(best)
        found = looked_as_far(best, move)
        if found is not None:
            return chance_of(found)
        after = before.play(move)
        same = after.to_move == before.to_move
        if after.outcome() is not None:
            value = explain_end(after, ()).value
            return (1 + (value if same else -value)) / 2
        if game.positions[ply + 1 : ply + 2] == [after]:
            reply = self._known(game, ply + 1) or await self._judged(game, ply + 1)
        else:
            arguments = {"line": self._judge_of(game).line, "position": after}
            reply = await self.client.ask("choose", arguments, min(game.seconds, MARKING))
        chance = chance_of(reply)
        return chance if same or chance is None else 1 - chance

    async def analyse(self, game: WebGame, analysis: Analysis) -> None:
        """Judge every position of a game, and mark the mistakes of both sides."""
        while analysis.running and analysis.done <= game.ply:
            ply = analysis.done
            try:
                if game.positions[ply].outcome() is None:
                    await self._judged(game, ply, awaited=False, seconds=ANALYSING)
                if analysis.running and ply:
                    await self._mark_move(game, ply - 1)
            except ApiError:
                break
            if not analysis.running:
                return
            analysis.done = ply + 1
            if analysis.done <= game.ply:
                self._publish(game)
        analysis.running = False
        self._publish(game)

    async def _why(self, game: WebGame, request: WhyRequest) -> Why:
        judge, ply = self._judge_of(game), self._ply_of(game, request)
        position = game.positions[ply]
        move = None if request.about == "position" else game.moves[ply]
        self._check_answered(game, ply, request.study)
        if position.outcome() is not None:
            raise ApiError(409, "The game is over there; ask about the move before.")
        arguments = {"judge": PlayerSummary.model_validate(judge), "ply": ply, "move": move}
        return await self._explained("why", game, judge, ply, arguments)

    async def _why_not(self, game: WebGame, request: WhyNotRequest) -> WhyNot:
        judge = self._judge_of(game)
        ply = game.ply if request.ply is None else request.ply
        position = position_at(game, ply)
        self._check_answered(game, ply, request.study)
        if position.outcome() is not None:
            raise ApiError(409, "The game is over there.")
        move = checked(lambda: position.read_move(request.move))
        return await self._explained("why_not", game, judge, ply, {"move": move})

    async def _explained(
        self, task: str, game: WebGame, judge: Opponent, ply: int, arguments: dict[str, Any]
    ) -> Any:
        """Ask the judge for reasons, with the choices that it has made.

        Each choice is made once, and mistakes are found by the same ones, so that a mark, the
        reasons and the list of candidates show the same values.
        """
        position, move, reply = game.positions[ply], arguments["move"], None
        choice = self._known(game, ply) or await self._judged(game, ply)
        other = move is not None and not choice.resigns and move != choice.move
        if other and game.moves[ply : ply + 1] == [move]:
            goes_on = game.positions[ply + 1].outcome() is None
            if goes_on and looked_as_far(choice, move) is None:
                reply = self._known(game, ply + 1) or await self._judged(game, ply + 1)
        arguments |= {"line": judge.line, "position": position, "choice": choice, "reply": reply}
        return await self.client.ask(task, arguments, game.seconds)

    def _known(self, game: WebGame, ply: int) -> Choice | None:
        """The judge's choice in this position, if it has made one."""
        own = game.choices.get(ply) if game.judge is game.opponent else None
        return own or game.judged.get(ply)

    def _judge_of(self, game: WebGame) -> Opponent:
        if game.judge is None:
            raise ApiError(409, "No player can judge this game.")
        return game.judge

    def _ply_of(self, game: WebGame, request: WhyRequest) -> int:
        """The number of moves before the move that the request is about, or of the position."""
        if request.about == "position":
            ply = game.ply if request.ply is None else request.ply
            position_at(game, ply)
            return ply
        own = request.about == "own"
        plies = [n for n in range(game.ply) if (game.mover(n) in game.people) == own]
        owner = "yours" if own else game.opponent.title
        if not plies:
            raise ApiError(409, f"There is no move of {owner} yet.")
        if request.ply is None:
            return plies[-1]
        if request.ply not in plies:
            raise ApiError(404, f"Move {request.ply} is not a move of {owner}.")
        return request.ply

    def _check_answered(self, game: WebGame, ply: int, study: bool) -> None:
        """In play, the opponent's moves are explained only after the person has answered."""
        by_opponent = game.mover(ply) not in game.people
        if by_opponent and not study and not game.is_answered(ply):
            raise ApiError(
                409, "Answer first: in play, a move is explained when you have answered it."
            )

    async def _judged(
        self, game: WebGame, ply: int, awaited: bool = True, seconds: float = MARKING
    ) -> Choice:
        """The judge's choice after `ply` moves; it is asked once per position.

        It takes as long as the opponent may think, or at most `seconds` if nobody waits for it.
        """
        if ply not in game.judged:
            position = game.positions[ply]
            arguments = {"line": self._judge_of(game).line, "position": position, "solve": True}
            seconds = game.seconds if awaited else min(game.seconds, seconds)
            choice = await self.client.ask("choose", arguments, seconds, awaited)
            game.note_end(ply, position, choice.end)
            if not awaited:
                choice = _brief(choice, game.moves[ply : ply + 1])
            game.note_chance(ply, position, chance_of(choice))
            return game.note_judgement(ply, position, choice)
        return game.judged[ply]

    async def mark(self, game: WebGame) -> None:
        """Mark the person's last move if it is a mistake; no request waits for it."""
        plies = [n for n in range(game.ply) if game.mover(n) in game.people]
        if plies and plies[-1] not in game.mistakes:
            await self._mark_move(game, plies[-1])
            self._publish(game)

    async def _mark_move(self, game: WebGame, ply: int) -> None:
        if ply >= game.ply:
            return  # it was taken back
        if game.is_counted and ply == game.ply - 1:
            return  # the value of a counted end depends on the dead stones
        before, after, move = *game.positions[ply : ply + 2], game.moves[ply]

        def is_there() -> bool:
            """Whether the move has not been taken back meanwhile."""
            return game.moves[ply : ply + 1] == [move] and game.positions[ply] == before

        try:
            best = await self._judged(game, ply, awaited=False)
            if not is_there():
                return
            as_far = looked_as_far(best, move)
            if as_far is not None:
                value, points = expectation(as_far), as_far.points
            else:
                value, points = await self._value_after(game, ply, before, after)
        except ApiError:
            return  # the judge failed, but no request was waiting
        if value is None or not is_there() or game.judge is None:
            return
        ends = game.known_end(ply), game.known_end(ply + 1)
        if None in ends or len({end.winner for end in ends if end is not None}) > 1:
            # Where the truth is known, a move after which it is the same is no mistake.
            game.note_value(ply, best, value, game.judge.title, game.judge.mistake, points)
        sign = 1 if after.to_move == before.to_move else -1
        game.note_chance(ply + 1, after, (1 + sign * value) / 2)
        game.note_slide(ply, game.judge.title)

    async def look(self, game: WebGame) -> None:
        """Judge what the opponent moved from and the position now, while the person thinks.

        The page shows the chance, and reasons and hints are there at once.
        """
        if game.outcome is not None or game.opponents_turn or game.seconds > MARKING:
            return  # a longer search is made when it is asked for
        for ply in range(max(game.ply - 1, 0), game.ply + 1):
            if ply > game.ply or self._known(game, ply) is not None:
                continue
            try:
                await self._judged(game, ply, awaited=False)
            except ApiError:
                return
        self._publish(game)

    def _publish(self, game: WebGame) -> None:
        game.version += 1
        self.changed(game)

    async def _value_after(
        self, game: WebGame, ply: int, before: Position, after: Position
    ) -> tuple[float | None, float | None]:
        """The value of the position after a move for the side that made it, and its points."""
        sign = 1 if after.to_move == before.to_move else -1
        if after.outcome() is not None:
            return sign * explain_end(after, ()).value, None
        reply = self._known(game, ply + 1)
        if reply is None:
            reply = await self._judged(game, ply + 1, awaited=False)
        value, points = expectation(reply), reply.points
        return (
            None if value is None else sign * value,
            None if points is None else sign * points,
        )


def _brief(choice: Choice, played: Sequence[Any]) -> Choice:
    """A choice with the best candidates only, and the move that was played."""
    kept = [
        candidate
        for n, candidate in enumerate(choice.candidates)
        if n <= ALTERNATIVES or candidate.move in (choice.move, *played)
    ]
    return dataclasses.replace(choice, candidates=tuple(kept))


def _compared_with_played(tried: TriedMove, played: TriedMove, best: TriedMove) -> str:
    """How a move compares with the one that was played and the judge's, in a sentence or two."""

    def told(each: TriedMove) -> str:
        return each.move if each.chance is None else f"{each.move} ({percent(each.chance)})"

    def as_good(one: TriedMove, other: TriedMove) -> bool:
        return abs((one.chance or 0.0) - (other.chance or 0.0)) < SAME

    if tried.move == played.move:
        first = f"{told(tried)} is the move of the game."
    elif tried.move == best.move:
        first = f"{told(tried)} is what the judge would play; the game had {told(played)}."
    elif as_good(tried, played):
        first = f"{told(tried)} is as good as {told(played)} in the game."
    else:
        better = (tried.chance or 0.0) > (played.chance or 0.0)
        first = f"{told(tried)} is {'better' if better else 'worse'} than {told(played)}."
    if tried.move == best.move or as_good(tried, best):
        return first
    return f"{first} There is a better move."


def position_at(game: WebGame, ply: int) -> Any:
    """The position after `ply` moves, or a 404."""
    if ply > game.ply:
        raise ApiError(404, f"{game.ply} moves have been played; there is no position {ply}.")
    return game.positions[ply]
