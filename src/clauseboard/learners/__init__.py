"""Learners: each folder holds one, with its kernels and its readable export."""
