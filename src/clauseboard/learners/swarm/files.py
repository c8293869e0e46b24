"""Networks on disk: what a player needs of them, and what their trainer needs to go on."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.array_file import expect, read, write
from clauseboard.game import Game, load_game
from clauseboard.learners.swarm.network import MOST_HIDDEN, Numbers, Shape, worths_of

FORMAT = "clauseboard network"
VERSION = 1


@dataclass(frozen=True)
class Kept:
    """A file of a network: its shape, its weights, who trained it; and what that trainer kept."""

    path: Path
    shape: Shape
    weights: Numbers
    trained_by: str
    options: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]]

    def array(self, name: str, *shape: int, dtype: Any = np.float64) -> NDArray[Any]:
        """An array that the trainer kept, if it is as it should be."""
        return expect(self.path, self.arrays, name, shape, dtype)


def save_network(
    path: Path,
    shape: Shape,
    weights: Numbers,
    trained_by: str,
    options: Any,
    arrays: Mapping[str, NDArray[Any]],
) -> None:
    """Write a network, and what its trainer (by name) needs to go on.

    The number of threads is left out, so that it changes no byte.
    """
    game = shape.game
    settings = {name: value for name, value in vars(options).items() if name != "n_jobs"}
    page = {
        "trained_by": trained_by,
        "game": {
            "name": game.name,
            "version": game.version,
            "parameters": dataclasses.asdict(game),  # type: ignore[call-overload]
        },
        "hidden": shape.hidden,
        "worth": dict(shape.worth),
        "balanced": shape.balanced,
        "options": settings,
    }
    write(path, FORMAT, VERSION, page, {"weights": weights, **arrays})


def load_network(path: Path | str) -> Kept:
    """Read a network; a `ValueError` that says what is wrong with the file."""
    path = Path(path)
    page, arrays = read(path, FORMAT, VERSION)
    try:
        about = page["game"]
        game: Game = load_game(about["name"], **about["parameters"])
        version = int(about["version"])
        hidden, worth = page["hidden"], worths_of(game, page["worth"])
        if type(hidden) is not int or not 1 <= hidden <= MOST_HIDDEN:
            raise ValueError(f"it has {hidden!r} hidden units")
        balanced = page.get("balanced", False)
        if not isinstance(balanced, bool):
            raise ValueError(f"balanced is {balanced!r}")
        trained_by, options = str(page["trained_by"]), dict(page["options"])
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} is damaged: {error}.") from error
    if version != game.version:
        raise ValueError(
            f"{path} was trained on version {version} of {game.name}; this is version "
            f"{game.version}, whose boards may be other ones. Train it again."
        )
    shape = Shape(game, hidden, worth, balanced)
    weights = expect(path, arrays, "weights", (shape.size,), np.float64)
    return Kept(path, shape, weights, trained_by, options, arrays)


def load_training(path: Path, trained_by: str) -> Kept:
    """Read a network that this trainer is to go on with."""
    kept = load_network(path)
    if kept.trained_by != trained_by:
        raise ValueError(
            f"{path} was trained by {kept.trained_by!r}, and only that can go on; this is "
            f"{trained_by!r}."
        )
    return kept
