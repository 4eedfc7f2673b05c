"""What generators really make: figures, maps of their range, and a page that shows it all."""
