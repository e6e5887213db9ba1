"""Certificates that a tree predicts as its ensemble does, everywhere."""
