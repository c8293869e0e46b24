"""Turns the stored result of `benchmarks/tsetlin.py` into a table and a picture.

To draw them again without measuring: `python benchmarks/tsetlin_report.py RESULT.json`.
"""

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

import peers

# A peer that is further below the best accuracy than this is not held up as fast.
ACCURATE_WITHIN = 0.03


@dataclass
class Summary:
    """All rounds of one library at one setting: the best of the times, mean accuracies."""

    library: str
    threads: int
    clauses: int
    threshold: int
    epoch_seconds: list[float] = field(default_factory=list)
    accuracy: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    """Seconds of the processor by epoch, the mean of the rounds; empty in older results."""
    boards_per_second: float | None = None
    one_board_us: float | None = None
    kernel_us: float | None = None
    peak_mb: float | None = None
    growth_mb: float | None = None
    accurate: bool = False
    remarks: list[str] = field(default_factory=list)

    @property
    def is_ours(self) -> bool:
        """Whether this is the machine of this project."""
        return peers.ALL[self.library].is_ours

    def seconds(self, epochs: int | None = None) -> float | None:
        """Return the mean of the best time of each of the first epochs."""
        return fmean(self.epoch_seconds[:epochs]) if self.epoch_seconds else None


def summarise(result: dict[str, Any]) -> list[Summary]:
    """Bring the rounds of each library and setting together."""
    runs: dict[tuple, list[dict[str, Any]]] = {}
    for run in result["runs"]:
        key = (run["clauses"], run["threshold"], run["library"], run["threads"])
        runs.setdefault(key, []).append(run)
    summaries = [_summary(rounds) for rounds in runs.values()]
    for one in summaries:
        epoch = len(one.accuracy)
        rivals = [
            other.accuracy[epoch - 1]
            for other in summaries
            if _same_setting(one, other) and len(other.accuracy) >= epoch > 0
        ]
        one.accurate = bool(rivals) and one.accuracy[-1] >= max(rivals) - ACCURATE_WITHIN
    order = list(peers.ALL)
    return sorted(
        summaries, key=lambda s: (s.clauses, s.threshold, order.index(s.library), s.threads)
    )


def _same_setting(one: Summary, other: Summary) -> bool:
    return (one.clauses, one.threshold) == (other.clauses, other.threshold)


def _summary(rounds: list[dict[str, Any]]) -> Summary:
    first = rounds[0]
    summary = Summary(first["library"], first["threads"], first["clauses"], first["threshold"])
    lines = [line for run in rounds for line in run["lines"]]

    def values(what: str, name: str) -> list[float]:
        return [line[name] for line in lines if line["what"] == what]

    for epoch in range(1, max(values("epoch", "epoch"), default=0) + 1):
        these = [line for line in lines if line["what"] == "epoch" and line["epoch"] == epoch]
        summary.epoch_seconds.append(min(line["seconds"] for line in these))
        summary.accuracy.append(fmean(line["accuracy"] for line in these))
        if all("processor" in line for line in these):
            summary.processor.append(fmean(line["processor"] for line in these))
    rates = [line["boards"] / line["seconds"] for line in lines if line["what"] == "batch"]
    summary.boards_per_second = max(rates, default=None)
    summary.one_board_us = min(values("one_board", "microseconds"), default=None)
    summary.kernel_us = min(values("kernel", "microseconds"), default=None)
    summary.peak_mb = max(values("memory", "peak_mb"), default=None)
    growth = [line["peak_mb"] - line["loaded_mb"] for line in lines if line["what"] == "memory"]
    summary.growth_mb = max(growth, default=None)
    if 0 < len(summary.epoch_seconds) < first["epochs"]:
        summary.remarks.append(f"{len(summary.epoch_seconds)} of {first['epochs']} epochs")
    ends = {run["status"] for run in rounds} - {"done"}
    summary.remarks += sorted(ends)
    return summary


