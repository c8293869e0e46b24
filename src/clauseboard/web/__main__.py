"""`python -m clauseboard.web`: the page without the rest of the command."""

from clauseboard.web.server import main

if __name__ == "__main__":
    main()
