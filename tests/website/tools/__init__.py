"""The tools that make pages, and what they make them with."""
