"""Learned clauses to read: one by one, merged into rules, and as the votes on a sample."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from clauseboard.tsetlin.packing import View

Label = Hashable
"""A class: a number or a text; None for a regressor, which has none."""


@dataclass(frozen=True)
class Clause:
    """A pattern and what it votes for.

    >>> clause = Clause("win", True, 31, ("rain",), ("wind",), index=4)
    >>> clause.votes
    31
    >>> print(clause)
    +31 win: rain, not wind
    """

    class_: Label
    """The class it speaks about; None for a regressor, which has but one thing to speak about."""
    favours: bool
    """Whether it votes for that class, or against it."""
    weight: int
    required: tuple[str, ...]
    """Names of the bits that must be 1."""
    forbidden: tuple[str, ...]
    """Names of the bits that must be 0."""
    index: int | None = None
    """Its number among the clauses of its class; None where several are merged."""

    @property
    def votes(self) -> int:
        """The weight, negative where the clause votes against."""
        return self.weight if self.favours else -self.weight

    @property
    def literals(self) -> tuple[str, ...]:
        """What it needs, in words."""
        return (*self.required, *(f"not {name}" for name in self.forbidden))

    def __str__(self) -> str:
        about = "" if self.class_ is None else f" {self.class_}"
        return f"{self.votes:+d}{about}: {', '.join(self.literals) or '(always)'}"

    def to_dict(self) -> dict[str, Any]:
        """The clause in JSON's types."""
        return {
            "class": plain(self.class_),
            "favours": self.favours,
            "weight": self.weight,
            "required": list(self.required),
            "forbidden": list(self.forbidden),
            "index": self.index,
        }


@dataclass(frozen=True)
class RuleBook:
    """Clauses to read, strongest first. `str` gives text; `to_json`, `to_markdown` the others."""

    clauses: tuple[Clause, ...]

    def __len__(self) -> int:
        return len(self.clauses)

    def __iter__(self) -> Iterator[Clause]:
        return iter(self.clauses)

    @overload
    def __getitem__(self, index: int) -> Clause: ...

    @overload
    def __getitem__(self, index: slice) -> RuleBook: ...

    def __getitem__(self, index: int | slice) -> Clause | RuleBook:
        if isinstance(index, slice):
            return RuleBook(self.clauses[index])
        return self.clauses[index]

    def __str__(self) -> str:
        return "\n".join(str(clause) for clause in self.clauses)

    def to_json(self) -> str:
        """A JSON list of clauses."""
        return json.dumps([clause.to_dict() for clause in self.clauses], indent=1)

    def to_markdown(self) -> str:
        """A Markdown table of clauses."""
        return _markdown(self.clauses)


@dataclass(frozen=True)
class CastVote:
    """A clause that fired on a sample; with a window, also the patches on which it did."""

    clause: Clause
    patches: tuple[tuple[int, int], ...] = ()
    """Row and column of the top left cell of each patch."""

    def __str__(self) -> str:
        where = f"  at {', '.join(map(str, self.patches))}" if self.patches else ""
        return f"{self.clause}{where}"


@dataclass(frozen=True)
class Tally:
    """The votes on one sample and the clauses that cast them, strongest first.

    `votes` has one number a class (for a regressor one number, of class None), and it is the sum
    of what the clauses of that class in `cast` vote, exactly.
    """

    votes: dict[Label, int]
    cast: tuple[CastVote, ...]

    def of(self, class_: Label) -> tuple[CastVote, ...]:
        """The votes cast about one class."""
        return tuple(vote for vote in self.cast if vote.clause.class_ == class_)

    def __str__(self) -> str:
        lines = []
        for class_, total in self.votes.items():
            about = "votes" if class_ is None else f"votes for {class_}"
            lines.append(f"{total:+d} {about}")
            lines += [f"  {vote}" for vote in self.of(class_)]
        return "\n".join(lines)

    def to_json(self) -> str:
        """The votes and the clauses as a JSON object."""
        return json.dumps(
            {
                "votes": [
                    {"class": plain(class_), "votes": total} for class_, total in self.votes.items()
                ],
                "cast": [
                    {**vote.clause.to_dict(), "patches": [list(p) for p in vote.patches]}
                    for vote in self.cast
                ],
            },
            indent=1,
        )

    def to_markdown(self) -> str:
        """The votes by class, and the clauses as a table."""
        totals = "\n".join(
            f"- **{'value' if class_ is None else class_}**: {total:+d}"
            for class_, total in self.votes.items()
        )
        return f"{totals}\n\n{_markdown(vote.clause for vote in self.cast)}"


