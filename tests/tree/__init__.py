"""The stored tree: built, compared, drawn, written and read."""
