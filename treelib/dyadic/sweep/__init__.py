"""One pass over rectangles that gives the best trees for all prices of a leaf."""
