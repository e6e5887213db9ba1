"""What comes in: columns, labels, checks."""
