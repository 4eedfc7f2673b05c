"""Fixtures of the commands."""

import pytest

from entities.data_files import DATA
from support.user_folder import OVERLAYS, RECIPES, SAMPLE, STEP, VAULT


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """Return a user folder with something of every kind in it."""
    monkeypatch.delenv("SEEDHOLLOW_MINE", raising=False)
    monkeypatch.setenv("SEEDHOLLOW_DATA", str(tmp_path / "home"))
    for name in ("steps", "samples", "vaults"):
        (tmp_path / name).mkdir()
    (tmp_path / "recipes.toml").write_text(RECIPES)
    (tmp_path / "overlays.toml").write_text(OVERLAYS)
    (tmp_path / "steps" / "midway.py").write_text(STEP)
    (tmp_path / "samples" / "posts.txt").write_text(SAMPLE)
    (tmp_path / "vaults" / "mine.txt").write_text(VAULT)
    themes = (DATA / "themes.toml").read_text()
    start = themes.index("[stone]")
    dusk = themes[start : themes.index("\n[", start)].replace("[stone]", "[dusk]", 1)
    (tmp_path / "themes.toml").write_text(dusk)
    monkeypatch.setenv("SEEDHOLLOW_MINE", "")  # The option sets it; this undoes that.
    return tmp_path
