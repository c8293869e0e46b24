"""Engines made to hang, die, talk nonsense: each loses with the reason, and none is left behind."""

from __future__ import annotations

import contextlib
import gc
import os
import re
import time
from pathlib import Path

import pytest

from clauseboard.arena.playing import play_game
from clauseboard.engines import EngineError
from clauseboard.engines import process as process_module
from clauseboard.engines.process import EngineProcess
from clauseboard.evaluation import Limit
from clauseboard.game import load_game
from clauseboard.players import read_player
from clauseboard.players.engine import EnginePlayer

GOOD = """
for number, name, rest in commands():
    say(number, "A1" if name == "genmove" else "true")
    if name == "quit": break
"""


def instead(reply):
    """An engine that does something else when it is asked for a move."""
    return f"""
for number, name, rest in commands():
    if name == "genmove":
        {reply}
    else:
        say(number)
"""


BAD = {
    "hangs": (instead("time.sleep(1000)"), r"it hangs: no answer to 'genmove black' within 1 s"),
    "hangs at once": ("time.sleep(1000)", "it hangs: no answer to 'boardsize 5' within 1 s"),
    "is deaf and dumb": ("os.close(0); time.sleep(1000)", "it hangs|it died|it closed"),
    "dies": (instead("sys.exit(3)"), "it died with exit status 3 at 'genmove black'"),
    "dies at once": ("sys.exit(0)", "it died with exit status 0"),
    "is killed": (instead("os.kill(os.getpid(), 9)"), "it died with signal 9"),
    "dies with last words": (
        instead("raise RuntimeError('out of stones')"),
        "exit status 1 .*its last words: RuntimeError: out of stones",
    ),
    "closes its output": (instead("os.close(1); time.sleep(1000)"), "it closed its output"),
    "says what is no reply": (instead("print('hello\\n')"), "it answered 'hello'.*no reply at all"),
    "only ever greets": ("print('hello')\ntime.sleep(1000)", "it hangs: .*it said 'hello'"),
    "answers another question": (instead("say(int(number) + 1, 'A1')"), "no reply to command"),
    "forgets the number": (instead("say('', 'A1')"), "no reply to command"),
    "offers no move at all": (instead("say(number, 'tengen!')"), "it offered 'tengen!'"),
    "offers nothing": (instead("say(number, '')"), "it offered ''"),
    "offers an illegal move": (instead("say(number, 'Z9')"), "it offered 'Z9'"),
    "refuses": (instead("say(number, 'no mood', '?')"), "it refused 'genmove black': 'no mood'"),
    "floods with lines": (
        instead("sys.stdout.write('= A1\\n' + 'more\\n' * 1000000)"),
        "it floods|no reply",
    ),
    "floods with empty lines": (
        instead("sys.stdout.write('\\n' * 1000000); time.sleep(1000)"),
        "it floods",
    ),
    "floods without lines": (
        instead("sys.stdout.write('= A1' * 1000000); time.sleep(1000)"),
        "it floods",
    ),
    "writes half a line": (
        instead("sys.stdout.write('=' + number + ' A1'); time.sleep(1000)"),
        "it hangs",
    ),
    "writes no empty line": (
        instead("print('=' + number + ' A1'); time.sleep(1000)"),
        "it hangs: no answer to 'genmove black' within 3 s; it said '=4 A1'",
    ),
    "writes what is no text": (
        instead("os.write(1, b'=' + number.encode() + b' \\xff\\xfe\\n\\n')"),
        "it offered",
    ),
}

# Seconds to wait for them; those who must say something first may need some on a busy machine.
SILENT_AT_ONCE = {"hangs at once": 1, "is deaf and dumb": 1, "only ever greets": 5}
SILENT_LATER = {"hangs": 1, "writes half a line": 1, "writes no empty line": 3}


