"""What the paper says in its text: theorems, and mistakes found."""
