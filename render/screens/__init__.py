"""The screens, about one file each."""
