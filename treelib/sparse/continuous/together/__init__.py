"""Several searches of one problem that help each other: in turns, and in threads."""
