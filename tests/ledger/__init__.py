"""Claims, stored results and verdicts."""