def gone(pid):
    """Whether there is no process of this number: neither one that runs nor a dead one."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def fault_of(kind, program):
    """The error that an engine makes, and its processes."""
    game = load_game("go", size=5)
    patience = SILENT_AT_ONCE.get(kind, 60)
    player = EnginePlayer(program(BAD[kind][0]), timeout=patience)
    processes = []
    try:
        player.begin(game, "black", 0)
        processes.append(player._process)
        player.timeout = SILENT_LATER.get(kind, 60)
        player.choose(game.start())
    except EngineError as error:
        return str(error), processes
    finally:
        player.close()
    return "no fault", processes


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_engine_is_told_with_the_reason_and_ended(kind, program):
    fault, processes = fault_of(kind, program)
    assert re.search(BAD[kind][1], fault)
    assert "\n" not in fault
    assert processes or kind in ("dies at once", *SILENT_AT_ONCE)
    for process in processes:
        assert gone(process.number)
        for thread in process._threads:
            thread.join(60)  # it sees the end of what it reads as soon as it may run
            assert not thread.is_alive()


def test_last_words_are_told_however_late_they_are_read(program, monkeypatch):
    def read_late(stream, keep):
        if keep.__name__ == "append":  # the error output
            time.sleep(0.5)
        read(stream, keep)

    read = process_module._read
    monkeypatch.setattr(process_module, "_read", read_late)
    monkeypatch.setattr(process_module, "PARTING", 0.0)
    fault, _ = fault_of("dies with last words", program)
    assert re.search(BAD["dies with last words"][1], fault)


@pytest.mark.parametrize(
    "kind", ["hangs", "dies", "offers an illegal move", "says what is no reply", "refuses"]
)
def test_a_bad_engine_loses_in_a_match_with_the_reason(kind, program):
    game = load_game("go", size=5)
    bad = EnginePlayer(program(BAD[kind][0]), timeout=300)
    begin = bad.begin

    def impatient(*arguments):
        begin(*arguments)
        bad.timeout = 1 if kind == "hangs" else 60

    bad.begin = impatient
    record = play_game(game, [bad, read_player("random", game)], seed=1)
    bad.close()
    assert record.winner == "white"
    assert re.search(BAD[kind][1], record.reason)


def test_a_good_engine_of_the_same_kind_is_fine(program):
    game = load_game("go", size=5)
    with EnginePlayer(program(GOOD), timeout=300) as player:
        player.begin(game, "black", 0)
        process = player._process
        assert player.choose(game.start(), Limit(seconds=1)).move == game.start().read_move("A1")
    assert gone(process.number)


def test_what_is_said_before_the_first_question_is_a_greeting(program):
    game = load_game("go", size=5)
    with EnginePlayer(program("print('Welcome!\\n\\nto me')\n" + GOOD), timeout=300) as player:
        player.begin(game, "black", 0)
        assert player.choose(game.start()).move == game.start().read_move("A1")


def test_lines_may_end_as_on_windows(program):
    body = GOOD.replace("say(", "print(end='') or win(")
    head = (
        "def win(n, t=''):\n    sys.stdout.write(f'={n} {t}\\r\\n\\r\\n')\n    sys.stdout.flush()\n"
    )
    game = load_game("go", size=5)
    with EnginePlayer(program(head + body), timeout=300) as player:
        assert player.choose(game.start()).move == game.start().read_move("A1")


def test_an_engine_that_talks_on_the_side_is_not_stuck(program):
    noise = "    sys.stderr.write('thinking ' * 20000 + '\\n')\n"
    body = GOOD.replace("    say(", noise + "    say(", 1)
    game = load_game("go", size=5)
    with EnginePlayer(program(body), timeout=300) as player:
        for _ in range(3):
            player.begin(game, "black", 0)
            assert player.choose(game.start()).move == game.start().read_move("A1")


def test_an_engine_that_ignores_quit_is_killed_with_its_children(program, tmp_path):
    note = tmp_path / "child"
    body = f"""
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
open({str(note)!r}, "w").write(str(child.pid))
import signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
for number, name, rest in commands():
    say(number, "A1")
while True: time.sleep(1)
"""
    game = load_game("go", size=5)
    player = EnginePlayer(program(body), timeout=300)
    player.choose(game.start())
    process, child = player._process, int(Path(note).read_text())
    player.close()
    assert gone(process.number)
    # The child belongs to nobody now; whoever takes it in may need a moment.
    ends = time.monotonic() + 300
    while not gone(child):
        with contextlib.suppress(OSError):  # it may end while it is looked at
            if Path(f"/proc/{child}/stat").read_text().split()[2] == "Z":
                break
        assert time.monotonic() < ends, "the child of the engine still runs"
        time.sleep(0.05)


def test_an_engine_that_failed_is_started_anew_for_the_next_game(program):
    once = Path("made_once")
    body = f"""
import pathlib
first = not pathlib.Path(__file__).with_name({once.name!r}).exists()
pathlib.Path(__file__).with_name({once.name!r}).touch()
for number, name, rest in commands():
    if name == "genmove" and first: sys.exit(1)
    say(number, "A1")
"""
    game = load_game("go", size=5)
    with EnginePlayer(program(body), timeout=300) as player:
        player.begin(game, "black", 0)
        with pytest.raises(EngineError, match="it died"):
            player.choose(game.start())
        player.begin(game, "black", 1)
        assert player.choose(game.start()).move == game.start().read_move("A1")


def test_closing_twice_and_without_a_start(program):
    player = EnginePlayer(program(GOOD))
    player.close()
    player.begin(load_game("go", size=5), "black", 0)
    player.close()
    player.close()


def test_a_process_that_was_ended_cannot_be_asked(program):
    process = EngineProcess(program(GOOD))
    assert process.ask("name", 20).text == "true"
    process.close()
    process.close()
    with pytest.raises(EngineError, match="does not run any more"):
        process.ask("name", 1)


def test_a_player_that_nobody_closed_takes_its_program_along(program):
    player = EnginePlayer(program(GOOD), timeout=300)
    player.begin(load_game("go", size=5), "black", 0)
    number = player._process.number
    del player
    gc.collect()
    assert gone(number)
