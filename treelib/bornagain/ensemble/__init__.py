"""Ensembles of trees that vote: read, stored, and cut into cells."""
