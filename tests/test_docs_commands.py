"""Every shell command in README.md and docs/ works, at the smallest sizes.

All are read as the program reads them, which finds misspelt options and players that there are
not. Then they are run, after the replacements in SMALLER and with the files in FILES; those that
match SLOW by `make test-long`. Only what matches NOT_RUN is not run, for the reason given there.
"""

from __future__ import annotations

import functools
import os
import re
import shlex
import shutil
import tarfile
import tomllib
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from typer.main import get_command
from typer.testing import CliRunner

from clauseboard.cli.main import app, load_command
from clauseboard.game import Outcome, load_game
from clauseboard.games.plugins import RECORDS
from clauseboard.players import player_names, read_spec
from clauseboard.tsetlin import TsetlinMachineClassifier
from naive import datasets as naive_datasets
from programs import need

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
CLAUSEBOARD = get_command(app)
PROGRAMS = ("clauseboard", "make", "pip", "python", "dask", "helm", "kubectl", "git")

# ---- how commands become small

SMALLER = [
    (r"^doctor$", "doctor --no-speed"),
    (r"^play --terminal$", "play checkers --terminal"),  # it asks which game, at a terminal
    (r"--games \d+", "--games 2"),
    (r"--openings (?!none)\S+", "--openings 1"),
    (r"--(seconds|hours) [\d.]+", r"--\1 0.001"),
    (r"\bseconds=[\d.]+", "seconds=0.001"),
    (r"--nodes \d+", "--nodes 20"),
    (r"\bnodes=\d+", "nodes=20"),
    (r"--jobs \d+", "--jobs 1"),
    (r"--seed \d+", "--seed 1"),
    (r"--rounds \d+", "--rounds 1"),
    (r"--trials \d+", "--trials 1"),
    (r"--set (games|match_games|n_clauses|kept|move_clauses|moves_kept)=\d+ ?", ""),
    (r"^(match (?:go|hex) .*|tournament (?:go|hex) .*)$", r"\1 --simulations 1"),
    (r"^(match checkers (?!.*--nodes).*)$", r"\1 --nodes 20"),
    (r"^(match (?!.*--games).*)$", r"\1 --games 2"),
    (r"^(learn .*)$", r"\1 --set games=4 --set match_games=2 --set n_clauses=10"),
    (r"^(learn (?!.*--rounds).*)$", r"\1 --rounds 1"),
    (r"^(data build hex (perfect|doubled|searched).*)$", r"\1 --set size=3"),
    (r"^(data search .*)$", r"\1 --set size=4 --iterations 1 --boards 2 --most 4 --depth 1"),
    (r"^(data generate (?:go|hex) .*)$", r"\1 --set size=4"),
    (r"^(data generate .*)--games 2", r"\1--games 10"),  # as many as folds
    (r"--(boards|folds|epochs|most-clauses|clauses) \d+ ", ""),
    (r"^(tune .*)$", r"\1 --boards 60 --folds 1 --epochs 1 --clauses 10 --most-clauses 20"),
    (r"^(tune (?!.*optuna).*)$", r"\1 --rounds 1"),
    (r"^(experiment run (?!.*--quick).*)$", r"\1 --quick"),
    (r"^(experiment run (?:go|hex)\w+)(?: --data \S+)+", r"\1"),  # it makes boards itself
    # A process of its own would look for files where the last test was.
    (r"^((?:tune|experiment run) (?!.*--jobs).*)$", r"\1 --jobs 1"),
    (r"^(train swarm.*)--set rounds=\d+", r"\1--set rounds=2"),
    (r"^(train swarm(?!.*--(resume|options)).*)$", r"\1 --set rounds=1"),
    (r"^(train temporal (?!.*--options).*)$", r"\1 --set games=1"),
    (r"^(data build hex searched.*)$", r"\1 --folds 2"),  # the files have boards of two searches
    (r"--full ", ""),
]

SLOW = (
    r"^(learn|train (?!.*--options)|tune|experiment run|data (build (go|hex) |search|generate)|"
    r"match (?!checkers material random)|tournament (?!hex .* --set size=4)|"
    r"explain .*(size=11|--searched))"
)

