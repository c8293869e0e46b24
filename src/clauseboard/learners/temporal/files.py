"""What was learned, on disk: JSON that people can read, the same bytes for the same training.

A file is written beside its place and moved there when whole. Nothing in it is believed before it
is looked at.
"""

from __future__ import annotations

import dataclasses
import json
import math
import os
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from clauseboard.game import Game, load_game
from clauseboard.learners.temporal.heuristic import FeatureSet, Heuristic, Numbers

FORMAT = "clauseboard weights of features"
VERSION = 1
LARGEST = 1 << 27
"""Bytes of the largest file that is read."""


@dataclass(frozen=True)
class Kept:
    """A file: what judges boards, and what its trainer needs to go on."""

    path: Path
    heuristic: Heuristic
    page: Mapping[str, Any]

    def rows(self, name: str) -> Numbers:
        """Some rows of weights that the trainer kept."""
        n = len(self.heuristic.features)
        rows = self.page.get(name)
        if not isinstance(rows, list) or not all(_is_numbers(row, n) for row in rows):
            raise ValueError(f"{self.path} is damaged: {name} are no rows of {n} numbers.")
        return np.array(rows, np.float64).reshape(-1, n)

    def sentences(self, name: str) -> dict[int, str]:
        """Sentences by the numbers of the games that they tell of."""
        found = self.page.get(name)
        if not isinstance(found, dict) or not all(
            number.isdecimal() and isinstance(text, str) for number, text in found.items()
        ):
            raise ValueError(f"{self.path} is damaged: {name} are no sentences about games.")
        return {int(number): text for number, text in found.items()}

    def whole(self, name: str, most: int | None = None) -> int:
        """A whole number from 0 on that the trainer kept."""
        value = self.page.get(name)
        if type(value) is not int or value < 0 or (most is not None and value > most):
            raise ValueError(f"{self.path} is damaged: {name} is {value!r}.")
        return value


def save(path: Path, heuristic: Heuristic, extra: Mapping[str, Any]) -> None:
    """Write a heuristic, and what else is to be kept."""
    features = heuristic.features
    game = features.game
    page = {
        "format": FORMAT,
        "version": VERSION,
        "game": {
            "name": game.name,
            "version": game.version,
            "parameters": dataclasses.asdict(game),  # type: ignore[call-overload]
        },
        "features": features.name,
        "lead": heuristic.lead,
        "weights": dict(zip(features.names, heuristic.weights.tolist(), strict=True)),
        **extra,
    }
    # One row of numbers a line, not one number a line.
    parts = [f"{json.dumps(name)}: {_written(value)}" for name, value in page.items()]
    path = Path(path)
    beside = path.with_name(f"{path.name}.{uuid.uuid4().hex[:8]}.part")
    try:
        beside.write_text("{\n" + ",\n".join(parts) + "\n}\n", "utf-8")
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def _written(value: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], list):
        return "[\n" + ",\n".join(f" {json.dumps(row)}" for row in value) + "\n]"
    return json.dumps(value)


def load(path: Path | str) -> Kept:
    """Read a file; a `ValueError` that says what is wrong with it."""
    path = Path(path)
    if not path.is_file():
        raise ValueError(f"There is no file {str(path)!r} to read {FORMAT} from.")
    size = path.stat().st_size
    if size > LARGEST:
        raise ValueError(f"{path} has {size:,} bytes; {FORMAT} have {LARGEST:,} at the most.")
    content = path.read_bytes()
    if not content.lstrip().startswith(b"{"):
        what = "is empty" if not content.strip() else "is a file of another kind"
        raise ValueError(f"{path} {what}, not {FORMAT}.")
    try:
        page = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is damaged or cut short: {error}.") from error
    if page.get("format") != FORMAT:
        kind = page.get("format")
        raise ValueError(f"{path} holds {kind or 'something else'}, not {FORMAT}.")
    if type(page.get("version")) is not int or not 1 <= page["version"] <= VERSION:
        raise ValueError(
            f"{path} has format version {page.get('version')}; this program reads up to {VERSION}."
        )
    try:
        about = page["game"]
        game: Game = load_game(about["name"], **about["parameters"])
        version = about["version"]
        features = FeatureSet(game, page["features"])
        weights, lead = page["weights"], page["lead"]
        if not isinstance(weights, dict) or list(weights) != features.names:
            raise ValueError(f"the weights are not those of {', '.join(features.names)}")
        if not _is_numbers([lead, *weights.values()], 1 + len(features)) or lead <= 0:
            raise ValueError("a weight is no number")
        heuristic = Heuristic(features, np.array(list(weights.values()), np.float64), lead)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} is damaged: {str(error).rstrip('.')}.") from error
    if version != game.version:
        raise ValueError(
            f"{path} was trained on version {version} of {game.name}; this is version "
            f"{game.version}, whose boards may be other ones. Train it again."
        )
    return Kept(path, heuristic, page)


def _is_numbers(row: Any, n: int) -> bool:
    return (
        isinstance(row, list)
        and len(row) == n
        and all(type(x) in (int, float) and math.isfinite(x) for x in row)
    )
