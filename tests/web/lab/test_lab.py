"""The machine room in process: galleries, trainings, machines that are kept, and their errors."""

from __future__ import annotations

import json
import os
import re
import signal
import time
from contextlib import suppress

import psutil
import pytest
from web_doubles import PATIENCE, Seat, client_of, events_of

from clauseboard.game import load_game
from clauseboard.learners import load_trainer, trainer_names
from clauseboard.web.lab import training, training_queue
from clauseboard.web.settings import Settings
from naive.machines import small_game, small_machine

HEX = {"game": "hex", "size": 4}
QUICK = {
    "game": "hex",
    "settings": {"size": 3},
    "source": "random",
    "games": 20,
    "options": {"n_clauses": 10, "epochs": 3},
}
LONG = {**QUICK, "options": {"n_clauses": 200, "epochs": 200}}


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    path = tmp_path_factory.mktemp("machine") / "small.tm"
    small_machine(small_game("hex")).save(path)
    return path


@pytest.fixture(scope="module")
def client(tmp_path_factory, machine):
    line = f"tsetlin:machine={str(machine)!r},depth=1"
    data = tmp_path_factory.mktemp("room")
    with client_of(Settings(data=data, workers=2, players=(line, "material"))) as client:
        yield client


def settled(client, id, of=lambda state: state["phase"] in training_queue.OVER):
    """The state of a training once something is true of it."""
    ends = time.monotonic() + PATIENCE
    while True:
        state = client.get(f"/api/trainings/{id}").json()
        if of(state):
            return state
        assert time.monotonic() < ends, state
        time.sleep(0.05)


def begin(client, wish):
    answer = client.post("/api/trainings", json=wish)
    assert answer.status_code == 201, answer.text
    return answer.json()


def refused(answer, status, words):
    assert answer.status_code == status, answer.text
    assert words in answer.json()["detail"]


# ---- clauses


def gallery(client, **wish):
    answer = client.get("/api/machines/own-1/clauses", params={**HEX, **wish})
    assert answer.status_code == 200, answer.text
    return answer.json()


def whole_gallery(client, **wish):
    first = gallery(client, **wish)
    found = list(first["clauses"])
    for page in range(2, first["pages"] + 1):
        found += gallery(client, **wish, page=page)["clauses"]
    assert len(found) == first["found"]
    return found


def test_machines_are_those_that_learned(client):
    found = client.get("/api/machines", params=HEX).json()
    assert [one["id"] for one in found] == ["own-1"]
    assert not found[0]["kept"]
    checkers = client.get("/api/machines", params={"game": "checkers"}).json()
    assert "material" not in {one["id"] for one in checkers}


@pytest.mark.parametrize(
    ("query", "about"),
    [
        ({"game": "hex", "size": 6}, "move"),
        ({"game": "checkers"}, "black"),
        pytest.param({"game": "go", "size": 9}, "move", marks=pytest.mark.long),
        pytest.param({"game": "hex", "size": 11}, "move", marks=pytest.mark.long),
    ],
)
def test_clauses_of_players_that_are_shipped(client, query, about):
    found = client.get("/api/machines", params=query).json()
    assert "shipped" in [one["id"] for one in found]
    page = client.get("/api/machines/shipped/clauses", params=query).json()
    clauses = page["clauses"]
    assert len(clauses) == 12
    assert page["total"] == page["found"] > 50
    assert about in {one["about"] for one in clauses}
    if about == "move":
        assert page["abouts"] == []
        assert "is to move" in page["seen_by"]
        assert all(one["votes_text"].endswith(" the move") for one in clauses)
        assert any(one["fired"] for one in clauses)
        assert all(one["right"] + one["wrong"] == one["fired"] for one in clauses)
        cell = clauses[0]["cells"][0] if clauses[0]["cells"] else "E6"
        some = client.get(
            "/api/machines/shipped/clauses", params={**query, "cell": cell, "favours": "for"}
        ).json()
        assert 0 < some["found"] < page["total"]
        assert all(one["favours"] and cell in one["cells"] for one in some["clauses"])


