"""The pictures of a report, drawn with Matplotlib (the extra `plots`)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any


def draw(page: Mapping[str, Any], folder: Path, name: str) -> list[Path]:
    """Draw a page's pictures into PNG files named after the experiment; return their paths."""
    if not page["pictures"]:
        return []
    from matplotlib.figure import Figure

    drawn = []
    for picture in page["pictures"]:
        figure = Figure(figsize=(8, 4.5), layout="constrained")
        axes = figure.add_subplot()
        for number, (label, values) in enumerate(picture["curves"].items()):
            # The thesis's own colours: what was reached in orange, where it stopped in blue.
            colour = "tab:orange" if number == 0 else f"C{number + 1}"
            start = picture.get("start", 1)
            axes.plot(range(start, start + len(values)), values, color=colour, label=label)
        for number, (label, level) in enumerate(picture["levels"].items()):
            styles = ("-", "--", ":")
            axes.axhline(level, color="tab:blue", linestyle=styles[number % 3], label=label)
        axes.set(title=picture["title"], xlabel=picture["x_label"], ylabel=picture["y_label"])
        axes.legend()
        axes.grid(alpha=0.3)
        path = folder / f"{name}_{picture['name']}.png"
        figure.savefig(path, dpi=120, metadata={"Software": None})
        drawn.append(path)
    return drawn


def can_draw() -> bool:
    """Whether Matplotlib is there."""
    import importlib.util

    return importlib.util.find_spec("matplotlib") is not None
