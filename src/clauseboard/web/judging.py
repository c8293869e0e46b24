"""What the judge of a game says: hints, reasons, and which moves were mistakes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clauseboard.player import Choice
from clauseboard.players.searcher import explain_end
from clauseboard.web import board_view as boards
from clauseboard.web.asking import WorkerClient
from clauseboard.web.errors import ApiError, refused
from clauseboard.web.models import WhyNotRequest, WhyRequest
from clauseboard.web.opponents import Opponent
from clauseboard.web.web_game import WebGame, who

MARKING = 1.0
"""Seconds for each of the two questions that tell whether a move was a mistake, at most."""


class GameJudge:
    """Asks the judges of games; `changed` is told of a game in which a mistake was marked."""

    def __init__(self, asker: WorkerClient, changed: Callable[[WebGame], None]) -> None:
        self.asker, self.changed = asker, changed

    async def hint(self, table: WebGame) -> dict[str, Any]:
        """What the judge would play."""
        if table.outcome is not None:
            raise ApiError(409, f"The game is over: {table.outcome}.")
        if table.opponents_turn:
            raise ApiError(409, f"It is {table.opponent.title}'s turn.")
        judge, position, ply = self._judge_of(table), table.position, table.ply
        choice = await self._judged(table, ply)
        colour = position.to_move
        move = None if choice.resigns else position.write_move(choice.move)
        path = [] if move is None else boards.path_of(table.game, choice.move)
        line = () if choice.resigns else choice.line or (choice.move,)
        worth = "" if choice.value is None else f", worth {choice.value:+.2f} to {colour}"
        said = "would give up." if move is None else f"would play {move}{worth}."
        return {
            "judge": who(judge),
            "move": move,
            "path": path,
            "kind": "resign" if move is None else boards.kind_of(move, path),
            "value": choice.value,
            "colour": colour,
            "line": boards.texts_of(position, line),
            "line_paths": boards.paths_of(position, line),
            "candidates": boards.candidates_of(position, choice),
            "resigns": choice.resigns,
            "text": f"{judge.title} {said}",
        }

    async def why(self, table: WebGame, wish: WhyRequest) -> dict[str, Any]:
        """Why a move, or a board, is judged as it is."""
        judge, ply = self._judge_of(table), self._ply_of(table, wish)
        position = table.session.positions[ply]
        move = None if wish.about == "position" else table.session.moves[ply]
        colour = position.to_move
        self._check_answered(table, ply, colour, wish.study)
        if position.outcome() is not None:
            raise ApiError(409, "The game is over there; ask about the move before.")
        asked = {"line": judge.line, "position": position, "move": move}
        asked |= await self._judgements(table, ply, move)
        found = await self.asker.asked("why", asked, table.seconds)
        about = {
            "ply": ply,
            "move": None if move is None else position.write_move(move),
            "path": [] if move is None else boards.path_of(table.game, move),
            "colour": colour,
        }
        return {"judge": who(judge), "about": about, **found}

    async def why_not(self, table: WebGame, wish: WhyNotRequest) -> dict[str, Any]:
        """Why not this move."""
        judge = self._judge_of(table)
        ply = table.ply if wish.ply is None else wish.ply
        if ply > table.ply:
            raise ApiError(404, f"{table.ply} moves have been played; there is no board {ply}.")
        position = table.session.positions[ply]
        self._check_answered(table, ply, position.to_move, wish.study)
        if position.outcome() is not None:
            raise ApiError(409, "The game is over there.")
        move = refused(lambda: position.read_move(wish.move))
        asked = {"line": judge.line, "position": position, "move": move}
        asked |= await self._judgements(table, ply, move)
        return await self.asker.asked("why_not", asked, table.seconds)

    async def _judgements(self, table: WebGame, ply: int, move: Any) -> dict[str, Choice | None]:
        """What the judge chooses before a move and, where it was played, its reply, if need be.

        Both are made once, and marks are made of the same two, so that a mark, the reasons and the
        list of candidates tell the same values, however often they are asked for.
        """
        session, reply = table.session, None
        choice = self._known(table, ply) or await self._judged(table, ply)
        other = move is not None and not choice.resigns and move != choice.move
        if other and session.moves[ply : ply + 1] == [move]:
            open_yet = session.positions[ply + 1].outcome() is None
            if open_yet and boards.looked_as_far(choice, move) is None:
                reply = self._known(table, ply + 1) or await self._judged(table, ply + 1)
        return {"choice": choice, "reply": reply}

    def _known(self, table: WebGame, ply: int) -> Choice | None:
        """What the judge has chosen on this board, so that it does not contradict itself."""
        own = table.session.choices.get(ply) if table.judge is table.opponent else None
        return own or table.judged.get(ply)

    def _judge_of(self, table: WebGame) -> Opponent:
        if table.judge is None:
            raise ApiError(409, "There is nobody who could judge in this game.")
        return table.judge

    def _ply_of(self, table: WebGame, wish: WhyRequest) -> int:
        """The move that is asked about, or the board."""
        people = table.session.people
        if wish.about == "position":
            ply = table.ply if wish.ply is None else wish.ply
            if ply > table.ply:
                raise ApiError(404, f"There is no board after {ply} moves in this game.")
            return ply
        own = wish.about == "own"
        fitting = [n for n in range(table.ply) if (table.mover(n) in people) == own]
        whose = "yours" if own else table.opponent.title
        if not fitting:
            raise ApiError(409, f"There is no move of {whose} yet.")
        if wish.ply is None:
            return fitting[-1]
        if wish.ply not in fitting:
            raise ApiError(404, f"Move {wish.ply} is no move of {whose}.")
        return wish.ply

    def _check_answered(self, table: WebGame, ply: int, colour: str, study: bool) -> None:
        """In play, the machine's moves are judged only after the person has answered."""
        machine = colour not in table.session.people
        if machine and not study and not table.is_answered(ply):
            raise ApiError(
                409, "Answer first: in play, a move is judged when you have answered it."
            )

    async def _judged(self, table: WebGame, ply: int, awaited: bool = True) -> Choice:
        """What the judge would play after so many moves; it is asked once a board."""
        if ply not in table.judged:
            judge, moved = self._judge_of(table), table.moved
            position = table.session.positions[ply]
            asked = {"line": judge.line, "position": position}
            seconds = table.seconds if awaited else min(table.seconds, MARKING)
            choice = await self.asker.asked("choose", asked, seconds, awaited)
            if table.moved != moved and table.session.positions[ply : ply + 1] != [position]:
                return choice
            # Another may have asked the same meanwhile: the first answer stands.
            table.judged.setdefault(ply, choice)
        return table.judged[ply]

    async def mark(self, table: WebGame) -> None:
        """Mark the person's last move, if it is a mistake; nobody waits for it."""
        session = table.session
        plies = [n for n in range(table.ply) if table.mover(n) in session.people]
        if not plies or plies[-1] in table.marks:
            return
        ply = plies[-1]
        if table.is_counted and ply == table.ply - 1:
            return  # what ends a game by a count is worth what both sides call dead
        before, after, move = *session.positions[ply : ply + 2], session.moves[ply]

        def is_there() -> bool:
            """Whether the move has not been taken back meanwhile."""
            same = session is table.session and session.moves[ply : ply + 1] == [move]
            return same and session.positions[ply] == before

        try:
            best = await self._judged(table, ply, awaited=False)
            if not is_there():
                return
            as_far = boards.looked_as_far(best, move)
            if as_far is not None:
                worth: float | None = as_far.value
            else:
                worth = await self._worth_after(table, ply, before, after)
        except ApiError:
            return  # the judge failed, and was not asked by anybody
        if worth is None or not is_there():
            return
        table.mark(ply, best, worth)
        if ply in table.marks:
            table.version += 1
            self.changed(table)

    async def _worth_after(self, table: WebGame, ply: int, before: Any, after: Any) -> float | None:
        """What the board after a move is worth to who made it."""
        sign = 1 if after.to_move == before.to_move else -1
        if after.outcome() is not None:
            return sign * explain_end(after, ()).value
        reply = self._known(table, ply + 1)
        if reply is None:
            reply = await self._judged(table, ply + 1, awaited=False)
        return None if reply.value is None else sign * reply.value
