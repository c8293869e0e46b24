"""Players that learn by themselves: they play, learn from their games, and play better.

`running` has the loop, `self_play` the games, `lessons` what is learned from them, `finding` and
`weighing` how it is learned, `store` where everything is kept.
"""
