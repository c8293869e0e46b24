"""Tournaments and reports in the folder that the server was started with.

A request names an id, which is looked for among the files that are there; never a path. Reports are
shown without scripts, in a frame of their own.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from clauseboard.play.saved_games import read_rules

KINDS = {".html": "report", ".htm": "report", ".md": "report", ".sqlite": "tournament"}
PICTURES = {".png": "image/png", ".svg": "image/svg+xml"}
MOST_FILES = 300
DEEPEST = 4
LARGEST_REPORT = 8 << 20
LARGEST_PICTURE = 2 << 20
LARGEST_STORE = 1 << 30
MOST_GAMES = 100_000
_MARK = slice(68, 72)
"""Where an SQLite file says whose it is (application_id)."""

POLICY = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
"""What a report may do: show itself."""


@dataclass(frozen=True)
class Entry:
    """A file on the shelf; `title` is its place in the folder."""

    id: str
    title: str
    kind: str
    path: Path
    changed: float


class ReportFolder:
    """What lies in a folder; nothing, without one."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = None if folder is None else folder.resolve()

    def entries(self, kind: str) -> list[Entry]:
        """The tournaments, or the reports, the newest first."""
        found = [one for one in self._files() if one.kind == kind]
        return sorted(found, key=lambda one: (-one.changed, one.title))

    def get(self, kind: str, id: str) -> Entry:
        """A file by its id; a `LookupError` if there is none."""
        for one in self.entries(kind):
            if one.id == id:
                return one
        raise LookupError(f"There is no such {kind} any more.")

    def _files(self) -> Iterator[Entry]:
        if self.folder is None:
            return
        left = MOST_FILES
        for above, folders, names in os.walk(self.folder):
            place = Path(above).relative_to(self.folder)
            if len(place.parts) >= DEEPEST:
                folders.clear()
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(names):
                entry = self._entry(place / name)
                if entry is None:
                    continue
                if left == 0:
                    return
                left -= 1
                yield entry

    def _entry(self, place: Path) -> Entry | None:
        assert self.folder is not None
        path, kind = self.folder / place, KINDS.get(place.suffix.lower())
        if kind is None or path.is_symlink() or not path.is_file():
            return None
        about = path.stat()
        largest = LARGEST_REPORT if kind == "report" else LARGEST_STORE
        if about.st_size > largest or (kind == "tournament" and not _is_store(path)):
            return None
        told = hashlib.blake2b(place.as_posix().encode(), digest_size=9).digest()
        id = base64.urlsafe_b64encode(told).decode()
        return Entry(id, place.as_posix(), kind, path, about.st_mtime)


def report_page(entry: Entry) -> str:
    """A report as HTML."""
    text = entry.path.read_text("utf-8", errors="replace")
    return markdown_page(text, entry) if entry.path.suffix.lower() == ".md" else text


# ---- tournaments


def _is_store(path: Path) -> bool:
    from clauseboard.arena.store import Store

    with path.open("rb") as file:
        head = file.read(_MARK.stop)
    return head[_MARK] == Store.mark.to_bytes(4, "big")


def tournament(entry: Entry) -> dict[str, Any]:
    """The tables of all matches in a store, one set for each kind of game."""
    return _tournament(entry.path, entry.changed)


@functools.lru_cache(maxsize=16)
def _tournament(path: Path, changed: float) -> dict[str, Any]:
    from clauseboard.arena.match import Result
    from clauseboard.arena.reporting import (
        game_text,
        tournament_notes,
        tournament_page,
        tournament_tables,
    )
    from clauseboard.arena.store import Store
    from clauseboard.arena.tournament import standings

    groups: dict[Any, list[Result]] = {}
    total = 0
    with Store(path) as store:
        for id, settings in store.matches().items():
            games = tuple(store.games(id))
            total += len(games)
            if total > MOST_GAMES:
                raise ValueError(f"There are more than {MOST_GAMES:,} games, too many to show.")
            if games:
                key = tuple(str(settings[name]) for name in ("game", "limit", "openings"))
                groups.setdefault(key, []).append(Result(_match(settings), games))
    parts = []
    for results in groups.values():
        players = list(dict.fromkeys(name for one in results for name in one.match.players))
        page = tournament_page(standings(players, results))
        limit = results[0].match.settings()["limit"]
        each = ", ".join(f"{name} {value}" for name, value in limit.items())
        title = f"{page['games']:,} games of {game_text(page['game'])}"
        parts.append(
            {
                "title": f"{title} ({each} a move)" if each else title,
                "tables": [
                    {"title": one.title, "heads": list(one.heads), "rows": [*map(list, one.rows)]}
                    for one in tournament_tables(page)
                ],
                "notes": tournament_notes(page),
            }
        )
    return {"games": total, "parts": parts}


