"""What the papers ask of each other: the comparison, the costs, the peers."""
