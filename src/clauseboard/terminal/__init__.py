"""Playing at a terminal: the game (`session`), what is shown (`screen`), what is typed (`loop`)."""
