"""Data sets of Hex: perfect games and searched boards against a solver that tries everything."""

import json
import random

import numpy as np
import pytest

from clauseboard.datasets import build, generating
from clauseboard.datasets.generating import SearchPlan, random_board, search_boards
from clauseboard.evaluation import Judgements
from clauseboard.games.datasets import load_composition
from clauseboard.games.hex import Hex
from clauseboard.games.hex.datasets import games_from, perfect_games, read_line
from clauseboard.games.hex.records import HexRecord, read_moves, write_sgf
from clauseboard.games.hex.solving import Solver
from clauseboard.games.records import Report
from naive.hex_solver import has_won, mover_wins

SIZE = 3
GAME = Hex(SIZE)


def cells_of(position):
    """A position as the naive solver takes it, and who is to move."""
    letters = {(1, 0): "R", (0, 1): "B", (0, 0): "."}
    cells = "".join(
        letters[position.red >> at & 1, position.blue >> at & 1]
        for at in range(position.game.size**2)
    )
    return cells, position.to_move[0].upper()


def naive_winner(position):
    cells, mover = cells_of(position)
    size = position.game.size
    for letter, colour in (("R", "red"), ("B", "blue")):
        if has_won(cells, size, letter):
            return colour
    other = {"red": "blue", "blue": "red"}[position.to_move]
    return position.to_move if mover_wins(cells, size, mover) else other


def rows_of(name, sources=(), jobs=1, **options):
    composition = load_composition("hex", name, **({"size": SIZE} | options))
    report = Report()
    parts = list(composition.rows(sources, report, jobs=jobs))
    joined = {
        field: np.concatenate([getattr(part, field) for part in parts])
        for field in ("packed", "labels", "games", "plies", "to_move", "keys")
    }
    return joined, report


def positions_of(rows, game=GAME):
    bits = np.unpackbits(rows["packed"], axis=1, count=2 * game.size**2, bitorder="little")
    return [
        game.decode(row, game.colours[side])
        for row, side in zip(bits, rows["to_move"], strict=True)
    ]


# ---------------------------------------------------------------------------- perfect games


@pytest.mark.parametrize("effort", [0, 10, 1000])
def test_perfect_games_are_perfect(effort):
    games = list(perfect_games(SIZE, 1, effort))
    assert [game.moves[:2] for game in games] == [
        (a, b) for a in GAME.start().moves() for b in GAME.start().moves() if a != b
    ]
    for game in games:
        position = GAME.start()
        for move, after in zip(game.moves, game.positions, strict=True):
            position = position.play(move)
            assert position == after
        assert position.winner == game.winner
        # From the second stone on nobody gives away what was won.
        assert {naive_winner(after) for after in game.positions[1:]} == {game.winner}


def test_the_loser_resists():
    """A loser who plays anything is beaten sooner."""
    draws, solver = random.Random(1), Solver(4, 2**12)
    games = list(perfect_games(4, 1, 0))
    careless = 0
    for game in games:
        position = game.positions[1]
        careless += 2
        while position.outcome() is None:
            best = position.to_move == game.winner
            move = solver.best_move(position, 1, 0) if best else draws.choice(position.moves())
            position = position.play(move)
            careless += 1
    assert sum(len(game.moves) for game in games) > careless


def test_the_seed_varies_games_and_jobs_do_not():
    one, same, other = (list(perfect_games(4, seed, 0)) for seed in (1, 1, 2))
    assert one == same
    assert one != other
    assert [g.winner for g in one] == [g.winner for g in other]
    assert list(perfect_games(4, 1, 0, jobs=2)) == one
    assert games_from(4, 3, 1, 0) == one[3 * 15 : 4 * 15]


@pytest.mark.parametrize("size", [1, 9])
def test_sizes_without_perfect_games(size):
    with pytest.raises(ValueError, match="on boards of size 2 to 8"):
        next(perfect_games(size, 1, 0))
    with pytest.raises(ValueError, match="on boards of size 2 to 8"):
        load_composition("hex", "perfect", size=size)


def test_rows_of_perfect_games():
    rows, report = rows_of("perfect")
    games = list(perfect_games(SIZE, 1, 0))
    boards = [(n, p, g.winner) for n, g in enumerate(games) for p in g.positions[1:]]
    assert positions_of(rows) == [position for _, position, _ in boards]
    assert rows["games"].tolist() == [n for n, _, _ in boards]
    assert [GAME.colours[label] for label in rows["labels"]] == [w for _, _, w in boards]
    assert rows["plies"].tolist() == [(p.red | p.blue).bit_count() for _, p, _ in boards]
    assert (report.kept, report.dropped) == (72, 0)
    assert len(np.unique(rows["keys"], axis=0)) == len({game.moves for game in games}) == 72


