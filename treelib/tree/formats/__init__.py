"""A tree written for people and other programs, and read again."""
