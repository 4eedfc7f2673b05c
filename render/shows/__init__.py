"""What is seen to happen: things that fly, tiles that glow for a moment; it never keeps a key."""
