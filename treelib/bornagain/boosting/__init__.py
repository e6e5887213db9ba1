"""Boosted ensembles: read from the library or its saved file, and predicted with exactly as it does."""
