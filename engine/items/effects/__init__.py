"""What things do when they are used: small functions, each named by data."""
