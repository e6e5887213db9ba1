"""How claims are judged, and what a referee sees of it."""
