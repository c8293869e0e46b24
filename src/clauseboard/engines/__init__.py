"""Talking to other programs: the Go Text Protocol for every game, and OpenSpiel."""
