"""Experiments and statements of the papers."""
