"""How Numba is used: the compiler of kernels and their cache, 64-bit words, SIMD, clause tables."""
