"""The exact searches, measured."""
