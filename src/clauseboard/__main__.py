"""`python -m clauseboard`: the same as the command `clauseboard`."""

from clauseboard.cli.main import run

if __name__ == "__main__":
    run()
