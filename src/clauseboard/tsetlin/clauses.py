"""Learned clauses to read: one by one, merged into rules, and as the votes on a sample."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import NotFittedError

from clauseboard.html_parts import notebook_part, table
from clauseboard.tsetlin.packing import Bits, View, dense

MOST_SHOWN = 12
"""Clauses that a notebook shows of a machine; `str` gives all."""

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
    coverage: float | None = None
    """The share of samples on which it fires; None where it was not measured."""
    precision: float | None = None
    """Of these the share for which it is right; None where that is not known."""
    source: str | None = None
    """What found it, where several finders suggested clauses; None where that was not kept."""
    max_misses: int = 0
    """So many of its literals may fail; each takes `weight` off its votes."""

    @property
    def votes(self) -> int:
        """What it votes where all its literals hold, negative where it votes against.

        That is its weight, once more for each literal that may fail.
        """
        most = self.weight * (self.max_misses + 1)
        return most if self.favours else -most

    def failed_on(self, names: Container[str]) -> tuple[str, ...]:
        """The literals that fail on a sample whose bits of these names are 1."""
        return (
            *(name for name in self.required if name not in names),
            *(f"not {name}" for name in self.forbidden if name in names),
        )

    @property
    def literals(self) -> tuple[str, ...]:
        """What it needs, in words."""
        return (*self.required, *(f"not {name}" for name in self.forbidden))

    def __str__(self) -> str:
        about = "" if self.class_ is None else f" {self.class_}"
        shares = {"fires on": self.coverage, "right": self.precision}
        known = [f"{text} {share:.0%}" for text, share in shares.items() if share is not None]
        known += [] if self.source is None else [f"source: {self.source}"]
        measured = f" ({', '.join(known)})" if known else ""
        fuzzy = f", {self.weight} less for each that fails" if self.max_misses else ""
        return f"{self.votes:+d}{about}{fuzzy}: {', '.join(self.literals) or '(always)'}{measured}"

    def to_dict(self) -> dict[str, Any]:
        """The clause in JSON's types; shares of samples and the source are there if known."""
        known = {"coverage": self.coverage, "precision": self.precision, "source": self.source}
        return {
            "class": plain(self.class_),
            "favours": self.favours,
            "weight": self.weight,
            "required": list(self.required),
            "forbidden": list(self.forbidden),
            "index": self.index,
            **({"max_misses": self.max_misses} if self.max_misses else {}),
            **{name: value for name, value in known.items() if value is not None},
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

    def _repr_html_(self) -> str:
        """The strongest clauses, for notebooks."""
        return notebook_part(_html(self.clauses))


class ShowsRules:
    """An estimator that shows its strongest rules in notebooks, below scikit-learn's diagram."""

    def _repr_html_inner(self) -> str:
        shown: str = super()._repr_html_inner()  # type: ignore[misc]
        try:
            rules: RuleBook = self.rules()  # type: ignore[attr-defined]
        except NotFittedError:
            return shown
        return shown + rules._repr_html_()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**kwargs)  # type: ignore[misc]
        if "text/html" in bundle:
            bundle["text/html"] = self._repr_html_inner()
        return bundle


@dataclass(frozen=True)
class CastVote:
    """A clause that fired on a sample; with a window, also the patches on which it did.

    Where literals may fail, these are the patches at which fewest do.
    """

    clause: Clause
    patches: tuple[tuple[int, int], ...] = ()
    """Row and column of the top left cell of each patch."""
    failed: tuple[str, ...] = ()
    """Literals that do not hold, where some may fail; with a window, at the first patch."""

    @property
    def votes(self) -> int:
        """What the clause votes on this sample."""
        if not self.failed:
            return self.clause.votes
        left = max(0, self.clause.max_misses + 1 - len(self.failed)) * self.clause.weight
        return left if self.clause.favours else -left

    def __str__(self) -> str:
        where = f"  at {', '.join(map(str, self.patches))}" if self.patches else ""
        if self.clause.max_misses:
            about = "" if self.clause.class_ is None else f" {self.clause.class_}"
            n_literals = len(self.clause.literals)
            held = [name for name in self.clause.literals if name not in self.failed]
            failed = f"; but not: {', '.join(self.failed)}" if self.failed else ""
            return (
                f"{self.votes:+d}{about}: {len(held)} of {n_literals} conditions hold: "
                f"{', '.join(held)}{failed}{where}"
            )
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
                    {
                        **vote.clause.to_dict(),
                        "patches": [list(p) for p in vote.patches],
                        **({"failed": list(vote.failed)} if vote.clause.max_misses else {}),
                        **({"votes": vote.votes} if vote.clause.max_misses else {}),
                    }
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

    def _repr_html_(self) -> str:
        """The votes and the strongest clauses, for notebooks."""
        rows = [
            ["value" if class_ is None else str(class_), f"{total:+d}"]
            for class_, total in self.votes.items()
        ]
        cast = _html(tuple(vote.clause for vote in self.cast))
        return notebook_part([table(("class", "# votes"), rows), *cast])


def read_clauses(
    class_: Label,
    include: NDArray[np.uint64],
    signed_weights: NDArray[np.int32],
    names: Sequence[str],
    indices: Iterable[int],
    sources: Sequence[str | None] | None = None,
    max_misses: int = 0,
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
            source=None if sources is None else sources[index],
            max_misses=min(max_misses, max(0, int(row.sum()) - 1)),
        )
        for index, row in zip(chosen, bits, strict=True)
    ]


