"""Optimal sparse trees under constraints: ordered predictions, least leaves, features that must be tested."""
