"""The algorithms of the paper on dyadic trees, as printed: recursion, hash tables, lists of lambda."""
