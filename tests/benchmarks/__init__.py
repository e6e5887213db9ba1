"""Measurements of seconds and memory, beside public programs where there are some."""
