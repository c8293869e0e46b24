"""`clauseboard learn`: a player that plays against itself and learns from it."""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from clauseboard.cli.options import AsJson, GameName, Jobs, read_parameters
from clauseboard.cli.progress import ProgressBar
from clauseboard.game import Game, load_game

if TYPE_CHECKING:
    from clauseboard.selfplay.running import Life, Step


def learn(
    game: GameName,
    out: Annotated[
        Path | None, typer.Option(help="The file for all that happens; goes on if it is there.")
    ] = None,
    rounds: Annotated[
        int | None, typer.Option(min=1, help="Rounds of playing and learning; else without end.")
    ] = None,
    hours: Annotated[float | None, typer.Option(min=0.0, help="Stop after so long.")] = None,
    parameter: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="A parameter of the game or a setting, such as size=6 or games=200; may be "
            "repeated.",
        ),
    ] = None,
    jobs: Jobs = 1,
    cluster: Annotated[
        str | None, typer.Option(help="Play on the Dask cluster at this address instead.")
    ] = None,
    device: Annotated[str, typer.Option(help="Where machines learn: cpu, gpu or auto.")] = "cpu",
    change: Annotated[
        bool,
        typer.Option("--change", help="Go on with other settings, from the next machine on."),
    ] = False,
    plot: Annotated[
        Path | None, typer.Option(help="A picture (SVG) of the ratings over the rounds.")
    ] = None,
    settings: Annotated[
        bool, typer.Option("--settings", help="List what can be set, and stop.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Let a player play against itself, learn from its games, and play better.

    Ctrl-C stops it; the same command goes on where it was, and what --set does not name is as
    the file has it.

    Example: clauseboard learn hex --set size=6 --out hex6.learn --rounds 3 --jobs 2
    """
    from clauseboard.selfplay.plan import plan_for
    from clauseboard.selfplay.resuming import life_in
    from clauseboard.selfplay.store import LearningStore

    rules, options = _split(game, read_parameters(parameter or []))
    if settings:
        listed = plan_for(rules, options).settings()
        print("\n".join(f"{name}={value}" for name, value in listed.items()))
        return
    if out is None:
        raise ValueError("Say where to keep the games and the machines: --out FILE.")
    if not out.exists():
        plan_for(rules, options)  # what is wrong is told before there is a file
    with LearningStore(out) as store:
        life = life_in(store, rules, options, change)
        taste = life.plan.taste.changed(device=device, n_jobs=jobs)
        plan = dataclasses.replace(life.plan, taste=taste)
        life = dataclasses.replace(life, plan=plan, jobs=jobs, cluster=cluster)
        _live(life, rounds, hours, quiet=as_json)
        _tell(life, out, plot, as_json)


def _split(game: str, values: dict[str, Any]) -> tuple[Game, dict[str, Any]]:
    """The game with its parameters, and the settings that are left."""
    own = set(load_game(game).parameters())
    rules = load_game(game, **{name: value for name, value in values.items() if name in own})
    return rules, {name: value for name, value in values.items() if name not in own}


def _live(life: Life, rounds: int | None, hours: float | None, quiet: bool) -> None:
    from clauseboard.selfplay.running import live

    told = _Told(quiet)
    try:
        live(life, rounds, hours, told.tell)
    except KeyboardInterrupt:
        print("\nStopped; everything so far is kept.", file=sys.stderr)
    finally:
        told.stop()


def _tell(life: Life, out: Path, plot: Path | None, as_json: bool) -> None:
    from clauseboard.selfplay.pictures import ratings_picture
    from clauseboard.selfplay.resuming import changes_in

    ratings, made = life.ratings(), life.store.generations()
    accepted = [True, *(bool(one.accepted) for one in made)]
    if plot is not None:
        title = f"{life.game!r}: Elo points by round, with 95 % intervals"
        plot.write_text(ratings_picture(ratings, accepted, title), "utf-8")
    best = life.store.best()
    spec = life.contestant(best).line(_folder(out)) if best else life.plan_of(0).begin
    changes = changes_in(life.store)
    page = {
        "file": str(out),
        "best": best,
        "player": spec,
        "changes": changes,
        "rounds": [
            {
                "round": one.round,
                "parent": one.parent,
                "accepted": one.accepted,
                "score": life.result(one.round).score.score,
                "elo": round(rating.elo, 1),
                **one.figures,
            }
            for one, rating in zip(made, ratings[1:], strict=True)
        ],
    }
    if as_json:
        print(json.dumps(page))
        return
    for one in page["rounds"]:  # type: ignore[attr-defined]
        if one["round"] in changes:
            new = ", ".join(f"{name}={value}" for name, value in changes[one["round"]].items())
            print(f"from round {one['round']} on: {new}")
        fate = {True: "accepted", False: "refused", None: "playing"}[one["accepted"]]
        print(
            f"round {one['round']}: {100 * one['score']:.1f} % against round {one['parent']}, "
            f"{fate}, Elo {one['elo']:+.0f}"
        )
    print(f"The best player so far is that of round {best}: {spec}")


def _folder(out: Path) -> Path:
    """Where the best machines are written, beside the file."""
    folder = out.with_name(f"{out.name}.machines")
    folder.mkdir(exist_ok=True)
    return folder


class _Told:
    """What a life tells of itself: a bar on a terminal, and a line for what took long."""

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet
        self.bar: ProgressBar | None = None

    def tell(self, step: Step) -> None:
        """Something was done."""
        if self.quiet:
            return
        title = f"round {step.round}, {step.what}"
        if step.note:
            self.stop()
            print(f"{title}: {step.note}", file=sys.stderr, flush=True)
            return
        if self.bar is None or self.bar.text != title:
            self.stop()
            self.bar = ProgressBar(title, step.of, counted=True, patience=0)
        self.bar.tell(step.done)

    def stop(self) -> None:
        """Take the bar away."""
        if self.bar is not None:
            self.bar.stop()
