"""What the page on checkers shows is what happens; and importing the game is light."""

import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path

import pytest

from clauseboard.games.checkers import Checkers
from clauseboard.games.checkers.notation import write_digits

PAGE = Path(__file__).parents[3] / "docs" / "games" / "checkers.md"


@pytest.fixture(scope="module")
def page():
    if not PAGE.exists():
        pytest.skip("the pages are not here")
    return PAGE.read_text("utf-8")


def blocks(page, kind):
    return re.findall(rf"```{kind}\n(.*?)```", page, re.DOTALL)


def test_the_first_example(page):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(blocks(page, "python")[0], {})
    assert f"```\n{printed.getvalue()}```" in page


def test_the_reader(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("games.pdn").write_text('[Event "A match"]\n1. 11-15 23-19 1-0\n2. 9-9 *\n')
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(blocks(page, "python")[1], {})
    lines = printed.getvalue().splitlines()
    assert lines[0] == "A match black wins: as recorded 2"
    assert lines[1] == "2 games read, 1 kept, 1 dropped"


def test_the_board_in_digits(page):
    start = Checkers().start()
    after = start.play(start.read_move("11-15"))
    assert f"```\n{write_digits(after, start)}\n```" in page


def test_the_parameters_are_all_there(page):
    for name, usual in (("blocked", '"loss"'), ("quiet_moves", 40), ("repetitions", 3)):
        assert f"| `{name}` | `{usual}` |" in page
    assert "| `max_moves` | `None` |" in page


def test_playing_needs_no_compiler():
    program = (
        "import sys\n"
        "from clauseboard.game import load_game\n"
        "position = load_game('checkers').start()\n"
        "position = position.play(position.read_move('11-15'))\n"
        "str(position), position.game.draw(position)\n"
        "print('numba' in sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=True
    )
    assert done.stdout.strip() == "False"
