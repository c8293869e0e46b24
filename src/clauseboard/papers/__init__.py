"""The published tables of five documents, computed again beside the published figures.

Each document is a module of data, such as `checkers_thesis`; `runner` computes a table, `report`
writes it.

>>> from clauseboard.papers.experiment import experiment_names, load_experiment
>>> "checkers_5_6" in experiment_names()
True
>>> load_experiment("checkers_5_6").number
'5.6'
"""
