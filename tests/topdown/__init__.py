"""Top-down trees: splitting, pruning, forests, and the choice of their parameters."""
