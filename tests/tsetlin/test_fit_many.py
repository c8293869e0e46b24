"""Many machines at once on the CPU, and what is said where there is no GPU."""

import subprocess
import sys

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

RNG = np.random.default_rng(0)
X = RNG.integers(2, size=(300, 8), dtype=np.uint8)
Y = (X[:, 0] ^ X[:, 1]) + X[:, 2]


def fits():
    made = []
    for seed in range(3):
        test = np.arange(len(X)) % 3 == seed
        machine = TsetlinMachineClassifier(10 + seed, epochs=2, random_state=seed)
        made.append(
            Fit(
                machine,
                X[~test],
                Y[~test],
                validation=(X[test], Y[test]),
                bit_names=list("abcdefgh"),
            )
        )
    regressor = TsetlinMachineRegressor(10, epochs=2, random_state=1)
    weights = np.arange(len(X)) % 2 + 0.5
    return [*made, Fit(regressor, X, Y / 2, sample_weight=weights)]


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_each_machine_becomes_what_it_would_have_alone(n_jobs):
    given = fits()
    together = fit_many(given, n_jobs=n_jobs)
    assert together == [fit.machine for fit in given]
    for fit, machine in zip(given, together, strict=True):
        alone = type(machine)(**machine.get_params())
        alone.fit(
            fit.X, fit.y, fit.sample_weight, validation=fit.validation, bit_names=fit.bit_names
        )
        assert np.array_equal(alone.banks_.automata, machine.banks_.automata)
        assert np.array_equal(alone.votes(X), machine.votes(X))
        assert [e.score for e in alone.history_] == [e.score for e in machine.history_]
        assert alone.bit_names_ == machine.bit_names_


def test_stopping_and_callbacks_work_for_each():
    heard = []
    first, second = (TsetlinMachineClassifier(6, epochs=9, random_state=k) for k in range(2))
    fit_many(
        [
            Fit(first, X, Y, validation=(X, Y), stop=AdaptiveEpochs(max_epochs=3)),
            Fit(second, X, Y, callback=lambda epoch: heard.append(epoch.number) or len(heard) == 2),
        ]
    )
    assert len(first.history_) == 3
    assert heard == [1, 2]
    assert len(second.history_) == 2


def test_predict_proba_is_calibrated_as_after_fit():
    machine = TsetlinMachineClassifier(10, epochs=2, random_state=1)
    fit_many([Fit(machine, X, Y, validation=(X[:100], Y[:100]))])
    alone = TsetlinMachineClassifier(10, epochs=2, random_state=1)
    alone.fit(X, Y, validation=(X[:100], Y[:100]))
    assert np.array_equal(machine.predict_proba(X), alone.predict_proba(X))


def test_nothing_to_fit_is_nothing():
    assert fit_many([]) == []


def test_if_one_is_refused_all_stay_as_they_were():
    trained = TsetlinMachineClassifier(6, epochs=1, random_state=1).fit(X, Y)
    before = trained.banks_
    fresh = TsetlinMachineClassifier(6)
    with pytest.raises(ValueError, match=r"specificity=.* must be a number from 1 to"):
        fit_many(
            [
                Fit(trained, X, 1 - Y),
                Fit(fresh, X, Y),
                Fit(TsetlinMachineClassifier(6, specificity=0.5), X, Y),
            ]
        )
    assert trained.banks_ is before
    assert not hasattr(fresh, "banks_")


def test_a_machine_can_be_fitted_once_at_a_time():
    machine = TsetlinMachineClassifier(6)
    with pytest.raises(ValueError, match="every fit needs a machine of its own"):
        fit_many([Fit(machine, X, Y), Fit(machine, X, Y)])


def test_an_interrupt_leaves_whole_machines():
    def interrupt(epoch):
        if epoch.number == 2:
            raise KeyboardInterrupt

    first, second = (TsetlinMachineClassifier(6, epochs=9, random_state=k) for k in range(2))
    with pytest.raises(KeyboardInterrupt):
        fit_many([Fit(first, X, Y), Fit(second, X, Y, callback=interrupt)])
    for machine in (first, second):
        assert machine.predict(X).shape == (300,)
        assert machine.predict_proba(X).shape == (300, 3)


# ------------------------------------------------------------------ devices


@pytest.mark.parametrize("device", ["cuda", None, 1])
def test_an_unknown_device_is_refused(device):
    with pytest.raises(ValueError, match='device must be "cpu", "gpu" or "auto"'):
        TsetlinMachineClassifier(6, device=device).fit(X, Y)


def test_without_a_gpu_it_is_said_what_is_missing(monkeypatch):
    monkeypatch.setattr(gpu, "problem", lambda: "CuPy is not installed; try: pip install ...")
    machine = TsetlinMachineClassifier(6, epochs=1, device="gpu")
    with pytest.raises(RuntimeError, match=r'device="gpu" cannot be had: CuPy is not installed'):
        machine.fit(X, Y)
    with pytest.raises(RuntimeError, match="cannot be had"):
        fit_many([Fit(machine, X, Y)])
    assert not gpu.chosen("auto")


def test_a_gpu_that_cannot_be_had_costs_nothing_learned(monkeypatch):
    trained = TsetlinMachineClassifier(6, epochs=1, random_state=1).fit(X, Y)
    votes = trained.votes(X)
    monkeypatch.setattr(gpu, "problem", lambda: "none here")
    trained.set_params(device="gpu")
    for learn in (trained.fit, trained.partial_fit):
        with pytest.raises(RuntimeError, match=r"cannot be had: none here\. Use"):
            learn(X, 1 - Y)
    assert np.array_equal(trained.set_params(device="cpu").votes(X), votes)


def test_auto_takes_the_cpu_where_there_is_nothing_else(monkeypatch):
    monkeypatch.setattr(gpu, "problem", lambda: "none here")
    cpu, auto = (
        TsetlinMachineClassifier(6, epochs=2, random_state=1, device=device).fit(X, Y)
        for device in ("cpu", "auto")
    )
    assert np.array_equal(cpu.banks_.automata, auto.banks_.automata)


def test_the_problem_is_told_in_words():
    assert gpu.problem() is None or "CuPy" in gpu.problem() or "GPU" in gpu.problem()


def test_importing_the_learner_does_not_import_cupy():
    code = "import sys, clauseboard.tsetlin; print('cupy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.stdout.strip() == "False", done.stderr


def test_the_host_describes_banks_as_the_kernels_read_them():
    source = gpu.SOURCE.read_text()
    struct = source[
        source.index("struct Bank {") : source.index("};", source.index("struct Bank {"))
    ]
    kinds = {"u64": np.uint64, "double": np.float64, "int": np.int32}
    found = []
    for line in struct.splitlines()[1:]:
        kind, name = line.split(";")[0].split()
        found.append((name, np.dtype(kinds[kind])))
    assert found == [(name, gpu.BANK.fields[name][0]) for name in gpu.BANK.names]
