"""The exact search on 0/1 columns: branch and bound over sets of rows."""
