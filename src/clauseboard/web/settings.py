"""The settings of a server; none of them ever comes from a request."""

from __future__ import annotations

import contextlib
import ipaddress
import os
import re
import secrets
import sys
from dataclasses import dataclass, field
from pathlib import Path

from clauseboard.files import make_private, read_bytes

LOOPBACK = "127.0.0.1"
PORT = 8765
SECONDS = (0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
"""Thinking times to choose from."""
USUAL_SECONDS = 1.0
MOST_TOKEN = 200
"""Bytes of the file of the token."""


def usual_data() -> Path:
    """The default folder of the games and the saved machines."""
    if sys.platform == "win32":
        above = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    else:
        above = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(above) / "clauseboard"


def kept_token(data: Path) -> str:
    """The token of the server of this folder: the same at every start, so that a cookie stays."""
    path, fresh = data / "token", secrets.token_urlsafe(24)
    try:
        make_private(data)
        data.chmod(0o700)
        if not (kept := _token_in(path)):
            path.unlink(missing_ok=True)  # a disk may have been full
            with contextlib.suppress(FileExistsError), open(path, "x", opener=_private) as file:
                file.write(fresh)
        return kept or _token_in(path) or fresh
    except OSError:
        return fresh  # opening the store will say what is wrong


def _token_in(path: Path) -> str:
    """The token in a file; empty if there is none that is whole."""
    try:
        text = read_bytes(path, MOST_TOKEN).decode("ascii").strip()
    except ValueError:
        return ""
    return text if re.fullmatch(r"[\w-]{32,100}", text) else ""


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


@dataclass(frozen=True)
class Settings:
    """How a server behaves.

    - `host`, `port`: where it listens; port 0 is any free one;
    - `token`: what a browser has to show once, for other users of this machine can reach the
      server, too; it is made up if none is given;
    - `once`: a token that serves one time, for the browser that the program opens: other users can
      read its command line;
    - `data`: the folder of its games and saved machines;
    - `folder`: the folder with tournaments and reports to show;
    - `players`: more opponents, each as one line (`tsetlin:machine=my.tm`);
    - `names`: further host names of this machine (the `Host` of a request);
    - `workers`: processes that think; one of them is for quick answers only;
    - `grace`: seconds that a player may overrun its time before it is ended;
    - `preparing`: seconds to load a player: the first time on a machine, kernels are compiled;
    - `rate`, `burst`: requests a second that one client may make, and how many at once;
    - `largest_body`: bytes of a request; `most_games`: games that are saved, the newest ones.
    """

    host: str = LOOPBACK
    port: int = PORT
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    once: str = field(default="", repr=False)
    data: Path = field(default_factory=usual_data)
    folder: Path | None = None
    players: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    workers: int = field(default_factory=lambda: (os.cpu_count() or 1) + 1)
    grace: float = 20.0
    preparing: float = 300.0
    rate: float = 300.0
    burst: int = 3000
    largest_body: int = 1 << 20
    most_games: int = 20_000

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise ValueError(f"port={self.port} must be from 0 (any free one) to 65535.")
        if self.workers < 1:
            raise ValueError(f"workers={self.workers} must be at least 1.")
        for name in ("grace", "preparing", "rate"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name}={getattr(self, name)!r} must be above 0.")
        if not self.token:
            raise ValueError("The token of the page may not be empty.")

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the server."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False
