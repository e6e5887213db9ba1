"""The searches over regions of cells."""