@pytest.mark.long
def test_the_thesis_has_as_many_boards():
    """1,260 games on 6 × 6, and some 14.2 boards a game, of which red wins some 93 in 100."""
    data = build(load_composition("hex", "perfect"), jobs=2)
    assert data.manifest["games"]["kept"] == 1260
    assert 13 < len(data) / 1260 < 16
    assert 0.88 < (data.labels == 0).mean() < 0.97


# ---------------------------------------------------------------------------- doubled


def test_doubled_boards_are_as_true():
    rows, _ = rows_of("doubled")
    single, _ = rows_of("perfect")
    assert len(rows["labels"]) == 2 * len(single["labels"])
    positions = positions_of(rows)
    for position, label in zip(positions, rows["labels"], strict=True):
        assert naive_winner(position) == GAME.colours[label]
    assert (rows["labels"] == 0).sum() == (rows["labels"] == 1).sum()
    # A board and its copy are of one game.
    for number in range(72):
        mine = np.flatnonzero(rows["games"] == number)
        originals, copies = np.split(mine, 2)
        assert [positions[n].reversed() for n in originals] == [positions[n] for n in copies]


def test_doubled_as_published_exchanges_colours_only():
    rows, _ = rows_of("doubled", as_published=True)
    bits = np.unpackbits(rows["packed"], axis=1, count=18, bitorder="little")
    for number in range(72):
        mine = np.flatnonzero(rows["games"] == number)
        first, second = mine[: len(mine) // 2], mine[len(mine) // 2 :]
        assert (bits[first][:, :9] == bits[second][:, 9:]).all()
        assert (bits[first][:, 9:] == bits[second][:, :9]).all()
        assert (rows["labels"][first] == 1 - rows["labels"][second]).all()
        assert (rows["to_move"][first] == 1 - rows["to_move"][second]).all()


# ---------------------------------------------------------------------------- choosing boards


@pytest.mark.parametrize("name", ["perfect", "doubled"])
def test_boards_for_each_machine_make_up_the_whole(name):
    whole, _ = rows_of(name)
    parts = {}
    for last, to_move in (("red", 1), ("blue", 0)):
        parts[last], _ = rows_of(name, last=last)
        assert set(parts[last]["to_move"].tolist()) == {to_move}
        chosen = whole["to_move"] == to_move
        assert (parts[last]["packed"] == whole["packed"][chosen]).all()
    if name == "perfect":
        # Red has just moved where the number of stones is odd.
        assert set(parts["red"]["plies"] % 2) == {1}


@pytest.mark.parametrize(("least", "most"), [(2, 2), (3, 5), (6, 9)])
def test_boards_by_their_stones(least, most):
    whole, _ = rows_of("perfect")
    some, report = rows_of("perfect", stones_from=least, stones_to=most)
    chosen = (whole["plies"] >= least) & (whole["plies"] <= most)
    assert (some["packed"] == whole["packed"][chosen]).all()
    assert report.read == 72
    assert report.kept == len(np.unique(whole["games"][chosen]))
    assert report.reasons.get("no such board", 0) == 72 - report.kept


def test_the_parts_of_a_data_set_by_stones():
    data = build(load_composition("hex", "perfect", size=SIZE), n_folds=3)
    part = data.take(data.plies == 4)
    assert 0 < len(part) <= 72
    assert all((p.red | p.blue).bit_count() == 4 for p in map(part.position, range(len(part))))


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("games", {"size": 0}, "size=0 must be an integer from 1 to 19"),
        ("games", {"last": "black"}, "last='black' is not one of 'red', 'blue', 'both'"),
        ("games", {"stones_from": -1}, "stones_from=-1 must be an integer >= 0"),
        ("games", {"stones_from": 5, "stones_to": 4}, "stones_to=4 must be an integer >= 5"),
        ("perfect", {"seed": -1}, "seed=-1"),
        ("perfect", {"effort": 0.5}, "effort=0.5"),
        ("doubled", {"as_published": 1}, "as_published=1 must be True or False"),
        ("searched", {"with_perfect": "no"}, "with_perfect='no' must be True or False"),
    ],
)
def test_wrong_options(name, options, said):
    with pytest.raises(ValueError, match=said):
        load_composition("hex", name, **options)


# ---------------------------------------------------------------------------- recorded games


