"""The `clauseboard` command: its subcommands, and how errors are shown."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from clauseboard import __version__

COMMANDS = {
    "play": ("play.play", "Play on a page in your browser, or with --terminal right here."),
    "explain": ("explain.explain", "Explain why a player chooses a move, reason by reason."),
    "players": ("players.players", "List the players and their options."),
    "match": ("match.match", "Play a match between two players."),
    "tournament": ("match.tournament", "Play a round robin, and rate the players."),
    "learn": ("learn.learn", "Train a player by self-play."),
    "train": ("train.train", "Train a learner."),
    "tune": ("experiment.tune", "Find good settings for a Tsetlin Machine on a data set."),
    "solve": ("explain.solve_position", "Show who wins a position with best play, and how."),
    "engine": ("players.engine", "Be the engine of a Go, Hex or checkers program (GTP)."),
    "export": ("players.export", "Write a player for browsers, without Python."),
    "data": ("data.app", "Data sets: positions as bits, results and folds."),
    "experiment": (
        "experiment.app",
        "Recompute the published tables and compare the figures.",
    ),
    "demo": ("train.demo", "Train a small Tsetlin Machine and read its clauses."),
    "perft": ("explain.perft", "Count the move sequences of a game, depth by depth."),
    "doctor": ("doctor.doctor", "Show what is installed, missing, and how fast it is."),
}
"""Where in this package each command is, and its line in `clauseboard --help`."""

SETTINGS: dict[str, Any] = {
    "add_completion": False,
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
}


def load_command(name: str) -> Any:
    """A command, with its module, which is imported only now."""
    module, attribute = COMMANDS[name][0].split(".")
    command = getattr(import_module(f"clauseboard.cli.{module}"), attribute)
    if isinstance(command, typer.Typer):
        return typer.main.get_command(command)
    alone = typer.Typer(**SETTINGS)
    alone.command(name)(command)
    return typer.main.get_command(alone)


class LazyCommands(TyperGroup):
    """The commands: only the one that is run is imported, so that the others cost no time."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for name, (_, line) in COMMANDS.items():
            self.add_command(
                TyperCommand(name, callback=None, short_help=line, rich_markup_mode=None)
            )

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[Any, Any, list[str]]:
        """The command that is asked for and what it is called with."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command if name is None else load_command(name), rest


app = typer.Typer(name="clauseboard", cls=LazyCommands, no_args_is_help=True, **SETTINGS)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"clauseboard {__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Board-game players whose every judgement can be read."""


def run() -> None:
    """Run the command; bad input is one sentence and exit status 2, Ctrl-C a quiet 130."""
    try:
        app()
    except KeyboardInterrupt:
        print("\nInterrupted.", file=sys.stderr)
        sys.exit(130)
    except (ValueError, OSError) as error:
        print(f"clauseboard: {error_text(error)}", file=sys.stderr)
        sys.exit(2)
    except MemoryError:
        print("clauseboard: There is not enough memory for this.", file=sys.stderr)
        sys.exit(2)


def error_text(error: ValueError | OSError) -> str:
    """An error in one sentence; for a system error, the file comes first.

    >>> error_text(FileNotFoundError(2, "No such file or directory", "a.pdn"))
    'a.pdn: No such file or directory.'
    """
    if not isinstance(error, OSError) or error.strerror is None:
        return str(error)
    file = error.filename2 or error.filename
    return f"{file}: {error.strerror}." if file else f"{error.strerror}."
