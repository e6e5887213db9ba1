"""Optimal dyadic decision trees."""
