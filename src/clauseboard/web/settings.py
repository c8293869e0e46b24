"""What a server is told when it starts; nothing of it ever comes from a request."""

from __future__ import annotations

import ipaddress
import os
import secrets
import sys
from dataclasses import dataclass, field
from pathlib import Path

LOOPBACK = "127.0.0.1"
PORT = 8765
SECONDS = (0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
"""Thinking times to choose from."""
USUAL_SECONDS = 1.0


def usual_data() -> Path:
    """The folder of a person's own files: games, and machines that were kept."""
    if sys.platform == "win32":
        above = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    else:
        above = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(above) / "clauseboard"


@dataclass(frozen=True)
class Settings:
    """How a server behaves.

    - `host`, `port`: where it listens; port 0 is any that is free. Bound to another address than
      this machine's own it demands `token`, which is made up where none is given;
    - `data`: the folder of its games, and of machines that are kept;
    - `folder`: where stores of tournaments and reports of experiments are looked for;
    - `players`: more opponents, each as one line (`tsetlin:machine=my.tm`);
    - `workers`: processes that think; one of them is for quick answers only;
    - `grace`: seconds that a player may take longer than its time before it is ended;
    - `rate`, `burst`: requests a second that one client may make, and so many at once;
    - `largest_body`: bytes of a request; `most_games`: how many are kept, the oldest go.
    """

    host: str = LOOPBACK
    port: int = PORT
    token: str | None = None
    data: Path = field(default_factory=usual_data)
    folder: Path | None = None
    players: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """Further names by which the machine may be asked for (the `Host` of a request)."""
    workers: int = field(default_factory=lambda: (os.cpu_count() or 1) + 1)
    grace: float = 20.0
    preparing: float = 300.0
    """Seconds to get a player ready: the first time on a machine, kernels are compiled."""
    rate: float = 300.0
    burst: int = 3000
    largest_body: int = 1 << 20
    most_games: int = 20_000

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise ValueError(f"port={self.port} is none; they go from 0 (any free one) to 65535.")
        if self.workers < 1:
            raise ValueError(f"workers={self.workers} is no number of processes from 1 on.")
        for name in ("grace", "preparing", "rate"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name}={getattr(self, name)!r} is no number above 0.")
        if not self.is_local and self.token is None:
            object.__setattr__(self, "token", secrets.token_urlsafe(24))

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the server."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False
