"""What interrupts a run: kills, a full disk, a second run."""
