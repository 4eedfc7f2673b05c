"""Faults that change nothing anyone could notice, each with the reason."""

from support.equivalent_in_engine import IN_ENGINE
from support.equivalent_in_procgen import IN_PROCGEN

OUTCOMES = "for become in outcomes]"

EQUIVALENT = {
    **IN_PROCGEN,
    **IN_ENGINE,
    (
        "engine/combat/damage.py",
        "forces = [max(0, power + luck) if power > 0 else 0 for luck in lucks]",
        "forces = [max((-1), power + luck) if power > 0 else 0 for luck in lucks]",
    ): "a power of 1 with the worst luck is 0, and there is none between 0 and 1",
    (
        "engine/combat/damage.py",
        "forces = [max(0, power + luck) if power > 0 else 0 for luck in lucks]",
        "forces = [max(0, power + luck) if power > 0 else (-1) for luck in lucks]",
    ): "half of -1, rounded up, is 0 as well",
    (
        "engine/monsters/combat_forecast.py",
        "(speed(creature), speed(hero) * theirs) if theirs else (0, 1),",
        "(speed(creature), speed(hero) * theirs) if theirs else (0, 2),",
    ): "nothing in two turns is nothing in one",
    (
        "procgen/steps/start_and_exit.py",
        "sizes[0] = 0",
        "sizes[0] = (-1)",
    ): "only the largest counts, and it is above 0 if there is any",
    (
        "procgen/steps/start_and_exit.py",
        "if len(cells) < 2:",
        "if len(cells) < 1:",
    ): "there is no second end either way",
    (
        "procgen/analysis/articulation_points.py",
        "if least[node] < least[up]: # noqa: PLR1730 (min takes twice as long)",
        "if (least[node] <= least[up]): # noqa: PLR1730 (min takes twice as long)",
    ): "equal numbers are the same number",
    (
        "procgen/steps/fortress.py",
        "outside = canvas.tiles[south + 1 : -1, x]",
        "outside = canvas.tiles[south + 0 : -1, x]",
    ): "the tile in the wall becomes a door right after",
    (
        "procgen/wfc/wfc_map.py",
        "rule_of = np.zeros(256, np.uint8)",
        "rule_of = np.zeros(257, np.uint8)",
    ): "tiles are bytes",
    (
        "engine/saves/saved_state.py",
        "return heroes[0]",
        "return heroes[(-1)]",
    ): "there is exactly one",
    (
        "engine/pathfinding/dijkstra_maps.py",
        "range(max(0, at - high) // WAYPOINT_BLOCK, min(last, at + high) // WAYPOINT_BLOCK + 1)",
        "range(max(0, at - high) // WAYPOINT_BLOCK, max(last, at + high) // WAYPOINT_BLOCK + 1)",
    ): "blocks beyond the map hold no ground, and the distance decides in the end",
    (
        "engine/pathfinding/dijkstra_maps.py",
        "for at, last in ((y, self.map.height - 1), (x, self.map.width - 1))",
        "for at, last in ((y, self.map.height - 1), (x, (self.map.width + 1)))",
    ): "blocks beyond the map hold no ground",
    (
        "procgen/steps/vegetation.py",
        "*_, relief = noise_octaves(rng.below(2**62), 0, 0, *size, scale=0.5 / patch, octaves=1)",
        (
            "*_, relief = noise_octaves(rng.below(2**62), (-1), 0, *size, "
            "scale=0.5 / patch, octaves=1)"
        ),
    ): "the same noise, a tile aside",
    (
        "engine/monsters/behaviours.py",
        "sx, sy = (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)",
        "sx, sy = (dx > 1) - (dx < 0), (dy > 0) - (dy < 0)",
    ): "a bull one column off is not in line, or too near",
    (
        "procgen/carving/region_links.py",
        "_, first = np.unique(low * 2**31 + high, return_index=True)",
        "_, first = np.unique(low * 3**31 + high, return_index=True)",
    ): "any base above the labels tells the pairs apart",
    (
        "procgen/steps/doors.py",
        "sides = [(x + dx, y + dy) for dx, dy in CARDINALS if walkable[y + dy, x + dx]]",
        "sides = [(x + dx, y + dy) for dx, dy in CARDINALS if walkable[(y - dy), x + dx]]",
    ): "the two open sides of a doorway lie opposite each other",
    (
        "procgen/infinite/infinite_caves.py",
        "tiles[floor & (life > 0.3) & (noise < 150)] = Tile.FOREST",
        "tiles[floor & ((life >= 0.3)) & (noise < 150)] = Tile.FOREST",
    ): "no sum of octaves is 0.3 to the last bit",
    (
        "procgen/vaults/vault_stamp.py",
        f"firm = [len({{char in chars for char in become}}) == 1 {OUTCOMES}",
        f"firm = [len({{(char not in chars) for char in become}}) == 1 {OUTCOMES}",
    ): "the opposites of answers are alike where the answers are",
    (
        "procgen/metrics.py",
        "return float(dark.sum()) / max(1, int(walkable.sum()))",
        "return float(dark.sum()) / max(0, int(walkable.sum()))",
    ): "no level is without ground",
    (
        "engine/state/game_map.py",
        "self._sights_edits = 0",
        "self._sights_edits = (-1)",
    ): "nothing is remembered yet that could be forgotten",
    (
        "engine/state/game_map.py",
        "self._sights_edits = 0",
        "self._sights_edits = 1",
    ): "nothing is remembered yet that could be forgotten",
    (
        "engine/state/game_map.py",
        "if left <= who.x < right and top <= who.y < bottom and visible[who.y, who.x]",
        "if left <= who.x < right and (top <= who.y <= bottom) and visible[who.y, who.x]",
    ): "beyond the view nothing is visible",
    (
        "engine/monsters/steering.py",
        "return PRECEDENCE.get(ai.state, -1)",
        "return PRECEDENCE.get(ai.state, -2)",
    ): "any rank below 0 passes nobody and is never passed",
    (
        "engine/infinite/chunk_loader.py",
        "self._fault, self._done = fault, True",
        "self._fault, self._done = fault, False",
    ): "a generator that has failed is at its end",
    (
        "engine/pathfinding/known_paths.py",
        "top, left = max(0, rows[0] - 1), max(0, columns[0] - 1)",
        "top, left = max(0, rows[0] - 1), max(0, columns[0] - 2)",
    ): "a wider margin shows the same",
    (
        "engine/pathfinding/known_paths.py",
        "top, left = max(0, rows[0] - 1), max(0, columns[0] - 1)",
        "top, left = max(0, rows[0] - 2), max(0, columns[0] - 1)",
    ): "a wider margin shows the same",
    (
        "engine/bots/simple_bot.py",
        "nearest, dx, dy = min(steps, default=(distance, 0, 0))",
        "nearest, dx, dy = min(steps, default=(distance, 0, (-1)))",
    ): "no step is nearer than none",
    (
        "procgen/rewriting/rules.py",
        "accepts[tile + FIXED] = becomes is None",
        "accepts[(tile - FIXED)] = becomes is None",
    ): "there are twice as many places: counted from the end it is the same one",
    (
        "procgen/rng.py",
        "if not 1 < limit <= 2**32:",
        "if not 2 < limit <= 2**32:",
    ): "NumPy draws the same number, only more slowly",
    (
        "procgen/recipe_parameters.py",
        "at = values.index(value[0]) if len(value) == 1 else -1 if notches > 0 else 0",
        "at = values.index(value[0]) if len(value) == 1 else -1 if (notches >= 0) else 0",
    ): "no step is of no notches",
    (
        "procgen/steps/room_types.py",
        "along, across = (spot.x, spot.y - box.y) if lying else (spot.y, spot.x - box.x)",
        "along, across = (spot.x, (spot.y + box.y)) if lying else (spot.y, spot.x - box.x)",
    ): "only whether the number is even counts",
    (
        "procgen/vaults/vault_stamp.py",
        "table = np.full(256, KEEP, np.uint8)",
        "table = np.full(255, KEEP, np.uint8)",
    ): "no character of a vault is the last of the bytes",
    (
        "procgen/carving/region_links.py",
        "if count > 1:",
        "if count > 0:",
    ): "a single part has no links",
    (
        "engine/state/game_map.py",
        "self._view = (slice(0, 0), slice(0, 0))",
        "self._view = (slice(1, 0), slice(0, 0))",
    ): "nothing is visible before the first look",
    (
        "engine/state/game_map.py",
        "self._view = (slice(0, 0), slice(0, 0))",
        "self._view = (slice((-1), 0), slice(0, 0))",
    ): "nothing is visible before the first look",
    (
        "engine/state/game_map.py",
        "self._view = (slice(0, 0), slice(0, 0))",
        "self._view = (slice(0, 1), slice(0, 0))",
    ): "nothing is visible before the first look",
    (
        "engine/state/game_map.py",
        "self._view = (slice(0, 0), slice(0, 0))",
        "self._view = (slice(0, (-1)), slice(0, 0))",
    ): "nothing is visible before the first look",
    (
        "engine/state/game_map.py",
        "self._view = (slice(0, 0), slice(0, 0))",
        "self._view = (slice(0, 0), slice(1, 0))",
    ): "nothing is visible before the first look",
    (
        "engine/state/game_map.py",
        "self._view = (slice(0, 0), slice(0, 0))",
        "self._view = (slice(0, 0), slice((-1), 0))",
    ): "nothing is visible before the first look",
    (
        "engine/state/game_map.py",
        "self._view = (slice(0, 0), slice(0, 0))",
        "self._view = (slice(0, 0), slice(0, 1))",
    ): "nothing is visible before the first look",
    (
        "engine/state/game_map.py",
        "self._view = (slice(0, 0), slice(0, 0))",
        "self._view = (slice(0, 0), slice(0, (-1)))",
    ): "nothing is visible before the first look",
    (
        "engine/saves/run_file.py",
        "line = _line(lines, place) if place >= 0 else None",
        "line = _line(lines, place) if place >= (-1) else None",
    ): "without an at no line has one",
    (
        "engine/bots/simple_bot.py",
        "nearest, dx, dy = min(steps, default=(distance, 0, 0))",
        "nearest, dx, dy = min(steps, default=(distance, 1, 0))",
    ): "no step is nearer than none",
    (
        "engine/bots/simple_bot.py",
        "nearest, dx, dy = min(steps, default=(distance, 0, 0))",
        "nearest, dx, dy = min(steps, default=(distance, (-1), 0))",
    ): "no step is nearer than none",
    (
        "engine/bots/simple_bot.py",
        "nearest, dx, dy = min(steps, default=(distance, 0, 0))",
        "nearest, dx, dy = min(steps, default=(distance, 0, 1))",
    ): "no step is nearer than none",
}
"""Faults that change nothing anybody could notice: file, line before and after, and why."""
