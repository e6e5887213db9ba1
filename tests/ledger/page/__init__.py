"""What cells of chapters show."""
