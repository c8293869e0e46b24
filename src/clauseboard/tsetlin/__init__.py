"""Tsetlin Machines: clauses over bits that vote, learn fast and can be read."""

# First of all, because the others import scikit-learn, too.
from clauseboard.tsetlin import scikit_learn  # noqa: F401  # isort: skip
from clauseboard.tsetlin.classifier import TsetlinMachineClassifier
from clauseboard.tsetlin.clause_classifier import ClauseClassifier
from clauseboard.tsetlin.clauses import CastVote, Clause, RuleBook, Tally
from clauseboard.tsetlin.encoder import ThermometerEncoder
from clauseboard.tsetlin.fit_many import Fit, fit_many
from clauseboard.tsetlin.regressor import TsetlinMachineRegressor
from clauseboard.tsetlin.stopping import AdaptiveEpochs
from clauseboard.tsetlin.training import Epoch

__all__ = [
    "AdaptiveEpochs",
    "CastVote",
    "Clause",
    "ClauseClassifier",
    "Epoch",
    "Fit",
    "RuleBook",
    "Tally",
    "ThermometerEncoder",
    "TsetlinMachineClassifier",
    "TsetlinMachineRegressor",
    "fit_many",
]
