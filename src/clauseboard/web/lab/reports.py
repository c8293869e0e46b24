"""Tournaments and reports: those made on the page, and those in the folder that it was given.

A request names an id, which is looked up among the files in the folder; never a path. Reports are
shown without scripts, in a frame of their own.
"""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import functools
import hashlib
import itertools
import json
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from clauseboard.files import make_private, read_bytes, write_text
from clauseboard.play import read_rules
from clauseboard.sqlite_store import DAMAGE
from clauseboard.web.models import ResultTable, Tournament, TournamentPart

KINDS = {".html": "report", ".htm": "report", ".md": "report", ".sqlite": "tournament"}
PICTURES = {".png": "image/png", ".svg": "image/svg+xml"}
MOST_FILES = 300
DEEPEST = 4
LARGEST_REPORT = 8 << 20
LARGEST_PICTURE = 2 << 20
LARGEST_PICTURES = 20 << 20
"""Bytes of all pictures of a report."""
MOST_LOOKED_AT = 20_000
"""Names in a folder that are looked at: somebody may name the root of a disk."""
LARGEST_STORE = 1 << 30
MOST_GAMES = 100_000
MOST_ABOUT = 1 << 20
"""Bytes of what is told about a tournament beside its games."""
_MARK = slice(68, 72)
"""Where an SQLite file names its program (application_id)."""

POLICY = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
"""The content security policy of a report: it may only show itself."""


@dataclass(frozen=True)
class ReportFile:
    """A tournament or report; `title` is its path in the folder."""

    id: str
    title: str
    kind: str
    path: Path
    changed: float
    own: bool = False


class ReportFolder:
    """The tournaments and reports of a folder, and of those in which the page keeps its `own`."""

    def __init__(self, folder: Path | None, *own: Path) -> None:
        given = [] if folder is None else [(Path(os.path.realpath(folder)), False)]
        self.folders = [*((Path(os.path.realpath(each)), True) for each in own), *given]

    def files(self, kind: str) -> list[ReportFile]:
        """The files of a kind, "tournament" or "report", the newest first."""
        files = [file for file in self._all() if file.kind == kind]
        return sorted(files, key=lambda file: (-file.changed, file.title))

    def _all(self) -> Iterator[ReportFile]:
        for folder, own in self.folders:
            yield from itertools.islice(_files_in(folder, own), MOST_FILES)


def _files_in(folder: Path, own: bool) -> Iterator[ReportFile]:
    left = MOST_LOOKED_AT
    for above, folders, names in os.walk(folder):
        place = Path(above).relative_to(folder)
        if len(place.parts) >= DEEPEST:
            folders.clear()
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        left -= len(names) + len(folders)
        if left < 0:
            return
        for name in sorted(names):
            file = _file(folder, place / name, own)
            if file is not None:
                yield file


def _file(folder: Path, place: Path, own: bool) -> ReportFile | None:
    path, kind = folder / place, KINDS.get(place.suffix.lower())
    if kind is None:
        return None
    try:
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode):
            return None
        largest = LARGEST_REPORT if kind == "report" else LARGEST_STORE
        if status.st_size > largest or (kind == "tournament" and not _is_store(path)):
            return None
    except OSError:  # it was deleted meanwhile, or is another user's
        return None
    digest = hashlib.blake2b(os.fsencode(path), digest_size=9).digest()
    id = base64.urlsafe_b64encode(digest).decode()
    title = os.fsencode(place.stem if own else place.as_posix()).decode("utf-8", "replace")
    changed = status.st_mtime
    with contextlib.suppress(OSError):  # the games that SQLite has not moved to the file yet
        changed = max(changed, Path(f"{path}-wal").stat().st_mtime)
    return ReportFile(id, title, kind, path, changed, own)


# ---- tournaments


def _is_store(path: Path) -> bool:
    from clauseboard.arena.playing import MatchStore

    with path.open("rb") as file:
        head = file.read(_MARK.stop)
    return head[_MARK] == MatchStore.mark.to_bytes(4, "big")


@functools.lru_cache(maxsize=16)
def tournament(file: ReportFile) -> Tournament:
    """The tables of all matches in a store; a `ValueError` if it is damaged."""
    try:
        return _tournament(file)
    except ValueError:
        raise
    except (*DAMAGE, SyntaxError) as error:
        raise ValueError(f"it is damaged ({type(error).__name__}).") from error