def read_clauses(
    class_: Label,
    include: NDArray[np.uint64],
    signed_weights: NDArray[np.int32],
    names: Sequence[str],
    indices: Iterable[int],
) -> list[Clause]:
    """Clause objects of one class from its included literals, for the clauses asked for."""
    n = len(names)
    chosen = list(indices)
    bits = np.unpackbits(include[chosen].view(np.uint8), axis=-1, bitorder="little")
    return [
        Clause(
            class_=plain(class_),
            favours=bool(signed_weights[index] > 0),
            weight=abs(int(signed_weights[index])),
            required=tuple(names[int(k)] for k in np.flatnonzero(row[:n])),
            forbidden=tuple(names[int(k)] for k in np.flatnonzero(row[n : 2 * n])),
            index=int(index),
        )
        for index, row in zip(chosen, bits, strict=True)
    ]


def merged(clauses: Iterable[Clause]) -> list[Clause]:
    """Equal clauses of a class as one, their votes added up, the strongest first.

    Those whose votes cancel are left out.
    """
    sums: dict[Any, int] = {}
    first: dict[Any, Clause] = {}
    count: dict[Any, int] = {}
    for clause in clauses:
        key = (clause.class_, clause.required, clause.forbidden)
        first.setdefault(key, clause)
        sums[key] = sums.get(key, 0) + clause.votes
        count[key] = count.get(key, 0) + 1
    rules = [
        Clause(
            class_=key[0],
            favours=total > 0,
            weight=abs(total),
            required=key[1],
            forbidden=key[2],
            index=first[key].index if count[key] == 1 else None,
        )
        for key, total in sums.items()
        if total != 0
    ]
    return sorted(rules, key=lambda clause: -clause.weight)


def fired_patches(include: NDArray[np.uint64], rows: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Which clauses (clauses × words) fire on which patches (patches × words) of a sample."""
    missing: NDArray[np.uint64] = include[:, None, :] & ~rows[None, :, :]
    return np.logical_not(np.any(missing, axis=2))


def patch_places(view: View, patches: NDArray[np.int64]) -> tuple[tuple[int, int], ...]:
    """Row and column of some patches; nothing for a view without a window."""
    if view.board_shape is None or view.window is None:
        return ()
    wide = view.board_shape[1] - view.window[1] + 1
    return tuple((int(patch) // wide, int(patch) % wide) for patch in patches)


def plain(value: Label) -> Label:
    """A NumPy scalar as Python's own number, text or boolean."""
    if isinstance(value, np.generic):
        own: Label = value.item()
        return own
    return value


def _markdown(clauses: Iterable[Clause]) -> str:
    lines = ["| votes | class | needs | forbids |", "|---:|---|---|---|"]
    for clause in clauses:
        about = "" if clause.class_ is None else clause.class_
        cells = (
            f"{clause.votes:+d}",
            str(about),
            ", ".join(clause.required),
            ", ".join(clause.forbidden),
        )
        lines.append("| " + " | ".join(_one_cell(cell) for cell in cells) + " |")
    return "\n".join(lines)


def _one_cell(text: str) -> str:
    """Text that stays within its cell of a Markdown table."""
    return " ".join(text.replace("|", "\\|").splitlines())
