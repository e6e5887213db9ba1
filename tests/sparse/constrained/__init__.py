"""Optimal trees under constraints."""
