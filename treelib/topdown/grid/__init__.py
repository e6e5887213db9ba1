"""All trees of a grid of criteria, grown together."""
