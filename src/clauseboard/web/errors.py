"""What cannot be done: a status for the answer, and a sentence for the person."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class ApiError(Exception):
    """What cannot be done: the status of the answer, and a sentence."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status, self.detail = status, detail


def refused(work: Callable[[], Any], status: int = 422) -> Any:
    """What some work gives; a `ValueError` becomes a refusal with the same sentence."""
    try:
        return work()
    except ValueError as error:
        raise ApiError(status, str(error)) from None
