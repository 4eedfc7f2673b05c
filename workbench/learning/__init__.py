"""Seedhollow as a Gymnasium environment: actions, observations, rewards, episodes."""
