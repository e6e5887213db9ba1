"""What the paper says in its text: sections and theorems, and mistakes found."""
