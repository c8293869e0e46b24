"""The weights drawn: over a game, as in the report this learner is from, and over the games."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from clauseboard.learners.temporal import files
from clauseboard.learners.temporal.heuristic import Numbers


def plot_game(model: Path | str, out: Path | str, which: str = "first") -> None:
    """Draw how the weights changed in the "first" or the "last" game of a training."""
    if which not in ("first", "last"):
        raise ValueError(f"which={which!r} is neither 'first' nor 'last'.")
    kept = files.load(model)
    rows = kept.rows(f"{which}_game")
    _draw(rows, kept.heuristic.features.names, "changes of the weights, one a move", out)


def plot_games(model: Path | str, out: Path | str) -> None:
    """Draw the weights before the first game and after each one; what was undone is marked."""
    kept = files.load(model)
    undone = list(kept.sentences("undone"))
    _draw(kept.rows("history"), kept.heuristic.features.names, "games", out, undone)


def _draw(
    rows: Numbers, names: Sequence[str], what: str, out: Path | str, marks: Sequence[int] = ()
) -> None:
    """A line for each weight, in a picture whose kind the name of the file tells."""
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise ValueError(
            "Drawing needs matplotlib; install it with clauseboard's extra `plots`."
        ) from error
    # The same numbers give the same bytes: no date, and names that are not drawn by chance.
    with matplotlib.rc_context({"svg.hashsalt": "clauseboard", "svg.fonttype": "none"}):
        figure = Figure(figsize=(6.4, 3.6), layout="constrained")
        axes: Any = figure.subplots()
        for name, weights in zip(names, rows.T, strict=True):
            axes.plot(range(len(rows)), weights, label=name, linewidth=1.4)
        for mark in marks:
            axes.axvline(mark, color="grey", linewidth=0.8, linestyle=":")
        axes.axhline(0, color="grey", linewidth=0.6)
        axes.set_xlabel(what)
        axes.set_ylabel("weight")
        axes.set_xlim(0, max(len(rows) - 1, 1))
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.grid(alpha=0.25)
        axes.legend(frameon=False, fontsize="small", ncols=1 if len(names) < 5 else 2)
        kind = Path(out).suffix.lstrip(".").lower()
        if kind not in figure.canvas.get_supported_filetypes():
            raise ValueError(f"{str(out)!r} names no kind of picture; end it in .svg or .png.")
        figure.savefig(out, metadata={"Date": None} if kind == "svg" else None)
