"""What the columns and cells of a file mean."""
