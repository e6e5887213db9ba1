"""Naive programs, obviously right and slow, that the fast ones must agree with."""
