"""A Dask cluster on this machine: a scheduler and workers, each a process of its own."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys


def free_port():
    with socket.socket() as some:
        some.bind(("127.0.0.1", 0))
        return some.getsockname()[1]


@contextlib.contextmanager
def cluster(tmp_path, n_workers):
    """A scheduler and workers, each a process of its own."""
    address = f"tcp://127.0.0.1:{free_port()}"
    environment = {**os.environ, "DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "error"}

    def started(*words):
        log = (tmp_path / f"{words[0]}-{len(programs)}.log").open("w")
        return subprocess.Popen(
            [sys.executable, "-m", "dask", *words], stdout=log, stderr=log, env=environment,
            cwd=tmp_path,
        )  # fmt: skip

    programs = []
    try:
        port = address.rsplit(":", 1)[1]
        programs.append(
            started("scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard")
        )
        for _ in range(n_workers):
            programs.append(
                started(
                    "worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard",
                    "--host", "127.0.0.1", "--local-directory", str(tmp_path),
                )
            )  # fmt: skip
        wait_for_workers(address, n_workers)
        yield address, programs[1:]
    finally:
        for program in programs:
            program.kill()
            program.wait()


def wait_for_workers(address, n_workers):
    from distributed import Client

    with Client(address, timeout=300, set_as_default=False) as client:
        if n_workers:
            client.wait_for_workers(n_workers, timeout=300)
