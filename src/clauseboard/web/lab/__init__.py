"""The lab: the clauses of a machine, trainings, tournaments and reports."""
