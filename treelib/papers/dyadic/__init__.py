"""Algorithms for optimal dyadic decision trees (Hush and Porter 2010)."""