def test_recorded_games(tmp_path):
    won = read_moves(GAME, "b1 a1 b2 a2 b3")
    quit_ = read_moves(GAME, "b1 a1 resign")
    open_ = read_moves(GAME, "b1 a1")
    larger = read_moves(Hex(4), "b1 a1 resign")
    swapped = read_moves(Hex(SIZE, swap=True), "b2 swap a1 resign")
    path = tmp_path / "games.sgf"
    path.write_text(
        "".join(map(write_sgf, (won, quit_, open_, larger, swapped))) + "(;GM[11]SZ[3];B[zz])"
    )
    rows, report = rows_of("games", [path], stones_from=1)
    assert report.reasons == {"no result": 1, "another size": 1, "unreadable move": 1}
    assert report.kept == 3
    recorded = [list(record.positions())[1:] for record in (won, quit_, swapped)]
    flat = [GAME.position(p.red, p.blue, p.to_move) for some in recorded for p in some]
    assert positions_of(rows) == flat
    winners = [0] * 5 + [1] * 2 + [1 if swapped.outcome.winner == "blue" else 0] * 3
    assert rows["labels"].tolist() == winners


def test_a_record_that_is_written_is_read(tmp_path):
    game = next(perfect_games(SIZE, 1, 0))
    record = HexRecord(GAME, game.moves, game.positions[-1].outcome())
    path = tmp_path / "one.sgf"
    path.write_text(write_sgf(record))
    rows, _ = rows_of("games", [path])
    assert positions_of(rows) == list(game.positions[1:])


# ---------------------------------------------------------------------------- searched boards


def small_plan(**changes):
    settings = {"game": Hex(4), "player": "always-win", "boards": 3, "top": 5, "most": 8}
    return SearchPlan(**(settings | changes))


@pytest.mark.parametrize("depth", [pytest.param(1, marks=pytest.mark.long), 3])
def test_what_is_found_is_true_and_in_order(tmp_path, depth):
    plan = small_plan(depth=depth)
    (path,) = search_boards(plan, tmp_path / "found", 1)
    head, *lines = path.read_text().splitlines()
    assert json.loads(head.removeprefix("# "))["depth"] == depth
    found = [read_line(plan.game, line) for line in lines]
    assert {line.root for line in found} == {0, 1, 2}
    for root in range(3):
        start = random_board(plan.game, 2, 8, random.Random(f"1 0 {root}"))
        some = [line for line in found if line.root == root]
        assert 0 < len(some) <= 5
        assert [line.score for line in some] == sorted((line.score for line in some), reverse=True)
        for line in some:
            assert line.winner == naive_winner(line.position)
            assert line.predicted == start.to_move  # who always wins, as its judge says
            assert start.red & ~line.position.red == start.blue & ~line.position.blue == 0


def test_the_best_boards_by_a_judge_of_our_own(tmp_path, monkeypatch):
    """The top of all boards that come up, by values that are worked out here."""
    from clauseboard.evaluation import BitEvaluator

    weights = np.random.default_rng(1).normal(size=32)

    class Linear(BitEvaluator):
        game = Hex(4)

        def judge_bits(self, bits, sides):
            rows = np.unpackbits(bits, axis=1, count=32, bitorder="little")
            red = np.tanh(rows @ weights / 4)
            return Judgements(np.where(np.asarray(sides) == 0, red, -red))

    monkeypatch.setattr(
        generating, "judges_of", lambda plan: dict.fromkeys(plan.game.colours, Linear())
    )
    plan = small_plan(boards=2, top=7, depth=1)
    (path,) = search_boards(plan, tmp_path, 1)
    found = [read_line(plan.game, line) for line in path.read_text().splitlines()[1:]]
    for root in range(2):
        start = random_board(plan.game, 2, 8, random.Random(f"1 0 {root}"))
        after = [start.play(move) for move in start.moves()]
        red = np.tanh(plan.game.encode(after) @ weights / 4)
        scores = red if start.to_move == "red" else -red
        order = np.argsort(-scores, kind="stable")[:7]
        some = [line for line in found if line.root == root]
        assert [line.position for line in some] == [after[n] for n in order]
        assert [line.score for line in some] == pytest.approx(scores[order])
        expected = [
            start.to_move if scores[n] > 0 else plan.game.other(start.to_move) for n in order
        ]
        assert [line.predicted for line in some] == expected


@pytest.mark.parametrize(("fewest", "most"), [(2, 2), (2, 15), (12, 13)])
def test_random_boards(fewest, most):
    draws = random.Random(1)
    game = Hex(4)
    boards = [random_board(game, fewest, min(most, 13), draws) for _ in range(200)]
    counts = {(b.red | b.blue).bit_count() for b in boards}
    assert counts <= set(range(fewest, most + 1))
    assert min(counts) == fewest
    assert all(b.outcome() is None for b in boards)
    assert all((b.to_move == "red") == (b.red.bit_count() == b.blue.bit_count()) for b in boards)
    assert len(set(boards)) > 100 or most == 2


