"""Columns of a file: what they mean, and what is made of them."""
