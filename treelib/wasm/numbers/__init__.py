"""The exact search on numbers for the page."""