def ratios(summaries: list[Summary], ours: Summary) -> list[tuple[str, float, Summary]]:
    """Return how many times better than the best accurate peer we are, for each measure.

    The best peer is found anew for each measure, so they are seldom all the same one.

    A peer may use as many threads as we do, or fewer where that is faster for it.
    """
    rivals = [
        one
        for one in summaries
        if _same_setting(one, ours)
        and one.accurate
        and not one.is_ours
        and one.threads <= ours.threads
    ]
    found = []
    timed = [one for one in rivals if one.epoch_seconds]
    if timed and ours.epoch_seconds:
        # Later epochs are quicker, so only epochs that all have trained are compared.
        common = min(len(one.epoch_seconds) for one in [*timed, ours])
        best = min(timed, key=lambda one: one.seconds(common))
        found.append(("training", best.seconds(common) / ours.seconds(common), best))
    rated = [one for one in rivals if one.boards_per_second]
    if rated and ours.boards_per_second:
        best = max(rated, key=lambda one: one.boards_per_second)
        found.append(("batches", ours.boards_per_second / best.boards_per_second, best))
    smaller_is_better = (
        ("one board", "one_board_us"),
        ("peak memory", "peak_mb"),
        ("its growth", "growth_mb"),
    )
    for title, name in smaller_is_better:
        having = [one for one in rivals if getattr(one, name)]
        if having and getattr(ours, name):
            best = min(having, key=lambda one: getattr(one, name))
            found.append((title, getattr(best, name) / getattr(ours, name), best))
    return found


def table(result: dict[str, Any], summaries: list[Summary]) -> str:
    """Return the Markdown table of a result, with how it was measured."""
    machine, data = result["machine"], result["data"]
    # Two ways of using one library are named once.
    versions = dict.fromkeys(
        f"{peers.ALL[name].distribution} {entry['versions']['library']}"
        for name, entry in result["libraries"].items()
        if entry.get("versions") and "passed_over" not in entry
    )
    rounds = result["settings"]["rounds"]
    text = [
        f"Measured {result['date'][:10]} on {machine['cpu']}, {machine['cores']} cores, "
        f"{machine['memory_gb']:g} GB, Python {machine['python']}, by `{result['command']}` "
        f"(seed {result['seed']}); {', '.join(versions)}.",
        "",
        f"{data['training_boards']:,} boards of {data['bits']} bits to train on and "
        f"{data['test_boards']:,} to test ({data['source']}, fold {data['fold']}; the commonest "
        f"class alone would be right in {100 * data['commonest_class_in_test']:.1f} %). Weighted "
        f"clauses, boosted true positives, 8 state bits, specificity "
        f"{result['settings']['specificity']:g}. Times are the best of "
        f"{rounds} round{'s' * (rounds > 1)}, accuracies their mean.",
    ]
    if result.get("interrupted"):
        text += ["", "**The run was interrupted: the table is not complete.**"]
    for clauses, threshold in dict.fromkeys((s.clauses, s.threshold) for s in summaries):
        here = [s for s in summaries if (s.clauses, s.threshold) == (clauses, threshold)]
        text += ["", f"**{clauses:,} clauses a class, threshold {threshold:,}**", ""]
        text += [
            "| library | threads | s an epoch | accuracy by epoch, % | boards a second "
            "| one board, µs | peak memory (growth), MB |",
            "|---|---:|---:|---:|---:|---:|---:|",
            *(_row(one) for one in here),
        ]
        text += _remarks(here)
        text += _race(here)
        for ours in (one for one in here if one.is_ours):
            found = ratios(summaries, ours)
            if found:
                threads = f"{ours.threads} thread{'s' if ours.threads > 1 else ''}"
                parts = [f"{what} {as_times(by)} ({best.library})" for what, by, best in found]
                text += ["", f"Times better than the best accurate peer, up to {threads}: "]
                text[-1] += ", ".join(parts) + "."
    text += ["", "How clauses a class became each library's own number:", ""]
    for name, entry in result["libraries"].items():
        text.append(f"- {name}: {entry['clauses']}.")
    passed_over = {
        name: entry["passed_over"]
        for name, entry in result["libraries"].items()
        if "passed_over" in entry
    }
    if passed_over:
        text += ["", "Passed over:", ""]
        text += [f"- {name}: {reason}." for name, reason in passed_over.items()]
    return "\n".join(text) + "\n"


