"""Suites that look for faults on purpose, of all methods at once."""
