"""What the columns of a file mean: their cells, kinds and missing values."""
