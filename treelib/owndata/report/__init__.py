"""What is said of a fitted tree: facts, notes, and the page that holds them."""
