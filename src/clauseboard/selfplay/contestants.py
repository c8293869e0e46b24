"""Players with their machines in a parcel, so that any process, here or far away, can make them."""

from __future__ import annotations

import functools
import hashlib
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from clauseboard.game import Game
from clauseboard.player import Player


@dataclass(frozen=True)
class Contestant:
    """A player in one line, in which `{name}` stands for the file of each of its machines."""

    spec: str
    files: tuple[tuple[str, bytes], ...] = ()

    def player(self, game: Game) -> Player:
        """The player; made once in every process, for loading machines takes time."""
        return _made(self, game)

    def line(self, folder: Path) -> str:
        """The player in one line, with its machines written into a folder."""
        return self.spec.format(**_written(self.files, folder))


def learned(search: str, machine: bytes, moves: bytes | None) -> Contestant:
    """The player of a machine, and of one for moves, that searches as a line says.

    A machine without content is none: random games tell values then.

    >>> learned("mcts,simulations=10", b"...", None).spec
    'tsetlin:machine={machine},view=mover,search=mcts,simulations=10'
    >>> learned("mcts,rollouts=1", b"", b"...").spec
    'tsetlin:moves={moves},search=mcts,rollouts=1'
    """
    files, options = [], []
    if machine:
        files.append(("machine", machine))
        options += ["machine={machine}", "view=mover"]
    if moves is not None:
        files.append(("moves", moves))
        options.append("moves={moves}")
    return Contestant(f"tsetlin:{','.join([*options, f'search={search}'])}", tuple(files))


@functools.lru_cache(maxsize=4)
def _made(contestant: Contestant, game: Game) -> Player:
    from clauseboard.players import read_player

    with tempfile.TemporaryDirectory() as folder:
        return read_player(contestant.line(Path(folder)), game)


def _written(files: tuple[tuple[str, bytes], ...], folder: Path) -> Mapping[str, str]:
    paths = {}
    for name, content in files:
        path = folder / f"{name}-{hashlib.sha256(content).hexdigest()[:12]}.tm"
        if not path.exists():
            path.write_bytes(content)
        paths[name] = repr(str(path))
    return paths
