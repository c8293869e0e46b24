"""A small network that judges boards, its weights found by a swarm or by gradient descent."""
