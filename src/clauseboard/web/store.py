"""The games of the page in a file, so that they survive a restart."""

from __future__ import annotations

import json
import time
from typing import Any, ClassVar

from clauseboard.sqlite_store import Database


class GameStore(Database):
    """Games by their ids, each as JSON; the table is also the list of the newest."""

    tables: ClassVar[str] = (
        "CREATE TABLE IF NOT EXISTS games ("
        "id TEXT PRIMARY KEY, changed REAL NOT NULL, content TEXT NOT NULL, summary TEXT NOT NULL);"
        "CREATE INDEX IF NOT EXISTS games_changed ON games (changed);"
    )
    mark: ClassVar[int] = 0x636C7767
    version: ClassVar[int] = 1
    content: ClassVar[str] = "games"

    def save(self, id: str, content: dict[str, Any], summary: dict[str, Any]) -> None:
        """Keep a game as it stands."""
        self._run(
            "INSERT INTO games VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
            "changed = excluded.changed, content = excluded.content, summary = excluded.summary",
            (id, time.time(), json.dumps(content), json.dumps(summary)),
        )

    def load(self, id: str) -> dict[str, Any] | None:
        """A game by its id."""
        rows = self._rows("SELECT content FROM games WHERE id = ?", (id,))
        return json.loads(rows[0][0]) if rows else None

    def newest(self, most: int) -> list[dict[str, Any]]:
        """The games that were changed last, in short."""
        rows = self._rows(
            "SELECT id, changed, summary FROM games ORDER BY changed DESC LIMIT ?", (most,)
        )
        return [
            {"id": id, "changed": changed, **json.loads(summary)} for id, changed, summary in rows
        ]

    def delete(self, id: str) -> None:
        """Forget a game."""
        self._run("DELETE FROM games WHERE id = ?", (id,))

    def prune(self, most: int) -> None:
        """Forget the oldest games, if there are more than so many."""
        self._run(
            "DELETE FROM games WHERE id IN "
            "(SELECT id FROM games ORDER BY changed DESC LIMIT -1 OFFSET ?)",
            (most,),
        )
