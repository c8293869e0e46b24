"""Kernels, what is reported while they are compiled, and templates of them."""

from __future__ import annotations

import io
import threading
import warnings
from typing import NamedTuple

import numpy as np
import pytest

from clauseboard.kernels import compiler
from clauseboard.kernels.compiler import (
    JIT_DISABLED,
    Progress,
    helper,
    kernel,
    on_compile,
    prepare,
    tuple_of,
)

compiled_only = pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setattr(compiler, "cache_folder", lambda: tmp_path)
    return tmp_path


@pytest.fixture
def reports():
    """What is reported from now on."""
    found: list[Progress] = []
    before = on_compile(found.append)
    yield found
    assert on_compile(before) == found.append


def new_kernels():
    @kernel("int64(int64)")
    def doubled(number):
        """Twice the number."""
        return 2 * number

    @kernel("int64(int64)", "float64(float64)")
    def squared(number):
        return number * number

    return doubled, squared


# ------------------------------------------------------------------ kernels


@kernel("int64(int64)")
def factorial(number):
    return number * factorial(number - 1) if number > 1 else 1


def test_a_kernel_has_the_name_and_the_docstring_of_its_function():
    doubled, _ = new_kernels()
    assert doubled.__name__ == "doubled"
    assert doubled.__doc__ == "Twice the number."


def test_a_kernel_gives_the_same_at_the_first_call_and_later(cache):
    doubled, squared = new_kernels()
    assert [doubled(3), doubled(4), squared(3), squared(0.5)] == [6, 8, 9, 0.25]


@compiled_only
def test_a_kernel_takes_no_other_types(cache):
    doubled, _ = new_kernels()
    for _ in range(2):
        with pytest.raises(TypeError, match="No matching definition"):
            doubled("3")


@compiled_only
def test_a_kernel_may_call_another_one(cache):
    doubled, _ = new_kernels()

    @kernel("int64(int64)")
    def fourfold(number):
        return doubled(doubled(number))

    assert fourfold(3) == 12


@compiled_only
class Span(NamedTuple):
    numbers: object
    factor: object


def test_a_kernel_takes_named_tuples(cache):
    for number, numbers in (("int64", [1, 2]), ("float64", [0.5, 2.0])):

        @kernel(f"{number}({tuple_of(Span, f'{number}[::1]', number)})")
        def scaled(span):
            return span.numbers.sum() * span.factor

        given = np.array(numbers, number)
        assert scaled(Span(given, given[1])) == sum(numbers) * numbers[1]


def test_two_named_tuples_of_one_name_are_refused():
    tuple_of(Span, "int64[::1]", "int64")
    others = {}
    exec("from typing import NamedTuple\nclass Span(NamedTuple): numbers: int", others)
    with pytest.raises(ValueError, match="Another class is called Span"):
        tuple_of(others["Span"], "int64[::1]")


def test_a_kernel_may_call_itself(cache):
    assert factorial(5) == 120
    assert factorial(6) == 720


@compiled_only
def test_a_helper_is_compiled_once_for_all_constants(cache):
    @helper
    def plus(number, more):
        return number + more

    @kernel("int64(int64)")
    def add_all(number):
        return plus(plus(plus(number, 1), 20), number)

    assert add_all(300) == 621
    assert len(plus._dispatcher.overloads) == 1


@compiled_only
def test_a_helper_is_a_part_of_each_kernel_that_calls_it(cache):
    @helper
    def least(numbers):
        smallest = numbers[0]
        for number in numbers:
            smallest = min(smallest, number)
        return smallest

    @helper
    def checked(numbers):
        if least(numbers) < 0:
            raise ValueError("There is a number below 0.")
        return len(numbers)

    @kernel("int64(int64[::1])")
    def count(numbers):
        return checked(numbers)

    @kernel("int64(int64[::1])")
    def count_twice(numbers):
        return 2 * checked(numbers)

    @kernel("int64(int64[::1])")
    def both(numbers):
        return count(numbers) + count_twice(numbers)

    for _ in range(2):
        assert [each(np.arange(5)) for each in (count, count_twice, both)] == [5, 10, 15]
        for each in (count, count_twice, both):
            with pytest.raises(ValueError, match="There is a number below 0"):
                each(np.array([3, -1]))
        for each in (count, count_twice, both):  # loaded from the cache from now on
            each._dispatcher = None
            del type(each).__call__


