"""Naive optimal sparse trees."""
