"""Read tables from data that differ from those of the project."""

import shutil

import pytest

from entities import data_files
from entities.creature_kinds import creature_kinds
from entities.data_files import DATA
from entities.item_kinds import item_classes, item_kinds
from entities.seed_kinds import seed_kinds
from entities.statuses import status_kinds
from entities.talents import talents
from procgen.step_registry import all_steps
from render.ui import palette

NAMED_BY_OTHERS = (
    *(creature_kinds, item_classes, item_kinds, seed_kinds, status_kinds, talents),
    *(palette.palettes, palette.named_colors, palette._colors),
)
"""The tables that others look names up in: they must be read anew, too."""


def read_from(folder, table):
    """Return what ``table`` reads if the data are those in ``folder``.

    Files that are missing there are copied from the project's. Steps are loaded before: some read
    what there is, such as the samples, when they are imported.
    """
    all_steps()
    for file in DATA.glob("*.toml"):
        if not (folder / file.name).exists():
            shutil.copy(file, folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(data_files, "DATA", folder)
        _forget()
        try:
            return getattr(table, "__wrapped__", table)()
        finally:
            _forget()


def _forget():
    for table in NAMED_BY_OTHERS:
        table.cache_clear()
