"""What to check: positions with the counts that are known for them."""