def _race(summaries: list[Summary]) -> list[str]:
    """How long this project's machine takes to the accuracy of each peer, on one thread."""
    ours = next((one for one in summaries if one.is_ours and one.threads == 1), None)
    rivals = [one for one in summaries if not one.is_ours and one.threads == 1 and one.processor]
    if ours is None or not ours.processor or not rivals:
        return []
    lines = [
        "",
        "| to the accuracy of | after epochs | accuracy, % | its processor seconds (an epoch) "
        "| ours, epochs | seconds (an epoch) | times | times an epoch |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for one in rivals:
        wanted, total = one.accuracy[-1], sum(one.processor)
        first = next((k for k, value in enumerate(ours.accuracy, 1) if value >= wanted), None)
        an_epoch, own_epoch = fmean(one.processor), fmean(ours.processor[: len(one.processor)])
        cells = [one.library, str(len(one.accuracy)), f"{100 * wanted:.1f}"]
        cells.append(f"{three_digits(total)} ({three_digits(an_epoch)})")
        if first is None:
            cells += [f"not in {len(ours.accuracy)}", f"({three_digits(own_epoch)})", ""]
        else:
            spent = sum(ours.processor[:first])
            cells += [
                str(first),
                f"{three_digits(spent)} ({three_digits(own_epoch)})",
                as_times(total / spent),
            ]
        lines.append("| " + " | ".join([*cells, as_times(an_epoch / own_epoch)]) + " |")
    return lines


def _row(one: Summary) -> str:
    name = f"**{one.library}**" if one.is_ours else one.library
    if one.accuracy and not one.accurate:
        name += " †"
    board = three_digits(one.one_board_us)
    if one.kernel_us is not None:
        board += f" ({three_digits(one.kernel_us)} in a search)"
    memory = "" if one.peak_mb is None else f"{one.peak_mb:,.0f} ({one.growth_mb:,.0f})"
    accuracies = [f"{100 * value:.1f}" for value in one.accuracy]
    if len(accuracies) > 6:
        accuracies[3:-1] = ["…"]
    accuracy = ", ".join(accuracies)
    cells = [name, str(one.threads), three_digits(one.seconds()), accuracy]
    cells += [three_digits(one.boards_per_second), board, memory]
    return "| " + " | ".join(cells) + " |"


def _remarks(summaries: list[Summary]) -> list[str]:
    text = []
    if any(one.accuracy and not one.accurate for one in summaries):
        points = 100 * ACCURATE_WITHIN
        text += ["", f"† more than {points:g} points below the best accuracy after as many epochs."]
    for one in summaries:
        if one.remarks:
            text += ["", f"{one.library}, {one.threads} thread(s): {'; '.join(one.remarks)}."]
    return text


def three_digits(value: float | None) -> str:
    """Return three significant digits, with commas and without exponents.

    >>> three_digits(123456.7), three_digits(0.01234), three_digits(5.0), three_digits(None)
    ('123,000', '0.0123', '5.00', '')
    """
    if value is None:
        return ""
    if value >= 1000:
        digits = len(str(int(value))) - 3
        return f"{round(value, -digits):,.0f}"
    for limit, digits in ((100, 0), (10, 1), (1, 2), (0.1, 3), (0.01, 4)):
        if value >= limit:
            return f"{value:.{digits}f}"
    return f"{value:.5f}"


def as_times(ratio: float) -> str:
    """Return a ratio; below 1, we are the worse, and two digits say by how much."""
    return f"{ratio:.2f}" if ratio < 1 else f"{ratio:.1f}" if ratio < 100 else f"{ratio:,.0f}"


def draw(result: dict[str, Any], summaries: list[Summary], path: Path) -> None:
    """Draw seconds an epoch and boards a second, a row of bars a library and threads."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.patches import Patch

    pairs = list(dict.fromkeys((s.clauses, s.threshold) for s in summaries))
    rows = [[s for s in summaries if (s.clauses, s.threshold) == pair] for pair in pairs]
    bars = max(len(row) for row in rows)
    figure, axes = pyplot.subplots(
        len(pairs), 2, figsize=(12, 1.6 + len(pairs) * (1.0 + 0.34 * bars)), squeeze=False
    )
    columns = (
        ("seconds an epoch (log scale, shorter is faster) and final accuracy", _epoch),
        ("boards a second in batches (log scale, longer is faster)", _batch),
    )
    for (clauses, threshold), row, line in zip(pairs, rows, axes, strict=True):
        for axis, (label, value_of) in zip(line, columns, strict=True):
            _bars(axis, row, value_of)
            axis.set_xlabel(label, fontsize=9)
            axis.set_title(
                f"{clauses:,} clauses a class, threshold {threshold:,}", loc="left", fontsize=11
            )
        line[1].set_yticklabels([])
    machine = result["machine"]
    figure.suptitle(
        f"Tsetlin Machine libraries on the same {result['data']['training_boards']:,} boards\n"
        f"{machine['cpu']}, {machine['cores']} cores, {result['date'][:10]}",
        fontsize=13,
    )
    colors = {OURS: "this project", PEER: "others"}
    present = {OURS if one.is_ours else PEER for one in summaries}
    shown = [Patch(color=c, label=label) for c, label in colors.items() if c in present]
    if any(one.accuracy and not one.accurate for one in summaries):
        points = f"{100 * ACCURATE_WITHIN:g}"
        label = f"more than {points} points below the best accuracy"
        shown.append(Patch(facecolor="white", edgecolor=PEER, hatch="////", label=label))
    figure.legend(handles=shown, loc="lower center", ncols=len(shown), frameon=False)
    figure.tight_layout(rect=(0, 0.04, 1, 1))
    figure.savefig(path, dpi=130)
    pyplot.close(figure)


OURS = "#c2410c"
PEER = "#64748b"


def _epoch(one: Summary) -> tuple[float | None, str]:
    seconds = one.seconds()
    return seconds, f"{three_digits(seconds)} s, {100 * one.accuracy[-1]:.1f} %" if seconds else ""


def _batch(one: Summary) -> tuple[float | None, str]:
    return one.boards_per_second, three_digits(one.boards_per_second)


def _bars(axis: Any, summaries: list[Summary], value_of: Any) -> None:
    values, figures = zip(*map(value_of, summaries), strict=True)
    known = [value for value in values if value]
    axis.set_xscale("log")
    if known:
        # Room to the left for the shortest bar to be seen, to the right for its figure.
        axis.set_xlim(min(known) / 3, max(known) * 8)
    for place, (one, value) in enumerate(zip(summaries, values, strict=True)):
        color = OURS if one.is_ours else PEER
        if not value:
            axis.text(
                0.01,
                place,
                "not measured",
                transform=axis.get_yaxis_transform(),
                va="center",
                fontsize=9,
                color=color,
            )
            continue
        style = (
            {"color": color}
            if one.accurate
            else {"facecolor": "white", "edgecolor": color, "hatch": "////"}
        )
        axis.barh(place, value, height=0.72, **style)
        axis.text(value * 1.08, place, figures[place], va="center", fontsize=9)
    names = [f"{one.library}, {one.threads} thread{'s' * (one.threads > 1)}" for one in summaries]
    axis.set_yticks(range(len(names)), names, fontsize=9)
    axis.set_ylim(len(names) - 0.4, -0.6)
    axis.spines[["top", "right"]].set_visible(False)
    axis.grid(axis="x", which="major", color="#e2e8f0")
    axis.set_axisbelow(True)


def write(result: dict[str, Any], out: Path) -> None:
    """Write the table and the picture beside the result."""
    summaries = summarise(result)
    out.with_suffix(".md").write_text(table(result, summaries))
    draw(result, summaries, out.with_suffix(".png"))


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_file():
        print("Name one result to draw, such as benchmarks/results/tsetlin.json.", file=sys.stderr)
        raise SystemExit(2)
    write(json.loads(Path(sys.argv[1]).read_text()), Path(sys.argv[1]))
