"""Born-again tree ensembles: one small tree that predicts as a forest does, everywhere."""
