"""Machines that a person trained here and saved: a file and a card each, in the data folder.

The server makes up the names of the files; the person's title is in the card. Each machine is an
opponent in the games that it fits.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import shutil
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from clauseboard.files import read_bytes, write_text
from clauseboard.game import Game
from clauseboard.players import write_spec
from clauseboard.sqlite_store import DAMAGE
from clauseboard.web.board_view import settings_of
from clauseboard.web.opponents import Opponent

PREFIX = "kept-"
MOST = 200
"""Machines that can be saved."""
MOST_BYTES = 1 << 20
"""Bytes of a card."""
MACHINE, HELD_OUT = "machine", "held-out.npz"
"""The files in the folder of a training: the machine, and boards that it did not learn from."""


@dataclass(frozen=True)
class SavedMachine:
    """The card of a saved machine."""

    name: str
    title: str
    game: str
    settings: dict[str, Any]
    learner: str
    about: str
    strength: str

    def __post_init__(self) -> None:
        texts = (self.title, self.game, self.learner, self.about, self.strength)
        if not all(isinstance(text, str) for text in texts) or not isinstance(self.settings, dict):
            raise TypeError("A card has texts, and settings by their names.")
        player_of(self.learner)


class SavedMachines:
    """The machines of a folder."""

    def __init__(self, data: Path) -> None:
        self.folder = data / "machines"
        self.cards: dict[str, SavedMachine] = {}
        for path in sorted(self.folder.glob("*.json")):
            with contextlib.suppress(OSError, *DAMAGE):  # it is not one of our cards
                card = SavedMachine(name=path.stem, **json.loads(read_bytes(path, MOST_BYTES)))
                self.cards[card.name] = card

    def opponents(self, game: Game) -> list[Opponent]:
        """The machines that play a game, the newest first."""
        settings = settings_of(game)
        return [
            Opponent(
                f"{PREFIX}{card.name}",
                card.title,
                card.about,
                player_line(card.learner, self.file(card.name)),
                card.strength,
                judges=True,
                readable=True,
                kept=True,
            )
            for card in reversed(self.cards.values())
            if card.game == game.name and card.settings == settings
        ]

    def file(self, name: str) -> Path:
        """The file of a machine, by the server's name for it."""
        return (self.folder / f"{name}.machine").resolve()

    def boards(self, id: str) -> str | None:
        """The boards that a machine did not learn from, if they were saved with it."""
        path = self.file(id.removeprefix(PREFIX)).with_suffix(".npz")
        return str(path) if id.startswith(PREFIX) and path.is_file() else None

    def save(
        self, folder: Path, title: str, game: Game, learner: str, about: str, strength: str
    ) -> str:
        """Save the machine in the folder of a training; its id as an opponent."""
        if len(self.cards) >= MOST:
            raise ValueError(f"{MOST} machines are saved already; delete one first.")
        self.folder.mkdir(parents=True, exist_ok=True)
        name = f"{game.name}-{time.strftime('%Y%m%d')}-{secrets.token_hex(3)}"
        card = SavedMachine(name, title, game.name, settings_of(game), learner, about, strength)
        file = self.file(name)
        content = {key: value for key, value in asdict(card).items() if key != "name"}
        try:
            shutil.copyfile(folder / MACHINE, file)
            if (folder / HELD_OUT).is_file():
                shutil.copyfile(folder / HELD_OUT, file.with_suffix(".npz"))
            # The card comes last: only with it the machine is complete.
            write_text(file.with_suffix(".json"), json.dumps(content, indent=1))
        except OSError:
            self._remove_files(name)
            raise
        self.cards[name] = card
        return f"{PREFIX}{name}"

    def delete(self, id: str) -> bool:
        """Delete a machine; False if there is none of this id."""
        card = self.cards.pop(id.removeprefix(PREFIX), None) if id.startswith(PREFIX) else None
        if card is None:
            return False
        self._remove_files(card.name)
        return True

    def _remove_files(self, name: str) -> None:
        for suffix in (".json", ".machine", ".npz"):
            self.file(name).with_suffix(suffix).unlink(missing_ok=True)


def player_of(learner: str) -> str:
    """The player of a trainer; "swarm-descent" is another way to train "swarm"."""
    from clauseboard.learners import learner_of_trainer

    return learner_of_trainer(learner).__name__.rpartition(".")[2].replace("_", "-")


def player_options(learner: str, path: Path) -> dict[str, Any]:
    """The options of the player of a file: the first one of every learner is its file."""
    from clauseboard.learners import learner_of_trainer

    names = list(learner_of_trainer(learner).OPTIONS)
    return {names[0]: str(path), **({"view": "mover"} if "view" in names else {})}


def player_line(learner: str, path: Path) -> str:
    """The player of a file, as one line."""
    return write_spec(player_of(learner), player_options(learner, path))
