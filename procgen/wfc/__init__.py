"""Wave function collapse: new maps of which every small window was seen in a sample map."""
