"""Faults in procgen that change nothing anyone could notice, each kind with the reason."""

TERMS = 'term, left, rest = terms[at], terms[max(0, at - 1)], [*terms[{}], Term("")]'
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
    (
        "procgen/steps/chambers.py",
        "large = np.bincount(labels.ravel(), minlength=count + 1) >= least",
        "large = np.bincount(labels.ravel(), minlength=count + 2) >= least",
    ): "no label is as high as the place more",
    (
        "procgen/rewriting/matcher.py",
        "if accepts == same and distance == start + length:",
        "if accepts == same and distance == (start - length):",
    ): "cells come in order, so none is merged: each is looked up by itself, only more slowly",
    (
        "procgen/word_query.py",
        "unit = next(units, 0) if term.text.isalpha() else 0",
        "unit = next(units, (-1)) if term.text.isalpha() else 0",
    ): "no number is below 0",
    (
        "procgen/word_query.py",
        "unit = next(units, 0) if term.text.isalpha() else 0",
        "unit = next(units, 0) if term.text.isalpha() else (-1)",
    ): "no number is below 0",
    (
        "procgen/word_query.py",
        TERMS.format("at + 1 : at + 3"),
        TERMS.format("at + 1 : at + 4"),
    ): "only the first two of the rest are read",
    (
        "procgen/analysis/distances.py",
        "most = min(WINDING * sum(open_tiles.shape), MOST_STEPS)",
        "most = min((WINDING // sum(open_tiles.shape)), MOST_STEPS)",
    ): "longer ways are found by the other search, only more slowly",
    (
        "procgen/placement/painting.py",
        "if mask.shape[0] < height or mask.shape[1] < width:",
        "if False:",
    ): "the sums of a mask that is too small have no corner either",
    (
        "procgen/placement/painting.py",
        "if mask.shape[0] < height or mask.shape[1] < width:",
        "if (mask.shape[0] < height and mask.shape[1] < width):",
    ): "the sums of a mask that is too small have no corner either",
    (
        "procgen/vaults/vault_library.py",
        "table = np.zeros(256, np.bool_)",
        "table = np.zeros(255, np.bool_)",
    ): "vaults are drawn in ASCII, and so are all tiles",
    (
        "procgen/vaults/vault_library.py",
        "table = np.zeros(256, np.bool_)",
        "table = np.zeros(257, np.bool_)",
    ): "characters of vaults are bytes",
}
"""Faults as in `equivalent_mutants`, which takes these in."""
