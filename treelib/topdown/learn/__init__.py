"""Parameters of splitting and pruning learnt from data, exactly."""
