"""Games between networks, slowly: plain positions, plain sums, one board at a time."""

import math

WORD = 1 << 64


def mixed(counter):
    """64 random bits from a counter (SplitMix64)."""
    word = ((counter ^ (counter >> 30)) * 0xBF58476D1CE4E5B9) % WORD
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) % WORD
    return word ^ (word >> 31)


class Draws:
    """Random numbers, drawn one after the other."""

    def __init__(self, counter):
        self.counter = int(counter)

    def word(self):
        self.counter = (self.counter + 0x9E3779B97F4A7C15) % WORD
        return mixed(self.counter)

    def below(self, n):
        return ((self.word() >> 32) * n) >> 32

    def share(self):
        return (self.word() >> 11) / (1 << 53)


def inputs(position, worth):
    """One number a cell, as the side to move sees the board."""
    game = position.game
    row = game.encode([position], view="mover")[0]
    numbers = {}
    for bit, there in zip(game.bits(), row, strict=True):
        colour, *kind = bit.piece.split(" ", 1)
        sign = 1.0 if colour == game.colours[0] else -1.0
        value = sign * worth.get(kind[0] if kind else "", 1.0) if there else 0.0
        numbers[bit.cell] = numbers.get(bit.cell, 0.0) + value
    return list(numbers.values())


def output(weights, n_hidden, numbers):
    """The network's output for one row of inputs; weights as in `learners.swarm.network`."""
    n = len(numbers)
    total = weights[-1]
    for unit in range(n_hidden):
        inside = weights[n * n_hidden + unit]
        for k in range(n):
            inside += numbers[k] * weights[k * n_hidden + unit]
        total += weights[(n + 1) * n_hidden + unit] / (1 + math.exp(-inside))
    return 1 / (1 + math.exp(-total))


def worth_after(position, colour, weights, n_hidden, worth, before, captures):
    """What a board is worth to the colour that has just moved there; `before` has earlier ones."""
    if getattr(position.game, "repetitions", None):
        written = position.game.write_position
        if written(position) in map(written, before):
            return 0.0
    value = worth_now(position, weights, n_hidden, worth, captures)
    return value if position.to_move == colour else -value


def worth_now(position, weights, n_hidden, worth, captures):
    """What a board is worth to its side to move; captures are played out if they are to be."""
    outcome = position.outcome()
    if outcome is not None:
        won = outcome.winner == position.to_move
        return 0.0 if outcome.winner is None else 1.0 if won else -1.0
    moves = position.moves()
    if captures and getattr(moves[0], "captured", ()):
        after = [worth_now(position.play(m), weights, n_hidden, worth, captures) for m in moves]
        return max(-value for value in after)
    return 2 * output(weights, n_hidden, inputs(position, worth)) - 1


def play(game, judges, n_hidden, worth, counter, longest, opening, explore, captures=True):
    """The winner's colour (None: a draw), the moves, and the boards at which a side was to move."""
    draws = Draws(counter)
    position, boards = game.start(), []
    for ply in range(longest):
        if position.outcome() is not None:
            break
        boards.append(position)
        side = game.colours.index(position.to_move)
        moves = position.moves()
        at_random = ply < opening
        if not at_random and explore[side] > 0:
            at_random = draws.share() < explore[side]
        if at_random:
            chosen = moves[draws.below(len(moves))]
        else:
            chosen = choose(position, moves, judges[side], n_hidden, worth, draws, boards, captures)
        position = position.play(chosen)
    else:
        # The limit comes before the look at the board, as in the kernel.
        return None, len(boards), boards
    return position.outcome().winner, len(boards), boards


def choose(position, moves, weights, n_hidden, worth, draws, before, captures):
    """The move to the best board; of equal ones each with the same chance."""
    if len(moves) == 1:
        return moves[0]
    best, alike, chosen = -2.0, 0, moves[0]
    for move in moves:
        value = worth_after(
            position.play(move), position.to_move, weights, n_hidden, worth, before, captures
        )
        if value > best:
            best, alike, chosen = value, 1, move
        elif value == best:
            alike += 1
            if draws.below(alike) == 0:
                chosen = move
    return chosen


def swarm_step(place, velocity, best, leader, inertia, own, swarm, r1, r2, most):
    """One particle's velocity and place after a move, weight by weight."""
    for k in range(len(place)):
        v = inertia * velocity[k]
        v += own * r1[k] * (best[k] - place[k])
        v += swarm * r2[k] * (leader[k] - place[k])
        velocity[k] = max(-most, min(most, v)) if most else v
        place[k] += velocity[k]
    return place, velocity
