"""Work on many levels and runs at once, and files made of them."""
