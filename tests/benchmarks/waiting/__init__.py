"""How long a user waits: for the first fit, at the end of a limit, for a page."""
