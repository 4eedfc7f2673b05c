"""LDtk projects: the fields LDtk asks for, and rules that draw what the file shows."""

import json
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from engine.items.loot import items_of
from entities.terrain import TILE_NAMES
from support.level_exports import CODES, level_of
from workbench.exports.formats import export_files

REQUIRED = {
    "root": "iid jsonVersion nextUid worldLayout bgColor defs levels worlds toc identifierStyle "
    "defaultPivotX defaultPivotY defaultGridSize defaultLevelBgColor defaultEntityWidth "
    "defaultEntityHeight minifyJson externalLevels exportTiled simplifiedExport imageExportMode "
    "exportLevelBg backupOnSave backupLimit levelNamePattern customCommands flags dummyWorldIid "
    "appBuildId",
    "level": "identifier iid uid worldX worldY worldDepth pxWid pxHei __bgColor useAutoIdentifier "
    "bgPivotX bgPivotY __smartColor fieldInstances layerInstances __neighbours",
    "instance": "__identifier __type __cWid __cHei __gridSize __opacity __pxTotalOffsetX "
    "__pxTotalOffsetY iid levelId layerDefUid pxOffsetX pxOffsetY visible optionalRules "
    "intGridCsv autoLayerTiles seed gridTiles entityInstances",
    "layer": "__type identifier type uid gridSize displayOpacity pxOffsetX pxOffsetY "
    "parallaxFactorX parallaxFactorY parallaxScaling requiredTags excludedTags intGridValues "
    "intGridValuesGroups autoRuleGroups tilePivotX tilePivotY guideGridWid guideGridHei "
    "hideFieldsWhenInactive hideInList inactiveOpacity canSelectWhenInactive renderInWorldView "
    "uiFilterTags useAsyncRender",
    "tileset": "__cWid __cHei identifier uid pxWid pxHei tileGridSize spacing padding tags "
    "enumTags customData savedSelections relPath",
    "entity": "identifier uid width height color renderMode tileRenderMode pivotX pivotY fieldDefs "
    "tags showName fillOpacity lineOpacity tileOpacity hollow keepAspectRatio limitBehavior "
    "limitScope maxCount nineSliceBorders resizableX resizableY exportToToc allowOutOfBounds",
    "thing": "__identifier __grid __pivot __tags __smartColor iid width height defUid px "
    "fieldInstances",
    "rule": "uid active size tileRectsIds alpha chance breakOnMatch pattern flipX flipY xModulo "
    "yModulo xOffset yOffset tileXOffset tileYOffset tileRandomXMin tileRandomXMax tileRandomYMin "
    "tileRandomYMax checker tileMode pivotX pivotY invalidated perlinActive perlinSeed perlinScale "
    "perlinOctaves",
    "group": "uid name active isOptional rules usesWizard requiredBiomeValues biomeRequirementMode",
}


def project_of(level):
    files = export_files(level, "ldtk", name="level.ldtk")
    found = json.loads(files.pop(""))
    return found, files


def matches(rule, cells, x, y):
    """Return whether LDtk's rule holds at a cell of the grid."""
    size, reach = rule["size"], rule["size"] // 2
    for place, wanted in enumerate(rule["pattern"]):
        row, column = y + place // size - reach, x + place % size - reach
        inside = 0 <= row < cells.shape[0] and 0 <= column < cells.shape[1]
        value = cells[row, column] if inside else rule["outOfBoundsValue"]
        if (wanted > 0 and value != wanted) or (wanted < 0 and value == -wanted):
            return False
    return True


@pytest.mark.parametrize("code", [*CODES, "keep:7"])
def test_rules_draw_the_tiles_in_the_file(code):
    level = level_of(code)
    found, _ = project_of(level)
    things, ground = found["levels"][0]["layerInstances"]
    cells = np.array(ground["intGridCsv"]).reshape(ground["__cHei"], ground["__cWid"])
    values = {
        one["value"]: one["identifier"] for one in found["defs"]["layers"][1]["intGridValues"]
    }
    assert [values[value] for value in cells.ravel().tolist()] == [
        TILE_NAMES[tile] for tile in level.tiles.ravel().tolist()
    ]
    groups = found["defs"]["layers"][1]["autoRuleGroups"]
    assert len(ground["autoLayerTiles"]) == cells.size
    for tile in ground["autoLayerTiles"][::7]:
        y, x = divmod(tile["d"][1], ground["__cWid"])
        first = next(r for g in groups for r in g["rules"] if matches(r, cells, x, y))
        assert first["uid"] == tile["d"][0]
        assert [tile["t"]] in first["tileRectsIds"]
        assert tile["px"] == [x * ground["__gridSize"], y * ground["__gridSize"]]
    placed = [(one["__identifier"], *one["__grid"]) for one in things["entityInstances"]]
    assert [entry for entry in placed if entry[0] == "room"] == [
        ("room", room.x, room.y) for room in level.rooms
    ]
    assert {("start", *level.start), ("exit", *level.exit)} <= {*placed}
    assert {*level.spawns, *(item[:3] for item in items_of(level))} <= {*placed}


def test_a_project_has_every_field_and_each_identity_once():
    found, files = project_of(level_of(CODES[0]))
    (level,), defs = found["levels"], found["defs"]
    things, _ = level["layerInstances"]
    groups = [group for layer in defs["layers"] for group in layer["autoRuleGroups"]]
    rules = [rule for group in groups for rule in group["rules"]]
    records = {
        "root": [found], "level": [level], "instance": level["layerInstances"],
        "layer": defs["layers"], "tileset": defs["tilesets"], "entity": defs["entities"],
        "thing": things["entityInstances"], "rule": rules, "group": groups,
    }  # fmt: skip
    for name, entries in records.items():
        assert entries
        for entry in entries:
            assert {*REQUIRED[name].split()} - {*entry} == set()
    owners = [*defs["layers"], *defs["tilesets"], *defs["entities"], *groups, *rules, level]
    uids = [one["uid"] for one in owners]
    assert len({*uids}) == len(uids)
    assert max(uids) < found["nextUid"]
    named = (found, level, *level["layerInstances"], *things["entityInstances"])
    iids = [one["iid"] for one in named]
    assert len({*iids}) == len(iids)
    (image,) = defs["tilesets"]
    size = Image.open(BytesIO(files[image["relPath"]])).size
    assert size == (image["pxWid"], image["pxHei"])
    kinds = {one["uid"]: one for one in defs["entities"]}
    for thing in things["entityInstances"]:
        assert kinds[thing["defUid"]]["identifier"] == thing["__identifier"]
