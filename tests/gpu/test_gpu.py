"""The GPU held against the CPU: one seed gives one machine on both, bit for bit."""

import numpy as np
import pytest

from clauseboard.tsetlin import (
    AdaptiveEpochs,
    Fit,
    TsetlinMachineClassifier,
    TsetlinMachineRegressor,
    fit_many,
    gpu,
)

pytestmark = pytest.mark.gpu


def boards(n, n_bits, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.integers(2, size=(n, n_bits), dtype=np.uint8)
    noise = rng.random(n) < 0.1
    return X, (X[:, 0] ^ X[:, 1] ^ noise) + 2 * (X[:, 2] & X[:, 3])


def assert_same(one, other, X):
    assert np.array_equal(one.banks_.automata, other.banks_.automata)
    assert np.array_equal(one.banks_.weights, other.banks_.weights)
    assert np.array_equal(one.banks_.streams, other.banks_.streams)
    states = [m.banks_.shuffler.bit_generator.state for m in (one, other)]
    assert states[0] == states[1]
    assert np.array_equal(one.votes(X), other.votes(X))
    assert [e.score for e in one.history_] == [e.score for e in other.history_]


SETTINGS = {
    "plain": {},
    "neither weights nor boost": {"weighted": False, "boost_true_positive": False},
    "literal budget": {"max_literals": 2},
    "four state bits": {"state_bits": 4},
    "twelve state bits": {"state_bits": 12},
    "board by board": {"block_size": 1},
    "blocks of seven": {"block_size": 7},
    "blocks that grow": {"block_size": "auto", "epochs": 13},
    "blocks of sixty-four": {"block_size": 64},
    "specificity one": {"specificity": 1.0},
    "low threshold": {"threshold": 3.0},
    "window": {"board_shape": (3, 4, 1), "window": (2, 2)},
    "window over a large board": {"board_shape": (1, 12, 1), "window": (1, 1)},
    "literals may fail": {"max_misses": 2, "threshold": 30.0},
    "literals may fail, board by board": {"max_misses": 5, "block_size": 1, "max_literals": 4},
    "literals may fail, blocks of sixty-four": {"max_misses": 40, "block_size": 64, "epochs": 5},
    "window and budget": {"board_shape": (3, 4, 1), "window": (2, 3), "max_literals": 3},
    "window, literals may fail": {
        "board_shape": (3, 4, 1),
        "window": (2, 2),
        "max_misses": 2,
        "threshold": 30.0,
    },
    "window, literals may fail, board by board": {
        "board_shape": (1, 12, 1),
        "window": (1, 3),
        "max_misses": 1,
        "max_literals": 2,
        "block_size": 1,
    },
    "window, all literals may fail": {
        "board_shape": (4, 3, 1),
        "window": (2, 2),
        "max_misses": 40,
        "block_size": 64,
        "epochs": 5,
    },
}


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_a_classifier_is_the_same_on_both(settings):
    X, y = boards(150, 12)
    made = {"n_clauses": 21, "specificity": 4.0, "epochs": 2, "random_state": 3} | settings
    cpu, gpu_one = (
        TsetlinMachineClassifier(**made, device=device).fit(X, y, validation=(X[:70], y[:70]))
        for device in ("cpu", "gpu")
    )
    assert (cpu.banks_.weights > 1).any() == made.get("weighted", True)
    assert_same(cpu, gpu_one, X)


@pytest.mark.parametrize("max_misses", [0, 3])
@pytest.mark.parametrize("grid", [(9, 8, 1), (18, 17, 1)])
def test_a_window_at_many_places_is_the_same_on_both(grid, max_misses):
    X, y = boards(90, grid[0] * grid[1])
    made = {"board_shape": grid, "window": (2, 1), "max_misses": max_misses, "block_size": 16}
    cpu, gpu_one = (
        TsetlinMachineClassifier(12, 40, 3.0, **made, epochs=2, random_state=2, device=device).fit(
            X, y
        )
        for device in ("cpu", "gpu")
    )
    assert_same(cpu, gpu_one, X)


@pytest.mark.parametrize("max_misses", [0, 3])
@pytest.mark.parametrize("n_bits", [1, 128, 129, 256, 257, 722, 3000])
def test_boards_of_any_size(n_bits, max_misses):
    X = boards(100, max(n_bits, 4))[0][:, :n_bits]
    y = X[:, 0] | X[:, -1]
    made = {"n_clauses": 6, "epochs": 2, "random_state": 1, "max_misses": max_misses}
    cpu, gpu_one = (
        TsetlinMachineClassifier(**made, device=device).fit(X, y) for device in ("cpu", "gpu")
    )
    assert_same(cpu, gpu_one, X)


def test_weights_of_samples():
    X, y = boards(120, 10)
    weight = np.random.default_rng(1).random(120) * 3
    cpu, gpu_one = (
        TsetlinMachineClassifier(10, epochs=3, random_state=1, device=device).fit(X, y, weight)
        for device in ("cpu", "gpu")
    )
    assert_same(cpu, gpu_one, X)


@pytest.mark.parametrize("max_misses", [0, 4])
def test_a_regressor_is_the_same_on_both(max_misses):
    X, y = boards(150, 12)
    made = {"epochs": 2, "random_state": 1, "max_misses": max_misses}
    cpu, gpu_one = (
        TsetlinMachineRegressor(20, **made, device=device).fit(X, y / 3, validation=(X, y / 3))
        for device in ("cpu", "gpu")
    )
    assert_same(cpu, gpu_one, X)
    assert np.array_equal(cpu.predict(X), gpu_one.predict(X))


def test_heavy_clauses_learn_the_same_on_both():
    X, y = boards(150, 12)
    made = {"max_misses": 9, "threshold": 1e12, "random_state": 1, "epochs": 1}
    both = [TsetlinMachineClassifier(40, **made).fit(X, y) for _ in range(2)]
    weights = np.random.default_rng(0).integers(1, 2**31 - 10**6, both[0].banks_.weights.shape)
    for device, machine in zip(("cpu", "gpu"), both, strict=True):
        machine.banks_.weights[:] = weights
        machine._forget_tables()
        machine.set_params(device=device).partial_fit(X, y)
    assert abs(both[0].votes(X)).max() > 2**33
    assert_same(*both, X)


def test_training_goes_on_from_one_to_the_other():
    X, y = boards(150, 12)
    stays = TsetlinMachineClassifier(10, epochs=1, random_state=1).fit(X, y)
    moves = TsetlinMachineClassifier(10, epochs=1, random_state=1, device="gpu").fit(X, y)
    stays.partial_fit(X, y).partial_fit(X, y)
    moves.partial_fit(X, y).set_params(device="cpu").partial_fit(X, y)
    assert_same(stays, moves, X)


def test_a_file_tells_nothing_of_the_device(tmp_path):
    X, y = boards(100, 12)
    files = []
    for device in ("cpu", "gpu"):
        machine = TsetlinMachineClassifier(10, epochs=2, random_state=1, device=device).fit(X, y)
        machine.history_ = []
        machine.save(tmp_path / device)
        files.append((tmp_path / device).read_bytes())
    assert files[0] == files[1]
    assert TsetlinMachineClassifier.load(tmp_path / "gpu").device == "cpu"


def many(device):
    X, y = boards(200, 12)
    fits = []
    for seed in range(3):
        kept = np.arange(200) % 3 != seed
        for n_clauses in (5, 130):
            machine = TsetlinMachineClassifier(
                n_clauses,
                specificity=3.0 + seed,
                max_literals=None if seed else 4,
                epochs=2 + seed,
                block_size=64 if seed else 16,
                random_state=seed,
                device=device,
            )
            fits.append(Fit(machine, X[kept], y[kept], validation=(X[~kept], y[~kept])))
    windowed = TsetlinMachineClassifier(
        7, board_shape=(3, 4, 1), window=(2, 2), epochs=1, random_state=0, device=device
    )
    both = TsetlinMachineClassifier(**windowed.get_params()).set_params(max_misses=2)
    narrow = TsetlinMachineClassifier(9, epochs=2, random_state=0, device=device)
    fuzzy = [
        TsetlinMachineClassifier(140, max_misses=k, epochs=k, random_state=k, device=device)
        for k in (1, 3)
    ]
    more = [Fit(machine, X, y) for machine in (windowed, both, *fuzzy)]
    return [*fits, *more, Fit(narrow, X[:, :8], y)]


def test_many_machines_learn_as_each_alone():
    together = fit_many(many("gpu"))
    for fit, machine in zip(many("cpu"), together, strict=True):
        alone = fit.machine.fit(fit.X, fit.y, validation=fit.validation)
        assert_same(alone, machine, fit.X)


def test_too_little_memory_means_fewer_at_a_time(monkeypatch, capsys):
    import cupy

    tried = []
    make = gpu.GpuTrainer.__init__

    def init(self, planes, view, fuzzy, jobs):
        tried.append(len(jobs))
        if len(jobs) > 2:
            raise cupy.cuda.memory.OutOfMemoryError(1, 1, 1)
        make(self, planes, view, fuzzy, jobs)

    monkeypatch.setattr(gpu.GpuTrainer, "__init__", init)
    squeezed = fit_many(many("gpu"))
    assert tried == [6, 3, 2, 2, 2, 1, 1, 2, 1]
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2
    assert "too small for 6 machines" in said[0]
    monkeypatch.undo()
    fits = many("gpu")
    for fit, one, other in zip(fits, fit_many(fits), squeezed, strict=True):
        assert_same(one, other, fit.X)


def test_real_memory_runs_out_without_loss():
    import cupy

    X, y = boards(100, 12)
    pool = cupy.get_default_memory_pool()
    pool.free_all_blocks()
    pool.set_limit(size=30 * 2**20)
    try:
        fits = [
            Fit(TsetlinMachineClassifier(10_000, epochs=1, random_state=k, device="gpu"), X, y)
            for k in range(4)
        ]
        squeezed = fit_many(fits)
        with pytest.raises(MemoryError, match="too small for this machine"):
            TsetlinMachineClassifier(100_000, epochs=1, device="gpu").fit(X, y)
    finally:
        pool.set_limit(size=0)
    for k, machine in enumerate(squeezed):
        alone = TsetlinMachineClassifier(10_000, epochs=1, random_state=k, device="gpu").fit(X, y)
        assert_same(alone, machine, X)


def test_adaptive_epochs_end_each_machine_at_its_own_time():
    X, y = boards(120, 12)
    fits = [
        Fit(
            TsetlinMachineClassifier(8, random_state=k, device="gpu"),
            X,
            y,
            validation=(X[:50], y[:50]),
            stop=AdaptiveEpochs(max_epochs=45, keep="last"),
        )
        for k in range(6)
    ]
    machines = fit_many(fits)
    lengths = [len(machine.history_) for machine in machines]
    assert len(set(lengths)) > 1
    for k, machine in enumerate(machines):
        scores = [e.score for e in machine.history_]
        assert AdaptiveEpochs(max_epochs=45).epochs_run(scores) == len(scores)
        alone = TsetlinMachineClassifier(8, random_state=k, epochs=len(scores), device="gpu")
        assert_same(alone.fit(X, y, validation=(X[:50], y[:50])), machine, X)


def test_an_interrupt_leaves_a_whole_machine():
    X, y = boards(120, 12)
    machine = TsetlinMachineClassifier(8, random_state=1, epochs=9, device="gpu")

    def interrupt(epoch):
        if epoch.number == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        machine.fit(X, y, callback=interrupt)
    three = TsetlinMachineClassifier(8, random_state=1, epochs=3, device="gpu").fit(X, y)
    assert_same(three, machine, X)


@pytest.mark.parametrize("max_misses", [0, 5])
def test_heavy_clauses_are_counted_exactly(max_misses):
    X, y = boards(200, 12)
    machine = TsetlinMachineClassifier(50, epochs=2, random_state=1, max_misses=max_misses)
    machine.fit(X, y)
    rng = np.random.default_rng(0)
    machine.banks_.weights[:] = rng.integers(1, 2**31 - 1, machine.banks_.weights.shape)
    machine._forget_tables()
    on_cpu = machine.votes(X)
    assert abs(on_cpu).max() > 2**32
    assert np.array_equal(on_cpu, machine.set_params(device="gpu").votes(X))


def test_auto_takes_the_gpu():
    assert gpu.chosen("auto")
    assert gpu.chosen("gpu")
    assert not gpu.chosen("cpu")
