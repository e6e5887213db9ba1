"""Born-Again Tree Ensembles (Vidal, Pacheco and Schiffer 2020)."""
