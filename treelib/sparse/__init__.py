"""Optimal sparse decision trees: misclassification error plus a price for every leaf."""
