"""The budget of a search."""
