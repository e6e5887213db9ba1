"""Good trees early: of some rows before all are sorted, and with better sides of the best tree so far."""
