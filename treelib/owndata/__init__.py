"""Your own data: a table read from a file, a tree fitted to it, and a report on both."""
