"""Optimal sparse decision trees."""
