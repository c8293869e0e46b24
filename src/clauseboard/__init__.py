"""Board-game players whose every judgement can be read."""

__version__ = "0.1.0"