NOT_RUN = {
    r"^play(?!.*--terminal)": "serves until it is ended; tests/web starts it",
    r"^play three": "plays the game of the page, which tests/games/test_extending.py adds",
    r"^data fetch": "needs a network",
    r"--device gpu": "needs a GPU",
    r"^experiment pages": "writes pages of docs; tests/papers compares them with what it writes",
    r"--cluster": "needs a cluster; tests/papers and tests/selfplay start one",
}

TYPED = {r"^play": "quit\n", r"^engine": "name\nquit\n"}


# ---- the commands


@dataclass(frozen=True)
class Command:
    page: str
    line: int
    text: str
    inline: bool = False  # named in a sentence

    @property
    def words(self) -> list[str]:
        return shlex.split(self.text, comments=True)

    @property
    def smaller(self) -> str:
        """What is run instead, without the name of the program."""
        small = self.text.partition(" ")[2]
        small = re.sub(r" +#.*", "", small).strip()
        for pattern, replacement in SMALLER:
            small = re.sub(pattern, replacement, small)
        return small


def commands_of(page: Path) -> list[Command]:
    """The commands in blocks of code, indented or fenced, and those in the text with options."""
    name = str(page.relative_to(ROOT))
    found, fence, before = [], None, ""
    for number, line in enumerate(page.read_text("utf-8").splitlines(), 1):
        if line.startswith("```"):
            fence = line.removeprefix("```").strip() if fence is None else None
            continue
        in_code = fence is not None or line.startswith("    ")
        text = before + line.strip().removeprefix("$ ")
        before = ""
        if fence == "python" or (fence == "text" and not line.startswith("$ ")):
            continue
        if in_code and text.endswith("\\"):
            before = text.removesuffix("\\")
        elif in_code and text.split(" ")[0] in PROGRAMS:
            found.append(Command(name, number, text))
        elif not in_code:
            inline = re.findall(r"`((?:clauseboard|make|pip|python) [^`]+)`", line)
            found += [Command(name, number, each, True) for each in inline]
    return found


COMMANDS = [command for page in PAGES for command in commands_of(page)]
OURS = [command for command in COMMANDS if command.words[0] == "clauseboard"]


def test_commands_are_found():
    assert len(COMMANDS) > 100
    assert {command.words[0] for command in COMMANDS} <= set(PROGRAMS)


# ---- all are read


def named(command):
    return f"{command.page}:{command.line}"


@pytest.mark.parametrize("command", COMMANDS, ids=named)
def test_a_command_can_be_read(command):
    program, *words = command.words
    READERS[program](words)


load_once = functools.cache(load_command)


def command_of(words):
    """The command that words name, and the words that are left for it."""
    if not words:
        return CLAUSEBOARD, words
    command, words = load_once(words[0]), words[1:]
    while hasattr(command, "commands") and words:
        command, words = command.commands[words[0]], words[1:]
    return command, words


def is_template(words):
    """Words in capitals stand for something, such as FILE or <name>."""
    return any(re.fullmatch(r"[A-Z]+|<\w+>", word) for word in words)


def read_ours(words):
    """Read it as the program does, if it is more than the name of a command in a sentence."""
    command, words = command_of(words)
    if words and not is_template(words):
        command.make_context(command.name, list(words))
    for word in words:
        if re.match(r"[a-z_]+:\w+=", word):
            assert read_spec(word)[0] in player_names()


def read_make(words):
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert [word for word in words if "=" not in word] != []
    assert {word for word in words if "=" not in word} <= set(targets)


def read_pip(words):
    assert words[0] == "install"
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    for wanted in re.findall(r"\[([\w,]+)\]", " ".join(words)):
        assert set(wanted.split(",")) <= set(extras)


def read_python(words):
    """Is the script there, and does it know the options?"""
    if words[0] == "-m":
        script = ROOT / "src" / words[1].replace(".", "/")
        script = script / "__main__.py" if script.is_dir() else script.with_suffix(".py")
        words = words[2:]
    else:
        script, words = ROOT / words[0], words[1:]
    source = script.read_text("utf-8") + (ROOT / "benchmarks" / "stamp.py").read_text("utf-8")
    for option in [word for word in words if word.startswith("--") and word != "--help"]:
        assert f'"{option}"' in source, option