def test_every_clause_is_on_one_page(client):
    found = whole_gallery(client)
    assert len({(one["about"], one["favours"], one["number"]) for one in found}) == len(found)
    for one in found:
        assert one["fired"] == one["right"] + one["wrong"]
        assert one["votes_text"].startswith(f"{one['weight']:,} vote")
        if one["cells"]:
            assert one["svg"].startswith("<svg")
        if one["fired"]:
            assert one["precision"] == one["right"] / one["fired"]


KEYS = {
    "weight": lambda one: one["weight"],
    "votes": lambda one: one["weight"] * one["fired"],
    "right": lambda one: -1 if one["precision"] is None else one["precision"],
    "wrong": lambda one: -1 if one["precision"] is None else 1 - one["precision"],
    "support": lambda one: one["support"],
}


@pytest.mark.parametrize("sort", KEYS)
def test_sorting(client, sort):
    values = [KEYS[sort](one) for one in whole_gallery(client, sort=sort)]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) > 1


def test_the_shortest_come_first(client):
    first, *_, last = whole_gallery(client, sort="short")
    assert len(first["sentence"]) < len(last["sentence"])


@pytest.mark.parametrize("favours", ["for", "against"])
@pytest.mark.parametrize("about", [None, "red", "blue"])
@pytest.mark.parametrize("cell", [None, "b2"])
def test_filters_keep_what_they_say(client, favours, about, cell):
    def fits(one):
        return (
            one["favours"] == (favours == "for")
            and about in (None, one["about"])
            and (cell is None or cell in one["cells"])
        )

    everything = whole_gallery(client)
    wish = {"favours": favours, "about": about, "cell": cell}
    wish = {name: value for name, value in wish.items() if value is not None}
    assert whole_gallery(client, **wish) == [one for one in everything if fits(one)]


def test_counts_are_those_of_the_boards(client, machine):
    """The same clauses counted here, on the boards that the server has made."""
    from clauseboard.explaining.clause_statistics import count_clauses
    from clauseboard.learners.tsetlin.board_evaluator import MachineEvaluator
    from clauseboard.web.lab.training_process import played_boards

    boards = played_boards(load_game("hex", size=4), "random", 200, view="board")
    page = gallery(client)
    assert page["boards"] == len(boards)
    assert f"{len(boards):,} boards of 200 random games" in page["about_boards"]
    counts = count_clauses(
        MachineEvaluator(load_game("hex", size=4), machine),
        boards.packed, boards.to_move, boards.labels,
    )  # fmt: skip
    ours = {(one.reason.about, one.index): (one.fired, one.right) for one in counts}
    theirs = {
        (one["about"], one["number"]): (one["fired"], one["right"]) for one in whole_gallery(client)
    }
    assert ours == theirs


def test_a_page_behind_the_last_is_the_last(client):
    page = gallery(client, page=1000)
    assert page["page"] == page["pages"]
    assert page["clauses"]


def test_clauses_that_cannot_be_shown(client):
    ask = "/api/machines/{}/clauses".format
    refused(client.get(ask("nobody"), params=HEX), 404, "no such machine")
    refused(client.get(ask("own-1"), params={**HEX, "size": 99}), 422, "size")
    refused(client.get(ask("own-1"), params={**HEX, "sort": "beauty"}), 422, "sort")
    refused(client.get(ask("own-1"), params={**HEX, "page": 0}), 422, "page")
    refused(client.get(ask("own-1"), params={"game": "ludo"}), 422, "ludo")
    # A machine of another board: what is wrong is what the player says.
    refused(client.get(ask("own-1"), params={**HEX, "size": 5}), 422, "")


# ---- trainings


def test_choices(client):
    found = client.get("/api/trainings/choices", params=HEX).json()
    learners = {one["name"]: one for one in found["learners"]}
    assert next(iter(learners)) == "tsetlin"
    assert {"swarm", "swarm-descent"} <= set(learners)
    for one in learners.values():
        assert one["options"]
        for option in one["options"]:
            assert option["least"] <= option["default"] <= option["most"]
    sources = [one["id"] for one in found["sources"]]
    assert sources[0] == "solved-perfect"
    assert {"random", "rollouts", "own-1"} <= set(sources)
    assert "person" not in sources
    swapped = client.get("/api/trainings/choices", params={**HEX, "swap": True}).json()
    assert swapped["sources"][0]["id"] == "solved-perfect"  # so is the page's default
    large = client.get("/api/trainings/choices", params={"game": "hex", "size": 11}).json()
    assert not any(one["id"].startswith("solved") for one in large["sources"])


