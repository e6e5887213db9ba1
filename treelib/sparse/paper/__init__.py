"""The branch and bound of the paper on optimal sparse decision trees, as printed."""
