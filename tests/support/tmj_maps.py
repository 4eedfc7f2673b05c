"""Small maps of Tiled as text."""

import json

GROUND = {"type": "tilelayer", "data": [1] * 9}


def tmj(**changes):
    """Return a map of three by three tiles with ``changes``; ``data`` are those of its layer."""
    layer = {"type": "tilelayer", "name": "ground", "data": [0] * 9}
    found = {
        "width": 3, "height": 3, "tilewidth": 8, "tileheight": 8, "layers": [layer],
        "tilesets": [{"firstgid": 1, "tiles": [{"id": 0, "type": "floor"}]}],
    }  # fmt: skip
    layer |= {"data": changes.pop("data")} if "data" in changes else {}
    return json.dumps(found | changes)
