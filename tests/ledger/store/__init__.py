"""How results are kept, and how experiments are run."""
