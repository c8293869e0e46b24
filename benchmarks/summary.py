"""The short table of the README: our speed beside the best other program, from stored results.

    python benchmarks/summary.py

Nothing is measured here. Each row is read from a result in `results/`, in which both sides were
measured in one run; `docs/speed.md` has those results whole.
"""

import json
from pathlib import Path

from tsetlin_report import ratios, summarise

RESULTS = Path(__file__).parent / "results"
HEAD = ("| | clauseboard | best of the others | times |", "|---|---:|---:|---:|")


def read(name: str) -> dict:
    """A stored result."""
    return json.loads((RESULTS / name).read_text("utf-8"))


def row(what: str, ours: float, other: float, who: str, unit: str = "") -> str:
    """A line of the table; where there is a unit, less is better."""
    times = other / ours if unit else ours / other
    if unit:
        return f"| {what} | {ours:.3g} {unit} | {other:.3g} {unit} ({who}) | {times:,.0f} |"
    return f"| {what} | {ours:,.0f} | {other:,.0f} ({who}) | {times:,.0f} |"


def machines(name: str) -> list[str]:
    """Training and judging, with one thread, beside the best peer that is about as accurate."""
    summaries = summarise(read(name))
    lines = []
    for ours in (one for one in summaries if one.is_ours and one.threads == 1):
        best = {what: peer for what, _, peer in ratios(summaries, ours)}
        told = f"{ours.clauses:,} clauses a class"
        epochs = min(len(best["training"].epoch_seconds), len(ours.epoch_seconds))
        seconds = [one.seconds(epochs) for one in (ours, best["training"])]
        lines.append(row(f"an epoch, {told}", *seconds, best["training"].library, "s"))
        rates = [one.boards_per_second for one in (ours, best["batches"])]
        lines.append(row(f"boards judged a second, {told}", *rates, best["batches"].library))
    return lines


def games() -> list[str]:
    """Moves counted and random games, for what others can do as well."""
    lines = []
    for one in read("games.json")["rows"]:
        if one["others"]:
            who, most = max(one["others"].items(), key=lambda item: item[1])
            lines.append(row(f"{one['what']} a second", one["clauseboard"], most, who))
    return lines


def trees() -> list[str]:
    """Simulations of Monte-Carlo tree search."""
    rates = read("searches-mcts.json")["simulations a second"]
    boards = [name.removesuffix(", ours") for name in rates if name.endswith(", ours")]
    return [
        row(
            f"tree search by random games, {board}, simulations a second",
            rates[f"{board}, ours"],
            rates[f"{board}, OpenSpiel"],
            "OpenSpiel, C++",
        )
        for board in boards
    ]


def main() -> None:
    """Write the table."""
    lines = [*HEAD, *machines("tsetlin.json"), *machines("tsetlin-19000.json"), *games(), *trees()]
    text = "\n".join(lines) + "\n"
    (RESULTS / "summary.md").write_text(text, "utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
