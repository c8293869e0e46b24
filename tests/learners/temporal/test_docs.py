"""The page about this learner says what is so."""

import re
from pathlib import Path

from clauseboard.game import load_game
from clauseboard.games.concepts import features_of
from clauseboard.learners import temporal

FOLDER = Path(__file__).parents[3] / "docs" / "learners"
PAGE = (FOLDER / "temporal.md").read_text("utf-8")


def test_the_example_runs(capsys):
    exec(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)[0], {})
    lines = capsys.readouterr().out.splitlines()
    assert [re.split(r"  |:", line)[1] for line in lines] == ["piece difference", "kings", "side"]


def test_every_feature_is_in_the_table():
    rows = re.findall(r"^\| ([\w ]+?) \| .* \| ([a-z, ]+) \|$", PAGE, re.MULTILINE)
    game = load_game("checkers")
    listed = {which: [name for name, sets in rows if which in sets] for which in ("three", "full")}
    assert listed == {w: [f.name for f in features_of(game, w)] for w in ("three", "full")}


def test_every_option_of_a_player_is_told_of():
    for option in temporal.OPTIONS:
        assert re.search(rf"\b{option}\b", PAGE)


def test_the_pictures_are_there():
    for name in re.findall(r"!\[.*?\]\((.*?)\)", PAGE):
        assert (FOLDER / name).stat().st_size < 50_000
