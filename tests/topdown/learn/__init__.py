"""Parameters that are learned: exact risk, sample complexity, selection."""
