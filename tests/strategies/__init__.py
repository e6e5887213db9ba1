"""Random trees, models and problems for hypothesis."""
