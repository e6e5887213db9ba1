"""The package's functions as numba compiles them for the page: as they stand, or partly in other words."""
