"""Reports of what is no plain table: figures, sections, drawn boards, boards made alike."""

from __future__ import annotations

import statistics
from dataclasses import replace

import numpy as np
import pytest

from clauseboard.papers import (
    SIZES,
    BoardDrawing,
    Computed,
    Figure,
    PaperTable,
    Plot,
    Task,
    TaskResult,
    accuracy,
)
from clauseboard.papers.boards import Run
from clauseboard.papers.report import (
    as_html,
    as_markdown,
    as_text,
    draw,
    first_line,
    row_settings,
    size_line,
    table_rows,
    verdict,
)
from clauseboard.papers.runner import resampled_interval, run_table
from clauseboard.papers.stored_results import (
    Times,
    times_of,
    with_rows_of,
)

SVG = "<svg>1 < 2</svg>"


def work(tasks, told, device):
    return [{"accuracy": 0.5} for _ in tasks]


def table(number="figure 5.1", boards=None):
    def plan(run):
        return [Figure("row", "name", None, (Task(work, {}, boards),))]

    def drawings(run, look):
        found = look(Task(work, {}, boards)).result["accuracy"]
        return [BoardDrawing(f"drawn at {found}", ". <", SVG), BoardDrawing("in signs", ". <")]

    return PaperTable(
        "Hex thesis", number, "nowhere", "a title", Computed(plan, draw=drawings), ("row", "name")
    )


@pytest.mark.parametrize(
    ("number", "title"),
    [
        ("5.1", "Table 5.1 of the Hex thesis: a title"),
        ("figure 5.1", "Figure 5.1 of the Hex thesis: a title"),
        ("section 10.3", "Section 10.3 of the Hex thesis: a title"),
    ],
)
def test_titles(tmp_path, number, title):
    page = run_table(table(number), Run(SIZES["quick"]), tmp_path / "runs.sqlite")
    for told in (as_text(page), as_markdown(page), as_html(page)):
        assert title in told


def test_drawings(tmp_path):
    page = run_table(table(), Run(SIZES["quick"]), tmp_path / "runs.sqlite")
    assert as_text(page).endswith("\ndrawn at 0.5\n\n. <\n\nin signs\n\n. <")
    assert "drawn at 0.5\n\n```\n. <\n```\n" in as_markdown(page)
    web = as_html(page)
    assert f"<figure>{SVG}<figcaption>drawn at 0.5</figcaption></figure>" in web
    assert "<figure><pre>. &lt;</pre><figcaption>in signs</figcaption></figure>" in web


@pytest.mark.parametrize("start", [0, 1, 7])
def test_curves_begin_where_they_are_told_to(tmp_path, monkeypatch, start):
    pytest.importorskip("matplotlib")
    from matplotlib.axes import Axes

    seen = []
    plot = Axes.plot
    monkeypatch.setattr(
        Axes, "plot", lambda self, x, y, **k: seen.append(list(x)) or plot(self, x, y, **k)
    )

    def pictures(run, look):
        return [Plot("p", "a title", {"a": [1.0, 2.0, 3.0]}, start=start)]

    drawn = replace(table(), contents=replace(table().contents, plot=pictures))
    page = run_table(drawn, Run(SIZES["quick"]), tmp_path / "runs.sqlite")
    assert draw(page, tmp_path, "t") == [tmp_path / "t_p.png"]
    assert seen == [[start, start + 1, start + 2]]


def test_some_rows_are_not_drawn(tmp_path):
    page = run_table(table(), Run(SIZES["quick"]), tmp_path / "r", rows=["row"])
    assert page["drawings"] == []


def test_a_size_without_boards_does_not_tell_of_them(tmp_path):
    page = run_table(table(), Run(SIZES["quick"]), tmp_path / "runs.sqlite")
    assert size_line(page) == "Size: quick, not as published: less of everything."
    page["size"]["games"] = 12
    assert size_line(page) == "Size: quick, not as published: up to 12 games a match."


def test_a_part_is_told_as_the_whole(tmp_path, boards):
    class Given(Run):
        def boards(self, kind):
            self._used[kind] = boards
            return boards

    run = Given(SIZES["quick"])
    part = run.boards(boards.kind).part(np.arange(len(boards)) < 50)
    assert len(part) == 50
    assert part.origin == boards.origin == boards.digest
    assert part.digest != boards.digest
    page = run_table(table(boards=part), run, tmp_path / "runs.sqlite")
    assert [data["boards"] for data in page["data"]] == [len(boards)]


