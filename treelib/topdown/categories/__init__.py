"""Subsets of categories as one test of a top-down tree."""
