"""Decision trees drawn from their posterior distribution."""