def test_boards_that_were_made_alike_are_told_so():
    def data(alike):
        return {"kind": "k", "source": "games", "generated": True, "alike": alike}

    assert first_line({"data": [data(True)]}) == (
        "GENERATED DATA, made in the same way as the published data, which are not available: "
        "games."
    )
    assert "cannot be compared" in first_line({"data": [data(True), data(False)]})


def stored(*figures, generated=False, alike=False, size="full"):
    """A page with figures: published, ours, the spread of ours, digits."""
    return {
        "data": [{"kind": "k", "source": "s", "generated": generated, "alike": alike}],
        "size": {"name": size},
        "figures": [
            {
                "row": "r", "name": "n", "published": published, "published_spread": None,
                "ours": {"mean": ours, "spread": spread}, "difference": ours - published,
                "honest": None, "epochs": None, "digits": digits, "settings": "of {0} and {1}",
            }
            for published, ours, spread, digits in figures
        ],
    }  # fmt: skip


def of_games(published, ours, n_published, n_ours):
    """A page with a share of games."""
    page = stored((published, ours, None, 1))
    page["figures"][0]["games"] = {"published": n_published, "ours": n_ours}
    return page


@pytest.mark.parametrize(
    ("page", "words"),
    [
        (stored((70.0, 71.9, 1.0, 2)), "agrees"),
        (stored((70.0, 72.1, 1.0, 2)), "differs: 0 of 1 figures agree"),
        (stored((70.0, 71.3, None, 2)), "agrees"),
        (stored((70.0, 71.5, None, 2)), "differs: 0 of 1 figures agree"),
        (stored((1000, 1011, None, 0)), "differs: 0 of 1 figures agree"),
        (stored((1000, 1010, None, 0)), "agrees"),
        (stored(*[(70.0, 70.0, 1.0, 2)] * 9, (70.0, 90.0, 1.0, 2)),
         "mostly agrees: 9 of 10 figures agree"),
        (stored((70.0, 70.0, 1.0, 2), generated=True), "other data"),
        (stored((70.0, 70.0, 1.0, 2), generated=True, alike=True), "agrees"),
        (stored((70.0, 70.0, 1.0, 2), size="default"), "smaller size"),
        (stored(), "nothing published to compare"),
        (of_games(40.0, 44.3, 1000, 1000), "agrees"),
        (of_games(40.0, 44.5, 1000, 1000), "differs: 0 of 1 figures agree"),
        (of_games(70.0, 30.0, 10, 10), "agrees"),
        (of_games(70.0, 30.0, 100, 10), "differs: 0 of 1 figures agree"),
        (of_games(100.0, 99.0, 100, 100), "agrees"),
    ],
)  # fmt: skip
def test_verdicts(page, words):
    assert verdict(page) == words


def test_a_share_of_games_has_an_interval():
    assert table_rows(of_games(40.0, 50.0, 100, 100))[0][3] == "50.0 (40 to 60)"
    pairs = of_games(40.0, 50.0, 100, 100)
    pairs["figures"][0]["ours"]["spread"] = 3.0
    assert table_rows(pairs)[0][3] == "50.0 ± 3.0"


def test_a_row_says_how_many_clauses_there_were():
    small = stored((70.0, 71.0, 1.0, 2), size="default")
    small["figures"][0] |= {"row": "32,000 clauses", "settings": "1,600 clauses, T 800"}
    small["size"]["share_of_clauses"] = 0.05
    assert table_rows(small)[0][0] == "32,000 clauses (here 1,600 clauses)"
    small["size"]["share_of_clauses"] = 1.0
    assert table_rows(small)[0][0] == "32,000 clauses"


def test_figures_of_one_fold_and_of_games_have_an_interval(tmp_path):
    def work(tasks, told, device):
        return [task.settings["result"] for task in tasks]

    def figure(name, read, *results):
        return Figure("row", name, None, tuple(Task(work, {"result": r}) for r in results), read)

    games = [{"games": [{"length": n} for n in range(first, 50, 2)]} for first in (0, 1)]
    tested = {"accuracy": 0.8, "confusion": [[40, 10, 0], [10, 40, 0], [0, 0, 0]]}

    def length(done):
        lengths = [game["length"] for task in done for game in task.result["games"]]
        return [sum(lengths) / len(lengths)]

    figures = [
        figure("accuracy", accuracy, tested),
        figure("accuracies", accuracy, tested, {**tested, "accuracy": 0.9}),
        figure("length", length, *games),
        figure("constant", lambda done: [7.0], *games),
    ]
    made = replace(table(), contents=Computed(lambda run: figures))
    page = run_table(made, Run(SIZES["quick"]), tmp_path / "runs.sqlite")
    rate, rates, lengths, constant = page["figures"]
    assert rate["interval"][0] == pytest.approx(72, abs=2)
    assert rate["interval"][1] == pytest.approx(87.5, abs=2)
    assert "interval" not in rates
    assert lengths["interval"][0] == pytest.approx(20.5, abs=1.5)
    assert lengths["interval"][1] == pytest.approx(28.5, abs=1.5)
    assert "interval" not in constant
    assert table_rows(page)[0][3].startswith("80.00 (7")
    assert "by drawing the games, test boards or seeds again" in as_text(page)


