"""One game of a person against a player, as the page and the terminal both play it.

`session` holds the moves, `clock` the two clocks, `saved_games` reads and writes PDN and SGF files.
"""
