"""Measurements of the searches against the public programs that solve the same problem."""
