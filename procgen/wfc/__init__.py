"""Wave function collapse (Gumin, 2016): maps whose small windows all occur in a sample map."""
