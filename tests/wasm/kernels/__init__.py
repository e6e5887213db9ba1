"""Kernels of the pages against the same searches in Python, bit for bit."""
