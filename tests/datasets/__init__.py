"""The data sets and their files."""
