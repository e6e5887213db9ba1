"""Optimal dyadic trees."""
