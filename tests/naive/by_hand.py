"""Textbook machines that are small enough to be worked out by hand.

Their automata have 3 bits: states 0 to 7, included from 4 on, starting at 3.
"""

from naive.tsetlin import NaiveTsetlinMachine, NaiveTsetlinRegressor

BITS = 3
YES, NO = 0.0, 1.0
"""Draws for feedback: wherever its probability is above 0, and never."""


def classifier(draws, **changes):
    """A machine of 2 clauses a class that sees one bit, unless told otherwise."""
    plain = {
        "n_clauses": 2,
        "threshold": 2,
        "specificity": 2.0,
        "n_classes": 2,
        "n_features": 1,
        "state_bits": BITS,
    }
    return NaiveTsetlinMachine(draws=draws, **(plain | changes))


def regressor(draws, **changes):
    """A regressor of 2 clauses that sees one bit; 0 to 8 is 0 to 4 votes."""
    plain = {
        "n_clauses": 2,
        "threshold": 4,
        "specificity": 2.0,
        "n_features": 1,
        "state_bits": BITS,
        "y_min": 0.0,
        "y_max": 8.0,
    }
    return NaiveTsetlinRegressor(draws=draws, **(plain | changes))
