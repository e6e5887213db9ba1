"""What comes in: frames, categories, thresholds as 0/1 columns, checks, and words for what is refused."""
