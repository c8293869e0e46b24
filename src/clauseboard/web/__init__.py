"""The page: a server (`server`), its games (`game_service`), and a front end.

docs/web-api.md lists the requests. Players think in worker processes (`worker_pool`, `worker`), so
that no game waits for another.
"""
