"""The survey's page in a real browser: narrow and wide, dark and light, its codes copied."""

import json
import re
import shutil
import subprocess
from html import unescape
from operator import mul

import pytest

from main import main
from procgen.recipes import find_recipe

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), ""
)
READ = """<script>
window.faults = [];
window.addEventListener("error", (event) => window.faults.push(String(event.message)));
window.addEventListener("load", async () => {
  const root = document.documentElement;
  const folds = [...document.querySelectorAll(".parameters")];
  const data = folds.map((fold) => JSON.parse(fold.querySelector("script").textContent));
  const wide = () => [...document.querySelectorAll("body *")].filter(
    (part) => part.getBoundingClientRect().right > root.clientWidth + 1
      && !part.closest(".scroll *")
  );
  let copied = "";
  document.execCommand = () => { copied = String(document.activeElement.value); return true; };
  Object.defineProperty(window, "isSecureContext", { value: false });
  for (const fold of document.querySelectorAll("details")) fold.open = true;
  await new Promise((done) => setTimeout(done, 50));
  const button = document.querySelector("[data-code]");
  button.click();
  await new Promise((done) => setTimeout(done, 50));
  const shown = (name) => getComputedStyle(document.querySelector(name)).display !== "none";
  const columns = getComputedStyle(document.querySelector(".parts")).gridTemplateColumns;
  document.title = JSON.stringify({
    width: root.clientWidth, scroll: root.scrollWidth,
    wide: wide().map((part) => part.tagName + "." + part.getAttribute("class")),
    pictures: [...document.images].map((image) => [image.naturalWidth, image.width]),
    ground: getComputedStyle(document.body).backgroundColor,
    text: getComputedStyle(document.body).color,
    plane: [shown(".wide"), shown(".narrow")],
    columns: columns.split(" ").length,
    copied, code: button.textContent, done: button.classList.contains("done"),
    faults: window.faults,
    measured: data.map((curves) => curves.length),
    curves: folds.map((fold) => fold.querySelectorAll(".mean").length),
    number: document.querySelector(".correlation").getBoundingClientRect().height,
    cut: [...document.querySelectorAll(".matrix text")].filter(
      (text) => text.getBBox().x < 0
        || text.getBBox().x + text.getBBox().width > text.ownerSVGElement.viewBox.baseVal.width
    ).map((text) => text.textContent),
    correlations: [".correlation", ".matrix .heat", ".cool"].map(
      (name) => getComputedStyle(document.querySelector(name)).fill
    ),
    chart: document.querySelector(".curves svg").getBoundingClientRect().width,
    band: getComputedStyle(document.querySelector(".band")).fill,
  });
});
</script>"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """Return a survey's page with a script that looks at it."""
    folder = tmp_path_factory.mktemp("page")
    with pytest.MonkeyPatch.context() as patch:
        some = [find_recipe(name) for name in ("walk", "rooms", "sparse")]
        patch.setattr("workbench.survey.survey_page.ENOUGH", 1)
        patch.setattr("cli.arguments.chosen_recipes", lambda *_: some)
        asked = ["survey", "--seeds", "0:4", "--size", "60x34", "--workers", "1", "--curves", "3"]
        assert main([*asked, "--output", str(folder)]) == 0
    path = folder / "survey.html"
    text = path.read_text(encoding="utf-8")
    assert text.count("<body>") == 1
    text = text.replace(" data-code>walk.1", " data-code>walk.1" + 5 * ";random_walk.steps=600")
    path.write_text(text.replace("<body>", f"<body>{READ}"), encoding="utf-8")
    return path


def seen(page, width, dark, folder):
    """Return what a browser says of the page in a window of some width."""
    options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={folder}",
        f"--window-size={width},900",
        f"--blink-settings=preferredColorScheme={int(not dark)}",
        "--virtual-time-budget=2000",
        "--dump-dom",
    ]
    told = subprocess.run(
        [BROWSER, *options, page.as_uri()], capture_output=True, text=True, timeout=90, check=True
    ).stdout
    return json.loads(unescape(re.search(r"<title>(.*?)</title>", told, re.DOTALL)[1]))


def luminance(color):
    """Return the relative luminance of a colour such as ``rgb(1, 2, 3)``, as WCAG defines it."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", color)[:3]]
    linear = [part / 12.92 if part <= 0.04 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(map(mul, linear, (0.2126, 0.7152, 0.0722)))


def lightness(color):
    """Return how light a colour such as ``rgb(1, 2, 3)`` is, 0 to 1."""
    return sum(map(int, re.findall(r"\d+", color)[:3])) / (3 * 255)


@pytest.mark.skipif(not BROWSER, reason="no chromium is installed")
def test_the_page_fits_its_window_and_its_codes_are_copied(page, tmp_path):
    for width, dark in ((500, True), (1500, False)):
        found = seen(page, width, dark, tmp_path / str(width))
        looks_right(found, width, dark)
        assert (found["copied"], found["done"]) == (found["code"], True)


def looks_right(found, width, dark):
    """Hold what a browser says to a window's width and the colours that are asked for."""
    assert found["faults"] == []
    assert found["width"] <= width
    assert (found["scroll"], found["wide"]) == (found["width"], [])
    assert len(found["pictures"]) == 6
    assert all(natural > 0 and shown > 100 for natural, shown in found["pictures"])
    assert found["plane"] == ([False, True] if width < 700 else [True, False])
    assert found["curves"] == found["measured"]
    assert min(found["curves"]) >= 3
    assert 100 < found["chart"] < 260
    assert found["number"] > 10, "the correlations are too small to read"
    assert found["cut"] == []
    text, *cells = map(luminance, found["correlations"])
    for cell in cells:  # Of the strongest correlations, the ones that matter.
        assert (max(text, cell) + 0.05) / (min(text, cell) + 0.05) >= 4.5
    assert found["band"] == ("rgb(240, 163, 82)" if dark else "rgb(180, 87, 27)")
    assert found["columns"] == (1 if width < 700 else 4)
    ground, text = lightness(found["ground"]), lightness(found["text"])
    assert (ground < 0.1 and text > 0.6) if dark else (ground > 0.9 and text < 0.3)