def test_searching_goes_on_and_jobs_change_nothing(tmp_path):
    plan = small_plan()
    one, two = search_boards(plan, tmp_path / "a", 2)
    texts = one.read_bytes(), two.read_bytes()
    two.unlink()
    stamp = one.stat().st_mtime_ns
    shares = []
    search_boards(plan, tmp_path / "a", 2, progress=shares.append)
    assert shares == [1.0]
    assert one.stat().st_mtime_ns == stamp
    assert two.read_bytes() == texts[1] != texts[0]
    others = search_boards(plan, tmp_path / "b", 2, jobs=2)
    assert tuple(path.read_bytes() for path in others) == texts
    with pytest.raises(ValueError, match=r"was made otherwise.*name another folder"):
        search_boards(small_plan(seed=2), tmp_path / "a", 2)


def test_the_head_of_a_file_names_machines_by_what_they_are(tmp_path):
    heads = []
    for folder, text in (("a", "one"), ("b", "one"), ("c", "two")):
        (tmp_path / folder).mkdir()
        machine = tmp_path / folder / "red.tm"
        machine.write_text(text)
        heads.append(small_plan(player=f"tsetlin:machine={machine}").head())
        assert str(tmp_path) not in heads[-1]
    assert heads[0] == heads[1] != heads[2]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"depth": 2}, "depth=2 is even"),
        ({"boards": 0}, "boards=0 must be an integer >= 1"),
        ({"most": 14}, "must leave room for 3 more on 16 cells"),
        ({"fewest": 9}, "fewest=9 and most=8"),
        ({"seed": -1}, "seed=-1"),
        ({"game": Hex(9)}, "size 1 to 8, not 9"),
        ({"game": Hex(4, swap=True)}, "without swaps"),
    ],
)
def test_wrong_plans(changes, said):
    with pytest.raises(ValueError, match=said):
        small_plan(**changes)


def test_players_that_score_no_boards(tmp_path):
    with pytest.raises(ValueError, match="'random' has no judge that scores boards"):
        search_boards(small_plan(player="random"), tmp_path / "none", 1)
    with pytest.raises(ValueError, match="iterations=0"):
        search_boards(small_plan(), tmp_path / "none", 0)
    assert not (tmp_path / "none").exists()


def test_a_data_set_of_searched_boards(tmp_path):
    paths = search_boards(small_plan(), tmp_path / "found", 2)
    lines = [
        read_line(Hex(4), line) for path in paths for line in path.read_text().splitlines()[1:]
    ]
    rows, report = rows_of("searched", [tmp_path / "found"], size=4, with_perfect=False)
    assert positions_of(rows, Hex(4)) == [line.position for line in lines]
    assert [Hex.colours[label] for label in rows["labels"]] == [line.winner for line in lines]
    assert report.kept == 6
    # The boards found from one board stay together.
    assert len(np.unique(rows["games"])) == 6
    both, report = rows_of("searched", [tmp_path / "found"], size=4)
    perfect, _ = rows_of("perfect", size=4)
    assert (both["packed"][: len(perfect["packed"])] == perfect["packed"]).all()
    assert len(both["packed"]) == len(perfect["packed"]) + len(lines)
    assert report.kept == 240 + 6
    assert len(np.unique(both["games"])) == 246


def test_broken_lines_are_counted(tmp_path):
    path = tmp_path / "bad.boards"
    good = "0\t0.5\tred\tblue\tR../.B./... red\n"
    bad = [
        "0\t0.5\tred\tblue\n",
        "x\t0.5\tred\tblue\tR../.B./... red\n",
        "0\tnan\tred\tblue\tR../.B./... red\n",
        "0\t0.5\tred\tgreen\tR../.B./... red\n",
        "-1\t0.5\tred\tblue\tR../.B./... red\n",
        "0\t0.5\tred\tblue\tR..../..../..../.... red\n",
        "\xff\n",
        "x" * 10_000 + "\n",
    ]
    path.write_text("# head\n\n" + good + "".join(bad) + good, encoding="latin-1")
    rows, report = rows_of("searched", [path], with_perfect=False)
    assert len(rows["labels"]) == 2
    # A line that is far too long is read, and counted, in three pieces.
    assert report.reasons == {"no board": len(bad) + 2}
    assert [drop.line for drop in report.drops][:2] == [4, 5]


def test_searched_needs_files():
    with pytest.raises(ValueError, match="searched is made from files"):
        build(load_composition("hex", "searched"))
    with pytest.raises(ValueError, match="perfect makes its games itself"):
        build(load_composition("hex", "perfect"), ["x.sgf"])
