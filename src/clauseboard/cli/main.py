"""The `clauseboard` command: its subcommands, and how errors are shown."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from clauseboard import __version__
from clauseboard.cli import (
    data,
    demo,
    doctor,
    experiment,
    explain,
    learn,
    match,
    play,
    players,
    solve,
    train,
    tune,
)

app = typer.Typer(
    name="clauseboard",
    help="Board-game players whose every judgement can be read.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.add_typer(data.app, name="data")
app.command("demo", short_help="Train a small Tsetlin Machine and read its clauses.")(demo.demo)
app.command("doctor", short_help="Show what is installed, missing, and how fast it is.")(
    doctor.doctor
)
app.command("engine", short_help="Be the engine of a Go, Hex or checkers program (GTP).")(
    players.engine
)
app.add_typer(experiment.app, name="experiment")
app.command("explain")(explain.explain)
app.command("export", short_help="Write a player for browsers, without Python.")(players.export)
app.command("learn", short_help="Train a player by self-play.")(learn.learn)
app.command("match", short_help="Play a match between two players.")(match.match)
app.command("perft")(solve.perft)
app.command("play")(play.play)
app.command("players")(players.players)
app.command("solve", short_help="Show who wins a position with best play, and how.")(
    solve.solve_position
)
app.command("tournament")(match.tournament)
app.command("train")(train.train)
app.command("tune")(tune.tune)


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
