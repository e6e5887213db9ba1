"""Optimal sparse trees."""