@pytest.mark.parametrize("game", ["checkers", "go", "hex"])
def test_only_learners_that_can_learn_a_game_are_offered(client, game):
    found = client.get("/api/trainings/choices", params={"game": game}).json()
    offered = {one["name"] for one in found["learners"]}
    for name in trainer_names():
        kind = load_trainer(name)
        if kind.data_help is not None:
            assert name in offered
            continue
        try:
            kind.begin(load_game(game), kind.Options(**kind.small))
        except ValueError as error:
            assert name not in offered
            wish = {"game": game, "learner": name}
            refused(client.post("/api/trainings", json=wish), 422, str(error))
        else:
            assert name in offered
    assert ("temporal" in offered) == (game == "checkers")


def test_a_training_from_start_to_game(client):
    state = begin(client, QUICK)
    state = settled(client, state["id"])
    assert (state["phase"], state["text"]) == ("done", "Done after 3 epochs.")
    assert [step["step"] for step in state["steps"]] == [1, 2, 3]
    assert state["of"] == 3
    for step in state["steps"]:
        never, learned = step["figures"].items()
        assert never[0] == "accuracy on boards never seen"
        assert learned[0] == "accuracy on boards learned"
        assert 0 <= never[1] <= 1
    boards = state["boards"]
    assert boards["held_out"] > 0
    assert sum(boards["results"].values()) == boards["learned"]
    shown = client.get(f"/api/trainings/{state['id']}/clauses").json()
    assert shown["step"] == 3
    assert shown["since"] in (1, 2)
    assert 0 < len(shown["clauses"]) <= 8
    scores = [one["weight"] * (one["right"] - one["wrong"]) for one in shown["clauses"]]
    assert scores == sorted(scores, reverse=True)

    answer = client.post(f"/api/trainings/{state['id']}/keep", json={"title": "  Anna <b> "})
    kept = answer.json()["kept"]
    assert kept.startswith("kept-hex-")
    refused(client.post(f"/api/trainings/{state['id']}/keep", json={}), 409, "saved already")
    asked = {"game": "hex", "size": 3}
    opponents = {one["id"]: one for one in client.get("/api/opponents", params=asked).json()}
    assert opponents[kept]["title"] == "Anna <b>"
    never = f"{state['steps'][-1]['figures']['accuracy on boards never seen']:.1%}".replace(
        "%", " %"
    )
    assert opponents[kept]["strength"] == state["strength"]
    said = re.fullmatch(
        r"(\d+) of 20 games won against the random mover, looking one move ahead; "
        rf"accuracy on boards never seen {never}",
        state["strength"],
    )
    assert 0 <= int(said[1]) <= 20
    assert kept not in {one["id"] for one in client.get("/api/opponents", params=HEX).json()}
    seat = Seat(client, opponent=kept, settings={"size": 3}, seconds=0.2)
    assert seat.play()["error"] is None
    assert len(seat.state["moves"]) == 2
    assert seat.ask("why", about="own").json()["votes"]
    page = client.get(f"/api/machines/{kept}/clauses", params=asked).json()
    assert page["machine"]["kept"]
    assert page["boards"] == boards["held_out"]
    assert "did not learn from" in page["about_boards"]

    assert client.delete(f"/api/machines/{kept}").status_code == 204
    refused(client.delete(f"/api/machines/{kept}"), 404, "no such machine")
    refused(client.delete("/api/machines/own-1"), 404, "no such machine")
    assert kept not in {one["id"] for one in client.get("/api/machines", params=asked).json()}
    assert client.delete(f"/api/trainings/{state['id']}").status_code == 204
    refused(client.get(f"/api/trainings/{state['id']}"), 404, "no such training")