def _tournament(file: ReportFile) -> Tournament:
    """The tables of all matches in a store, one set for each kind of game."""
    from clauseboard.arena.match import MatchResult, standings
    from clauseboard.arena.playing import MatchStore
    from clauseboard.arena.reporting import (
        tournament_notes,
        tournament_tables,
        tournament_title,
    )

    of, titles = _about(file)
    groups: dict[Any, list[MatchResult]] = {}
    total = 0
    with MatchStore(file.path) as store:
        for id, settings in store.matches().items():
            games = tuple(store.games(id))
            total += len(games)
            if total > MOST_GAMES:
                raise ValueError(f"There are more than {MOST_GAMES:,} games, too many to show.")
            if games:
                key = tuple(str(settings[name]) for name in ("game", "limit", "openings"))
                groups.setdefault(key, []).append(MatchResult(_match(settings), games))
    parts = []
    for results in groups.values():
        players = list(dict.fromkeys(name for result in results for name in result.match.players))
        ranked = standings(players, results)
        ranked = dataclasses.replace(
            ranked, players=tuple(titles.get(player, player) for player in players)
        )
        limit = dataclasses.asdict(results[0].match.limit)
        limits = {name: value for name, value in limit.items() if value is not None}
        each = ", ".join(
            f"{value} s" if name == "seconds" else f"{name} {value}"
            for name, value in limits.items()
        )
        title = tournament_title(ranked)
        parts.append(
            TournamentPart(
                title=f"{title} ({each} a move)" if each else title,
                tables=[ResultTable.model_validate(table) for table in tournament_tables(ranked)],
                notes=tournament_notes(ranked),
            )
        )
    return Tournament(
        id=file.id,
        title=file.title,
        own=file.own,
        games=total,
        of=of,
        running=False,
        text="",
        parts=parts,
    )


def _about(file: ReportFile) -> tuple[int | None, dict[str, str]]:
    """How many games there will be, and what the players are called; see `lab.tournaments`."""
    try:
        found = json.loads(read_bytes(file.path.with_suffix(".json"), MOST_ABOUT))
        return int(found["of"]), {str(line): str(name) for line, name in found["titles"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None, {}


def keep_report(folder: Path, title: str, kind: str, text: str) -> Path:
    """Keep a report in a folder of the page's own, under a name made of its title."""
    make_private(folder)
    if len(list(folder.iterdir())) >= MOST_FILES:
        raise ValueError(f"{MOST_FILES} reports are kept already; delete one first.")
    name = re.sub(r"[^\w .()-]", "_", title).strip(". ") or "report"
    path = next(
        path
        for n in itertools.count(1)
        if not (path := folder / f"{name}{f' {n}' if n > 1 else ''}.{kind}").exists()
    )
    write_text(path, text)
    return path


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


# ---- reports


def report_page(file: ReportFile) -> str:
    """A report as HTML."""
    text = file.path.read_text("utf-8", errors="replace")
    return markdown_page(text, file) if file.path.suffix.lower() == ".md" else text


def markdown_page(text: str, file: ReportFile) -> str:
    """Markdown as an HTML file; links are shown as words, for the frame cannot follow them."""
    from markdown_it import MarkdownIt

    from clauseboard.html_parts import page

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.add_render_rule("link_open", lambda *_: "")
    markdown.add_render_rule("link_close", lambda *_: "")
    left = LARGEST_PICTURES

    def image(_: Any, tokens: Any, n: int, *__: Any) -> str:
        nonlocal left
        alt, source = tokens[n].content, str(tokens[n].attrs["src"])
        content = _picture(source, file.path, min(left, LARGEST_PICTURE))
        if content is None:
            return f"<i>{escape(alt or source)}</i>"
        left -= len(content)
        kind, code = PICTURES[Path(source).suffix.lower()], base64.b64encode(content).decode()
        return f'<img alt="{escape(alt)}" src="data:{kind};base64,{code}">'

    markdown.add_render_rule("image", image)
    tokens = markdown.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1:]) + 1, 6)}"  # the title is the only h1
    return page(file.title, [markdown.renderer.render(tokens, markdown.options, {})])


def _picture(source: str, report: Path, most: int) -> bytes | None:
    """A picture that lies beside its report, if it is not too large."""
    path = report.with_name(Path(source).name)
    if path.suffix.lower() not in PICTURES or path.name != source or path.is_symlink():
        return None
    try:
        return read_bytes(path, most)
    except (OSError, ValueError):
        return None
