"""Pruning: from a grown tree to a smaller one."""
