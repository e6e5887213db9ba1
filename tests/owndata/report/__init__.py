"""The report of a fit: its notes and its page."""
