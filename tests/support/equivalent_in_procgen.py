"""Faults in procgen that change nothing anyone could notice, each kind with the reason."""

IN_PROCGEN = {
    (
        "procgen/rng.py",
        "if not 1 < limit <= 2**32:",
        "if not (1 < limit < 2 ** 32):",
    ): "NumPy draws the same number, only more slowly",
    (
        "procgen/rng.py",
        "if not 1 < limit <= 2**32:",
        "if not 1 < limit <= 1**32:",
    ): "NumPy draws the same number, only more slowly",
    (
        "procgen/rng.py",
        "if not 1 < limit <= 2**32:",
        "if not 1 < limit <= 2**31:",
    ): "NumPy draws the same number, only more slowly",
    (
        "procgen/position_hash.py",
        "return int(hash_points(purpose_seed(seed, purpose), _along(x, 1), _along(y, 1))[0])",
        "return int(hash_points(purpose_seed(seed, purpose), _along(x, 2), _along(y, 1))[0])",
    ): "only the first is read",
    (
        "procgen/position_hash.py",
        "return int(hash_points(purpose_seed(seed, purpose), _along(x, 1), _along(y, 1))[0])",
        "return int(hash_points(purpose_seed(seed, purpose), _along(x, 1), _along(y, 2))[0])",
    ): "only the first is read",
    (
        "procgen/position_hash.py",
        "return int(hash_points(purpose_seed(seed, purpose), _along(x, 1), _along(y, 1))[0])",
        "return int(hash_points(purpose_seed(seed, purpose), _along(x, 1), _along(y, 1))[(-1)])",
    ): "there is exactly one",
    (
        "procgen/missions/layout.py",
        "flood, before = rings[group[0]], 0",
        "flood, before = rings[group[0]], (-1)",
    ): "a ring of no cells has too few for its ways already",
    (
        "procgen/steps/voronoi.py",
        "return np.flatnonzero(away <= (isqrt(least) + 1 + 2 * BLOCK) ** 2)",
        "return np.flatnonzero(away <= (isqrt(least) + 1 + 3 * BLOCK) ** 2)",
    ): "more candidates, of which none is nearest",
    (
        "procgen/steps/voronoi.py",
        "return np.flatnonzero(away <= (isqrt(least) + 1 + 2 * BLOCK) ** 2)",
        "return np.flatnonzero(away <= (isqrt(least) + 2 + 2 * BLOCK) ** 2)",
    ): "more candidates, of which none is nearest",
    (
        "procgen/steps/voronoi.py",
        "return np.flatnonzero(away <= least + 2 * BLOCK)",
        "return np.flatnonzero(away <= least + 3 * BLOCK)",
    ): "more candidates, of which none is nearest",
    (
        "procgen/steps/spawns.py",
        "if left <= 0:",
        "if False:",
    ): "packs of nobody are placed, and nothing is drawn after them",
    (
        "procgen/steps/spawns.py",
        "if left <= 0:",
        "if left <= (-1):",
    ): "packs of nobody are placed, and nothing is drawn after them",
    (
        "procgen/steps/spawns.py",
        "if left <= 0:",
        "if (left < 0):",
    ): "packs of nobody are placed, and nothing is drawn after them",
    (
        "procgen/vaults/vault_parser.py",
        "grid = np.append(terrain().codes, np.full(256, ord(LEAVE))).astype(np.uint8)[drawn]",
        "grid = np.append(terrain().codes, np.full(257, ord(LEAVE))).astype(np.uint8)[drawn]",
    ): "tiles are bytes",
    (
        "procgen/vaults/vault_parser.py",
        "grid = np.append(terrain().codes, np.full(256, ord(LEAVE))).astype(np.uint8)[drawn]",
        "grid = np.append(terrain().codes, np.full(255, ord(LEAVE))).astype(np.uint8)[drawn]",
    ): "tiles are bytes",
    (
        "procgen/analysis/key_walk.py",
        "shape = Bitboard(ground.bits | (locks if keys_held else 0), ground.width, ground.height)",
        "shape = Bitboard(ground.bits | (locks if keys_held else 1), ground.width, ground.height)",
    ): "one tile beyond the corner, and its neighbours touch each other",
    (
        "procgen/planting.py",
        "behind = np.zeros(count + 1, np.bool_)",
        "behind = np.zeros(count + 2, np.bool_)",
    ): "no label is as high as the place more",
    (
        "procgen/planting.py",
        "rows, columns = np.nonzero(ground.any(1))[0], np.nonzero(ground.any(0))[0]",
        "rows, columns = np.nonzero(ground.any(1))[(-1)], np.nonzero(ground.any(0))[0]",
    ): "there is exactly one",
    (
        "procgen/planting.py",
        "rows, columns = np.nonzero(ground.any(1))[0], np.nonzero(ground.any(0))[0]",
        "rows, columns = np.nonzero(ground.any(1))[0], np.nonzero(ground.any(0))[(-1)]",
    ): "there is exactly one",
    (
        "procgen/planting.py",
        "for frame, _ in enumerate(_captions(plan, chain, rng), 1):",
        "for frame, _ in enumerate(_captions(plan, chain, rng), 2):",
    ): "only the order of frames counts",
    (
        "procgen/planting.py",
        "case GroundShape.DISC if target and plan.open[target[0].y, target[0].x]:",
        "case GroundShape.DISC if target and plan.open[target[(-1)].y, target[0].x]:",
    ): "there is exactly one",
    (
        "procgen/planting.py",
        "case GroundShape.DISC if target and plan.open[target[0].y, target[0].x]:",
        "case GroundShape.DISC if target and plan.open[target[0].y, target[(-1)].x]:",
    ): "there is exactly one",
    (
        "procgen/planting.py",
        "plan.rooms = [RectangularRoom(*target[0], 1, 1)]",
        "plan.rooms = [RectangularRoom(*target[(-1)], 1, 1)]",
    ): "there is exactly one",
    (
        "procgen/planting.py",
        "joined = np.zeros(count + 1, np.bool_)",
        "joined = np.zeros(count + 2, np.bool_)",
    ): "no label is as high as the place more",
    (
        "procgen/steps/symmetry.py",
        "nearest = int((2 * (width - 1 - xs) + np.abs(2 * ys - (height - 1))).argmin())",
        "nearest = int((2 * (width - 2 - xs) + np.abs(2 * ys - (height - 1))).argmin())",
    ): "as much less for every tile",
    (
        "procgen/steps/symmetry.py",
        "nearest = int((2 * (width - 1 - xs) + np.abs(2 * ys - (height - 1))).argmin())",
        "nearest = int((2 * (width - 0 - xs) + np.abs(2 * ys - (height - 1))).argmin())",
    ): "as much more for every tile",
}
"""Faults as in `equivalent_mutants`, which takes these in."""
