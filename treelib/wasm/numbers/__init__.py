"""The exact search on numbers for the page, for tables of two classes."""
