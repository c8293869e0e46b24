"""What Sabaki, GoGui, KGS and HexGui send, sent by a controller of our own to a session.

The conversations follow what these programs write to an engine: Sabaki ends an analysis by a
`protocol_version`, GoGui interrupts by a line `# interrupt`, HexGui sends two sizes.
"""

from __future__ import annotations

import contextlib
import queue
import re
import threading

import pytest

from clauseboard.engines import analysis
from clauseboard.engines.server import GtpSession
from clauseboard.evaluation import Limit
from clauseboard.explaining.writers import brief_text, headline_and_heat
from clauseboard.game import load_game
from clauseboard.players import read_player
from clauseboard.search import load_search
from clauseboard.search.mcts import Rollouts

PATIENCE = 300
"""Seconds after which a reply will not come any more."""
POINT = r"(?:[A-T]\d+|pass)"


class Controller:
    """The other end of a session that is served by a thread."""

    def __init__(self, session):
        self.sent, self.received = queue.Queue(), queue.Queue()
        self.session, self.text = session, ""
        self.thread = threading.Thread(
            target=session.serve, args=(iter(self.sent.get, None), self), daemon=True
        )
        self.thread.start()

    def write(self, text):
        self.text += text
        while "\n" in self.text:
            line, self.text = self.text.split("\n", 1)
            self.received.put(line)

    def flush(self):
        pass

    def send(self, *lines):
        for line in lines:
            self.sent.put(f"{line}\n")

    def line(self):
        return self.received.get(timeout=PATIENCE)

    def rest(self):
        """The lines that are left of a reply."""
        return list(iter(self.line, ""))

    def reply(self):
        """The lines of a reply."""
        lines = self.rest()
        assert lines, "an empty line without a reply"
        assert lines[0].startswith("="), lines
        return [re.sub(r"^=\d* ?", "", lines[0]), *lines[1:]]

    def ask(self, line):
        self.send(line)
        return "\n".join(self.reply()).strip()

    def close(self):
        self.sent.put(None)
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()


@pytest.fixture
def controlled():
    """Starts a session that a controller talks to."""
    with contextlib.ExitStack() as open_ones:

        def start(name, player, limit=None, **parameters):
            session = GtpSession(
                load_game(name, **parameters),
                lambda game: read_player(player, game),
                limit,
                write_account=brief_text,
                read_heat=headline_and_heat,
            )
            controller = Controller(session)
            open_ones.callback(controller.close)
            return controller

        yield start


def variations(line):
    """What Sabaki reads from a line of analysis: keys and values, and the line of moves."""
    read = []
    for part in re.split(r"\s*info\s+", line.partition(" ownership ")[0])[1:]:
        moves = re.search(rf"{POINT}(?:\s+{POINT})*$", part)
        tokens = part[: moves.start()].split()[:-1]
        read.append(dict(zip(tokens[::2], tokens[1::2], strict=True)) | {"pv": moves[0].split()})
    return read


# ---- Sabaki


GO = "rollouts:rollouts=1"


@pytest.mark.parametrize(("command", "greatest"), [("lz-analyze", 10_000), ("kata-analyze", 1.0)])
def test_sabaki_analyses_until_it_asks_for_something_else(controlled, command, greatest):
    sabaki = controlled("go", GO, size=5)
    assert sabaki.ask("name") == f"Clauseboard ({GO})"
    sabaki.ask("version")
    assert sabaki.ask("protocol_version") == "2"
    assert command in sabaki.ask("list_commands").split()
    for line in ("boardsize 5", "clear_board", "komi 0.5", "play B C3"):
        assert sabaki.ask(line) == ""
    sabaki.send(f"7 {command} W 10")
    assert sabaki.line() == "=7"
    for _ in range(2):
        first, *others = variations(sabaki.line())
        assert first["order"] == "0"
        assert first["pv"][0] == first["move"] != "C3"
        assert ("." in first["winrate"]) == (command == "kata-analyze")
        visits = [int(one["visits"]) for one in (first, *others)]
        assert min(visits) >= 1
        for one in (first, *others):
            assert 0 <= float(one["lcb"]) <= float(one["winrate"]) <= greatest
    sabaki.send("protocol_version")
    assert all(line.startswith("info move ") for line in sabaki.rest())
    assert sabaki.reply() == ["2"]
    assert len(sabaki.session.positions) == 2  # nothing was played


def test_sabaki_lets_the_engine_move_and_looks_on(controlled):
    sabaki = controlled("go", GO, Limit(simulations=60), size=5)
    header, *lines, last = ask_lines(sabaki, "kata-genmove_analyze B 10")
    assert header == ""
    (best, *_) = variations(lines[-1])
    assert last == f"play {best['move']}"
    assert len(sabaki.session.positions) == 2


