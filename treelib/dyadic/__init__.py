"""Optimal dyadic decision trees (Hush and Porter 2010)."""
