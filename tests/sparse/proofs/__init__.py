"""Proofs of optimality: what is written is accepted, and nothing false is."""
