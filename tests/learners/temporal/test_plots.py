"""The pictures of the weights: a line for each, the same bytes for the same training."""

import subprocess
import sys

import pytest

from clauseboard.game import load_game
from clauseboard.learners.temporal.trainer import TemporalOptions, TemporalTrainer

pytest.importorskip("matplotlib")
from clauseboard.learners.temporal.trainer import plot_game, plot_games


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    options = TemporalOptions(depth=1, longest=80, games=3, check_games=0, lead=0.5)
    trainer = TemporalTrainer.begin(load_game("checkers"), options)
    told = list(trainer.steps())
    assert told[0].notes  # something was undone
    path = tmp_path_factory.mktemp("plots") / "w.json"
    trainer.save(path)
    return path


def test_both_pictures(model, tmp_path):
    plot_games(model, tmp_path / "games.svg")
    plot_game(model, tmp_path / "first.svg")
    plot_game(model, tmp_path / "last.svg", "last")
    plot_games(model, tmp_path / "games.png")
    pictures = [(tmp_path / f"{name}.svg").read_text() for name in ("games", "first", "last")]
    assert len(set(pictures)) == 3
    for picture in pictures:
        assert all(name in picture for name in ("piece difference", "kings", "side", "weight"))
    assert (tmp_path / "games.png").read_bytes().startswith(b"\x89PNG")
    plot_games(model, tmp_path / "again.svg")
    assert (tmp_path / "again.svg").read_text() == pictures[0]


def test_what_is_refused(model, tmp_path):
    with pytest.raises(ValueError, match="must be one of 'first', 'last'"):
        plot_game(model, tmp_path / "x.svg", "middle")
    with pytest.raises(ValueError, match="There is no file"):
        plot_games(tmp_path / "nowhere.json", tmp_path / "x.svg")
    with pytest.raises(ValueError, match=r"no kind of picture; end it in .svg or .png"):
        plot_games(model, tmp_path / "x.txt")


def test_matplotlib_is_not_needed_before_drawing(model):
    program = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "from clauseboard.learners.temporal.trainer import plot_games\n"
        "try: plot_games(sys.argv[1], 'x.svg')\n"
        "except ValueError as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(model)], capture_output=True, text=True, timeout=300
    )
    assert done.stdout == "Drawing needs matplotlib; install it with clauseboard's extra `plots`.\n"