def test_a_kernel_is_compiled_once_by_many_threads(cache, reports):
    doubled, _ = new_kernels()
    results: list[int] = []
    threads = [threading.Thread(target=lambda: results.append(doubled(21))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [42] * 4
    assert [each.done for each in reports] == [0, 1]


def test_without_the_compiler_a_kernel_is_its_function(monkeypatch):
    monkeypatch.setattr(compiler, "JIT_DISABLED", True)

    @kernel("uint64(uint64)")
    def doubled(word):
        """Twice the word, without the carry."""
        return word + word

    assert doubled.__doc__ == "Twice the word, without the carry."
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert doubled(np.uint64(2**63 + 1)) == 2
    prepare([doubled])


@compiled_only
def test_a_helper_that_python_calls_is_kept(cache):
    from numba.core import event

    def tripled(number):
        return 3 * number

    assert helper(tripled)(2) == 6
    assert len(list(cache.glob("test_compiler.tripled-*/*.nbc"))) == 1
    with event.install_recorder("numba:compile") as recorder:
        assert helper(tripled)(2) == 6
        assert helper(tripled)(0.5) == 1.5
    assert len(recorder.buffer) == 2  # the beginning and the end of one, for the other type


# ------------------------------------------------------------------ progress


@compiled_only
def test_kernels_that_are_missing_are_counted(cache, reports):
    prepare(new_kernels())
    place = f"{__name__}: "
    assert reports == [
        Progress(f"{place}doubled", 0, 2),
        Progress(f"{place}squared", 1, 2),
        Progress(f"{place}squared", 2, 2),
    ]
    assert str(reports[1]) == f"compiling {place}squared (2 of 2)"
    assert str(reports[2]) == f"compiled {place}squared (2 of 2)"
    reports.clear()
    again = new_kernels()
    prepare(again)
    assert [each(3) for each in again] == [6, 9]
    assert reports == []  # they are in the cache


@compiled_only
def test_a_kernel_that_another_one_calls_is_part_of_it(cache, reports):
    doubled, _ = new_kernels()

    @kernel("int64(int64)")
    def quadrupled(number):
        return doubled(doubled(number))

    assert quadrupled(3) == 12
    assert [(each.kernel, each.done, each.expected) for each in reports] == [
        (f"{__name__}: quadrupled", 0, 1),
        (f"{__name__}: quadrupled", 1, 1),
    ]


@compiled_only
def test_without_a_folder_kernels_are_compiled_each_time(monkeypatch, reports, capsys):
    monkeypatch.setattr(compiler, "cache_folder", lambda: None)
    for _ in range(2):
        doubled, _ = new_kernels()
        assert doubled(3) == 6
    assert [(each.done, each.expected) for each in reports] == [(0, 1), (1, 1)] * 2
    monkeypatch.setattr(compiler, "_said", set())
    compiler._print_progress(reports[0])
    assert "happens each time: no folder" in capsys.readouterr().err


def test_a_terminal_is_told_of_each_kernel_on_one_line(monkeypatch):
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr("sys.stderr", terminal)
    for name, done in [("a", 0), ("b", 1), ("b", 2)]:
        compiler._print_progress(Progress(name, done, 2))
    shown = terminal.getvalue().split("\r\x1b[K")
    first, second = "clauseboard: compiling a (1 of 2)…", "clauseboard: compiling b (2 of 2)…"
    assert shown[1] == first
    assert shown[-2:] == [second, ""]


# ------------------------------------------------------------------ templates


def test_a_template_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match="no module 'no_such_template'"):
        compiler.specialised("no_such_template", compiler)


def test_a_template_that_fails_can_be_tried_again(tmp_path, monkeypatch):
    (tmp_path / "broken_template.py").write_text("rules.nothing")
    monkeypatch.syspath_prepend(tmp_path)
    for _ in range(2):
        with pytest.raises(AttributeError):
            compiler.specialised("broken_template", compiler)
