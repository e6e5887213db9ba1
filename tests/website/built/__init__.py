"""The built site on disk."""
