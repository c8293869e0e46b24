"""Tsetlin Machines: clauses over bits that vote, learn fast and can be read."""

from clauseboard.learners.tsetlin.classifier import TsetlinMachineClassifier
from clauseboard.learners.tsetlin.clauses import CastVote, Clause, RuleBook, Tally
from clauseboard.learners.tsetlin.course import Epoch
from clauseboard.learners.tsetlin.encoder import ThermometerEncoder
from clauseboard.learners.tsetlin.many import Fit, fit_many
from clauseboard.learners.tsetlin.regressor import TsetlinMachineRegressor
from clauseboard.learners.tsetlin.stopping import AdaptiveEpochs

__all__ = [
    "AdaptiveEpochs",
    "CastVote",
    "Clause",
    "Epoch",
    "Fit",
    "RuleBook",
    "Tally",
    "ThermometerEncoder",
    "TsetlinMachineClassifier",
    "TsetlinMachineRegressor",
    "fit_many",
]
