"""The page: a server of its own machine (`serving`), games with ids (`hall`), and a front end.

What the two say to each other is in docs/web-api.md. Players think in processes of their own
(`pool`, `work`), so that no game waits for another.
"""
