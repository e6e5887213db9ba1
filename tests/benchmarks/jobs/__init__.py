"""Problems, the programs that solve them, and the processes in which these are measured."""
