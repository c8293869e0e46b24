"""All tables there are: planned as published, found by name, listed; and how they are told."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from clauseboard.papers import (
    DOCUMENTS,
    SIZES,
    EpochResult,
    TaskResult,
    adaptive_epochs,
    document_tables,
    experiment_names,
    load_experiment,
    sizes,
)
from clauseboard.papers.adaptive_epochs import each_fold, each_run, epochs_run
from clauseboard.papers.boards import Run
from clauseboard.papers.checkers_thesis import BEST, ENDS
from clauseboard.papers.report import (
    as_html,
    as_markdown,
    as_text,
    draw,
    first_line,
    headline,
    missing_rows,
    size_line,
)
from clauseboard.papers.stored_results import (
    STATE_NAMES,
    add_results,
    generated_pages,
    stored_pages,
    with_rows_of,
    write_pages,
)
from clauseboard.papers.training import MODELS, fit, model_tasks

DOCS = Path(__file__).parents[2] / "docs"
NAMES = experiment_names()


class OneKind(Run):
    """Gives the same few boards for every kind."""

    def __init__(self, size, boards):
        super().__init__(size)
        self.few = boards

    def boards(self, kind):
        self._used[kind] = self.few
        return self.few


def test_names_come_in_the_order_of_their_numbers():
    assert NAMES.index("checkers_5_9") < NAMES.index("checkers_5_10") < NAMES.index("checkers_7_1")
    assert load_experiment("checkers-5.6") is load_experiment("checkers_5_6")


@pytest.mark.parametrize("name", ["checkers_9_9", "table", "runner", "../x", ""])
def test_unknown_names_list_the_known_ones(name):
    with pytest.raises(ValueError, match=r"There is no experiment .*; there are checkers_4_1, "):
        load_experiment(name)


@pytest.mark.parametrize("name", NAMES)
def test_every_table_can_be_planned_at_every_size(boards, name):
    table = load_experiment(name)
    assert name.endswith(table.number.replace(".", "_").replace(" ", "_"))
    for size in table.sizes.values():
        figures = table.contents.figures(OneKind(size, boards))
        assert any((f.row, f.name) == table.headline for f in figures)
        assert any(figure.tasks for figure in figures)
        for figure in figures:
            json.dumps([task.settings for task in figure.tasks])
    assert any(figure.published is not None for figure in figures) or any(
        "no numbers" in note for note in table.notes
    )
    assert table.sizes.keys() == {"quick", "default", "full"}


@pytest.mark.parametrize(
    ("name", "n_figures", "total"),
    [
        # Sums of the published numbers, added up from the printed tables.
        ("checkers_4_1", 5, 22_578 + 11.11 + 21.2 + 16.0 + 62.8),
        ("checkers_4_2", 5, 21_701 + 11.11 + 21.9 + 16.6 + 61.5),
        ("checkers_4_3", 5, 22_578 + 11.11 + 21.2 + 16.0 + 62.8),
        ("checkers_4_4", 5, 38_143 + 10.8 + 20.0 + 16.7 + 63.3),
        ("checkers_4_5", 5, 67_745 + 11.11 + 21.2 + 16.0 + 62.8),
        ("checkers_4_6", 5, 183_701 + 10.61 + 23.0 + 17.4 + 59.7),
        ("checkers_4_7", 5, 203_302 + 11.11 + 21.2 + 16.0 + 62.8),
        ("checkers_4_8", 5, 6_907 + 11.11 + 29.9 + 25.9 + 44.3),
        ("checkers_4_9", 5, 22_578 + 11.11 + 21.2 + 16.0 + 62.8),
        ("checkers_4_10", 9, 57 + 44 + 49 + 67 + 51 + 58 + 76 + 87 + 81),
        ("checkers_4_11", 9, 60 + 52 + 55 + 62 + 49 + 55 + 77 + 85 + 81),
        ("checkers_5_1", 2, 4.73),
        ("checkers_5_3", 16, 1.06 + 0.71 + 1.13 - 0.35 + 1.25 + 1.08 + 1.09 - 0.17),
        ("checkers_5_4", 18, 597.75),
        ("checkers_5_6", 11, 716.94 + 71.69),
        ("checkers_5_7", 11, 743.0),
        ("checkers_5_8", 33, 1499),
        ("checkers_5_9", 33, 1700),
        ("checkers_5_10", 33, 2561),
        ("checkers_6_1", 13, 2000 + 3),
        ("checkers_6_2", 6, 100),
        ("checkers_6_3", 6, 100),
        ("checkers_6_4", 6, 100),
        ("checkers_6_5", 6, 100),
        ("checkers_6_6", 6, 100),
        ("checkers_6_7", 6, 10),
        ("checkers_6_8", 6, 10),
        ("checkers_6_9", 6, 10),
        ("checkers_6_10", 6, 10),
        ("checkers_6_11", 6, 10),
        ("checkers_7_1", 72, 3350.53),
    ],
)
def test_published_numbers_add_up(boards, name, n_figures, total):
    figures = load_experiment(name).contents.figures(OneKind(SIZES["full"], boards))
    assert len(figures) == n_figures
    known = [figure for figure in figures if figure.published is not None]
    # Shares of games are printed as numbers of games.
    numbers = [figure.published * (figure.published_games or 100) / 100 for figure in known]
    assert sum(numbers) == pytest.approx(total)


@pytest.mark.parametrize("name", ["checkers_4_10", "checkers_5_8", "checkers_5_9", "checkers_5_10"])
def test_published_scores_agree_with_each_other(boards, name):
    figures = load_experiment(name).contents.figures(OneKind(SIZES["full"], boards))
    for first in range(0, len(figures), 3):
        precision, recall, both = (figures[first + n].published for n in range(3))
        if (name, figures[first].row) == ("checkers_5_8", "StandardPureMetaData"):
            assert both == 48  # misprinted, as its note says
            continue
        # From numbers rounded to whole ones; the mean of ten F is not the F of the means, either.
        assert 2 * precision * recall / (precision + recall) == pytest.approx(both, abs=1.6)


def test_full_size_is_as_published(boards):
    figures = load_experiment("checkers_5_6").contents.figures(OneKind(SIZES["full"], boards))
    settings = figures[0].tasks[0].settings
    assert settings["machine"] | {"clauses": 19_000, "T": 40_000, "s": 9} == settings["machine"]
    assert settings["course"]["epochs"] == 500
    runs = adaptive_epochs.plan_runs(ENDS, BEST, OneKind(adaptive_epochs.SIZES["full"], boards))
    assert len(runs.seen) == len(runs.held_out) == 10
    assert runs.seen[0][0].settings["course"]["epochs"] == 200


def test_tables_share_their_tasks(boards):
    def keys(name):
        figures = load_experiment(name).contents.figures(OneKind(SIZES["full"], boards))
        return {task.key for figure in figures for task in figure.tasks}

    assert keys("checkers_5_1") == keys("checkers_5_2") == keys("checkers_5_3")
    assert keys("checkers_5_6") < keys("checkers_5_4")
    assert keys("checkers_5_8") == keys("checkers_5_9") == keys("checkers_5_7")
    assert keys("checkers_4_10") < keys("checkers_5_6")


# ---- tables 5.1 to 5.3 ------------------------------------------------------------------------


def curve(values):
    return TaskResult({}, tuple(EpochResult(n, value, 0.0) for n, value in enumerate(values, 1)))


def test_where_rules_stop_is_read_off_the_curves(boards):
    runs = adaptive_epochs.plan_runs(ENDS, BEST, OneKind(adaptive_epochs.SIZES["quick"], boards))
    # Version 2 stops after 21 epochs at 0.69; all 30 end at 0.80.
    falling = curve([0.7] * 11 + [0.69] * 10 + [0.8] * 9)
    rising = curve([0.5 + 0.01 * n for n in range(30)])
    done = [falling, rising, rising, rising]
    fixed = runs.figure("a", "b", None, each_fold("average"), None).values(done)
    assert fixed == pytest.approx([(80 + 3 * 79) / 4])
    stopped = runs.figure("a", "b", None, each_fold("lowest"), 2).values(done)
    assert stopped == pytest.approx([69])
    by_run = runs.figure("a", "b", None, each_run("variance"), 2).values(done)
    assert by_run == pytest.approx([79 - (69 + 79) / 2])
    gain = runs.figure("a", "b", None, each_fold("average"), 2, less=None).values(done)
    assert gain == pytest.approx([(69 - 80) / 4])
    assert runs.epochs_figure("a", None, min, 2).values(done) == [21]


def test_honest_figures_stop_by_one_curve_and_read_another(boards):
    runs = adaptive_epochs.plan_runs(ENDS, BEST, OneKind(adaptive_epochs.SIZES["quick"], boards))
    falling = curve([0.7] * 11 + [0.69] * 10 + [0.8] * 9)
    both = replace(falling, result={"tested": [n / 100 for n in range(30)]})
    figure = runs.figure("a", "b", None, each_fold("average"), 2)
    assert figure.values([both] * 4) == pytest.approx([20])
    assert len(figure.honest) == 4
    assert figure.honest_values is None


def test_epochs_run():
    assert epochs_run([0.5] * 40, None) == 40
    assert epochs_run([0.7] * 11 + [0.69] * 20, 2) == 21
    assert epochs_run([0.7] * 11 + [0.69] * 20, 3) == 26


def test_pictures(boards, tmp_path):
    size = sizes(default={"folds": 4})["default"]
    pictures = load_experiment("checkers_5_2").contents.plots(
        OneKind(size, boards),
        lambda task: curve([0.5 + 0.01 * task.settings["fold"]] * 3),
    )
    assert [picture.name for picture in pictures] == ["5_2", "5_3", "5_4"]
    assert next(iter(pictures[0].curves.values())) == pytest.approx([51.5] * 3)
    assert list(pictures[1].levels.values()) == pytest.approx([52, 52])
    pytest.importorskip("matplotlib")
    page = {
        "pictures": [
            {
                "name": p.name, "title": p.title, "x_label": "x", "y_label": "y",
                "curves": p.curves, "levels": p.levels,
            }
            for p in pictures
        ]
    }  # fmt: skip
    drawn = draw(page, tmp_path, "t")
    assert [path.name for path in drawn] == ["t_5_2.png", "t_5_3.png", "t_5_4.png"]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in drawn)
    assert draw({"pictures": []}, tmp_path, "t") == []


# ---- other learners ---------------------------------------------------------------------------


@pytest.mark.parametrize("model", MODELS)
def test_models_are_fitted_without_the_test_boards(boards, model):
    task = model_tasks(boards, SIZES["quick"], model)[1]
    (result,) = fit([task], lambda *_: None, "cpu")
    assert sum(map(sum, result["confusion"])) == 40
    assert result == fit([task], lambda *_: None, "cpu")[0]
    # Turned results of the test boards change what is right, not what is said.
    from dataclasses import replace

    turned = boards.results.copy()
    turned[boards.folds == 1] = 2 - turned[boards.folds == 1]
    other = replace(task, boards=replace(boards, results=turned))
    (changed,) = fit([other], lambda *_: None, "cpu")
    said, same = (np.sum(r["confusion"], axis=0).tolist() for r in (result, changed))
    assert said == same


def test_no_such_model(boards):
    with pytest.raises(ValueError, match="There is no model 'oracle'; there are 'Log Reg'"):
        model_tasks(boards, SIZES["quick"], "oracle")


# ---- telling ----------------------------------------------------------------------------------


def page(generated=(True,), size="quick"):
    figure = {
        "row": "a <row>", "name": "accuracy", "published": 71.69,
        "ours": {"mean": 70.5, "spread": 0.25, "values": [70.25, 70.75]}, "difference": -1.19,
        "honest": {"mean": 70.0, "spread": None, "values": [70.0]}, "settings": "some & more",
        "epochs": 31.5,
    }  # fmt: skip
    data = [
        {
            "kind": f"kind {n}", "source": "random games" if made else "x.npz", "generated": made,
            "boards": 400, "bits": 128, "folds": 10, "share": {"loss": 50.0, "win": 50.0},
            "sha256": "0" * 64,
        }
        for n, made in enumerate(generated)
    ]  # fmt: skip
    return {
        "source": "checkers thesis", "table": "5.6", "where": "section 5.4", "title": "a title",
        "size": {
            "name": size, "boards": 400, "folds": 2, "share_of_clauses": 0.002, "epochs": 3,
            "runs": 1,
        },
        "data": data, "figures": [figure, {**figure, "name": "F", "honest": None}],
        "headline": figure, "notes": ["A note."], "pictures": [], "seeds": [1, 2], "tasks": 4,
        "seconds": 1.5, "date": "2026-01-02T03:04:05+00:00", "versions": {"numpy": "2"},
        "machine": {"cpu": "some", "cores": 2, "system": "Linux"},
    }  # fmt: skip


def test_the_first_line_says_that_data_is_generated():
    assert as_text(page()).startswith("GENERATED DATA, not the published data: random games.")
    assert as_markdown(page()).startswith("GENERATED DATA")
    assert "GENERATED DATA" in as_html(page()).split("<h1>")[0]
    mixed = first_line(page((True, False)))
    assert mixed == "GENERATED DATA for kind 0; data of a file for kind 1 from x.npz."
    assert first_line(page((False,))) == "Data: kind 0 from x.npz."
    assert first_line(page(())) == "No data set was needed."


def test_a_report_says_its_size():
    assert "quick, not as published: up to 400 boards" in size_line(page())
    assert size_line(page(size="full")) == "Size: full, as published."


def test_a_report_has_it_all():
    text, markdown, web = as_text(page()), as_markdown(page(), ["p.png"]), as_html(page())
    for told in (text, markdown, web):
        for part in ("71.69", "70.50 ± 0.25", "70.00", "31.5", "A note.", "section 5.4"):
            assert part in told
        assert "-1.19" not in told
    assert "-1.19" in as_text(page((False,)))
    for told in (markdown, web):
        for part in ("numpy 2", "2 cores", "seeds: 1 to 2", "random games", "2026-01-02"):
            assert part in told
    assert "![p](p.png)" in markdown
    assert "a &lt;row&gt;" in web
    assert "some &amp; more" in web
    assert headline(page((False,))).endswith("70.50 ± 0.25 (published 71.69), honest 70.00")
    assert "(published, on other data: 71.69)" in headline(page())


def test_pictures_are_in_the_web_page(tmp_path):
    (tmp_path / "p.png").write_bytes(b"\x89PNG")
    assert "data:image/png;base64,iVBORw==" in as_html(page(), [tmp_path / "p.png"])


# ---- stored results and their pages -----------------------------------------------------------


def test_the_pages_of_results_are_up_to_date():
    for path, text in generated_pages(DOCS).items():
        assert path.read_text("utf-8") == text, f"{path}: run clauseboard experiment pages"


def test_the_overview_counts_states_and_the_readme_says_how_many_are_done():
    text = (DOCS / "tables.md").read_text("utf-8").split("## Future work")[0]
    states = re.findall(r"\| (done|partly done|own data|small|ready)(?= \|)", text)[5:]
    counts = [states.count(state) for state in STATE_NAMES]
    assert len(states) == 71
    assert f"| all | 71 | {' | '.join(map(str, counts))} |" in text
    n_whole = counts[0] + counts[STATE_NAMES.index("own data")]
    assert f"{n_whole} of the 71 have been run whole at their full size: {counts[0]} as" in text
    readme = " ".join((DOCS.parent / "README.md").read_text("utf-8").split())
    assert f"{n_whole} of the 71 have been run whole at their full size: {counts[0]} as" in readme


def test_stored_results_are_of_tables_and_have_their_plots():
    for document in DOCUMENTS.values():
        tables, stored = document_tables(document), stored_pages(DOCS, document)
        assert list(stored) == [name for name in tables if name in stored]
        page = (DOCS / "results" / f"{document}.md").read_text("utf-8")
        for name in tables:
            assert page.count(f'<a id="{name}"></a>') == 1
        for file in re.findall(r"!\[\w+\]\((\S+)\)", page):
            assert (DOCS / "results" / file).is_file()
        for name, kept in stored.items():
            assert (kept["source"], kept["table"]) == (tables[name].document, tables[name].number)


def docs_with(folder, pages):
    """A folder of docs with the reports of runs stored in it."""
    (folder / "docs" / "results").mkdir(parents=True)
    for name, kept in pages.items():
        (folder / f"{name}.json").write_text(json.dumps(kept))
    add_results(folder / "docs", [folder / f"{name}.json" for name in pages])
    return folder / "docs"


def line_of(docs, name):
    text = generated_pages(docs)[docs / "tables.md"]
    (line,) = [line for line in text.splitlines() if f"`{name}`" in line]
    return line


def test_every_experiment_is_on_the_pages(tmp_path):
    docs = docs_with(tmp_path, {})
    for name in NAMES:
        assert f"#{name}) |" in line_of(docs, name)
        assert "| ready |" in line_of(docs, name)
    texts = generated_pages(docs)
    assert len(texts) == len(DOCUMENTS) + 1
    assert (
        "`clauseboard experiment run hex_5_9` computes it" in texts[docs / "results/hex_thesis.md"]
    )


@pytest.mark.parametrize(
    ("size", "generated", "state"),
    [("full", False, "done"), ("default", False, "small"), ("full", True, "own data")],
)
def test_states(tmp_path, size, generated, state):
    line = line_of(docs_with(tmp_path, {"checkers_5_6": page((generated,), size)}), "checkers_5_6")
    assert f"| {state} |" in line
    on = ", on other data:" if generated else ""
    assert f"70.50 ± 0.25 (published{on} 71.69)" in line


def test_some_rows_are_not_the_whole_table(tmp_path):
    kept = page((False,), "full")
    rows = {figure["row"]: True for figure in kept["figures"]}
    kept["rows"] = {**rows, "fold 9": True, "ours": False}
    line = line_of(docs_with(tmp_path, {"checkers_5_6": kept}), "checkers_5_6")
    assert "| partly done |" in line
    assert "without fold 9, ours" in line
    kept["rows"] = dict.fromkeys([*rows, "ours"], False)
    line = line_of(docs_with(tmp_path / "no", {"checkers_5_6": kept}), "checkers_5_6")
    assert "| partly done |" in line, "where no row was published, all count"
    kept["rows"] = {**rows, "ours": False}
    line = line_of(docs_with(tmp_path / "own", {"checkers_5_6": kept}), "checkers_5_6")
    assert "| done |" in line
    assert "without ours" in line


def test_rows_that_were_run_before_stay(tmp_path):
    head = ("last", page()["figures"][0]["name"])
    old = {**page((False,), "full"), "date": "2026-01-02T00:00:00", "seeds": [1, 4]}
    figure = old["figures"][0]
    old["figures"] = [{**figure, "row": name} for name in ("first", "both", "gone")]
    new = {
        **old,
        "date": "2026-03-04T00:00:00",
        "seeds": [2],
        "rows": dict.fromkeys(["first", "both", "last", "x"], True),
    }
    new["figures"] = [{**figure, "row": name} for name in ("both", "last")]
    both = with_rows_of(new, old, head)
    assert [f["row"] for f in both["figures"]] == ["first", "both", "last"]
    assert missing_rows(both) == ["x"]
    assert both["headline"]["row"] == "last"
    assert [f.get("date") for f in both["figures"]] == ["2026-01-02", None, None]
    assert "Run before, on 2026-01-02: first." in as_markdown(both)
    mixed = [*both["figures"], {**both["figures"][0], "name": "new", "date": None}]
    told = f"Run before, on 2026-01-02: {figure['name']} of first."
    assert told in as_markdown({**both, "figures": mixed})
    third = {**new, "date": "2026-05-06", "figures": [{**figure, "row": "x"}]}
    assert "first.\n\nRun before, on 2026-03-04: both, last." in as_markdown(
        with_rows_of(third, both, head)
    )
    assert len(both["data"]) == len(new["data"])
    assert both["seconds"] == old["seconds"] + new["seconds"]
    assert both["seeds"] == [1, 2, 4]
    assert with_rows_of(new, {}, head) == new
    assert with_rows_of(new, {**old, "size": {}}, head) == new
    whole = page((False,), "full")
    assert with_rows_of(whole, old, head) == whole


def test_rows_that_were_run_at_different_times_are_the_whole_table(tmp_path):
    old = page((False,), "full")
    rows = {"first": True, "last": True}
    pages = [{**old, "rows": rows, "figures": [{**old["figures"][0], "row": row}]} for row in rows]
    docs = docs_with(tmp_path, {"checkers_5_6": pages[0]})
    assert "| partly done |" in line_of(docs, "checkers_5_6")
    (tmp_path / "checkers_5_6.json").write_text(json.dumps(pages[1]))
    add_results(docs, [tmp_path / "checkers_5_6.json"])
    assert "| done |" in line_of(docs, "checkers_5_6")


def test_every_table_that_is_not_done_has_a_reason():
    text = (DOCS / "tables.md").read_text("utf-8").split("\n## Future work")[0]
    reasons = text.split("## Why the others are not done")[1].split("\n## ")[0]
    rows = re.findall(r"^\| [A-Z]\w+ \w+: ([^|]+) \| [A-Z][^|]+\. \|$", reasons, re.M)
    assert sum(row.count(",") + 1 for row in rows) == 71 - text.count("| done | ") + 1


def test_results_are_stored_in_the_order_of_the_document(tmp_path):
    docs = docs_with(tmp_path, {"checkers_6_2": page(), "checkers_5_10": page()})
    assert list(stored_pages(docs, "checkers_thesis")) == ["checkers_5_10", "checkers_6_2"]
    assert write_pages(docs) == list(generated_pages(docs))
    text = (docs / "results/checkers_thesis.md").read_text("utf-8")
    part = text.split('<a id="checkers_6_2"></a>')[1].split("<a id=")[0]
    assert "## Table 6.2: the two predictors against each other" in part
    for told in ("GENERATED DATA", "70.50 ± 0.25", "A note.", "numpy 2", "some & more"):
        assert told in part
    with pytest.raises(ValueError, match="There is no experiment 'x'"):
        add_results(docs, [tmp_path / "x.json"])


def test_plots_of_a_stored_result_are_drawn_anew(tmp_path):
    pytest.importorskip("matplotlib")
    plot = {
        "name": "p", "title": "t", "x_label": "x", "y_label": "y", "curves": {"c": [1, 2]},
        "levels": {},
    }  # fmt: skip
    docs = docs_with(tmp_path, {"checkers_5_2": {**page(), "pictures": [plot]}})
    file = docs / "results" / "checkers_5_2_p.png"
    write_pages(docs)
    first = file.stat().st_mtime_ns
    write_pages(docs)
    assert file.stat().st_mtime_ns == first, "it is there and has not changed"
    add_results(docs, [tmp_path / "checkers_5_2.json"])
    assert not file.exists()
    write_pages(docs)
    assert "![checkers_5_2_p](checkers_5_2_p.png)" in (
        docs / "results" / "checkers_thesis.md"
    ).read_text("utf-8")
