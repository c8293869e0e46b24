"""Machines that a person trained here and kept: a file and a card each, in the data folder.

The names of the files are the server's own; what the person calls a machine stands in its card.
Each is an opponent of the games that it fits.
"""

from __future__ import annotations

import json
import secrets
import shutil
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from clauseboard.game import Game
from clauseboard.players.spec import write_spec
from clauseboard.web.board_view import settings_of
from clauseboard.web.lab.training_process import HELD_OUT, MACHINE, options_of, player_of
from clauseboard.web.opponents import Opponent

PREFIX = "kept-"
MOST = 200
"""Machines that are kept at the most."""


@dataclass(frozen=True)
class SavedMachine:
    """What is said of a kept machine."""

    name: str
    title: str
    game: str
    settings: dict[str, Any]
    learner: str
    about: str
    strength: str


class SavedMachines:
    """The machines of a folder."""

    def __init__(self, data: Path) -> None:
        self.folder = data / "machines"
        self.cards: dict[str, SavedMachine] = {}
        for path in sorted(self.folder.glob("*.json")):
            try:
                card = SavedMachine(name=path.stem, **json.loads(path.read_text("utf-8")))
            except (OSError, ValueError, TypeError):
                continue  # no card of ours; what it describes is not offered
            self.cards[card.name] = card

    def opponents(self, game: Game) -> list[Opponent]:
        """Those that play a game, the newest first."""
        here = settings_of(game)
        return [
            self.opponent(card)
            for card in reversed(self.cards.values())
            if card.game == game.name and card.settings == here
        ]

    def opponent(self, card: SavedMachine) -> Opponent:
        """A machine as an opponent."""
        line = write_spec(player_of(card.learner), options_of(card.learner, self.file(card.name)))
        return Opponent(
            f"{PREFIX}{card.name}", card.title, card.about, line, card.strength,
            judges=True, readable=True,
        )  # fmt: skip

    def file(self, name: str) -> Path:
        """The file of a machine, by a name that the server gave."""
        return (self.folder / f"{name}.machine").resolve()

    def boards(self, id: str) -> str | None:
        """The boards that a machine did not learn from, where they were kept with it."""
        path = self.file(id.removeprefix(PREFIX)).with_suffix(".npz")
        return str(path) if id.startswith(PREFIX) and path.is_file() else None

    def keep(
        self, folder: Path, title: str, game: Game, learner: str, about: str, strength: str
    ) -> SavedMachine:
        """Keep what a training left in its folder."""
        if len(self.cards) >= MOST:
            raise ValueError(f"{MOST} machines are kept already; delete one first.")
        self.folder.mkdir(parents=True, exist_ok=True)
        name = f"{game.name}-{time.strftime('%Y%m%d')}-{secrets.token_hex(3)}"
        card = SavedMachine(name, title, game.name, settings_of(game), learner, about, strength)
        file = self.file(name)
        shutil.copyfile(folder / MACHINE, file)
        if (folder / HELD_OUT).is_file():
            shutil.copyfile(folder / HELD_OUT, file.with_suffix(".npz"))
        # The card comes last: without it a machine is not there.
        page = {key: value for key, value in asdict(card).items() if key != "name"}
        file.with_suffix(".json").write_text(json.dumps(page, indent=1), "utf-8")
        self.cards[name] = card
        return card

    def delete(self, id: str) -> bool:
        """Forget a machine; False if there is none of this id."""
        card = self.cards.pop(id.removeprefix(PREFIX), None) if id.startswith(PREFIX) else None
        if card is None:
            return False
        for suffix in (".json", ".machine", ".npz"):
            self.file(card.name).with_suffix(suffix).unlink(missing_ok=True)
        return True