_LEVEL = re.compile(r"(.*) (>=?) (-?[0-9.]+(?:e[-+]?[0-9]+)?)")


def simplified(clause: Clause) -> Clause | None:
    """The clause without literals that others imply, by the names that encoders give to bits.

    "age > 40" implies "age > 30"; "not age > 30" implies "not age > 40". A clause that contradicts
    itself never fires: there is nothing left of it.

    >>> clause = Clause("old", True, 5, ("age > 30", "age > 40"), ("age > 90", "age > 95"))
    >>> print(simplified(clause))
    +5 old: age > 40, not age > 90
    """
    highest = _extremes(clause.required, max)
    lowest = _extremes(clause.forbidden, min)
    if any(highest[feature][0] >= lowest[feature][0] for feature in highest.keys() & lowest):
        return None
    telling = {name for _, name in (*highest.values(), *lowest.values())}
    required, forbidden = (
        tuple(name for name in names if name in telling or _level(name) is None)
        for names in (clause.required, clause.forbidden)
    )
    return replace(clause, required=required, forbidden=forbidden)


def _level(name: str) -> tuple[str, tuple[float, bool]] | None:
    """The feature and the level of a bit such as "age > 30"; the higher the level, the rarer."""
    match = _LEVEL.fullmatch(name)
    if match is None:
        return None
    try:
        return match[1], (float(match[3]), match[2] == ">")
    except ValueError:  # It only looked like a number.
        return None


Level = tuple[float, bool]


def _extremes(
    names: Iterable[str], best: Callable[[Iterable[tuple[Level, str]]], tuple[Level, str]]
) -> dict[str, tuple[Level, str]]:
    """For each feature its highest or lowest level among bits, and the bit."""
    levels: dict[str, list[tuple[Level, str]]] = {}
    for name in names:
        level = _level(name)
        if level is not None:
            levels.setdefault(level[0], []).append((level[1], name))
    return {feature: best(found) for feature, found in levels.items()}


def measured(
    clauses: Iterable[Clause],
    samples: Bits,
    labels: NDArray[Any] | None,
    names: Sequence[str],
) -> list[Clause]:
    """Clauses with coverage, and precision if there are labels; by the votes that they cast."""
    clauses = list(clauses)
    asked = {name for clause in clauses for name in (*clause.required, *clause.forbidden)}
    columns = [place for place, name in enumerate(names) if name in asked]
    bits = dense(samples[:, columns])
    places = {names[column]: place for place, column in enumerate(columns)}
    result = []
    for clause in clauses:
        misses = (bits[:, [places[name] for name in clause.required]] == 0).sum(axis=1)
        misses += (bits[:, [places[name] for name in clause.forbidden]] == 1).sum(axis=1)
        fired = misses <= clause.max_misses
        precision = None
        if labels is not None and fired.any():
            precision = float(((labels[fired] == clause.class_) == clause.favours).mean())
        coverage = float(fired.mean()) if len(fired) else 0.0
        result.append(replace(clause, coverage=coverage, precision=precision))
    return sorted(result, key=lambda clause: -clause.weight * (clause.coverage or 0.0))


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
        sums[key] = sums.get(key, 0) + (clause.weight if clause.favours else -clause.weight)
        count[key] = count.get(key, 0) + 1
    rules = [
        Clause(
            class_=key[0],
            favours=total > 0,
            weight=abs(total),
            required=key[1],
            forbidden=key[2],
            index=first[key].index if count[key] == 1 else None,
            source=first[key].source,
            max_misses=first[key].max_misses,
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


def _cells(clauses: Sequence[Clause]) -> tuple[list[str], list[list[str]]]:
    """Clauses as a table: the shares that are known of any of them, and a row for each."""
    shares = [
        name
        for name in ("coverage", "precision")
        if any(getattr(c, name) is not None for c in clauses)
    ]
    rows = []
    for clause in clauses:
        known = [getattr(clause, name) for name in shares]
        rows.append(
            [
                f"{clause.votes:+d}",
                "" if clause.class_ is None else str(clause.class_),
                ", ".join(clause.required),
                ", ".join(clause.forbidden),
                *("" if share is None else f"{share:.1%}" for share in known),
            ]
        )
    return shares, rows


def _markdown(clauses: Iterable[Clause]) -> str:
    shares, rows = _cells(list(clauses))
    heads = ["votes", "class", "needs", "forbids", *shares]
    lines = [f"| {' | '.join(heads)} |", f"|---:|---|---|---|{'---:|' * len(shares)}"]
    lines += ["| " + " | ".join(_one_cell(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def _html(clauses: Sequence[Clause]) -> list[str]:
    """The first clauses as a table of HTML, and how many more there are."""
    shares, rows = _cells(clauses[:MOST_SHOWN])
    heads = ("# votes", "= class", "needs", "forbids", *(f"# {share}" for share in shares))
    left = len(clauses) - MOST_SHOWN
    return [table(heads, rows), *([f"<p>and {left:,} more</p>"] if left > 0 else [])]


def _one_cell(text: str) -> str:
    """Text that stays within its cell of a Markdown table."""
    return " ".join(text.replace("|", "\\|").splitlines())
