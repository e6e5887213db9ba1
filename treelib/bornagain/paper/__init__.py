"""The recursion of the paper on born-again trees, as printed."""
