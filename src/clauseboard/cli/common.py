"""What several commands share: options, the parser of game parameters, a progress bar."""

from __future__ import annotations

import functools
import sys
import time
from pathlib import Path
from typing import Annotated, Any, Self

import typer
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TextColumn

from clauseboard.game import Game, game_names
from clauseboard.games.solving import make_tables_ready
from clauseboard.player import Player
from clauseboard.players import read_player, read_value

GAMES = ", ".join(game_names())
"""For help texts: Typer evaluates annotations at every start, and some of them twice."""

GameName = Annotated[str, typer.Argument(help=f"One of {GAMES}.")]
Seconds = Annotated[float | None, typer.Option(help="Seconds per move.")]
Depth = Annotated[int | None, typer.Option(help="Search depth in moves.")]
Nodes = Annotated[int | None, typer.Option(help="Positions searched per move.")]
Simulations = Annotated[int | None, typer.Option(help="Simulations per move.")]
Seed = Annotated[int, typer.Option(min=0, help="Random seed: the same seed gives the same games.")]
Jobs = Annotated[
    int, typer.Option(min=1, help="Number of processes; the result does not depend on it.")
]
Cluster = Annotated[
    str | None, typer.Option(help="Play on the Dask cluster at this address instead.")
]
Parameter = Annotated[
    list[str] | None,
    typer.Option("--set", help="A parameter of the game, such as size=7; may be repeated."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]


def read_parameters(texts: list[str]) -> dict[str, Any]:
    """Parameters as name=value, the value as Python writes it or a plain word.

    >>> read_parameters(["size=7", "swap=true", "blocked=draw"])
    {'size': 7, 'swap': True, 'blocked': 'draw'}
    """
    parameters: dict[str, Any] = {}
    for text in texts:
        name, separator, value = text.partition("=")
        if not separator or not name.isidentifier():
            raise ValueError(f"{text!r} is not a parameter; write name=value, for example size=7.")
        parameters[name] = read_value(value)
    return parameters


def player_with_tables(text: str, game: Game) -> Player:
    """A player, with the large endgame tables that it looks into made ready, before any game.

    So the games do not depend on when tables are ready, in whichever process they are played.
    """
    player = read_player(text, game)
    if player.uses_tables:
        with ProgressBar("building endgame tables, once") as bar:
            trouble = make_tables_ready(game, bar.tell)
        if trouble is not None:
            say_once(trouble)
    return player


@functools.cache
def say_once(sentence: str) -> None:
    """Tell the user something on the error output, once."""
    print(f"clauseboard: {sentence}", file=sys.stderr, flush=True)


def check_writable(path: Path | None, what: str) -> None:
    """Check that a file can be written before hours of work, not after them."""
    if path is None:
        return
    if path.is_dir():
        raise ValueError(f"{path} is a folder; give a file name for {what}.")
    if not path.absolute().parent.is_dir():
        raise ValueError(f"There is no folder {path.parent} for {what}.")


class ProgressBar:
    """A progress bar on a terminal, for what takes longer than a moment; elsewhere nothing.

    `counted` shows how many of how many are done, beside the share of them; `patience` is how many
    seconds to wait with the bar: what is done by then needs none.

    >>> with ProgressBar("counting", 3) as bar:
    ...     for number in range(3):
    ...         bar.tell(number + 1)
    """

    def __init__(
        self,
        text: str,
        total: float = 1.0,
        *,
        counted: bool = False,
        patience: float = 1.0,
        quiet: bool = False,
    ) -> None:
        self.text, self.total, self.counted, self.patience = text, total, counted, patience
        self.quiet = quiet or not sys.stderr.isatty()
        self.started = time.monotonic()
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def tell(
        self, done: float, total: float | None = None, text: str | None = None, note: str = ""
    ) -> None:
        """So much is done; the total and the text may have changed."""
        self.total = self.total if total is None else total
        self.text = self.text if text is None else text
        late = time.monotonic() - self.started > self.patience and done < self.total
        if self._bar is None and late and not self.quiet:
            self._show()
        if self._bar is not None:
            self._bar.update(
                self._task, completed=done, total=self.total, description=self.text, note=note
            )

    def stop(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _show(self) -> None:
        columns = list(Progress.get_default_columns())
        if self.counted:
            columns.append(MofNCompleteColumn())
        columns.append(TextColumn("{task.fields[note]}"))
        self._bar = Progress(*columns, console=Console(stderr=True))
        self._task = self._bar.add_task(self.text, total=self.total, note="")
        self._bar.start()
