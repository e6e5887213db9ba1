"""Learning accurate and interpretable tree-based models (Balcan and Sharma 2025)."""
