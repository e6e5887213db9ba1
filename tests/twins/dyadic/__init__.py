"""Naive dyadic trees."""
