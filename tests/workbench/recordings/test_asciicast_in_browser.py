"""An exported run in a real browser: npm's asciinema-player shows it exactly as it was meant.

It takes a chromium and the player: `npm install --prefix .venv-npm asciinema-player@3`, then
`NODE_PATH=$PWD/.venv-npm/node_modules python -m pytest
tests/workbench/recordings/test_asciicast_in_browser.py`.
"""

import json
import os
import shutil
import subprocess
import threading
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from engine.saves.run_file import read_run
from engine.state.run_setup import RunSetup
from render.backends.terminal_colors import unpack_rgb
from render.backends.terminal_screen import PrintableChars, flatten
from render.ui.frame import Frame
from workbench.recordings.asciicast import asciicast
from workbench.recordings.frames import FilmOptions, frame_times, recorded_frames
from workbench.search.bot_runs import simulate_run


def _player():
    """Return the folder of npm's asciinema-player, if there is one."""
    places = os.environ.get("NODE_PATH", "").split(os.pathsep)
    if npm := shutil.which("npm"):
        asked = subprocess.run([npm, "root", "-g"], capture_output=True, text=True, check=False)
        places.append(asked.stdout.strip())
    folders = (Path(place) / "asciinema-player/dist/bundle" for place in places if place)
    return next((folder for folder in folders if folder.is_dir()), None)


BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), ""
)
PLAYER = _player() if BROWSER else None

PAGE = """<!doctype html><meta charset=utf-8><link rel=stylesheet href=asciinema-player.css>
<div id=place></div><script src=asciinema-player.min.js></script><script>
const place = document.getElementById('place');
const player = AsciinemaPlayer.create('run.cast', place, {autoPlay: true, speed: 8, fit: 'none'});
function read() {
  const pen = document.querySelector('canvas').getContext('2d');
  const rows = [...document.querySelectorAll('.ap-line')].map((line, y) => {
    const cells = [];
    for (const span of line.children) {
      const ink = getComputedStyle(span).color.match(/\\d+/g).map(Number);
      for (const char of span.textContent) {
        const paper = pen.getImageData(cells.length * 8 + 1, y * 24 + 1, 1, 1).data;
        cells.push([char, ink, [...paper].slice(0, 3)]);
      }
    }
    return cells;
  });
  fetch('read', {method: 'POST', body: JSON.stringify(rows)});
}
player.addEventListener('ended', () => setTimeout(read, 500));
</script>"""


class Site(ThreadingHTTPServer):
    """Serves the player and a film; ``rows`` is what the browser says it shows.

    ``asked`` and ``told`` are set when it asks for the page, and when it has read it out.
    """

    daemon_threads = True

    def __init__(self, film):
        super().__init__(("127.0.0.1", 0), Page)
        self.film = film
        self.rows = None
        self.asked = threading.Event()
        self.told = threading.Event()


class Page(BaseHTTPRequestHandler):
    def do_GET(self):
        name = self.path.strip("/")
        self.server.asked.set()
        known = {"": PAGE.encode(), "run.cast": self.server.film}
        content = known.get(name)
        if content is None and (PLAYER / Path(name).name).is_file():
            content = (PLAYER / Path(name).name).read_bytes()
        self.send_response(404 if content is None else 200)
        kinds = {".js": "text/javascript", ".css": "text/css", "": "text/html"}
        self.send_header("Content-Type", kinds.get(Path(name).suffix, "application/octet-stream"))
        self.end_headers()
        self.wfile.write(content or b"")

    def do_POST(self):
        self.server.rows = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.told.set()
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.mark.skipif(not BROWSER, reason="no chromium is installed")
@pytest.mark.skipif(not PLAYER, reason="npm's asciinema-player is not in NODE_PATH or npm's root")
def test_the_player_of_the_web_shows_the_last_picture_exactly(tmp_path):
    simulate_run(RunSetup(4, "4", generator="caves", size=(60, 35)), 90, tmp_path)
    recorded = read_run(tmp_path / "run-4.jsonl")
    chosen = frame_times(
        [action for action, *_ in recorded.actions], FilmOptions(60, 90, 1.0, 2.0, 30.0, 1000)
    )
    taken = list(recorded_frames(recorded, chosen, partial(Frame, 84, 30)))
    site = Site(b"".join(asciicast(recorded, taken, 2.0)))
    threading.Thread(target=site.serve_forever, daemon=True).start()
    options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={tmp_path / 'browser'}",
    ]
    address = f"http://127.0.0.1:{site.server_port}/"
    browser = subprocess.Popen(
        [BROWSER, *options, "--remote-debugging-port=0", address],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        if not site.asked.wait(30):
            pytest.skip("the browser does not start here")
        assert site.told.wait(60), "the browser never got to the end"
    finally:
        browser.terminate()
        browser.wait()
        site.shutdown()
    seen = [
        [(char, char != " " and tuple(ink), tuple(paper)) for char, ink, paper in row]
        for row in site.rows
    ]
    codes, ink, paper = flatten(taken[-1].frame, PrintableChars("utf-8"))
    expected = [
        [(chr(c), c != ord(" ") and tuple(f), tuple(b)) for c, f, b in zip(*row, strict=True)]
        for row in zip(
            codes.tolist(), unpack_rgb(ink).tolist(), unpack_rgb(paper).tolist(), strict=True
        )
    ]
    assert seen == expected
