"""The pack on screen: what things do, how they compare, what can be done with them."""
