"""Self-play: a player plays itself, learns from its games, and is replaced if the new one wins.

`running` has the loop, `games` the games and the file that keeps everything, `training_set` what is
learned from them, `find_clauses` and `fit_weights` how it is learned.
"""
