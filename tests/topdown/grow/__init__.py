"""How a tree is grown: each split, and the sorting beneath it."""
