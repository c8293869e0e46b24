"""`clauseboard learn`: train a player by self-play."""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from clauseboard.arena.ratings import ratings_chart
from clauseboard.cli.common import AsJson, Cluster, GameName, Jobs, ProgressBar, read_parameters
from clauseboard.files import write_text
from clauseboard.game import Game, load_game
from clauseboard.selfplay.games import LearningStore
from clauseboard.selfplay.running import SelfPlayRun, SelfPlayStep, changes_in, open_run, run
from clauseboard.selfplay.settings import settings_for


def learn(
    game: GameName,
    out: Annotated[
        Path | None,
        typer.Option(
            help="SQLite file for games and machines; an existing one is resumed. By default "
            "GAME.learn in this folder, with the game's parameters in its name."
        ),
    ] = None,
    rounds: Annotated[
        int | None, typer.Option(min=1, help="Rounds to run; omit it to run until Ctrl-C.")
    ] = None,
    hours: Annotated[float | None, typer.Option(min=0.0, help="Stop after this long.")] = None,
    parameter: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="A parameter of the game or a setting, such as size=6 or games=200; may be "
            "repeated.",
        ),
    ] = None,
    jobs: Jobs = 1,
    cluster: Cluster = None,
    device: Annotated[
        str,
        typer.Option(help="Where machines are trained: cpu, gpu or auto; the result is the same."),
    ] = "cpu",
    change: Annotated[
        bool,
        typer.Option(
            "--change", help="Continue with changed settings, starting with the next machine."
        ),
    ] = False,
    plot: Annotated[
        Path | None, typer.Option(help="SVG file for a chart of the ratings by round.")
    ] = None,
    settings: Annotated[
        bool, typer.Option("--settings", help="List the settings with their values, and exit.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Train a player by self-play: it plays itself, learns from the games, and improves.

    Ctrl-C stops it; the same command resumes it. Settings that --set does not name are those of
    the file.

    Example: clauseboard learn hex --set size=6 --rounds 3 --jobs 2
    """
    rules, options = _split(game, read_parameters(parameter or []))
    if settings:
        listed = settings_for(rules, options).named()
        print("\n".join(f"{name}={value}" for name, value in listed.items()))
        return
    named = out is not None
    out = out or default_file(rules)
    if not out.exists():
        settings_for(rules, options)  # wrong settings are refused before there is a file
    if not named:
        print(f"Games and machines are kept in {out}.", file=sys.stderr)
    with LearningStore(out) as store:
        self_play = open_run(store, rules, options, change).on(device, jobs, cluster)
        _run(self_play, rounds, hours, quiet=as_json)
        _report(self_play, out, plot, as_json)


def default_file(game: Game) -> Path:
    """The file of a run that is not named: the game and its parameters.

    >>> str(default_file(load_game("hex", size=6)))
    'hex-size6.learn'
    """
    fields = dataclasses.fields(game)  # type: ignore[arg-type]
    values = {f.name: getattr(game, f.name) for f in fields if f.init}
    given = [f"-{f.name}{values[f.name]}" for f in fields if values.get(f.name) != f.default]
    return Path(f"{game.name}{''.join(given)}.learn")


def _split(game: str, values: dict[str, Any]) -> tuple[Game, dict[str, Any]]:
    """The game with its parameters, and the settings that are left."""
    own = set(load_game(game).parameters())
    rules = load_game(game, **{name: value for name, value in values.items() if name in own})
    return rules, {name: value for name, value in values.items() if name not in own}


def _run(self_play: SelfPlayRun, rounds: int | None, hours: float | None, quiet: bool) -> None:
    progress = _LearnProgress(quiet)
    try:
        run(self_play, rounds, hours, progress.show)
    except KeyboardInterrupt:
        print("\nStopped; everything so far is kept.", file=sys.stderr)
    finally:
        progress.stop()


def _report(self_play: SelfPlayRun, out: Path, plot: Path | None, as_json: bool) -> None:
    ratings, generations = self_play.ratings(), self_play.store.generations()
    if plot is not None:
        accepted = [True, *(bool(made.accepted) for made in generations)]
        title = f"{self_play.game!r}: Elo points by round, with 95 % intervals"
        write_text(plot, ratings_chart(ratings, accepted, title))
    best = self_play.store.best()
    spec = self_play.player_spec(best)
    player = spec.line(_folder(out)) if best else spec.spec
    changes = changes_in(self_play.store)
    rounds: list[dict[str, Any]] = [
        {
            "round": made.round,
            "parent": made.parent,
            "accepted": made.accepted,
            "score": self_play.result(made.round).score.score,
            "elo": round(rating.elo, 1),
            **made.figures,
        }
        for made, rating in zip(generations, ratings[1:], strict=True)
    ]
    if as_json:
        page = {"file": str(out), "best": best, "player": player, "changes": changes}
        print(json.dumps({**page, "rounds": rounds}))
        return
    for row in rounds:
        if row["round"] in changes:
            new = ", ".join(f"{name}={value}" for name, value in changes[row["round"]].items())
            print(f"from round {row['round']} on: {new}")
        verdict = {True: "accepted", False: "rejected", None: "playing"}[row["accepted"]]
        print(
            f"round {row['round']}: {100 * row['score']:.1f} % against round {row['parent']}, "
            f"{verdict}, Elo {row['elo']:+.0f}"
        )
    print(f"The best player so far is that of round {best}: {player}")


def _folder(out: Path) -> Path:
    """Where the best machines are written, beside the file."""
    folder = out.with_name(f"{out.name}.machines")
    folder.mkdir(exist_ok=True)
    return folder


class _LearnProgress:
    """The progress of a run: a bar on a terminal, and a line for each machine and decision."""

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet
        self.bar: ProgressBar | None = None

    def show(self, step: SelfPlayStep) -> None:
        """Show a step that was done."""
        if self.quiet:
            return
        title = f"round {step.round}, {step.phase.value}"
        if step.note:
            self.stop()
            print(f"{title}: {step.note}", file=sys.stderr, flush=True)
            return
        if self.bar is None or self.bar.text != title:
            self.stop()
            self.bar = ProgressBar(title, step.of, counted=True, patience=0)
        self.bar.tell(step.done)

    def stop(self) -> None:
        """Remove the bar."""
        if self.bar is not None:
            self.bar.stop()
