"""All methods beside each other."""
