"""The experiments of the four papers and of this book: what runs, verdicts, tables and figures."""
