"""Room shapes, doorways, and links between regions (spanning trees)."""
