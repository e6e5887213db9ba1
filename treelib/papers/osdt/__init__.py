"""Optimal Sparse Decision Trees (Hu, Rudin and Seltzer 2019)."""