def ask_lines(controller, line):
    controller.send(line)
    return controller.reply()


def test_katago_s_options(controlled):
    katrain = controlled("go", GO, Limit(simulations=60), size=5)
    katrain.send("kata-analyze B interval 5 maxmoves 3 ownership true rootInfo true", "name")
    header, *lines = katrain.reply()
    assert header == ""
    assert katrain.reply() == [f"Clauseboard ({GO})"]
    assert len(variations(lines[-1])) <= 3
    owned = [float(word) for word in lines[-1].partition(" ownership ")[2].split()]
    assert len(owned) == 25
    assert all(-1 <= value <= 1 for value in owned)


def test_ownership_is_the_mover_s(controlled):
    katrain = controlled("go", GO, Limit(simulations=20), size=5)
    stones = " ".join(f"B {column}{row}" for column in "ABC" for row in range(1, 6))
    katrain.ask(f"gogui-setup {stones}")
    for colour, sign in (("B", 1), ("W", -1)):
        katrain.send(f"kata-analyze {colour} ownership true", "")
        *_, last = katrain.reply()
        owned = [float(word) for word in last.partition(" ownership ")[2].split()]
        assert sign * sum(owned[::5]) > 2  # the line of A5, A4, ...


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("lz-analyze W dance 3", "there is no option 'dance'"),
        ("lz-analyze W 10 maxmoves", "'maxmoves' has no value"),
        ("kata-analyze interval soon", "not 'soon'"),
        ("kata-analyze maxmoves -1", "not '-1'"),
    ],
)
def test_options_that_cannot_be_read(controlled, command, told):
    controller = controlled("go", GO, size=5)
    controller.send(command)
    assert told in controller.line()
    assert controller.line() == ""


def test_an_analysis_of_a_game_that_is_over_is_refused(controlled):
    controller = controlled("hex", "solver", size=2)
    for line in ("play black a1", "play white b1", "play black a2"):
        controller.ask(line)
    controller.send("lz-analyze white 10")
    assert controller.line().startswith("? the game is over")


def test_an_analysis_that_knows_everything_waits_for_the_next_line(controlled):
    """The search ends by itself; its reply does not, until something is sent."""
    controller = controlled("hex", "solver", size=3)
    controller.send("lz-analyze black 10")
    assert controller.line() == "="
    assert controller.line().startswith("info move ")
    assert controller.received.empty()
    controller.send("")
    assert controller.line() == ""
    assert controller.ask("protocol_version") == "2"


def test_the_end_of_the_input_ends_an_analysis(controlled):
    controller = controlled("go", GO, size=5)
    controller.send("lz-analyze B 10")
    assert controller.line() == "="
    controller.close()


def test_a_player_that_fails_while_it_analyses(listed, capsys):
    player = listed()
    player.fault = RuntimeError("the cat is on the keyboard")
    session = GtpSession(load_game("go", size=5), lambda game: player)
    assert session.answer("3 lz-analyze B") == "=3\n\n"
    assert "the cat is on the keyboard" in capsys.readouterr().err


# ---- GoGui


def test_gogui_interrupts_a_move(controlled):
    gogui = controlled("go", GO, size=5)
    assert gogui.ask("known_command gogui-interrupt") == "true"
    gogui.ask("time_settings 36000 0 0")
    gogui.send("genmove b", "# interrupt")
    assert re.fullmatch(POINT, gogui.reply()[0])
    gogui.send("# interrupt")  # too late: it ends nothing that comes after it
    assert gogui.ask("gogui-interrupt") == ""
    assert len(gogui.session.positions) == 2


def test_gogui_sets_up_and_plays_sequences(controlled):
    gogui = controlled("go", GO, size=5)
    assert gogui.ask("gogui-setup b A1 b B1 w C3") == ""
    assert gogui.ask("gogui-setup_player w") == ""
    assert gogui.ask("clauseboard-position").startswith("...../...../..w../...../bb... white")
    assert gogui.ask("gogui-play_sequence w D4 b D5 w pass") == ""
    assert len(gogui.session.positions) == 4
    assert gogui.ask("gg-undo 2") == ""
    assert gogui.ask("gg-undo") == ""
    assert len(gogui.session.positions) == 1


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("gogui-setup b", "'b' is left"),
        ("gogui-setup b Z9", "there is no point 'Z9'"),
        ("gogui-setup w A1 b A2 b B1", "a chain has no liberty"),
        ("gogui-setup green A1", "'green' is not a colour"),
        ("gogui-play_sequence b A1 w A1", "illegal move"),
        ("gg-undo 2", "cannot undo"),
        ("gg-undo 0", "cannot undo"),
        ("kgs-time_settings byoyomi 30", "it is written none, absolute MAIN"),
    ],
)
def test_what_gogui_cannot_have(controlled, command, told):
    gogui = controlled("go", GO, size=5)
    gogui.ask("play b E5")
    gogui.send(command)
    assert told in gogui.line()
    assert gogui.line() == ""
    assert len(gogui.session.positions) == 2


