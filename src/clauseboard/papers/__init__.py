"""Published tables, run again: one file a table, with the published figures in it.

A file named like `checkers_5_6.py` (a game, then the table's number) has a `TABLE`; it is found by
its name. All that tables share is in the files without a number.

>>> from clauseboard.papers.loading import experiment_names, load_experiment
>>> "checkers_5_6" in experiment_names()
True
>>> load_experiment("checkers_5_6").number
'5.6'
"""
