"""`treelib fit`, `treelib predict` and `treelib warm`."""
