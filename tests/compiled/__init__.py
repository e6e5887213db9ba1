"""Compiled kernels, kept on disk."""
