"""Matches and tournaments between players, their records, reports and ratings."""

from clauseboard.arena.match import Match, MatchResult, play_match, run_matches

__all__ = ["Match", "MatchResult", "play_match", "run_matches"]
