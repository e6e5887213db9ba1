"""The protocol: by which rule a claim is judged, on what evidence, and by which function."""
