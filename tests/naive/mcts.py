"""Monte-Carlo tree search, slowly: a twin of `search.mcts` written from its description.

Nodes are found by the moves that lead to them, in dictionaries. Values are kept for the side that
begins the game, and turned round when they are asked for.
"""

import math

MASK = 2**64 - 1
GAMMA = 0x9E3779B97F4A7C15


def splitmix(counter):
    """The next counter, and 64 random bits (Steele, Lea and Flood, 2014)."""
    counter = (counter + GAMMA) & MASK
    z = counter
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return counter, z ^ (z >> 31)


class NaiveTree:
    """`judge(position, counter, path)` gives the value for the side to move, and the counter.

    `priors(position)` gives the shares of the moves, or there are none. A node has moves from its
    visit number `expand_from` on.
    """

    expand_from = 2

    def __init__(self, position, judge, counter, exploration=2**0.5, priors=None, weight=1.0):
        self.start, self.judge, self.counter = position, judge, counter
        self.exploration, self.priors, self.weight = exploration, priors, weight
        self.visits = {}
        self.sums = {}  # for the first colour
        self.orders = {}  # the moves of a node that has children, tried ones first
        self.shares = {}
        self.certain = {}  # for the first colour
        self.open_up((), position)

    def sign(self, position):
        return 1 if position.to_move == position.game.colours[0] else -1

    def open_up(self, path, position):
        self.orders[path] = list(position.moves())
        if self.priors:
            self.shares[path] = dict(zip(position.moves(), self.priors(position), strict=True))

    def pick(self, path, position):
        moves, sign = self.orders[path], self.sign(position)
        here = self.visits.get(path, 0)
        counts = {move: self.visits.get((*path, move), 0) for move in moves}
        if not self.priors:
            tried = sum(1 for move in moves if counts[move])
            if tried < len(moves):
                self.counter, bits = splitmix(self.counter)
                drawn = tried + ((bits >> 32) * (len(moves) - tried) >> 32)
                moves[tried], moves[drawn] = moves[drawn], moves[tried]
                return moves[tried]
        best = None
        for move in moves:
            after = (*path, move)
            if self.certain.get(after) == -sign:
                continue
            if self.priors:
                if counts[move]:
                    mean = sign * self.sums[after] / counts[move]
                else:
                    mean = sign * self.sums[path] / here if here else 0.0
                spread = self.weight * math.sqrt(max(here, 1)) * self.shares[path][move]
                score = mean + spread / (1 + counts[move])
            else:
                mean = sign * self.sums[after] / counts[move]
                spread = self.exploration * math.sqrt(math.log(here))
                score = mean + spread / math.sqrt(counts[move])
            if best is None or score > best[0]:
                best = score, move
        return best[1]

    def prove(self, path, positions):
        while path:
            path = path[:-1]
            sign = self.sign(positions[len(path)])
            known = [self.certain.get((*path, move)) for move in self.orders[path]]
            if sign in known:
                self.certain[path] = sign
            elif None not in known:
                self.certain[path] = sign * max(sign * value for value in known)
            else:
                return

    def simulate(self):
        """One simulation; the moves that it made, or None if the root is proven."""
        if () in self.certain:
            return None
        path, positions = (), [self.start]
        while path not in self.certain:
            if path not in self.orders:
                if self.visits.get(path, 0) + 1 < self.expand_from:
                    break
                self.open_up(path, positions[-1])
            move = self.pick(path, positions[-1])
            positions.append(positions[-1].play(move))
            path = (*path, move)
        end = positions[-1]
        if path not in self.visits and (outcome := end.outcome()) is not None:
            first = end.game.colours[0]
            winner = outcome.winner
            self.certain[path] = 0 if winner is None else 1 if winner == first else -1
            self.prove(path, positions)
        value = 0.0
        if path not in self.certain:
            value, self.counter = self.judge(end, self.counter, path)
            value *= self.sign(end)
        for length in range(len(path), -1, -1):
            part = path[:length]
            value = self.certain.get(part, value)
            self.visits[part] = self.visits.get(part, 0) + 1
            self.sums[part] = self.sums.get(part, 0.0) + value
        return path

    def root_visits(self):
        return [self.visits.get((move,), 0) for move in self.start.moves()]


class LaterTree(NaiveTree):
    """The same with RAVE: a random game counts for every move made in it later by its side.

    `played(position, counter)` gives the winner of a random game (None: a draw), the counter, and
    who got which move in it.
    """

    def __init__(self, position, played, counter, rave, priors, weight=1.0):
        self.rave, self.later, self.noted = rave, {}, None

        def judge(end, counter, path):
            winner, counter, makers = played(end, counter)
            first = end.game.colours[0]
            value = 0 if winner is None else 1 if winner == first else -1
            self.noted = value, makers
            return value * self.sign(end), counter

        super().__init__(position, judge, counter, priors=priors, weight=weight)

    def pick(self, path, position):
        sign, here, best = self.sign(position), self.visits.get(path, 0), None
        for move in self.orders[path]:
            after = (*path, move)
            if self.certain.get(after) == -sign:
                continue
            tried = self.visits.get(after, 0)
            if tried:
                mean = sign * self.sums[after] / tried
            else:
                mean = sign * self.sums[path] / here if here else 0.0
            games, total = self.later.get(after, (0, 0.0))
            if games:
                share = math.sqrt(self.rave / (3 * tried + self.rave))
                mean += share * (sign * total / games - mean)
            spread = self.weight * math.sqrt(max(here, 1)) * self.shares[path][move]
            score = mean + spread / (1 + tried)
            if best is None or score > best[0]:
                best = score, move
        return best[1]

    def simulate(self):
        self.noted = None
        path = super().simulate()
        if path is None or self.noted is None:
            return path
        value, makers = self.noted
        position = self.start
        for length in range(len(path) + 1):
            part, colours = path[:length], position.game.colours
            on_the_way = {}
            for n, move in enumerate(path[length:]):
                other = colours[1 - colours.index(position.to_move)]
                on_the_way.setdefault(move, position.to_move if n % 2 == 0 else other)
            for move in self.orders.get(part, ()):
                if on_the_way.get(move, makers.get(move)) == position.to_move:
                    games, total = self.later.get((*part, move), (0, 0.0))
                    self.later[(*part, move)] = games + 1, total + value
            if length < len(path):
                position = position.play(path[length])
        return path


class JudgedTree(LaterTree):
    """The same, where a judge of boards has a share in what a random game is worth.

    `said(position)` is what it says for the side to move. It is asked about the last node on the
    way, below the root, that was visited `least` times before.
    """

    def __init__(self, position, played, counter, rave, priors, weight, said, share, least):
        super().__init__(position, played, counter, rave, priors, weight)
        of_game = self.judge

        def judge(end, counter, path):
            value, counter = of_game(end, counter, path)
            board, last = position, None
            for length, move in enumerate(path, 1):
                board = board.play(move)
                if self.visits.get(path[:length], 0) >= least:
                    last = board
            if last is not None:
                told = said(last) * (1 if last.to_move == end.to_move else -1)
                value = (1 - share) * value + share * told
            return value, counter

        self.judge = judge
