"""Scikit-learn is imported without pandas and scipy.stats, which are there when they are used."""

from __future__ import annotations

import subprocess
import sys
import types

import pytest

from clauseboard.tsetlin.scikit_learn import LoadedWhenUsed


def output_of(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_what_few_use_is_not_imported():
    code = (
        "import sys, clauseboard.tsetlin;"
        "print([name in sys.modules for name in ('sklearn.base', 'pandas', 'scipy.stats')])"
    )
    assert output_of(code) == ["[True,", "False,", "False]"]


def test_it_is_there_for_scikit_learn_and_for_others():
    code = (
        "import sys, clauseboard.tsetlin\n"
        "from sklearn.impute import SimpleImputer\n"
        "imputer = SimpleImputer(strategy='most_frequent').fit([[1], [2], [2]])\n"
        "print(imputer.statistics_[0])\n"
        "import scipy, scipy.stats.contingency\n"
        "from scipy.stats import norm\n"
        "print(norm.cdf(0.0), scipy.stats is sys.modules['scipy.stats'])\n"
        "print(type(scipy.stats).__name__)"
    )
    assert output_of(code) == ["2.0", "0.5", "True", "module"]


def test_data_frames_are_known_as_such():
    pytest.importorskip("pandas")
    code = (
        "import clauseboard.tsetlin as t, pandas, sys\n"
        "print(type(pandas).__name__)\n"
        "rows = pandas.DataFrame({'sun': [0, 1] * 9, 'wind': [1, 1, 0] * 6})\n"
        "machine = t.TsetlinMachineClassifier(2, epochs=1).fit(rows, rows['sun'])\n"
        "print(*machine.feature_names_in_)"
    )
    assert output_of(code) == ["module", "sun", "wind"]


def test_modules_that_are_imported_stay():
    code = (
        "import sys, scipy.stats as before, clauseboard.tsetlin\n"
        "print(sys.modules['scipy.stats'] is before)"
    )
    assert output_of(code) == ["True"]


def test_a_module_without_pandas_is_told_so():
    code = (
        "import sys; sys.modules['pandas'] = None\n"
        "import clauseboard.tsetlin, sklearn.utils.fixes as fixes\n"
        "print(sys.modules['pandas'], getattr(fixes, 'pd', None))"
    )
    assert output_of(code) == ["None", "None"]


def test_a_stand_in_becomes_the_module_when_it_is_used(monkeypatch):
    name = "wave"  # of the standard library, and seldom imported
    monkeypatch.delitem(sys.modules, name, raising=False)
    stand_in = LoadedWhenUsed(name)
    monkeypatch.setitem(sys.modules, name, stand_in)
    import wave

    assert wave is stand_in
    assert not hasattr(wave, "__file__")
    assert sys.modules[name] is stand_in
    assert isinstance(wave.Error, type)
    assert type(sys.modules[name]) is types.ModuleType
    with pytest.raises(AttributeError):
        _ = wave.no_such_thing
