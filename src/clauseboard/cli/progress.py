"""A progress bar for what takes long."""

from __future__ import annotations

import sys
import time
from typing import Any, Self


class ProgressBar:
    """A progress bar on a terminal, for what takes longer than a moment; elsewhere nothing.

    `counted` shows how many of how many are done, beside the share of them; `patience` is how many
    seconds to wait with the bar: what is done by then needs none.

    >>> with ProgressBar("counting", 3) as bar:
    ...     for number in range(3):
    ...         bar.tell(number + 1)
    """

    def __init__(
        self,
        text: str,
        total: float = 1.0,
        *,
        counted: bool = False,
        patience: float = 1.0,
        quiet: bool = False,
    ) -> None:
        self.text, self.total, self.counted, self.patience = text, total, counted, patience
        self.quiet = quiet or not sys.stderr.isatty()
        self.started = time.monotonic()
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def tell(
        self, done: float, total: float | None = None, text: str | None = None, note: str = ""
    ) -> None:
        """So much is done; the total and the text may have changed."""
        self.total = self.total if total is None else total
        self.text = self.text if text is None else text
        late = time.monotonic() - self.started > self.patience and done < self.total
        if self._bar is None and late and not self.quiet:
            self._show()
        if self._bar is not None:
            self._bar.update(
                self._task, completed=done, total=self.total, description=self.text, note=note
            )

    def stop(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import MofNCompleteColumn, Progress, TextColumn

        columns = list(Progress.get_default_columns())
        if self.counted:
            columns.append(MofNCompleteColumn())
        columns.append(TextColumn("{task.fields[note]}"))
        self._bar = Progress(*columns, console=Console(stderr=True))
        self._task = self._bar.add_task(self.text, total=self.total, note="")
        self._bar.start()
