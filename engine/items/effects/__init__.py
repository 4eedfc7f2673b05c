"""Item effects: small functions, each registered under the name that data uses."""
