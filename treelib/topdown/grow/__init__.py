"""Growth of one tree: sort, score, split."""
