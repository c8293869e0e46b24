"""Ratings by brute force: the likelihood as it is written in books, climbed step by step."""

import math


def log_likelihood(strengths, points, prior):
    """Of the points, if i beats j with the odds exp(s_i - s_j); and of draws with an average."""
    total = 0.0
    for i, a in enumerate(strengths):
        total += prior * 0.5 * (a - 2 * math.log(1 + math.exp(a)))
        for j, b in enumerate(strengths):
            if i != j:
                total += points[i][j] * (a - math.log(math.exp(a) + math.exp(b)))
    return total


def likeliest(points, prior):
    """Strengths around 0: one is moved at a time, by ever smaller steps, while that helps."""
    strengths = [0.0] * len(points)
    best = log_likelihood(strengths, points, prior)
    step = 1.0
    while step > 1e-7:
        better = False
        for place in range(len(strengths)):
            for way in (step, -step):
                tried = list(strengths)
                tried[place] += way
                value = log_likelihood(tried, points, prior)
                if value > best:
                    strengths, best, better = tried, value, True
        if not better:
            step /= 2
    middle = sum(strengths) / len(strengths)
    return [strength - middle for strength in strengths]