GOGUI = {
    "string": r".+",
    "gfx": rf"(?:(?:COLOR #[0-9a-f]{{6}} {POINT}|LABEL {POINT} \d+%|"
    rf"INFLUENCE(?: {POINT} -?[01]\.\d\d)+)\n)*TEXT .+",
    "varc": rf"{POINT}(?: {POINT})*",
    "plist": rf"(?:{POINT}\s*)*",
}
"""How GoGui reads replies."""


@pytest.mark.parametrize("player", [GO, "shipped"])
def test_gogui_shows_every_analysis(controlled, player):
    size = 9 if player == "shipped" else 5
    gogui = controlled("go", player, Limit(simulations=30), size=size)
    gogui.ask("play b C3")
    listed = gogui.ask("gogui-analyze_commands").splitlines()
    assert len(listed) >= 6
    for line in listed:
        kind, label, command = line.split("/")
        assert label
        gogui.send(command.replace("%c", "w"))
        reply = "\n".join(gogui.reply())
        assert re.fullmatch(GOGUI[kind], reply, re.DOTALL), (line, reply)


def test_colours_speak_for_the_side_that_is_asked_about(controlled):
    controller = controlled("checkers", "shipped", Limit(depth=1))
    controller.ask("clauseboard-position B:W31,32:B1,2,3,4")
    *colours, text = controller.ask("clauseboard-colours").splitlines()
    cells = [line.split()[2] for line in colours if line.startswith("COLOR #1f5fae ")]
    assert cells, "no darkest green"
    assert set(cells) < {str(square) for square in range(1, 33)}
    assert text.startswith("TEXT Black is two men ahead. Black is winning")


# ---- KGS


@pytest.mark.parametrize(
    ("words", "seconds"),
    [
        ("none", None),
        ("absolute 300", 0.9 * 300 / 8),  # a third of the empty points
        ("byoyomi 0 20 5", 0.9 * 20),
        ("canadian 0 300 25", 0.9 * 300 / 25),
    ],
)
def test_kgs_sets_the_time(listed, words, seconds):
    player = listed()
    session = GtpSession(load_game("go", size=5), lambda game: player)
    assert session.answer(f"kgs-time_settings {words}") == "= \n\n"
    session.answer("genmove b")
    (limit,) = player.limits
    assert limit.seconds == (None if seconds is None else pytest.approx(seconds))


def test_kgs_plays_a_game(controlled):
    kgs = controlled("go", GO, Limit(simulations=20), size=5)
    for line in ("boardsize 5", "kgs-time_settings byoyomi 60 10 3", "komi 0.5", "clear_board"):
        assert kgs.ask(line) == ""
    for _ in range(3):
        assert kgs.ask("time_left b 60 0") == ""
        assert re.fullmatch(f"{POINT}|resign", kgs.ask("genmove b"))
        assert kgs.ask("play w pass") == ""
    assert kgs.ask("kgs-game_over") == ""


# ---- HexGui


HEXGUI = {
    "string": r".+",
    "pspairs": r"[a-z]\d+ \d+%(?: [a-z]\d+ \d+%)*",
    "var": r"[a-z]\d+(?: [a-z]\d+)*",
    "gfx": r"INFLUENCE(?: [a-z]\d+ [01]\.\d\d)* TEXT .+",
    "plist": r"(?:[a-z]\d+ ?)+",
    "param": r"\n\[bool\] allow_swap 0",
}
"""How HexGui reads replies."""


def test_hexgui_shows_every_analysis(controlled):
    hexgui = controlled("hex", "shipped", Limit(simulations=30), size=6)
    assert hexgui.ask("boardsize 6 6") == ""
    hexgui.ask("play black c3")
    listed = hexgui.ask("hexgui-analyze_commands").splitlines()
    assert len(listed) >= 5
    for line in listed:
        kind, label, command = line.split("/")
        assert label
        hexgui.send(command.replace("%m", "white"))
        reply = "\n".join(hexgui.reply())
        assert re.fullmatch(HEXGUI[kind], reply, re.DOTALL), (line, reply)


# ---- every game