def _match(settings: dict[str, Any]) -> Any:
    """The match that its settings describe."""
    from clauseboard.arena.match import Match
    from clauseboard.evaluation import Limit

    return Match(
        read_rules(settings["game"]),
        tuple(settings["players"]),
        seed=settings["seed"],
        limit=Limit(**settings["limit"]),
        openings=tuple(tuple(text.split()) for text in settings["openings"]),
        most_moves=settings["most_moves"],
    )


# ---- Markdown, as far as our reports use it

_BLOCK = re.compile(
    r"```[^\n]*\n(?P<code>.*?)\n```"
    r"|(?P<level>#{1,4}) +(?P<head>[^\n]+)"
    r"|(?P<table>(?:\|[^\n]*\|[ ]*(?:\n|$))+)"
    r"|(?P<list>(?:[-*] [^\n]+(?:\n|$)(?:  [^\n]+(?:\n|$))*)+)"
    r"|(?P<text>[^\n]+(?:\n(?![#|`]|[-*] )[^\n]+)*)",
    re.DOTALL,
)
_SPAN = re.compile(
    r"`(?P<code>[^`]+)`|\*\*(?P<bold>[^*]+)\*\*|!\[(?P<alt>[^\]]*)\]\((?P<source>[^)\s]+)\)"
    r"|\[(?P<words>[^\]]+)\]\([^)\s]+\)"
)


def markdown_page(text: str, entry: Entry) -> str:
    """Markdown as an HTML file; links are shown as words, for they lead nowhere from here."""
    from clauseboard.explaining.html_writer import page

    return page(entry.title, [_block(found, entry.path) for found in _BLOCK.finditer(text)])


def _block(found: re.Match[str], path: Path) -> str:
    if found["code"] is not None:
        return f"<pre>{escape(found['code'])}</pre>"
    if found["head"] is not None:
        level = len(found["level"]) + 1
        return f"<h{level}>{_spans(found['head'], path)}</h{level}>"
    if found["table"] is not None:
        return _table(found["table"], path)
    if found["list"] is not None:
        items = re.split(r"^[-*] ", found["list"], flags=re.MULTILINE)[1:]
        return f"<ul>{''.join(f'<li>{_spans(item, path)}</li>' for item in items)}</ul>"
    return f"<p>{_spans(found['text'], path)}</p>"


def _table(text: str, path: Path) -> str:
    rows = [
        [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip()[1:-1])]
        for line in text.strip().splitlines()
    ]
    ruled = len(rows) > 1 and all(re.fullmatch(r":?-+:?", cell) for cell in rows[1])
    body = rows[2:] if ruled else rows
    head = "".join(f"<th>{_spans(cell, path)}</th>" for cell in rows[0]) if ruled else ""
    lines = "".join(
        f"<tr>{''.join(f'<td>{_spans(cell, path)}</td>' for cell in row)}</tr>" for row in body
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"


def _spans(text: str, path: Path) -> str:
    parts, place = [], 0
    for found in _SPAN.finditer(text):
        parts.append(escape(text[place : found.start()].replace("\\|", "|")))
        place = found.end()
        if found["code"] is not None:
            parts.append(f"<code>{escape(found['code'])}</code>")
        elif found["bold"] is not None:
            parts.append(f"<b>{escape(found['bold'])}</b>")
        elif found["source"] is not None:
            parts.append(_picture(found["source"], found["alt"], path))
        else:
            parts.append(escape(found["words"]))
    return "".join([*parts, escape(text[place:].replace("\\|", "|"))])


def _picture(source: str, alt: str, path: Path) -> str:
    """A picture that lies beside its report, inside the page itself."""
    beside = path.with_name(Path(source).name)
    kind = PICTURES.get(beside.suffix.lower())
    plain = beside.name == source and not beside.is_symlink() and beside.is_file()
    if kind is None or not plain or beside.stat().st_size > LARGEST_PICTURE:
        return f"<i>{escape(alt or source)}</i>"
    content = base64.b64encode(beside.read_bytes()).decode()
    return f'<img alt="{escape(alt)}" src="data:{kind};base64,{content}">'
