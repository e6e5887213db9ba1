"""Learning to choose splitting and pruning."""
