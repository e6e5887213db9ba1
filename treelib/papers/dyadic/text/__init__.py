"""What the paper says in its text: sections, appendix and theorems, and mistakes found."""
