"""Colours of words, and contrast of colours as WCAG 2 defines it."""

import numpy as np


def luminance(color):
    """Return the relative luminance of colours [..., 3], as WCAG 2 defines it."""
    part = np.asarray(color, float) / 255
    part = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    return part @ (0.2126, 0.7152, 0.0722)


def contrast(one, other):
    lights = np.stack(np.broadcast_arrays(luminance(one), luminance(other)))
    return (lights.max(axis=0) + 0.05) / (lights.min(axis=0) + 0.05)


def inks_of(person, words):
    """Return the colours in which the first ``words`` on the screen are written."""
    y, row = next(each for each in enumerate(person.reads().splitlines()) if words in each[1])
    cells = person.app.picture().text.fg[y, row.index(words) : row.index(words) + len(words)]
    return {tuple(color) for color in cells.tolist()}