def test_one_number_of_several_seeds_has_an_interval():
    done = [TaskResult({"steps": n}) for n in range(50)]

    def median(done):
        return [statistics.median(task.result["steps"] for task in done)]

    assert resampled_interval(median, done) is None
    low, high = resampled_interval(median, done, of_seeds=True)
    assert 10 < low < 24.5 < high < 40
    assert resampled_interval(lambda done: [len(done)], done, of_seeds=True) is None


def test_there_are_no_differences_on_other_data():
    assert table_rows(stored((70.0, 71.0, 1.0, 2)))[0][4] == "+1.00"
    assert table_rows(stored((70.0, 71.0, 1.0, 2), generated=True))[0][4] == ""


def test_settings_name_files_that_tasks_made():
    page = stored((70.0, 71.0, 1.0, 2)) | {"table": "5.1", "source": "s", "title": "t"}
    page |= {"where": "w", "notes": [], "seeds": [], "tasks": 1, "seconds": 1.0}
    page |= {"versions": {}, "machine": {"cpu": "c", "cores": 1, "system": "x"}, "date": "d"}
    page["data"] = []
    assert "of machine1 and machine2" in as_markdown(page)


def test_figures_of_a_row_may_have_different_settings():
    page = stored(*[(70.0, 71.0, 1.0, 2)] * 3)
    for figure, name, settings in zip(page["figures"], "abc", ["one", "two", ""], strict=True):
        figure |= {"name": name, "settings": settings}
    assert row_settings(page) == {"r": "a: one; b: two"}
    page["figures"][1]["settings"] = page["figures"][2]["settings"] = "one"
    assert row_settings(page) == {"r": "one"}
    assert row_settings(stored((70.0, 71.0, 1.0, 2)))["r"] == "of machine1 and machine2"


# ---- what each table took ---------------------------------------------------------------------


def worked(gpu=None, cores=None, epochs=None):
    """A page with so much work; without places if neither is given."""
    page = stored((70.0, 71.0, 1.0, 2)) | {"tasks": 5, "seconds": (gpu or 0) + (cores or 0) or 7}
    page["figures"][0]["epochs"] = epochs
    if gpu is not None or cores is not None:
        page["work"] = [
            {"place": "GPU of a test", "tasks": 2, "seconds": gpu},
            {"place": "processor of a test", "tasks": 3, "seconds": cores},
        ]
    return page


def test_the_work_of_a_page_is_that_of_a_gpu_and_of_cores():
    assert times_of(worked(60, 600)) == Times(60, 600)
    assert times_of(worked(60, 600, epochs=9)) == Times(60, 600)
    assert times_of(worked(epochs=9)) == Times(7, 0), "trainings of older pages"
    assert times_of(worked()) == Times(0, 7), "games of older pages"
    assert Times(60, 600).minutes(10) == 2


def test_rows_of_two_runs_keep_their_places():
    head = ("row", "name")
    old, new = worked(epochs=9), worked(60, 600, epochs=9)
    new["rows"] = {old["figures"][0]["row"]: True, "new": True}
    new["figures"][0]["row"] = "new"
    for page in (old, new):
        page |= {"seeds": [], "date": "2026-01-02", "notes": [], "headline": page["figures"][0]}
    both = with_rows_of(new, old, head)
    assert times_of(both) == Times(67, 600)
    assert "2 on GPU of a test, 60.0 s" in "\n".join(_made_with_lines(both))


def _made_with_lines(page):
    page |= {"data": [], "versions": {}, "machine": {"cpu": "c", "cores": 1, "system": "x"}}
    page |= {"where": "w", "source": "s", "title": "t", "table": "5.1"}
    return as_markdown(page).splitlines()
