"""What a person may have otherwise: keys, colours, movement; kept in a file they can edit."""