@pytest.mark.parametrize("game", ["hex", "checkers"])
@pytest.mark.long
def test_the_default_training_visibly_learns(client, game):
    kinds = client.get("/api/about").json()["games"]
    wish = {"game": game, "settings": next(k["training"] for k in kinds if k["name"] == game)}
    state = settled(client, begin(client, wish)["id"])
    assert state["phase"] == "done", state["text"]
    never = [step["figures"]["accuracy on boards never seen"] for step in state["steps"]]
    early, late = sum(never[:3]) / 3, sum(never[-3:]) / 3
    assert late > early + 0.03
    assert late > state["boards"]["guess"] + 0.25
    shown = client.get(f"/api/trainings/{state['id']}/clauses").json()["clauses"]
    assert not all(clause["weight_before"] is None for clause in shown)
    assert all(clause["right"] > clause["wrong"] for clause in shown)


def test_boards_can_be_judged_by_the_shipped_player():
    from clauseboard.web.lab.training import JUDGED
    from clauseboard.web.lab.training_process import judged_boards, results

    game, told = load_game("checkers"), []
    boards = judged_boards(game, JUDGED, 12, report=told.append)
    assert told == [n / 12 for n in range(1, 13)]
    assert set(boards.games) == set(range(12))
    assert set(results(boards)) == {"win", "loss"}
    assert (judged_boards(game, JUDGED, 12).packed == boards.packed).all()
    own = boards.X[:, : boards.X.shape[1] // 2].sum(axis=1)
    other = boards.X[:, boards.X.shape[1] // 2 :].sum(axis=1)
    ahead, behind = own > other, own < other
    won = results(boards) == "win"
    assert won[ahead].mean() > won[behind].mean()


@pytest.mark.long
def test_perfect_boards_are_learned(client):
    """On boards whose truth is known a machine is soon right about those it never saw."""
    wish = {"game": "hex", "settings": {"size": 4}, "options": {"epochs": 3, "n_clauses": 60}}
    state = settled(client, begin(client, wish)["id"])
    assert state["phase"] == "done", state["text"]
    assert "Solved games: perfect" in state["title"]
    assert state["steps"][-1]["figures"]["accuracy on boards never seen"] > 0.8


@pytest.mark.parametrize(
    ("learner", "game", "options"),
    [
        ("temporal", "checkers", {"games": 2, "depth": 1}),
        ("swarm", "checkers", {"rounds": 2, "particles": 4, "games": 4, "hidden": 2}),
    ],
)
@pytest.mark.long
def test_learners_of_their_own_games(client, learner, game, options):
    wish = {"game": game, "learner": learner, "options": options}
    state = settled(client, begin(client, wish)["id"])
    assert state["phase"] == "done", state["text"]
    assert state["boards"] is None
    kept = client.post(f"/api/trainings/{state['id']}/keep", json={}).json()["kept"]
    seat = Seat(client, game=game, settings={}, opponent=kept, seconds=0.2)
    assert seat.play()["error"] is None
    answer = client.get(f"/api/machines/{kept}/clauses", params={"game": game})
    refused(answer, 422, "no clauses to show")


def test_stop_queue_and_throw_away(client):
    first = begin(client, LONG)
    # It waits while the process of the training before it ends.
    settled(client, first["id"], lambda state: state["phase"] != "waiting")
    others = [begin(client, QUICK) for _ in range(training_queue.MOST_WAITING)]
    assert [one["place"] for one in others] == [1, 2, 3, 4]
    assert others[1]["text"] == "Waiting: number 2 in the queue."
    refused(client.post("/api/trainings", json=QUICK), 503, "4 trainings are waiting already")
    refused(client.post(f"/api/trainings/{first['id']}/keep", json={}), 409, "nothing to save yet")
    state = client.post(f"/api/trainings/{others[0]['id']}/stop").json()
    assert (state["phase"], state["can_keep"]) == ("stopped", False)
    assert client.delete(f"/api/trainings/{others[1]['id']}").status_code == 204
    assert client.get(f"/api/trainings/{others[2]['id']}").json()["place"] == 1
    assert client.delete(f"/api/trainings/{others[2]['id']}").status_code == 204
    settled(client, first["id"], lambda state: len(state["steps"]) >= 2)
    assert client.post(f"/api/trainings/{first['id']}/stop").json()["stopping"]
    state = settled(client, first["id"])
    done = len(state["steps"])
    assert (state["phase"], state["text"]) == ("stopped", f"Stopped after {done} epochs.")
    assert 2 <= done < 200
    assert state["can_keep"]
    refused(client.post(f"/api/trainings/{first['id']}/stop"), 409, "over already")
    assert settled(client, others[3]["id"])["phase"] == "done"
    ids = [one["id"] for one in client.get("/api/trainings").json()]
    assert ids.index(others[3]["id"]) < ids.index(others[0]["id"]) < ids.index(first["id"])


def trainer():
    """The process that trains, of this process's server."""
    training = []
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):  # it may end while it is looked at
            if "clauseboard.web.lab.training_process" in " ".join(process.cmdline()):
                training.append(process)
    return training


def all_end(processes):
    """Whether these end soon. `psutil.wait_procs` would take their exit status from asyncio, which
    then reports 255."""

    def runs(process):
        with suppress(psutil.NoSuchProcess):
            return process.status() != psutil.STATUS_ZOMBIE
        return False

    ends = time.monotonic() + PATIENCE
    while any(map(runs, processes)) and time.monotonic() < ends:
        time.sleep(0.02)
    return not any(map(runs, processes))


def test_a_killed_trainer_says_so_and_what_it_learned_can_be_kept(client):
    state, following = begin(client, LONG), begin(client, LONG)
    settled(client, state["id"], lambda state: len(state["steps"]) >= 2)
    trainer()[0].kill()
    state = settled(client, state["id"])
    assert state["phase"] == "failed"
    assert "ended by SIGKILL; what it learned up to epoch" in state["text"]
    kept = client.post(f"/api/trainings/{state['id']}/keep", json={}).json()["kept"]
    seat = Seat(client, opponent=kept, settings={"size": 3}, seconds=0.2)
    assert seat.play()["error"] is None
    # The next one has begun. Who is thrown away in the midst leaves no process behind.
    settled(client, following["id"], lambda state: len(state["steps"]) >= 1)
    processes = trainer()
    assert client.delete(f"/api/trainings/{following['id']}").status_code == 204
    assert all_end(processes)


def test_trainings_deleted_at_once_leave_nothing_and_run_one_at_a_time(client):
    queue = client.app.state.lab.trainings
    for _ in range(6):
        assert client.delete(f"/api/trainings/{begin(client, LONG)['id']}").status_code == 204
        assert len(trainer()) <= 1
    state = settled(client, begin(client, QUICK)["id"])
    assert state["phase"] == "done"
    assert all_end(trainer())
    kept = {training.folder for training in queue.trainings.values()}
    assert {path for path in queue.folder.iterdir() if path.is_dir()} <= kept


def test_stopped_while_boards_are_made(client):
    slow = {**QUICK, "source": "rollouts", "games": 2000}
    state = begin(client, slow)
    settled(client, state["id"], lambda state: state["share"] > 0)
    client.post(f"/api/trainings/{state['id']}/stop")
    state = settled(client, state["id"])
    assert (state["phase"], state["steps"], state["can_keep"]) == ("stopped", [], False)


def test_a_training_that_cannot_be(client):
    # The player whose games are to be learned has a machine of another size: its sentence is told.
    state = settled(client, begin(client, {**QUICK, "source": "own-1"})["id"])
    assert state["phase"] == "failed"
    assert "boards of 32 bits" in state["text"]
    assert not state["can_keep"]
    assert state["strength"] == "not measured"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"learner": "parrot"}, "parrot"),
        ({"learner": "temporal", "options": {}}, "hex has no features"),
        ({"options": {"epochs": 0}}, "from 1 to 200"),
        ({"options": {"epochs": 100000}}, "from 1 to 200"),
        ({"options": {"epochs": 1.5}}, "must be an integer"),
        ({"options": {"n_clauses": 10**6}}, "from 2 to 4000"),
        ({"options": {"memory": 1}}, "no option 'memory'"),
        ({"options": {"specificity": 0.5}}, "from 1 to 50"),
        ({"source": "../../etc"}, "no boards from '../../etc'"),
        ({"source": "person"}, "no boards from 'person'"),
        ({"games": 3}, "games"),
        ({"games": 10**6}, "games"),
        ({"game": "ludo"}, "ludo"),
        ({"settings": {"size": 99}}, "size"),
        ({"path": "/tmp/x"}, "Extra inputs are not permitted"),
    ],
)
def test_wishes_that_are_refused(client, change, words):
    refused(client.post("/api/trainings", json={**QUICK, **change}), 422, words)
    assert not [one for one in client.get("/api/trainings").json() if one["place"]]


