"""All methods and public programs on the same data sets under one protocol."""
