"""What classifier and regressor share: parameters, training, votes, reading, saving."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from numbers import Integral
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from clauseboard.checks import flag, real_number, whole_number
from clauseboard.tsetlin import clauses, files, gpu
from clauseboard.tsetlin.batches import EpochBatch, most_repeats
from clauseboard.tsetlin.clauses import CastVote, Clause, RuleBook, ShowsRules, Tally
from clauseboard.tsetlin.inference import (
    VoteTable,
    can_fire,
    compile_votes,
    count_fuzzy_votes,
    strengths_of,
)
from clauseboard.tsetlin.packing import Bits, Samples, View, as_bits, dense
from clauseboard.tsetlin.stopping import AdaptiveEpochs
from clauseboard.tsetlin.training import (
    FEWEST_STATE_BITS,
    MOST_SAMPLES,
    MOST_STATE_BITS,
    Banks,
    Epoch,
    EpochCallback,
    FeedbackRules,
    FitJob,
)

LARGEST = 1e15
"""Of a threshold or a specificity: beyond it a float no longer counts single votes."""

MOST_MISSES = 10_000

FEW_SAMPLES = 2048
"""Batches below this are not worth more than one thread."""


@dataclass(eq=False, repr=False)
class BaseTsetlinMachine(ShowsRules, BaseEstimator, ABC):
    """Banks of clauses behind scikit-learn's conventions. Use one of the two classes made of it.

    The fields with a value are the parameters of the constructor.
    """

    n_clauses: int = 600
    threshold: float | None = None
    specificity: float = 4.0
    weighted: bool = True
    boost_true_positive: bool = True
    state_bits: int = 8
    max_literals: int | None = None
    board_shape: tuple[int, int, int] | None = None
    window: tuple[int, int] | None = None
    block_size: int | str = "auto"
    epochs: int = 20
    random_state: int | np.random.RandomState | None = None
    n_jobs: int | None = None
    device: str = "cpu"
    max_misses: int = field(default=0, kw_only=True)

    both_signs: ClassVar[bool]
    """Whether odd clauses vote against."""
    score_name: ClassVar[str]

    banks_: Banks = field(init=False)
    history_: list[Epoch] = field(init=False)
    n_features_in_: int = field(init=False)
    _sources: list[list[str | None]] | None = field(init=False, default=None)
    """What found each clause of each class, in machines that were made of clauses."""

    # ---- training -------------------------------------------------------------------------

    def fit(
        self,
        X: Samples,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        validation: tuple[ArrayLike, ArrayLike] | None = None,
        stop: AdaptiveEpochs | None = None,
        callback: EpochCallback | None = None,
        progress: bool | None = None,
        bit_names: Sequence[str] | None = None,
    ) -> Self:
        """Learn from samples X and their targets y, from the beginning.

        Parameters
        ----------
        X : array or sparse matrix, samples × bits
            Booleans, or 0 and 1 of any numeric type.
        y : array
            For a classifier the classes, numbers or texts; for a regressor the values.
        sample_weight : array, default=None
            A sample of weight 2 comes twice an epoch, one of weight 0 never, one of weight 1.25
            once and in one of four epochs twice. Weights below 1 on average (zeros aside), such as
            weights that add up to 1, are first scaled to 1 on average.
        validation : (X, y), default=None
            Samples on which the accuracy, or R², is measured after every epoch (see `history_`)
            and on which a classifier's `predict_proba` is calibrated.
        stop : AdaptiveEpochs, default=None
            Stop by the accuracy on the validation data; its `max_epochs` then counts, not
            `epochs`. The best epoch is kept, or the last one with `keep="last"`. For classifiers
            only.
        callback : function, default=None
            Called after every epoch with an `Epoch`; training ends if it returns true.
        progress : bool, default=None
            A progress bar on the standard error; None: on a terminal, after a second.
        bit_names : list of str, default=None
            Names of the bits; None: the columns of a DataFrame, or x0, x1, ...
        """
        job = self._fit_job(X, y, sample_weight, validation, stop, callback, bit_names)
        self._train(job, progress)
        return self

    def _fit_job(
        self,
        X: Any,
        y: Any,
        sample_weight: Any,
        validation: Any,
        stop: AdaptiveEpochs | None,
        callback: EpochCallback | None,
        bit_names: Sequence[str] | None,
    ) -> FitJob:
        """Check the arguments of `fit` and begin afresh with them."""
        with self._restored_on_error():
            self._check_parameters()
            bits, y = self._check_training(X, y, reset=True)
            self._check_stop(stop, validation)
            targets = self._learn_targets(y)
            weights = self._check_weights(sample_weight, bits, y)
            watched = None
            if validation is not None:
                if not isinstance(validation, tuple | list) or len(validation) != 2:
                    kind = type(validation).__name__
                    raise ValueError(f"validation must be a pair (X, y); it is a {kind}.")
                watched = self._check_pair(*validation)
            self._begin(bit_names)
        epochs = self.epochs if stop is None else stop.max_epochs
        return self._job(bits, targets, weights, epochs, watched, stop, callback, whole=True)

    def _job(
        self,
        bits: Bits,
        targets: NDArray[Any],
        weights: NDArray[np.float64] | None,
        epochs: int = 1,
        watched: tuple[Bits, NDArray[Any]] | None = None,
        stop: AdaptiveEpochs | None = None,
        callback: EpochCallback | None = None,
        whole: bool = False,
    ) -> FitJob:
        """A training run on these samples, scored on `watched` where that is given.

        `whole` says that the machine learns from these samples and no others.
        """
        banks = self.banks_
        if self.inference_only:
            raise ValueError(
                "This machine was saved with inference_only=True: it has no automata to train. "
                "Use fit to start afresh."
            )
        if banks.automata.shape[2] != self.state_bits:
            raise ValueError(
                f"state_bits={self.state_bits} was changed after training began with "
                f"{banks.automata.shape[2]}. Set it back, or use fit to start afresh."
            )
        banks.make_writable()
        threshold = self._threshold()
        rules = FeedbackRules(
            low=-threshold if self.both_signs else 0.0,
            high=threshold,
            both_signs=self.both_signs,
            specificity=float(self.specificity),
            weighted=bool(self.weighted),
            boost=bool(self.boost_true_positive),
            most_literals=self.max_literals,
            block_size=None if self.block_size == "auto" else int(self.block_size),
            max_misses=int(self.max_misses),
        )
        shown, known = (bits, targets) if watched is None else watched
        n_samples = bits.shape[0] if weights is None else float(weights.sum())
        return FitJob(
            self,
            rules,
            bits,
            weights,
            lambda: self._batches(targets, weights),
            epochs=epochs,
            # Every sample concerns two classes: its own, and one that is wrong for it.
            samples_an_epoch=n_samples * min(2, len(banks.automata)),
            most_samples=most_repeats(weights, bits.shape[0]),
            watched=None if watched is None else shown,
            score=lambda votes: self._score(votes, known),
            stop=stop,
            callback=callback,
            finished=lambda: self._finish(
                shown, known, weights, learned=watched is None, whole=whole
            ),
        )

    def _train(self, job: FitJob, progress: bool | None = None) -> None:
        try:
            if self._on_gpu():
                gpu.train([job], progress)
            else:
                job.run(progress)
        finally:
            job.finish()

    def _on_gpu(self) -> bool:
        return self.device != "cpu" and gpu.chosen(self.device)

    @contextmanager
    def _restored_on_error(self) -> Iterator[None]:
        """Leave the machine as it was if its new task is refused."""
        before = dict(self.__dict__)
        try:
            yield
        except BaseException:
            self.__dict__.clear()
            self.__dict__.update(before)
            raise

    def _begin(self, bit_names: Sequence[str] | None) -> None:
        """Forget what was learned and make fresh banks for samples of `n_features_in_` bits."""
        view = View.of(self.n_features_in_, self.board_shape, self.window)
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        self.bit_names_ = self._check_names(bit_names)
        n_banks = len(self._labels())
        self.banks_ = Banks.fresh(view, n_banks, self.n_clauses, self.state_bits, seed)
        self.history_ = []
        self._sources = None
        self._forget_tables()

    def _forget_tables(self) -> None:
        """Drop what was compiled from the clauses, which are about to change."""
        self._table: VoteTable | None = None
        self._gpu_votes: gpu.GpuVotes | None = None

    def _threshold(self) -> float:
        if self.threshold is not None:
            return float(self.threshold)
        return float(max(1, self._default_threshold()))

    # ---- what classifier and regressor have each of their own ------------------------------

    @abstractmethod
    def _default_threshold(self) -> int:
        """The threshold where none is given."""

    @abstractmethod
    def _labels(self) -> list[Any]:
        """What the banks vote on, in their order."""

    @abstractmethod
    def _check_targets(self, y: Any) -> NDArray[Any]:
        """The targets of training as an array, or a `ValueError`."""

    @abstractmethod
    def _learn_targets(self, y: NDArray[Any]) -> NDArray[Any]:
        """Take the classes, or the range, from these targets; return them for `_batches`."""

    @abstractmethod
    def _check_pair(self, X: Any, y: Any) -> tuple[Bits, NDArray[Any]]:
        """Samples to measure by, and their targets as `_score` wants them."""

    @abstractmethod
    def _batches(
        self, targets: NDArray[Any], weights: NDArray[np.float64] | None
    ) -> list[EpochBatch]:
        """Draw the samples of an epoch for each bank."""

    @abstractmethod
    def _score(self, votes: NDArray[np.int64], targets: NDArray[Any]) -> float:
        """How well these votes meet the targets."""

    def _finish(
        self,
        bits: Bits,
        targets: NDArray[Any],
        weights: NDArray[np.float64] | None = None,
        *,
        learned: bool = False,
        whole: bool = False,
    ) -> None:
        """Called when training has ended, with the samples that it was measured by.

        `learned` says that it learned from them, and `whole` that it learned from no others.
        """

    @abstractmethod
    def _facts(self) -> dict[str, Any]:
        """What a saved file holds besides parameters and banks, in JSON's types."""

    @abstractmethod
    def _take_facts(self, facts: dict[str, Any]) -> None:
        """Set the attributes that `_facts` gave."""

    # ---- checking -------------------------------------------------------------------------

    def _check_parameters(self) -> None:
        whole_number("n_clauses", self.n_clauses, 1)
        whole_number("state_bits", self.state_bits, FEWEST_STATE_BITS, MOST_STATE_BITS)
        if self.block_size != "auto":
            self._check_block_size()
        whole_number("epochs", self.epochs, 1)
        if self.max_literals is not None:
            whole_number("max_literals", self.max_literals, 1)
        whole_number("max_misses", self.max_misses, 0, MOST_MISSES)
        real_number("specificity", self.specificity, 1, LARGEST)
        if self.threshold is not None:
            real_number("threshold", self.threshold, 1, LARGEST)
        for name in ("weighted", "boost_true_positive"):
            if not isinstance(getattr(self, name), np.bool_):
                flag(name, getattr(self, name))
        whole = isinstance(self.n_jobs, Integral) and not isinstance(self.n_jobs, bool)
        if self.n_jobs is not None and (not whole or self.n_jobs == 0):
            raise ValueError(
                f"n_jobs={self.n_jobs!r} must be None, or an integer but 0; -1 is all cores."
            )
        if self.device not in gpu.DEVICES:
            raise ValueError(f"device must be {gpu.DEVICES_IN_WORDS}; it is {self.device!r}.")
        # If there is no GPU, raise that error before anything learned is given up.
        self._on_gpu()

    def _check_block_size(self) -> None:
        if isinstance(self.block_size, str):
            raise ValueError(
                f'block_size must be "auto" or a whole number from 1 to {MOST_SAMPLES}; it is '
                f"{self.block_size!r}."
            )
        whole_number("block_size", self.block_size, 1, MOST_SAMPLES)

    def _check_training(self, X: Any, y: Any, reset: bool) -> tuple[Bits, NDArray[Any]]:
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None."
            )
        bits = as_bits(self, X, reset=reset)
        if self.window is not None:
            bits = dense(bits)  # Grids are small, and patches are cut from bytes.
        targets = self._check_targets(y)
        if len(targets) != bits.shape[0]:
            raise ValueError(f"X has {bits.shape[0]} samples, but y has {len(targets)} values.")
        return bits, targets

    def _check_stop(self, stop: AdaptiveEpochs | None, validation: Any) -> None:
        if stop is not None and not isinstance(stop, AdaptiveEpochs):
            raise ValueError(f"stop must be an AdaptiveEpochs or None; it is {stop!r}.")
        if stop is not None and validation is None:
            raise ValueError("stop needs validation=(X, y): it goes by the accuracy on that.")

    def _check_names(self, bit_names: Sequence[str] | None) -> list[str]:
        if bit_names is None:
            # An encoder in front of the machine in a pipeline tells the names of its bits.
            columns = getattr(self, "feature_names_in_", self.__dict__.get("_names_of_X"))
            numbered = (f"x{k}" for k in range(self.n_features_in_))
            return list(numbered if columns is None else columns)
        if isinstance(bit_names, str):
            raise ValueError(f"bit_names must be a list of names; it is the text {bit_names!r}.")
        names = [str(name) for name in bit_names]
        if len(names) != self.n_features_in_:
            raise ValueError(
                f"bit_names has {len(names)} names, but samples have {self.n_features_in_} bits."
            )
        if len(set(names)) != len(names):
            raise ValueError(
                "bit_names has the same name twice; every bit needs a name of its own."
            )
        return names

    @staticmethod
    def _check_only_first(first: bool, **given: Any) -> None:
        """Refuse what only the first call of `partial_fit` can settle."""
        for name, value in given.items():
            if value is not None and not first:
                raise ValueError(f"{name} is settled by the first call of partial_fit.")

    def _check_weights(
        self, sample_weight: Any, bits: Bits, y: NDArray[Any]
    ) -> NDArray[np.float64] | None:
        if sample_weight is None:
            return None
        weights: NDArray[np.float64] = _check_sample_weight(
            sample_weight, bits, dtype=np.float64, ensure_non_negative=True
        )
        if not weights.any():
            raise ValueError("sample_weight is 0 for every sample: there is none to learn from.")
        # Weights that add up to 1, say, would leave hardly any sample in an epoch.
        return weights * max(1.0, np.count_nonzero(weights) / weights.sum())

    # ---- votes ----------------------------------------------------------------------------

    def vote_table(self) -> VoteTable:
        """The machine compiled for counting votes; made when first needed after training."""
        self._need_fit()
        if self.max_misses > 0:
            raise ValueError(
                f"A machine with max_misses={self.max_misses} has no table of clauses: use votes()."
            )
        if self._table is None:
            banks = self.banks_
            signed = banks.signed_weights(self.both_signs)
            self._table = compile_votes(banks.view, banks.include, signed)
        return self._table

    def _need_fit(self) -> None:
        """Like scikit-learn's check, without its two microseconds for a machine that is fitted."""
        if "banks_" not in self.__dict__:
            check_is_fitted(self, "banks_")

    def _votes(self, X: Any) -> NDArray[np.int64]:
        self._need_fit()
        return self._votes_of_bits(as_bits(self, X, reset=False))

    def _votes_of_bits(self, bits: Bits) -> NDArray[np.int64]:
        if self._on_gpu():
            if self._gpu_votes is None:
                self._gpu_votes = gpu.GpuVotes(self.banks_, self.both_signs, self.max_misses)
            return self._gpu_votes.count(bits)
        add_votes = self._fuzzy_votes() if self.max_misses > 0 else self._strict_votes()
        votes = np.zeros((bits.shape[0], len(self.banks_.weights)), np.int64)
        if len(votes) < FEW_SAMPLES:
            add_votes(bits, votes)
            return votes
        cuts = np.linspace(0, len(votes), effective_n_jobs(self.n_jobs) + 1).astype(int)

        def count(first: int, end: int) -> None:
            add_votes(bits[first:end], votes[first:end])

        with ThreadPoolExecutor(len(cuts) - 1) as executor:
            list(executor.map(count, cuts[:-1], cuts[1:]))
        return votes

    def _strict_votes(self) -> Callable[[Bits, NDArray[np.int64]], None]:
        table = self.vote_table()
        return lambda bits, votes: table.add_votes(table.view.pack_features(bits), votes)

    def _fuzzy_votes(self) -> Callable[[Bits, NDArray[np.int64]], None]:
        banks = self.banks_
        include, signed = banks.include, banks.signed_weights(self.both_signs).astype(np.int64)
        strengths = strengths_of(include, self.max_misses)

        def add_votes(bits: Bits, votes: NDArray[np.int64]) -> None:
            for part in banks.view.chunks(bits.shape[0]):
                rows = banks.view.pack_literals(bits[part])
                count_fuzzy_votes(rows, include, signed, strengths, votes[part])

        return add_votes

    def _able(self, include: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Which clauses of a bank can vote."""
        if self.max_misses > 0:
            return np.any(include != 0, axis=-1)
        return can_fire(include, self.banks_.view)

    # ---- reading --------------------------------------------------------------------------

    def _names(self, bit_names: Sequence[str] | None) -> list[str]:
        names = self.bit_names_ if bit_names is None else self._check_names(bit_names)
        return self.banks_.view.feature_names(names)

    def _read(self, bank: int, bit_names: Sequence[str] | None) -> list[Clause]:
        include = self.banks_.include[bank]
        return clauses.read_clauses(
            self._labels()[bank],
            include,
            self.banks_.signed_weights(self.both_signs)[bank],
            self._names(bit_names),
            np.flatnonzero(self._able(include)),
            None if self._sources is None else self._sources[bank],
            self.max_misses,
        )

    def rules(
        self,
        bit_names: Sequence[str] | None = None,
        X: Samples | None = None,
        y: ArrayLike | None = None,
    ) -> RuleBook:
        """All clauses in as few words as possible, equal ones of a class merged, strongest first.

        A literal that another one of its clause implies is left out: "age > 30" beside "age > 40",
        as the names of an encoder's bits tell. Votes stay as they are. With samples X, each rule
        tells its `coverage`, the share of them on which it fires, and rules are sorted by the votes
        that they cast there; with their classes y, too, it tells its `precision`: of the samples on
        which it fires the share of its class, or of other classes if it votes against that.

        `bit_names` overrides the names kept from training, as in `clauses_of`.
        """
        check_is_fitted(self, "banks_")
        banks = range(len(self._labels()))
        read = [clause for bank in banks for clause in self._read(bank, bit_names)]
        if self.max_misses == 0:
            # Where literals may fail, each counts, even one that another implies.
            read = [short for short in map(clauses.simplified, read) if short is not None]
        rules = clauses.merged(read)
        if X is None:
            if y is not None:
                raise ValueError("y needs the samples X to which it belongs.")
            return RuleBook(tuple(rules))
        if self.banks_.view.window is not None:
            raise ValueError("Coverage is not known of clauses that look through a window.")
        bits = as_bits(self, X, reset=False)
        labels = None if y is None or self._labels() == [None] else np.asarray(y)
        if labels is not None and labels.shape != bits.shape[:1]:
            raise ValueError(f"There are {bits.shape[0]} samples, but y has shape {labels.shape}.")
        return RuleBook(tuple(clauses.measured(rules, bits, labels, self._names(bit_names))))

    def explain(self, x: Samples, bit_names: Sequence[str] | None = None) -> Tally:
        """The votes on one sample and the clauses that cast them; they add up exactly."""
        check_is_fitted(self, "banks_")
        row = np.asarray(x)
        samples = as_bits(self, row[None] if row.ndim == 1 else x, reset=False)
        if samples.shape[0] != 1:
            raise ValueError(f"explain takes one sample; {samples.shape[0]} were given.")
        bits = dense(samples)
        view, names = self.banks_.view, self._names(bit_names)
        if self.max_misses > 0:
            return self._fuzzy_tally(view.patches(bits)[0], bit_names)
        literals = view.pack_literals(bits)[0]
        signed = self.banks_.signed_weights(self.both_signs)
        votes: dict[Any, int] = {}
        cast: list[CastVote] = []
        for label, bank, include in zip(
            self._labels(), range(len(signed)), self.banks_.include, strict=True
        ):
            fires = clauses.fired_patches(include, literals) & can_fire(include, view)[:, None]
            fired = np.flatnonzero(fires.any(axis=1))
            votes[clauses.plain(label)] = int(signed[bank][fired].sum())
            sources = None if self._sources is None else self._sources[bank]
            read = clauses.read_clauses(label, include, signed[bank], names, fired, sources)
            cast += [
                CastVote(clause, clauses.patch_places(view, np.flatnonzero(fires[index])))
                for clause, index in zip(read, fired, strict=True)
            ]
        cast.sort(key=lambda vote: -vote.clause.weight)
        return Tally(votes, tuple(cast))

    def _fuzzy_tally(self, patches: NDArray[np.uint8], bit_names: Sequence[str] | None) -> Tally:
        """The votes on one sample of clauses of which some literals may fail."""
        names = self._names(bit_names)
        seen = [{name for name, bit in zip(names, at, strict=True) if bit} for at in patches]
        cast = []
        votes: dict[Any, int] = {clauses.plain(label): 0 for label in self._labels()}
        for bank in range(len(votes)):
            for clause in self._read(bank, bit_names):
                failed = [clause.failed_on(there) for there in seen]
                fewest = min(map(len, failed))
                if fewest > clause.max_misses:
                    continue
                best = np.array([k for k, each in enumerate(failed) if len(each) == fewest])
                places = clauses.patch_places(self.banks_.view, best)
                vote = CastVote(clause, places, failed[best[0]])
                votes[clause.class_] += vote.votes
                cast.append(vote)
        cast.sort(key=lambda vote: -abs(vote.votes))
        return Tally(votes, tuple(cast))

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """How much the votes depend on each bit of a sample; they add up to 1.

        A clause's votes are shared by its literals. For a machine without a window.
        """
        check_is_fitted(self, "banks_")
        view = self.banks_.view
        if view.window is not None:
            raise AttributeError("With a window, clauses are about patches, not about single bits.")
        importances = np.zeros(view.n_features)
        signed = self.banks_.signed_weights(self.both_signs)
        for include, votes in zip(self.banks_.include, np.abs(signed), strict=True):
            able = self._able(include)
            literals = np.unpackbits(
                include[able].view(np.uint8), axis=1, count=2 * view.n_features, bitorder="little"
            )
            shares = (votes[able] / literals.sum(axis=1)) @ literals
            importances += shares[: view.n_features] + shares[view.n_features :]
        return importances / (importances.sum() or 1.0)

    def export(self, language: str = "python") -> str:
        """Source code, in "python" or "c", of a function `votes(sample)` that needs nothing else.

        For a machine without a window.
        """
        check_is_fitted(self, "banks_")
        return files.export(self, language)

    @property
    def inference_only(self) -> bool:
        """Whether only included literals are left, and no automata to train."""
        return self.banks_.automata.shape[2] == 1

    # ---- saving ---------------------------------------------------------------------------

    def save(self, path: str | Path, *, inference_only: bool = False) -> None:
        """Write the machine to one compressed file, which `load` reads; nothing is pickled.

        With `inference_only` the automata are left out: the file is small, the machine predicts
        and explains the same, but cannot be trained further.
        """
        check_is_fitted(self, "banks_")
        files.save(self, Path(path), inference_only)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a machine that `save` wrote.

        A file that is damaged, cut short, of another kind or from a newer version is refused
        with a `ValueError` that says which.
        """
        return files.load(cls, Path(path))

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())
        return state | {name: None for name in ("_table", "_gpu_votes") if name in state}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.non_deterministic = False
        return tags
