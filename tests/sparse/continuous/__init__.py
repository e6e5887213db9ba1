"""The exact search on numbers."""
