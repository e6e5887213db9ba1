"""Compiled functions: the one decorator, kernels on disk, digests of sources, bitsets, random numbers."""
