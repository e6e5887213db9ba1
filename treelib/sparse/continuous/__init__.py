"""Optimal trees on numbers as they are: every threshold of every column, none made into a 0/1 column."""
