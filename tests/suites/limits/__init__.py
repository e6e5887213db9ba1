"""Searches under limits of time and memory, on hard problems and on tables of every shape."""
