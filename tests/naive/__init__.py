"""Slow twins of the fast kernels, written from the papers and the rules without the fast code."""
