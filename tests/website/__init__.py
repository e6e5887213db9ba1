"""The book: its sources, its tools, and the built site."""
