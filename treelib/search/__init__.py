"""Limits of a search, and what a search returns."""
