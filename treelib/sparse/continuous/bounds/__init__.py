"""What rules out sets of rows and cuts without searching them, in the search on numbers."""
