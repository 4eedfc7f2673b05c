"""What lies about and is carried: where things fall, what they add, how they are used."""
