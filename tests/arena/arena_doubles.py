"""Players for tests: each does one thing. `make` reads them from their names."""

import time

from clauseboard.player import Choice, Player


class Double(Player):
    """Plays the first legal move, or "last:" the last one."""

    def __init__(self, name, game):
        self.name, self.game = name, game
        self.begun = []
        self.closed = False

    def begin(self, game, colour, seed):
        self.begun.append((game, colour, seed))

    def choose(self, position, limit=None):
        return Choice(position.moves()[0], value=0.25)

    def close(self):
        self.closed = True


class Last(Double):
    def choose(self, position, limit=None):
        return Choice(position.moves()[-1])


class Seeded(Double):
    """Plays by its seed, and counts its own moves."""

    def begin(self, game, colour, seed):
        super().begin(game, colour, seed)
        self.state = seed

    def choose(self, position, limit=None):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        moves = position.moves()
        return Choice(moves[(self.state >> 33) % len(moves)])


class Illegal(Double):
    """Offers the move that it played first, again and again."""

    def choose(self, position, limit=None):
        self.first = getattr(self, "first", position.moves()[0])
        return Choice(self.first)


class Nonsense(Double):
    def choose(self, position, limit=None):
        return Choice("nonsense")


class Nothing(Double):
    def choose(self, position, limit=None):
        return None


class Crashing(Double):
    def choose(self, position, limit=None):
        raise RuntimeError("no idea")


class Unready(Double):
    def begin(self, game, colour, seed):
        raise RuntimeError("not ready")


class Resigning(Double):
    def choose(self, position, limit=None):
        return Choice(None, resigns=True)


class Hopeless(Double):
    def choose(self, position, limit=None):
        return Choice(position.moves()[0], gives_up=True)


class Counting(Double):
    """Passes, calls these stones dead, and plays elsewhere once the game goes on."""

    def __init__(self, name, game, dead=(), resumed=("pass",)):
        super().__init__(name, game)
        self.dead, self.resumed = list(dead), list(resumed)
        self.asked, self.goes_on = 0, False

    def choose(self, position, limit=None):
        word = self.resumed.pop(0) if self.goes_on and self.resumed else "pass"
        return Choice(position.read_move(word))

    def dead_stones(self, position):
        self.asked += 1
        return self.dead[min(self.asked, len(self.dead)) - 1]

    def resume(self):
        self.goes_on = True


class Slow(Double):
    def choose(self, position, limit=None):
        time.sleep(0.01)
        return super().choose(position, limit)


class Impatient(Double):
    def choose(self, position, limit=None):
        raise KeyboardInterrupt


KINDS = {
    "first": Double,
    "last": Last,
    "seeded": Seeded,
    "illegal": Illegal,
    "nonsense": Nonsense,
    "nothing": Nothing,
    "crashing": Crashing,
    "unready": Unready,
    "resigning": Resigning,
    "hopeless": Hopeless,
    "slow": Slow,
    "impatient": Impatient,
}


def make(text, game):
    """A double by its name; what follows a colon makes names differ."""
    return KINDS[text.partition(":")[0]](text, game)
