"""Worlds without an edge, made a chunk at a time: a module for each way of making one."""
