"""Matches and tournaments between players, their records, reports and ratings."""
