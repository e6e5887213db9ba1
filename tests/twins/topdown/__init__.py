"""Naive growth, pruning, risk and posterior of trees."""
