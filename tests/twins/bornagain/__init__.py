"""Naive readers, votes and regions of ensembles."""
