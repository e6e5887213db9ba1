"""The estimators under scikit-learn's own tests, and our trees in programs that read its trees."""
