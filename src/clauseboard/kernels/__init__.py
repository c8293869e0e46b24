"""TODO: say what kernels is."""
