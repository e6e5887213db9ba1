"""What the paper says in its text: history, settings and theorems, and mistakes found."""
