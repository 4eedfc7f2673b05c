"""Faults of the engine that change nothing anyone could notice, by file and line."""

LEVEL_COST = "return sum(n * fight_cost(state.hero, [make_creature(kind, {})]) for kind, n in foes)"
NARROWEST = "sides, _, y, x = min(places, default=(open_sides, {}))"
NO_MATCH = "# Its own monsters are no match for this hero."
FAULTS = {
    "engine/saves/saved_state.py": [
        (
            "return zlib.compress(msgspec.msgpack.encode(saved), 1)",
            "unpacked, it is the same",
            "return zlib.compress(msgspec.msgpack.encode(saved), 2)",
        ),
    ],
    "engine/pathfinding/dijkstra_maps.py": [
        (
            "left, stride, waves = self._board.bits, self._board.stride, [0] * (STEP_UP // 2)",
            "they are counted from the end, and more of nothing before it is nothing",
            "left, stride, waves = self._board.bits, self._board.stride, [0] * (STEP_UP // 1)",
        ),
        (
            "if not (0 <= column < board.width and 0 <= row < board.height):",
            "the board keeps a closed column beyond its last",
            "if not ((0 <= column <= board.width) and 0 <= row < board.height):",
        ),
        (
            "if not (0 <= column < board.width and 0 <= row < board.height):",
            "no bit is set beyond the last row of a board",
            "if not (0 <= column < board.width and (0 <= row <= board.height)):",
        ),
        (
            "if not (0 <= column < self._board.width and 0 <= row < self._board.height):",
            "the board keeps a closed column beyond its last",
            "if not ((0 <= column <= self._board.width) and 0 <= row < self._board.height):",
        ),
        (
            "if not (0 <= column < self._board.width and 0 <= row < self._board.height):",
            "no bit is set beyond the last row of a board",
            "if not (0 <= column < self._board.width and (0 <= row <= self._board.height)):",
        ),
    ],
    "engine/monsters/steering.py": [
        (
            "return senses.maps.lowest_first(field, x, y, field.at(x, y) - 1, doors=doors)",
            "all values of a safety map are even",
            "return senses.maps.lowest_first(field, x, y, field.at(x, y) - 2, doors=doors)",
        ),
    ],
    "engine/bots/tactics.py": [
        (
            LEVEL_COST.format("0, -99, 0"),
            "who the foe is and where it stands afar costs nothing",
            LEVEL_COST.format("1, -99, 0"),
            LEVEL_COST.format("(-1), -99, 0"),
            LEVEL_COST.format("0, -100, 0"),
            LEVEL_COST.format("0, -98, 0"),
            LEVEL_COST.format("0, -99, 1"),
            LEVEL_COST.format("0, -99, (-1)"),
        ),
        (
            NARROWEST.format("0, 0, 0"),
            "as many open sides as here are not fewer: the place is not read",
            NARROWEST.format("1, 0, 0"),
            NARROWEST.format("(-1), 0, 0"),
            NARROWEST.format("0, 1, 0"),
            NARROWEST.format("0, (-1), 0"),
            NARROWEST.format("0, 0, 1"),
            NARROWEST.format("0, 0, (-1)"),
        ),
    ],
    "engine/bots/emergency.py": [
        (
            "away = np.abs(seen - (hero.y, hero.x)).max(1, initial=0)",
            "each place has two distances, and none is below 0",
            "away = np.abs(seen - (hero.y, hero.x)).max(1, initial=(-1))",
        ),
    ],
    "engine/bots/careful_bot.py": [
        (
            "self._progress_turn = 0",
            "the first choice sets it: any progress is more than none",
            "self._progress_turn = 1",
            "self._progress_turn = (-1)",
        ),
    ],
    "engine/monsters/wandering_monsters.py": [
        (
            f"if state.hollow and below < 0: {NO_MATCH}",
            "on the last depth, it is all of the turns either way",
            f"if state.hollow and (below <= 0): {NO_MATCH}",
            f"if state.hollow and below < 1: {NO_MATCH}",
        ),
    ],
    "engine/saves/run_file.py": [
        (
            "line = _line(lines, place) if place >= 0 else None",
            "a line with an at is not empty, so it does not end at the first byte",
            "line = _line(lines, place) if place >= 1 else None",
            "line = _line(lines, place) if (place > 0) else None",
        ),
    ],
    "engine/terrain/fire.py": [
        (
            "game_map.fires[place] = max(turns, game_map.fires.get(place, 0))",
            "every fire lasts a turn or more",
            "game_map.fires[place] = max(turns, game_map.fires.get(place, 1))",
            "game_map.fires[place] = max(turns, game_map.fires.get(place, (-1)))",
        ),
    ],
    "engine/pathfinding/auto_travel.py": [
        (
            "game_map, explored, vain = state.map, -1, 0",
            "the hero's own tile is known: there are always more than none",
            "game_map, explored, vain = state.map, -2, 0",
            "game_map, explored, vain = state.map, -0, 0",
        ),
        (
            "game_map, explored, vain = state.map, -1, 0",
            "the first look sets it to 0: the number of known tiles is another than before",
            "game_map, explored, vain = state.map, -1, 1",
            "game_map, explored, vain = state.map, -1, (-1)",
        ),
        (
            "if goal is None or not path:",
            "to the next thing to explore a path leads, found by the same steps",
            "if (goal is None and (not path)):",
        ),
    ],
    "engine/state/game_state.py": [
        (
            "self.hero: Entity = make_creature(HERO, 0, 0, 0)",
            "the hero gets its place as it is put on a map",
            "self.hero: Entity = make_creature(HERO, 0, 1, 0)",
            "self.hero: Entity = make_creature(HERO, 0, (-1), 0)",
            "self.hero: Entity = make_creature(HERO, 0, 0, 1)",
            "self.hero: Entity = make_creature(HERO, 0, 0, (-1))",
        ),
    ],
    "engine/saves/playback.py": [
        (
            "turn = max(0, min(turn, len(self.recorded.actions)))",
            "before the start there is the start only",
            "turn = max((-1), min(turn, len(self.recorded.actions)))",
        ),
    ],
}
"""By file: a line, why faults of it change nothing, and what each of these makes of it."""

IN_ENGINE = {
    (path, before, after): why
    for path, lines in FAULTS.items()
    for before, why, *faults in lines
    for after in faults
}
"""The reasons, by file and line before and after."""
