"""Playing at a terminal: the game (`game`), what is shown and asked (`screen`), and its `loop`."""