def read_dask(words):
    from distributed.cli import dask_scheduler, dask_worker

    command = {"scheduler": dask_scheduler, "worker": dask_worker}[words[0]].main
    command.make_context(words[0], words[1:], resilient_parsing=True)


def read_elsewhere(words):
    """Programs of clusters, which are not here; the page says that they were not tried."""
    assert "have not been tried" in (ROOT / "docs" / "cluster.md").read_text()


READERS = {
    "clauseboard": read_ours,
    "make": read_make,
    "pip": read_pip,
    "python": read_python,
    "dask": read_dask,
    "helm": read_elsewhere,
    "kubectl": read_elsewhere,
}


# ---- and run


def why_not_run(small):
    return next((why for pattern, why in NOT_RUN.items() if re.search(pattern, small)), None)


def whole(command):
    """Whether it is a whole command, and not the name of one in a sentence."""
    _, words = command_of(command.words[1:])
    return not is_template(words) and (not command.inline or "--" in command.text)


def runs():
    """Every different small command once, with its pages in its name."""
    small = {}
    for command in OURS:
        if whole(command) and not why_not_run(command.smaller):
            small.setdefault(command.smaller, []).append(command)
    for text, commands in small.items():
        marks = [pytest.mark.long] if re.search(SLOW, text) else []
        yield pytest.param(text, id=f"{named(commands[0])} {text}", marks=marks)


def test_nothing_is_left_out():
    """Whatever is not run is run by other tests or cannot be run here."""
    left_out = [each.smaller for each in OURS if whole(each) and why_not_run(each.smaller)]
    assert len(left_out) < 20
    for pattern in NOT_RUN:
        assert any(re.search(pattern, each) for each in left_out), f"{pattern} is not needed"


