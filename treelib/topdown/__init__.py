"""Top-down decision trees: splitting criteria, growth, pruning, and their parameters learnt from data."""
