"""How it looks and listens: faces, screens, keys, sentences, pictures."""
