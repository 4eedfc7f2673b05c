"""The project's own benchmark: how long it takes to grow, measure, play, replay and draw."""
