"""Subsets of categories as tests."""