@pytest.mark.parametrize(
    ("name", "parameters", "player"),
    [("go", {"size": 5}, GO), ("hex", {"size": 4}, "solver"), ("checkers", {}, "material:depth=2")],
)
def test_reasons_before_any_move(controlled, name, parameters, player):
    controller = controlled(name, player, Limit(simulations=20), **parameters)
    told = controller.ask("clauseboard-explain")
    assert len(controller.session.positions) == 1
    assert "judged by" in told
    assert controller.ask("clauseboard-explain black") == told  # it has thought already
    line = controller.ask("clauseboard-line").split()
    assert controller.ask("clauseboard-candidates").split()[0] == line[0]
    assert controller.ask("play white resign") == ""
    assert len(controller.session.positions) == 1


def test_reasons_are_of_the_move_made_last_or_of_this_board(controlled):
    controller = controlled("checkers", "material:depth=2")
    move = controller.ask("genmove black")
    made = controller.ask("clauseboard-explain")
    assert f"after {move}" in made
    controller.ask(f"play white {controller.ask('all_legal white').split()[0]}")
    here = controller.ask("clauseboard-explain")
    assert here != made
    assert "for black" in here


def test_checkers_has_a_size_and_records(controlled, tmp_path):
    controller = controlled("checkers", "material:depth=2")
    assert controller.ask("boardsize 8") == ""
    controller.send("boardsize 10")
    assert controller.line().startswith("? unacceptable size")
    controller.line()
    path = tmp_path / "game.pdn"
    path.write_text('[Event "a game"]\n1. 11-15 23-19 2. 8-11 *\n')
    assert controller.ask(f"loadpdn {path}") == ""
    assert len(controller.session.positions) == 4
    assert controller.ask(f"loadpdn {path} 2") == ""
    assert len(controller.session.positions) == 2
    controller.send("lz-analyze white 10", "name")
    _, *lines = controller.reply()
    assert re.match(r"info move 2\d-1\d visits 1 winrate \d+ order 0 pv 2\d-1\d", lines[-1])
    path.write_text("no game at all")
    controller.reply()
    controller.send(f"loadpdn {path}")
    assert controller.line().startswith("? cannot load file: ")


# ---- a search that is stopped


def test_a_search_that_may_be_stopped_finds_the_same():
    game = load_game("hex", size=4)
    limit = Limit(simulations=300)
    found = []
    for is_stopped in (None, lambda: False):
        search = load_search("mcts", rollouts=1)
        search.is_stopped = is_stopped
        choice = search.find(game.start(), Rollouts(game), limit, seed=5)
        found.append((choice.move, choice.value, choice.candidates, choice.cost.nodes))
    assert found[0] == found[1]


@pytest.mark.parametrize("spec", ["material", "rollouts"])
def test_a_search_that_is_stopped_at_once_has_a_move(spec):
    game = load_game("checkers")
    player = read_player(spec, game)
    player.is_stopped = lambda: True
    choice = player.choose(game.start(), Limit(seconds=3600))
    assert choice.move in game.start().moves()
    assert choice.value is not None
    assert choice.cost.simulations + choice.cost.depth <= 2


def test_a_lower_bound_comes_nearer_with_visits():
    bounds = [analysis.lower_bound(0.6, visits) for visits in (1, 10, 100, 10_000)]
    assert bounds == sorted(bounds)
    assert bounds[-1] == pytest.approx(0.59, abs=0.001)
    assert analysis.lower_bound(1.0, 5) < 1
    assert analysis.lower_bound(0.0, 5) == 0


# ---- Gomill's ringmaster


def test_gomill_plays_a_game_and_keeps_the_reasons(controlled):
    """What version 0.8.3 sends in a playoff; the replies are what it needs."""
    gomill = controlled("hex", "shipped", Limit(simulations=20), size=6)
    assert gomill.ask("protocol_version") == "2"
    assert gomill.ask("name").startswith("Clauseboard")
    gomill.ask("version")
    assert gomill.ask("known_command gomill-describe_engine") == "true"
    described = gomill.ask("gomill-describe_engine")
    assert "player shipped" in described
    assert "seed 1" in described
    for line in ("time_settings 0 1 5", "boardsize 6", "clear_board"):
        assert gomill.ask(line) == ""
    assert gomill.ask("known_command gomill-explain_last_move") == "true"
    assert gomill.ask("gomill-explain_last_move") == ""  # nothing was chosen yet
    move = gomill.ask("genmove b")
    told = gomill.ask("gomill-explain_last_move")
    assert told == gomill.ask("clauseboard-explain")
    assert move in told
    gomill.ask("play w " + ("a1" if move != "a1" else "a2"))
    assert gomill.ask("gomill-explain_last_move") == ""  # it is not about that move
    assert gomill.ask("known_command gomill-cpu_time") == "true"
    assert float(gomill.ask("gomill-cpu_time")) > 0
