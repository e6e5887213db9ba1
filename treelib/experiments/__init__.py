"""Experiments of the book: definitions, claims of the papers, verdicts, tables and figures."""
