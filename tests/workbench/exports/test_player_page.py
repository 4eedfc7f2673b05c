"""Pages that play a build or a run: what they hold, and what a browser draws of it."""

import base64
import json
import re
import shutil
import subprocess
import zlib
from html import unescape
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from render.tiles.tileset import console_image
from support.level_exports import level_of, run
from workbench.exports.build_film import BuildFrames
from workbench.exports.formats import export_files
from workbench.exports.origin import ExportOptions
from workbench.images import player_page
from workbench.images.player_page import ACROSS, MAX_PAGE_BYTES

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), ""
)
CODE = "digger:3@50x34"
LONG_CODE = "digger;attach_rooms.patience=26;attach_rooms.tries=33;doors.chance=0.61:3@50x34"


def film_of(page):
    """Return what the page's player reads."""
    return json.loads(re.search(r'id="film">(.*?)</script>', page, re.DOTALL)[1])


def unpacked(text, kind):
    return np.frombuffer(zlib.decompress(base64.b64decode(text)), kind)


def pictures(layer, count, first=0):
    """Draw the frames of a layer from ``first`` on by the page's data alone: [y, x, 3]."""
    high, wide, rows, columns = (layer[n] for n in ("height", "width", "rows", "columns"))
    sheet = np.asarray(Image.open(BytesIO(base64.b64decode(layer["glyphs"].split(",")[1]))))
    shape, cover = sheet.reshape(2, -1, *sheet.shape[1:]).astype(float) / 255
    cells = np.zeros(rows * columns, int)
    looks = unpacked(layer["looks"], "<u4").reshape(-1, 3)
    for number, changes in enumerate(unpacked(layer["frames"], "<u2").reshape(count, -1)):
        cells = np.where(changes, changes, cells)
        if number < first:
            continue
        drawn = np.zeros((rows, high, columns, wide, 3))
        for place, (glyph, *colors) in enumerate(looks[cells - 1].tolist()):
            top, left = glyph // ACROSS * high, glyph % ACROSS * wide
            box = np.s_[top : top + high, left : left + wide]
            ink, ground = (np.array([color >> s & 255 for s in (16, 8, 0)]) for color in colors)
            mixed = ground * (1 - cover[box]) + ink * shape[box] * cover[box]
            drawn[place // columns, :, place % columns] = mixed
        yield drawn.reshape(rows * high, columns * wide, 3)


def test_the_frames_of_a_page_are_those_of_the_build():
    level = level_of(CODE)
    page = export_files(level, "html", ExportOptions(tile=8, frames=4))[""].decode()
    frames = BuildFrames(level, ExportOptions(tile=8, frames=4))
    film, indices = film_of(page), [*frames.shown(100), len(frames.recording.snapshots)]
    (layer,) = film["layers"]
    assert film["size"] == [50 * 8, 34 * 8]
    for index, drawn in zip(indices, pictures(layer, 4), strict=True):
        meant = np.asarray(console_image(frames.console(index), 8), float)
        assert np.abs(drawn - meant).max() < 6
    assert film["chapters"][0]["name"] == "attach rooms"
    assert ["rooms", "37"] in film["chapters"][0]["parameters"]
    assert film["captions"][0] == frames.recording.snapshots[0].caption
    assert dict(film["facts"])["rooms"] == str(len(level.rooms))


def test_every_chapter_begins_where_its_step_does():
    level = level_of(CODE)
    film = film_of(export_files(level, "html")[""].decode())
    recording = BuildFrames(level, ExportOptions()).recording
    steps = [snapshot.step.replace("_", " ") for snapshot in recording.snapshots]
    names = [film["chapters"][part]["name"] for part in film["parts"]]
    assert names == [*steps, "the finished level"]
    assert film["times"] == sorted(film["times"])
    assert {len(film[name]) for name in ("times", "parts", "captions")} == {len(names)}


def test_a_page_asks_no_network_and_carries_code_and_command():
    page = export_files(level_of(CODE), "html", name="d.html")[""].decode()
    assert not re.search(
        r"""(src|href)\s*=|url\(|@import|https?:|fetch\(""", page.split("<body>")[0]
    )
    assert "default-src 'none'" in page
    assert "://" not in page
    assert "digger.1:3:1@50x34" in page
    assert "map digger.1:3:1@50x34 --format html --output d.html" in page


def test_a_film_too_long_for_a_page_loses_frames_and_no_chapter(monkeypatch):
    level = level_of("digger:3@40x30")
    large = export_files(level, "html")[""]
    monkeypatch.setattr(player_page, "MAX_PAGE_BYTES", len(large) - 500)
    page = export_files(level, "html")[""]
    whole, thin = (film_of(content.decode()) for content in (large, page))
    assert len(page) <= len(large) - 500
    assert len(thin["times"]) < len(whole["times"])
    assert {*thin["parts"]} == {*whole["parts"]}
    ends = [
        next(pictures(f["layers"][0], len(f["times"]), len(f["times"]) - 1)) for f in (whole, thin)
    ]
    assert (ends[0] == ends[1]).all()


def test_the_page_of_a_large_level_stays_small():
    level = level_of("walk:1@600x300")
    page = export_files(level, "html", ExportOptions(frames=4))[""]
    film = film_of(page.decode())
    assert len(page) < MAX_PAGE_BYTES
    assert len(film["times"]) == 4
    assert (film["layers"][0]["columns"], film["layers"][0]["rows"]) == (480, 240)
    assert max(film["size"]) <= 1280


def test_a_run_becomes_a_page_of_the_window(cave_run, tmp_path):
    target = tmp_path / "run.html"
    assert run("replay", cave_run.path, "--export", target, "--to-turn", 12) == 0
    page = target.read_text(encoding="utf-8")
    assert f"<p>Turns 0 to 12 of {len(cave_run.actions)}, played 20" in page
    film = film_of(page)
    text, world = film["layers"]
    assert (text["columns"], text["rows"]) == (100, 36)
    assert film["captions"] == [f"turn {turn}" for turn in range(13)]
    assert film["chapters"][0]["name"] == "depth 1"
    assert next(pictures(world, 13, 12)).max() > 100
    assert world["clip"][0] >= 0


READ = """<script>
window.faults = [];
window.addEventListener("error", (event) => window.faults.push(String(event.message)));
window.addEventListener("unhandledrejection", (event) => window.faults.push(String(event.reason)));
const wait = (done) => document.documentElement.dataset.ready ? done() : setTimeout(wait, 20, done);
window.addEventListener("load", async () => {
  await new Promise(wait);
  const press = (key) => document.body.dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const count = () => document.getElementById("count").textContent;
  const counts = [];
  for (const key of ["Home", "ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowUp", "End"]) {
    press(key);
    counts.push(count());
  }
  const view = document.getElementById("view"), root = document.documentElement;
  const data = view.getContext("2d").getImageData(0, 0, view.width, view.height).data;
  let pixels = [];
  for (let i = 0; i < data.length; i += 4 * 997) pixels.push([data[i], data[i + 1], data[i + 2]]);
  press(" ");
  document.title = JSON.stringify({
    counts, pixels, width: root.clientWidth, scroll: root.scrollWidth,
    size: [view.width, view.height], shown: view.getBoundingClientRect().width,
    button: document.getElementById("play").textContent,
    current: document.querySelector("[aria-current]").textContent,
    ground: getComputedStyle(document.body).backgroundColor, faults: window.faults,
  });
});
</script>"""


@pytest.mark.skipif(not BROWSER, reason="no chromium is installed")
@pytest.mark.parametrize(("width", "dark"), [(500, True), (1500, False)])
def test_a_browser_plays_the_page_as_it_is_meant(width, dark, tmp_path):
    level, options = level_of(LONG_CODE), ExportOptions(tile=8)
    page = export_files(level, "html", options)[""].decode()
    path = tmp_path / "page.html"
    path.write_text(page.replace("<body>", f"<body>{READ}"), encoding="utf-8")
    asked = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    asked += [f"--user-data-dir={tmp_path / 'browser'}", f"--window-size={width},900"]
    asked += [f"--blink-settings=preferredColorScheme={int(not dark)}"]
    asked += ["--virtual-time-budget=1000000", path.as_uri()]
    told = subprocess.run(asked, capture_output=True, text=True, timeout=90, check=True).stdout
    found = json.loads(unescape(re.search(r"<title>(.*?)</title>", told, re.DOTALL)[1]))
    frames = BuildFrames(level, options)
    last = len(frames.recording.snapshots)
    total = f" / {last + 1}"
    turned = [1, 2, 3, 2, last + 1, last, last + 1]
    assert found["faults"] == []
    assert found["counts"] == [f"{number}{total}" for number in turned]
    assert found["scroll"] == found["width"] <= width
    assert found["size"] == [50 * 8, 34 * 8]
    assert 200 < found["shown"] <= found["width"]
    assert (found["button"], found["current"]) == ("Pause", "attach rooms")
    assert (found["ground"] == "rgb(11, 13, 20)") == dark
    meant = np.asarray(console_image(frames.console(last), 8), int).reshape(-1, 3)[::997]
    assert np.abs(meant - np.array(found["pixels"])).max() < 8