def test_every_bound_can_be_reached():
    from clauseboard.learners import load_trainer, make_options, trainer_names

    for name in trainer_names():
        kind = load_trainer(name)
        for option, usual in training.usual_options(kind).items():
            size = training.OPTION_BOUNDS[option]
            for value in (size.least, usual, size.most):
                make_options(kind, {option: training.bounded(kind, option, value)})


# ---- as a program


def test_events_and_a_clean_end(program):
    server = program()
    state = begin(server.client, LONG)
    with server.client.stream("GET", f"/api/trainings/{state['id']}/events") as stream:
        kinds, steps = [], []
        for kind, content in events_of(stream):
            kinds.append(kind)
            if kind == "training":
                steps.append(len(content["steps"]))
            if kind == "clauses" and content["clauses"] and max(steps) > 3:
                break
    assert set(kinds) == {"training", "clauses"}
    assert steps == sorted(steps)
    processes = server.children()
    assert server.end(signal.SIGINT) in (0, -signal.SIGINT)
    assert psutil.wait_procs(processes, timeout=PATIENCE)[1] == []
    assert "Traceback" not in "".join(server.lines)


@pytest.mark.long
def test_kept_machines_survive_and_a_killed_server_leaves_no_trainer(program, tmp_path):
    first = program(folder=tmp_path / "data")
    state = settled(first.client, begin(first.client, QUICK)["id"])
    kept = first.client.post(f"/api/trainings/{state['id']}/keep", json={}).json()["kept"]
    state = begin(first.client, LONG)
    settled(first.client, state["id"], lambda state: len(state["steps"]) >= 1)
    processes = first.children()
    first.process.kill()
    first.process.wait()
    assert psutil.wait_procs(processes, timeout=PATIENCE)[1] == []
    # A card that is damaged is no reason not to start.
    (tmp_path / "data" / "machines" / "other.json").write_text("{")
    second = program(folder=tmp_path / "data")
    found = second.client.get("/api/machines", params={"game": "hex", "size": 3}).json()
    assert [one["id"] for one in found] == [kept]
    assert second.client.get("/api/trainings").json() == []