@pytest.mark.parametrize("text", list(runs()))
def test_a_command_works(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = shlex.split(text)
    if "gnugo" in text:
        monkeypatch.setenv("PATH", f"{Path(need('gnugo')).parent}:{os.environ['PATH']}")
    make_files(words, tmp_path)
    typed = next((typed for pattern, typed in TYPED.items() if re.search(pattern, text)), None)
    done = CliRunner().invoke(app, words, input=typed)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    for name in re.findall(r"--(?:out|plot|save|games-to) (\S+)", text):
        assert (tmp_path / name).exists(), f"{name} was not written"


# ---- files that commands read


def files_read(words):
    """The names of files that a command reads, which another one made before it."""
    to_write = ("--out", "--plot", "--save", "--games-to")
    written = {words[at + 1] for at, word in enumerate(words) if word in to_write}
    named = re.findall(r"[\w-]+\.(?:tm|npz|json|pdn|sgf|sqlite|tar\.gz)\b", " ".join(words))
    folders = ["searched"] if words.count("searched") > 1 else []
    folders += [word for word in words if word.startswith("data/")]
    return [name for name in (*named, *folders) if name not in written]


def make_files(words, folder):
    sizes = [int(word.removeprefix("size=")) for word in words if re.fullmatch(r"size=\d+", word)]
    for name in files_read(words):
        FILES[name](folder / name, {"size": sizes[-1]} if sizes else {})


@pytest.mark.parametrize("text", [param.values[0] for param in runs()])
def test_the_files_of_a_command_can_be_made(text):
    assert set(files_read(shlex.split(text))) <= set(FILES)


def machine(name, labels=None, **fixed):
    """A maker of machines that learned nothing, but have the right bits and classes."""

    def make(path, settings):
        game = load_game(name, **(settings | fixed))
        bits = [bit.name for bit in game.bits()]
        rng = np.random.default_rng(1)
        boards = rng.integers(2, size=(40, len(bits)), dtype=np.uint8)
        classes = np.array(labels or game.colours)[rng.integers(2, size=40)]
        machine = TsetlinMachineClassifier(10, epochs=1, random_state=1)
        machine.fit(boards, classes, bit_names=bits).save(path)

    return make


def made_by(text):
    """A maker of files by another command, which writes to --out."""

    def make(path, settings):
        done = CliRunner().invoke(app, [*shlex.split(text), "--out", str(path)])
        assert done.exit_code == 0, done.output

    return make


def game_record(name, n_games=1, **fixed):
    """A maker of a file of records, each of some moves of a game."""

    def make(path, settings):
        game = load_game(name, **(settings | fixed))
        position, moves = game.start(), []
        for _ in range(4):
            moves.append(position.moves()[0])
            position = position.play(moves[-1])
        players = dict(zip(game.colours, "AB", strict=True))
        outcome = Outcome(game.colours[1], "given up")
        write = RECORDS.of(game).write_game
        texts = [write(game, moves, outcome, players, "test", n) for n in range(1, n_games + 1)]
        path.write_text("".join(texts))

    return make


def checkers_games(path, settings):
    path.write_text(naive_datasets.as_pdn(naive_datasets.random_games(seed=4, n_games=60)))


def checkers_boards(path, settings, composition="standard-end"):
    games = path.with_name("some.pdn")
    checkers_games(games, settings)
    made_by(f"data build checkers {composition} {games}")(path, settings)


def shipped_for_tests(path, settings):
    """A machine of this project's tests, where the command looks for it."""
    there = path.parent / "tests" / "machines"
    there.mkdir(parents=True)
    shutil.copy(ROOT / "tests" / "machines" / path.name, there)


def thesis_folds(path, settings):
    """A folder of text files, one a fold, as the author of the checkers thesis has them."""
    path.mkdir(parents=True)
    for fold in range(2):
        (path / f"{fold}teststatickfold.data").write_text(",".join("0" * 128 + str(fold)) + "\n")


def generated(kind, text):
    """A maker of what `data generate` leaves in its folder; as a tar, if the name says so."""

    def make(path, settings):
        folder = path.with_name("generated")
        made_by(f"data generate {text} --games 10")(folder, settings)
        (found,) = folder.glob(kind)
        if path.suffix == ".gz":
            with tarfile.open(path, "w:gz") as tar:
                tar.add(found, found.name)
        else:
            shutil.copy(found, path)

    return make


def memory(path, settings):
    made_by(f"train temporal checkers --set games=1 --set depth=1 --set memory={path}")(
        path.with_name("with_memory.json"), settings
    )


def searched(path, settings):
    for name in ("red.tm", "blue.tm"):
        machine("hex")(path.with_name(name), settings)
    player = f"tsetlin:red={path.with_name('red.tm')},blue={path.with_name('blue.tm')}"
    small = "--iterations 1 --boards 2 --fewest 2 --most 4 --depth 1"
    made_by(f"data search {player} --set size={settings['size']} {small}")(path, settings)


FILES = {
    "searched": searched,
    "games.sgf": game_record("hex", n_games=10),
    "boards.npz": generated("*.npz", "hex random --set size=5"),
    "games.tar.gz": generated("*.sgf", "go random --set size=9"),
    "boards.sqlite": memory,
    "hex.tm": machine("hex"),
    "go.tm": machine("go", size=9),
    "red.tm": machine("hex", size=4),
    "blue.tm": machine("hex", size=4),
    "checkers-squares.tm": shipped_for_tests,
    "black.tm": machine("checkers"),
    "white.tm": machine("checkers"),
    "weights.json": made_by("train temporal checkers --set games=1 --set depth=1"),
    "network.npz": made_by("train swarm checkers --set rounds=1"),
    "plain.npz": made_by("train swarm checkers --set rounds=1 --set captures=False"),
    "other.npz": made_by("train swarm-descent checkers --set rounds=1"),
    "game.pdn": game_record("checkers"),
    "game.sgf": game_record("go", size=9),
    "hex-2026-03-01.sgf": game_record("hex", size=5),
    "games.pdn": checkers_games,
    "end.npz": checkers_boards,
    "ends.npz": checkers_boards,
    "standard-end.npz": checkers_boards,
    "second-third.npz": partial(checkers_boards, composition="end-second-third"),
    "data/NoDupeCheck/StandardEnd": thesis_folds,
    "data/NoDupeCheck/EndSecondThird": thesis_folds,
    "data/data/StandardEnd": thesis_folds,
}
