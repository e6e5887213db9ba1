"""Born-again tree ensembles."""