@pytest.mark.long
def test_the_next_server_clears_up_after_one_that_was_killed(program, tmp_path):
    (tmp_path / "tmp").mkdir()
    first, second = (program(folder=tmp_path / name, TMPDIR=str(tmp_path / "tmp")) for name in "ab")
    begin(first.client, LONG)
    assert len(list((tmp_path / "tmp").glob("clauseboard-training-*"))) == 2
    first.process.kill()
    first.process.wait()
    third = program(folder=tmp_path / "a", TMPDIR=str(tmp_path / "tmp"))
    assert len(list((tmp_path / "tmp").glob("clauseboard-training-*"))) == 2
    assert begin(second.client, QUICK)["phase"] == begin(third.client, QUICK)["phase"] == "boards"


# ---- parts


def test_a_machine_that_cannot_be_saved_leaves_nothing(tiny_disk, tmp_path):
    kept = training_queue.SavedMachines(tiny_disk.folder)
    (tmp_path / "machine").write_bytes(bytes(100_000))
    kept.folder.mkdir()
    tiny_disk.fill()
    with pytest.raises(OSError, match="No space left"):
        kept.save(tmp_path, "One", load_game("hex", size=3), "tsetlin", "about", "strength")
    assert list(kept.folder.iterdir()) == []
    assert kept.cards == {}


