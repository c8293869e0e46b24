"""A game at the terminal, line by line: moves, commands, and ways to leave.

No input breaks a game: an error is one sentence. Ctrl-C while the opponent thinks stops the
waiting; elsewhere Ctrl-C and Ctrl-D leave, and the game can be saved.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from clauseboard.explaining.writers import USUAL_MOST, account_text, comparison_text
from clauseboard.explanation import percent
from clauseboard.game import NotationError, Position, UnreadableError, line_texts
from clauseboard.games.plugins import COUNTING
from clauseboard.games.solving import exact_words, tables_status
from clauseboard.kernels.compiler import Progress
from clauseboard.player import Choice, chance_of
from clauseboard.terminal.game import TerminalGame
from clauseboard.terminal.screen import Ask, BoardInput, Screen, in_thread


class Loop:
    """Reads what a person types and does it; `boards` is set if whole boards are typed.

    `interactive`: a person is there and can be asked whether to save the game.
    """

    def __init__(
        self,
        session: TerminalGame,
        screen: Screen,
        ask: Ask = input,
        boards: BoardInput | None = None,
        interactive: bool = True,
    ) -> None:
        self.session, self.screen, self.ask = session, screen, ask
        self.boards, self.interactive = boards, interactive
        self.stopped = False
        """Whether the person has stopped waiting for the opponent."""
        self._listed: Any = None  # the position whose moves were listed last
        self._pasted: list[str] = []  # lines that have come, but are not done yet
        self._work: tuple[Any, Future[Any]] | None = None  # what is being thought about
        self._compiling = ""
        self._tables = ""  # what was said last about endgame tables

    def compiling(self, progress: Progress) -> None:
        """Note which kernel is being compiled, to be shown while the person waits."""
        which = f"{progress.done + 1} of {progress.expected}"
        which = which if progress.expected > 1 else progress.kernel
        over = progress.done >= progress.expected
        self._compiling = "" if over else f"Preparing {self.session.game.name}: compiling {which}"

    # ---- reading lines

    def run(self) -> None:
        """Play until the person leaves."""
        session = self.session
        session.start_tables()
        self._open()
        while True:
            self._tell_tables()
            try:
                if session.opponents_turn and not self.stopped:
                    self._reply()
                elif not self._obey(self._read()):
                    return
            except (KeyboardInterrupt, EOFError) as left:
                self._pasted.clear()
                self.screen.show("")
                if self._leave(isinstance(left, EOFError)):
                    return
            except (ValueError, OSError) as error:
                # The board, which the whole text of the error quotes, is on the screen.
                reason = error.reason if isinstance(error, NotationError) else str(error)
                self.screen.complain(reason)

    def _read(self) -> str:
        session = self.session
        if session.outcome is not None:
            return self._line("game over> ")
        if self.stopped:
            return self._line("stopped> ")
        if self.boards is not None:
            return self.boards.read(session, self.screen, self._line)
        return self._line(f"{session.position.to_move}> ")

    def _line(self, prompt: str) -> str:
        """A line that was typed; a terminal that is gone is the end of the input.

        A terminal may give a paste as one text of several lines, which come one by one here.
        """
        if not self._pasted:
            try:
                self._pasted = self.ask(prompt).splitlines() or [""]
            except UnicodeDecodeError:
                return ""
            except (OSError, ValueError):
                raise EOFError from None
        return self._pasted.pop(0)

    def _obey(self, line: str) -> bool:
        """Do what a line says; whether to go on."""
        word, *rest = line.split(None, 1) or [""]
        if not word:
            return True
        command = COMMANDS.get(word.lower())
        if command is None:
            self._play(line)
            return True
        return command[0](self, "".join(rest).strip()) is not LEAVE

    def _leave(self, input_ended: bool = False) -> bool:
        """Ask whether to keep the game; whether to leave."""
        session = self.session
        if not session.unsaved:
            return True
        if not self.interactive:
            if input_ended:
                self.screen.say("The input has ended; the game is not saved (`save` saves it).")
            return True
        try:
            answer = self._line("Save the game? [Y/n/cancel] ").strip().lower()
        except (KeyboardInterrupt, EOFError):
            # Who is in such a hurry may still want the game.
            self.screen.show("")
            answer = "y"
        if answer[:1] == "c":
            return False
        if answer[:1] == "n":
            return True
        try:
            path = session.save()
        except (ValueError, OSError) as error:
            self.screen.complain(f"The game could not be saved: {error}")
            self.screen.say("`save FILE` may do; answer n at the end to leave without it.")
            return input_ended
        self._tell_file(path)
        return True

    # ---- moves

    def _play(self, text: str) -> None:
        """Play what was typed: a move, its number in the list, or a whole board."""
        session = self.session
        position = session.position
        if self.stopped:
            raise ValueError(
                f"It is {position.to_move}'s turn, which is {session.opponent}'s: `go` lets it "
                "think, `undo` takes your move back."
            )
        try:
            if self.boards is not None and self.boards.is_board(text):
                session.play_move(self.boards.move(position, text))
            elif text.strip().isdecimal() and self._listed is position:
                session.play_move(_numbered(position, int(text)))
            else:
                session.play(text)
        except NotationError as error:
            more = " `help` lists the commands." if isinstance(error, UnreadableError) else ""
            self.screen.complain(f"Invalid move. {error.reason}{more}")
            return
        if self.boards is not None:
            self.boards.show_change(session, self.screen)
        elif session.opponent is None and session.outcome is None:
            self.show()
        self._tell_end()

    def _reply(self) -> None:
        """Let the opponent move."""
        session, position = self.session, self.session.position
        opponent, started = session.opponent, time.monotonic()
        assert opponent is not None
        try:
            choice: Choice = self._think(
                position, lambda: opponent.choose(position, session.limit), f"{opponent} thinks"
            )
            written = "" if choice.ends_game else position.write_move(choice.move)
            session.accept(choice)
        except KeyboardInterrupt:
            self.stopped = True
            self.screen.say(
                "\nStopped waiting. `go` waits again, `undo` takes your move back, `quit` leaves."
            )
            return
        except Exception as error:
            # An opponent is another's program: whatever it does, the person's game stays whole.
            self.stopped = True
            self.screen.complain(f"{opponent} could not move: {error}")
            self.screen.say("`go` asks it again, `undo` takes your move back, `quit` leaves.")
            return
        if self.boards is not None:
            self.boards.show_reply(session, self.screen, time.monotonic() - started)
        else:
            if written:
                self.screen.say(f"{position.to_move} plays {written}")
            if session.outcome is None:
                self.show()
        self._tell_end()

    def _think(self, about: Any, work: Callable[[], Any], text: str) -> Any:
        """Do some work with the players, in a thread; one at a time, for they share what they know.

        If the last work was left alone, it is waited for; and taken, if it was about the same.
        """
        if self._work is None or self._work[0] is not about:
            self._settle()
            self._work = (about, in_thread(work))
        work_done = self._work[1]
        self.screen.wait_for(work_done, text, lambda: self._compiling)
        self._work = None
        return work_done.result()

    def _settle(self) -> None:
        """Wait for work that was left alone, and forget it."""
        if self._work is not None:
            self.screen.wait_for(self._work[1], "ending what was left alone")
            self._work = None

    def _ask_players(self, work: Callable[[], Any], text: str) -> Any:
        """Work for a command; Ctrl-C stops the waiting, and no error of a player ends the game."""
        try:
            return self._think(object(), work, text)
        except KeyboardInterrupt:
            self.screen.show("")
            raise ValueError("Stopped waiting.") from None
        except (ValueError, OSError):
            raise
        except Exception as error:
            raise ValueError(f"That failed with {type(error).__name__}: {error}") from None

    # ---- telling

    def words(self) -> list[str]:
        """What can be typed now: commands and moves."""
        position = self.session.position
        return [*COMMANDS, "not", *(position.write_move(move) for move in position.moves())]

    def _tell_tables(self) -> None:
        """Say once that endgame tables are being made, and once that they are ready or not."""
        status = tables_status(self.session.game)
        if status is None:
            return
        if status.share is not None:
            text = "Endgame tables of five pieces are made in the background, once."
        elif status.ready and self._tables:
            text = "The endgame tables of five pieces are ready."
        else:
            text = status.text
        if text and text != self._tables:
            self._tables = text
            self.screen.say(text, "dim")

    def _tell_end(self) -> None:
        session = self.session
        if session.outcome is None:
            return
        if self.boards is None and session.ended_early is None:
            self.screen.board(session.position, session.before)
        self._suggest_dead()
        end = str(session.outcome)
        self.screen.say(f"The game is over. {end[:1].upper()}{end[1:]}.", "bold")
        if session.opponent is not None and session.outcome.winner is not None:
            won = session.outcome.winner == session.colour
            self.screen.say("You have won." if won else "You have lost.", "bold")
        if session.is_counted:
            self._tell_dead()

    def _suggest_dead(self) -> None:
        """Take off the stones that are dead by random games, until a person names them."""
        session = self.session
        if session.is_counted and not (session.dead or session.dead_named):
            session.set_dead(COUNTING.of(session.game).find_dead(session.position), suggested=True)

    def _tell_dead(self) -> None:
        """Say which stones were taken off, and what can be done about it."""
        session = self.session
        off = f"Taken off as dead: {' '.join(session.dead)}. " if session.dead else ""
        if not session.dead_named:
            open_chains = COUNTING.of(session.game).find_open(session.position)
            if open_chains:
                off += f"Not settled: the stones at {' '.join(open_chains)}. "
        self.screen.say(
            f"{off}`dead STONES` names the dead stones, `dead none` counts all as alive, `undo` "
            "plays on."
        )

    def _tell_file(self, path: Path) -> None:
        self.screen.say(
            f"Saved to {path}; `clauseboard play --terminal --load {path}` continues it."
        )

    # ---- commands

    def help(self, _: str) -> None:
        """This list, also ?."""
        position = self.session.position
        texts = [position.write_move(move) for move in position.moves()]
        example = next((text for text in texts if not text.isalpha()), None)
        words = [f"`{text}`" for text in texts if text.isalpha()]
        if self.boards is not None:
            self.screen.say(self.boards.help)
        if example is not None:
            also = f" {' and '.join(words)} can be played, too." if words else ""
            self.screen.say(f"Moves are written like {example}.{also}")
        width = max(len(command[1]) for command in COMMANDS.values())
        for command, usage in dict.fromkeys(COMMANDS.values()):
            self.screen.say(f"  {usage:<{width}}  {command.__doc__}", indent=width + 4)

    def list_moves(self, _: str) -> None:
        """The legal moves, with numbers to choose them by."""
        position = self.session.position
        if self.session.outcome is not None:
            raise ValueError(f"The game is over ({self.session.outcome}); there are no moves.")
        texts = [position.write_move(move) for move in position.moves()]
        width = len(str(len(texts)))
        self.screen.columns_of([f"{n:>{width}} {text}" for n, text in enumerate(texts, 1)])
        if self.boards is None:
            self._listed = position
            self.screen.say("Type a move or its number.")

    def show(self) -> None:
        """Show the board."""
        session = self.session
        if self.boards is not None:
            self.boards.show_turn(session, self.screen)
        else:
            self.screen.board(session.position, session.before)

    def show_again(self, _: str) -> None:
        """The board again, and its result if tables know it."""
        self.show()
        exact = exact_words(self.session.position)
        if exact is not None:
            self.screen.say(exact)

    def hint(self, _: str) -> None:
        """A move, and its chance, by the player that gives hints."""
        session, position = self.session, self.session.position
        choice: Choice = self._ask_players(session.hint, "looking for a move")
        if choice.resigns:
            self.screen.say(f"{session.adviser} would give up.")
            return
        chance, exact = chance_of(choice), exact_words(position)
        value = "" if chance is None else f": {percent(chance)} for {position.to_move}"
        ending = f"{value}." if exact is None else f". {exact}"
        self.screen.say(f"{session.adviser} would play {position.write_move(choice.move)}{ending}")
        if len(choice.line) > 1:
            self.screen.say(f"It expects {' '.join(line_texts(position, choice.line))}.")

    def why(self, rest: str) -> None:
        """Reasons for the hint or the last reply; or against a move."""
        word, _, move = rest.partition(" ")
        if not rest:
            account = self._ask_players(self.session.why, "looking for reasons")
            self.screen.say(account_text(account, colour=self.screen.colour))
        elif word.lower() == "not" and move.strip():
            comparison = self._ask_players(lambda: self.session.why_not(move), "comparing")
            self.screen.say(comparison_text(comparison))
        else:
            raise ValueError("Type `why`, or `why not` with a move, such as `why not 11-15`.")

    def clauses(self, _: str) -> None:
        """The reasons of `why` with the clauses below them."""
        account = self._ask_players(self.session.why, "looking for reasons")
        self.screen.say(account_text(account, USUAL_MOST, colour=self.screen.colour))

    def undo(self, _: str) -> None:
        """Take your last move back, and the reply."""
        session = self.session
        number = len(session.moves)
        taken = session.undo()
        self.stopped = False
        if not taken:
            self.screen.say("Not given up, then.")
        elif self.boards is None:
            several = f"{len(taken)} moves are" if number - len(session.moves) > 1 else "A move is"
            self.screen.say(f"{several} taken back.")
        self.show()

    def save(self, rest: str) -> None:
        """Save the game to a file."""
        self._tell_file(self.session.save(Path(rest).expanduser() if rest else None))

    def load(self, rest: str) -> None:
        """Continue a game from a file."""
        if not rest:
            raise ValueError("Name the file, such as `load game.sgf`.")
        if self._leave():
            self._settle()
            self.session.load(Path(rest).expanduser())
            self._open()

    def new(self, _: str) -> None:
        """Begin another game."""
        if self._leave():
            self._settle()
            self.session.restart()
            self.session.file = None
            self._open()

    def dead(self, text: str) -> None:
        """Name the dead stones of a game that is counted, or none."""
        named = text.replace(",", " ").split()
        self.session.set_dead([] if named == ["none"] else named)
        self._tell_end()

    def resign(self, _: str) -> None:
        """Give up."""
        self.session.resign()
        self.stopped = False
        self._tell_end()

    def go(self, _: str) -> None:
        """Let the opponent think again, once you have stopped it."""
        if not self.session.opponents_turn:
            raise ValueError("It is not the opponent's turn.")
        self.stopped = False

    def quit(self, _: str) -> object:
        """Leave, also Ctrl-D."""
        return LEAVE if self._leave() else None

    def _open(self) -> None:
        """Show the game that begins here, or goes on."""
        self.stopped = False
        if self.boards is not None or self.session.position.outcome() is None:
            self.show()
        self._tell_end()


LEAVE = object()
"""The answer of a command that ends the loop."""

COMMANDS: dict[str, tuple[Callable[[Loop, str], object], str]] = {
    "help": (Loop.help, "help"),
    "?": (Loop.help, "help"),
    "moves": (Loop.list_moves, "moves"),
    "board": (Loop.show_again, "board"),
    "hint": (Loop.hint, "hint"),
    "why": (Loop.why, "why [not MOVE]"),
    "clauses": (Loop.clauses, "clauses"),
    "undo": (Loop.undo, "undo"),
    "go": (Loop.go, "go"),
    "save": (Loop.save, "save [FILE]"),
    "load": (Loop.load, "load FILE"),
    "new": (Loop.new, "new"),
    "dead": (Loop.dead, "dead STONES"),
    "resign": (Loop.resign, "resign"),
    "quit": (Loop.quit, "quit"),
    "exit": (Loop.quit, "quit"),
}
"""The commands: the method, whose docstring is the line in the help, and its usage."""


def _numbered(position: Position, number: int) -> Any:
    """A move by its number in the list."""
    moves = position.moves()
    if not 1 <= number <= len(moves):
        raise NotationError(f"The list has the numbers 1 to {len(moves)}, not {number}.")
    return moves[number - 1]
