"""Proofs that no tree is better, written for a program that shares nothing with the search."""