def test_there_is_an_end_to_keeping(tmp_path, monkeypatch):
    monkeypatch.setattr(training_queue, "MOST", 1)
    kept = training_queue.SavedMachines(tmp_path / "data")
    (tmp_path / "machine").write_bytes(b"x")
    game = load_game("hex", size=3)
    id = kept.save(tmp_path, "One", game, "tsetlin", "about", "strength")
    assert kept.file(id.removeprefix("kept-")).read_bytes() == b"x"
    assert kept.boards(id) is None
    with pytest.raises(ValueError, match="1 machines are saved already"):
        kept.save(tmp_path, "Two", game, "tsetlin", "about", "strength")
    again = training_queue.SavedMachines(tmp_path / "data")
    assert [one.title for one in again.opponents(game)] == ["One"]


CARD = {"title": "One", "game": "hex", "settings": {"size": 3, "swap": False},
        "learner": "tsetlin", "about": "", "strength": ""}  # fmt: skip


@pytest.mark.parametrize(
    "card",
    [
        "[" * 100_000,
        "[]",
        json.dumps({**CARD, "title": 5}),
        json.dumps({**CARD, "learner": "nothing"}),
        json.dumps({**CARD, "settings": None}),
    ],
)
def test_a_damaged_card_stops_no_game(tmp_path, card):
    game, folder = load_game("hex", size=3), tmp_path / "machines"
    folder.mkdir()
    (folder / "a.json").write_text(card)
    (folder / "b.json").write_text(json.dumps({**CARD, "title": "Two"}))
    os.mkfifo(folder / "c.json")
    kept = training_queue.SavedMachines(tmp_path)
    assert [one.title for one in kept.opponents(game)] == ["Two"]


@pytest.mark.parametrize("most", [1, 10, 2000])
def test_no_board_is_learned_and_tested(most):
    from clauseboard.web.lab.training_process import played_boards, solved_boards, split

    for boards in (
        played_boards(load_game("hex", size=3), "random", 100),
        solved_boards(load_game("hex", size=4), "perfect"),
    ):
        learned, held_out = split(boards, most)
        assert 0 < len(held_out) <= most
        seen = {row.tobytes() for row in boards.packed[learned]}
        assert not seen & {row.tobytes() for row in boards.packed[held_out]}
        assert not set(boards.games[learned]) & set(boards.games[held_out])


def test_boards_that_are_all_alike():
    from clauseboard.web.lab.training_process import played_boards, split

    boards = played_boards(load_game("hex", size=2), "random", 200)
    with pytest.raises(ValueError, match="No board is left to test on"):
        split(boards, 10)


def test_the_boards_of_games():
    from clauseboard.datasets.dataset import DataSet
    from clauseboard.web.lab.training_process import played_boards, results, solved, solved_boards

    game = load_game("hex", size=3)
    boards = played_boards(game, "random", 20)
    assert isinstance(boards, DataSet)
    assert boards.view == "mover"
    assert boards.plies.min() == 2  # the opening, which nobody chose
    again = played_boards(game, "random", 20)
    assert (again.packed == boards.packed).all()
    assert len(set(boards.games)) == 20
    # The side to move has one stone fewer, or as many: red's bits are its own.
    own, other = boards.X[:, :9].sum(axis=1), boards.X[:, 9:].sum(axis=1)
    assert set(other - own) <= {0, 1}
    told = []
    truth = solved_boards(game, "perfect", told.append)
    assert told[-1] == 1
    assert set(results(truth)) == {"win", "loss"}
    for row in range(0, len(truth), 25):
        # A board with the result that perfect play has: the solver says so.
        from clauseboard.players import read_player

        position = truth.position(row)
        if position.outcome() is None:
            value = read_player("solver", game).choose(position).value
            assert (value > 0) == (results(truth)[row] == "win")
    assert solved(load_game("checkers")) == []
    assert solved(load_game("hex", size=6)) == []
