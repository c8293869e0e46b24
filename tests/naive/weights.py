"""Weights of clauses by Newton's method, and their loss: slow, plain, and exact."""

import numpy as np


def fires(board, clause):
    literals = np.concatenate([board, 1 - board]).astype(bool)
    return bool(literals[clause].all())


def table_of(boards, clauses):
    return np.array([[fires(board, clause) for clause in clauses] for board in boards], float)


def newton_weights(boards, values, clauses, penalty=1.0, steps=20):
    """The weights of penalised logistic regression, in nats."""
    rows, chances = table_of(boards, clauses), (1 + values) / 2
    weights = np.zeros(len(clauses))
    for _ in range(steps):
        guess = 1 / (1 + np.exp(-(rows @ weights)))
        slope = rows.T @ (chances - guess) - penalty * weights
        curve = rows.T @ (rows * (guess * (1 - guess))[:, None]) + penalty * np.eye(len(weights))
        weights += np.linalg.solve(curve, slope)
    return weights


def mean_log_loss(boards, values, clauses, weights):
    """How far off the chances are, in nats a board."""
    sums, chances = table_of(boards, clauses) @ weights, (1 + values) / 2
    return float(np.mean(np.logaddexp(0.0, sums) - chances * sums))
