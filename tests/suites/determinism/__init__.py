"""Equal fits give equal bytes, one after the other and at the same time."""
