"""Players by name and by line, and what is said of options that are not there."""

import subprocess
import sys
import textwrap

import pytest

from clauseboard.game import load_game
from clauseboard.players import (
    describe_players,
    load_player,
    player_names,
    read_player,
)
from naive.machines import small_game, small_machine

KNOWN = {"always-win", "material", "person", "random", "rollouts", "solver", "tsetlin"}


def test_players_are_found():
    assert set(player_names()) >= KNOWN
    assert list(player_names()) == sorted(player_names())


def test_a_line_about_each():
    kinds = {kind.name: kind for kind in describe_players()}
    assert set(kinds) == set(player_names())
    for kind in kinds.values():
        assert len(kind.text) > 20
        assert kind.text.endswith(".")
        assert str(kind) == f"{kind.name}: {kind.text}"
        assert kind.refuses == ""
    assert kinds["random"].options == ()
    assert kinds["solver"].options == ("resign", "otherwise")
    assert {"machine", "<colour>", "zero"} <= set(kinds["tsetlin"].options)
    assert {name: kinds[name].searches for name in KNOWN} == {
        name: name in ("always-win", "material", "rollouts", "tsetlin") for name in KNOWN
    }


@pytest.mark.parametrize(
    ("game", "parameters", "refuse"),
    [
        ("checkers", {}, set()),
        ("checkers", {"blocked": "draw"}, {"solver"}),
        ("go", {}, {"material", "solver"}),
        ("hex", {"size": 8}, {"material"}),
        ("hex", {"size": 9}, {"material", "solver"}),
    ],
)
def test_who_cannot_play_a_game_says_why(game, parameters, refuse):
    rules = load_game(game, **parameters)
    kinds = describe_players(rules)
    assert {kind.name for kind in kinds if kind.refuses} & KNOWN == refuse
    for kind in kinds:
        assert set(rules.colours) <= set(kind.options) or kind.name != "tsetlin"
        if kind.name in refuse:
            with pytest.raises(
                ValueError, match=r"There is no|has no solver|tables serve|takes boards"
            ) as error:
                load_player(kind.name, rules)
            assert str(error.value) == kind.refuses


def test_the_name_of_a_player_is_its_line(tmp_path):
    game = small_game("hex")
    path = tmp_path / "red, blue.tm"
    small_machine(game).save(path)
    text = f"tsetlin:machine={str(path)!r},depth=1,zero=true"
    player = read_player(text, game)
    assert player.name == f"tsetlin:machine={str(path)!r},depth=1,zero=True"
    assert str(player) == player.name
    assert read_player(player.name, game).name == player.name
    assert load_player("always_win", game).name == "always-win"
    named = load_player("tsetlin", game, machine=small_machine(game))
    assert named.name == "tsetlin:machine=<TsetlinMachineClassifier>"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("nobody", "There is no player 'nobody'; there are 'always-win', "),
        ("random:x=1", "random has no option 'x'; there are none"),
        ("solver:x=1", "solver has no option 'x'; there are 'resign', 'otherwise'"),
        ("solver:resign=3", "resign=3 must be True or False"),
        ("always-win:x=1", "no option 'x': 'search', 'depth', .*'seconds', 'nodes', 'simulations'"),
        ("always-win:search=luck", "There is no search 'luck'"),
        ("always-win:search=3", "not the name of a search"),
        ("always-win:seconds=-1", "seconds=-1"),
        ("tsetlin", "red=FILE and blue=FILE"),
        ("tsetlin:machine=nowhere.tm", "There is no file 'nowhere.tm'"),
        ("tsetlin:white=a.tm", "no option 'white': 'machine', 'red', 'blue', 'by'"),
        ("material", "no material to count in hex"),
    ],
)
def test_what_is_refused(text, told):
    with pytest.raises(ValueError, match=told):
        read_player(text, small_game("hex"))


def test_a_game_is_needed():
    with pytest.raises(ValueError, match="needs its game"):
        load_player("random", "hex")


def test_a_learner_plays_by_having_a_folder(tmp_path, monkeypatch):
    """Nothing but its package makes a learner a player."""
    folder = tmp_path / "guesser"
    folder.mkdir()
    (folder / "__init__.py").write_text(
        textwrap.dedent('''
        """Guesses who wins."""
        from clauseboard.players.simple import AlwaysWin
        SEARCH = "breadth-first"
        OPTIONS = {"winner": "the colour that wins"}
        USUAL = {}
        TRAINERS = ()
        def make_evaluator(game, winner="red"):
            return AlwaysWin(game, winner)
        ''')
    )
    import clauseboard.learners

    monkeypatch.setattr(
        clauseboard.learners, "__path__", [*clauseboard.learners.__path__, str(tmp_path)]
    )
    try:
        player = read_player("guesser:winner=blue,depth=1", small_game("hex"))
        assert player.search.depth == 1
        assert str(player.evaluators["red"]) == "a claim that blue always wins"
        kind = next(kind for kind in describe_players() if kind.name == "guesser")
        assert (kind.text, kind.options) == ("Guesses who wins.", ("winner",))
    finally:
        for name in [name for name in sys.modules if "learners.guesser" in name]:
            del sys.modules[name]


def test_a_player_is_made_without_looking_at_the_others():
    """A match between random players is over before a compiler would be loaded."""
    program = (
        "import sys; from clauseboard.game import load_game;"
        "from clauseboard.players import read_player; read_player('random', load_game('hex'));"
        "print([m for m in sys.modules if m.split('.')[0] in ('numba', 'sklearn', 'scipy')"
        " or m.startswith(('clauseboard.engines', 'clauseboard.players.material'))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=True
    )
    assert done.stdout.strip() == "[]"


def test_players_are_listed_without_what_learners_learn_with():
    """The package of a learner is light; its modules are imported when a player is made."""
    program = (
        "import sys; from clauseboard.game import load_game;"
        "from clauseboard.players import describe_players;"
        "[describe_players(load_game(name)) for name in ('checkers', 'go', 'hex')];"
        "print([m for m in sys.modules if m.split('.')[0] in ('numba', 'sklearn', 'scipy')"
        " or m.startswith('clauseboard.learners.') and m.count('.') > 2])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=True
    )
    assert done.stdout.strip() == "[]"
