"""The wheel: one package, installed beside others that have the same names as our folders."""

import ast
import os
import subprocess
import sys
import tomllib
import venv
import zipfile
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from engine.levels.recipe_by_depth import code_at
from engine.state.run_setup import RunSetup
from entities.program import VERSION
from support.paths import ROOT

pytest.importorskip("hatchling", reason="pip install -r requirements-dev.txt")
SPEC = spec_from_file_location("wheel_hook", ROOT / "distribution" / "wheel.py")
hook = module_from_spec(SPEC)
SPEC.loader.exec_module(hook)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FOREIGN = ("procgen", "engine", "data", "render")


def called(*words, cwd=None, **env):
    known = {
        name: os.environ[name] for name in ("PATH", "HOME", "SYSTEMROOT") if name in os.environ
    }
    return subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, cwd=cwd, timeout=300,
        check=False, stdin=subprocess.DEVNULL, env={**known, **env},
    )  # fmt: skip


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    done = called(
        sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation",
        "-w", folder, ROOT,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """Return the folder of programs of a new environment with the wheel and foreign packages.

    The libraries that we depend on come from the environment of the tests.
    """
    home = tmp_path_factory.mktemp("environment")
    venv.create(home, with_pip=False, symlinks=os.name != "nt")
    programs = home / ("Scripts" if os.name == "nt" else "bin")
    python = programs / ("python.exe" if os.name == "nt" else "python")
    site = Path(
        called(
            python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"
        ).stdout.strip()
    )
    for name in FOREIGN:
        (site / name).mkdir()
        (site / name / "__init__.py").write_text(f"WHOSE = 'somebody else, {name}'\n")
    libraries = [path for path in sys.path if path.endswith("site-packages")]
    (site / "libraries.pth").write_text("\n".join(libraries))
    done = called(
        sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps",
        "--no-index", wheel,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return programs


def test_a_wheel_holds_one_package_and_all_its_data(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {
        "seedhollow",
        f"seedhollow-{VERSION}.dist-info",
    }
    files = [path for path in (ROOT / "data").rglob("[!.]*") if path.is_file()]
    data = {str(path.relative_to(ROOT)) for path in files}
    assert data <= {name.removeprefix("seedhollow/") for name in names}
    assert wheel.stat().st_size < 1_500_000


def test_every_import_in_the_wheel_is_of_itself_or_of_a_dependency(wheel):
    archive = zipfile.ZipFile(wheel)
    for name in archive.namelist():
        if not name.endswith(".py"):
            continue
        tree = ast.parse(archive.read(name))
        modules = [n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)]
        modules += [a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names]
        strangers = {module.split(".")[0] for module in modules} & {*hook.PACKAGES, "main"}
        assert not strangers, f"{name} imports {strangers}"


def test_the_installed_program_builds_the_same_level_beside_foreign_packages(installed, tmp_path):
    env = {"SEEDHOLLOW_DATA": str(tmp_path)}
    level = called(installed / "seedhollow", "map", "vaulted:42", cwd=tmp_path, **env)
    here = called(sys.executable, ROOT / "main.py", "map", "vaulted:42", **env)
    assert (level.returncode, level.stdout) == (0, here.stdout), level.stderr
    foreign = "; ".join(f"import {name}; print({name}.WHOSE)" for name in FOREIGN)
    done = called(
        installed / "python",
        "-c",
        f"{foreign}; import seedhollow; print(seedhollow.level('walk:1').code)",
        cwd=tmp_path,
    )
    others = [f"somebody else, {name}" for name in FOREIGN]
    assert done.stdout.splitlines() == [*others, "walk.1:1:1@80x45"], done.stderr
    searched = called(
        installed / "seedhollow", "find", "--generator", "walk", "--where", "floor > 0",
        "--seeds", "0:4", "--workers", 2, "--format", "codes", cwd=tmp_path, **env,
    )  # fmt: skip
    assert len(searched.stdout.splitlines()) == 4, searched.stderr


def test_the_installed_program_names_itself_and_says_how_to_install_more(installed, tmp_path):
    program = installed / "seedhollow"
    assert called(program, "--version").stdout == f"Seedhollow {VERSION}\n"
    assert called(
        installed / "python", "-m", "seedhollow", "--help", cwd=tmp_path
    ).stdout.startswith("usage: seedhollow ")
    wrong = called(program, "map", "nope:1", SEEDHOLLOW_DATA=str(tmp_path))
    assert wrong.returncode == 2
    assert wrong.stderr.startswith("seedhollow: there is no generator 'nope'")
    record = called(program, "map", "rooms:1", "--format", "json").stdout
    assert '"command": "seedhollow map rooms.1:1:1@80x45 --format json --output -"' in record
    assert (installed / "seedhollow-window").exists() or os.name == "nt"


def test_the_installed_package_has_the_environment_for_agents(installed, tmp_path):
    pytest.importorskip("gymnasium")
    words = (
        "import seedhollow as s, gymnasium as g; s.register_environment();"
        "print(g.make('Seedhollow-v0').reset(options={'seed': 3})[1])"
    )
    done = called(installed / "python", "-W", "error", "-c", words, cwd=tmp_path)
    assert f"'code': '{code_at(RunSetup(3, '3'), 1)}'" in done.stdout, done.stderr


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("from procgen.level import Level\n", "from seedhollow.procgen.level import Level\n"),
        ("from procgen import steps  # why\n", "from seedhollow.procgen import steps  # why\n"),
        (
            "x = 1\nif x:\n    from main import run\n",
            "x = 1\nif x:\n    from seedhollow.main import run\n",
        ),
        ("from procgens import a\nimport numpy\n", "from procgens import a\nimport numpy\n"),
        ('"""é from procgen import a"""\n', '"""é from procgen import a"""\n'),
    ],
)
def test_only_the_names_of_our_modules_change(before, after):
    assert hook.moved_imports(before.encode(), "a.py").decode() == after


@pytest.mark.parametrize("line", [b"import procgen.level\n", b"import render.app as app\n"])
def test_an_import_that_cannot_be_moved_stops_the_build(line):
    with pytest.raises(ValueError, match=r"a\.py, line 2: write 'from"):
        hook.moved_imports(b"import numpy\n" + line, "a.py")


def test_requirements_and_the_project_name_the_same_libraries():
    def listed(name):
        lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
        words = [line.partition("#")[0].strip() for line in lines]
        return [word for word in words if word and not word.startswith("-r")]

    assert PROJECT["dependencies"] == listed("requirements.txt")
    extras = PROJECT["optional-dependencies"]
    assert set(extras) == {"archive", "cluster", "env", "evolve"}
    assert extras.pop("archive") == []
    for extra, libraries in extras.items():
        assert libraries == listed(f"requirements-{extra}.txt")


def test_a_checkout_has_the_public_names_and_runs_under_the_package_s_name():
    done = called(
        sys.executable, "-c", "import seedhollow; print(seedhollow.__version__)", cwd=ROOT
    )
    assert done.stdout == f"{VERSION}\n", done.stderr
    done = called(sys.executable, "-m", "seedhollow", "--version", cwd=ROOT)
    assert done.stdout == f"Seedhollow {VERSION}\n", done.stderr


def test_backups_of_an_untidy_checkout_stay_out_and_a_failed_build_leaves_nothing(
    tmp_path, monkeypatch
):
    root, target = tmp_path / "root", tmp_path / "target"
    (root / "data").mkdir(parents=True)
    for name in ("main.py", "seedhollow.py", "seedhollow.pyi", "data/a.toml", "data/a.toml.orig"):
        (root / name).write_text("")
    (root / "data" / "b.toml~").write_text("")
    hook.write_package(root, target)
    assert [path.name for path in (target / "data").iterdir()] == ["a.toml"]
    (root / "main.py").write_text("import procgen")
    monkeypatch.setattr(hook.tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    build = hook.OnePackage(str(root), {}, None, None, "", "wheel")
    with pytest.raises(ValueError, match="write 'from"):
        build.initialize("standard", {"force_include": {}})
    with pytest.warns(ResourceWarning, match="Implicitly"):
        build.folder = None  # As at the end of the process.
    assert not [*(tmp_path / "temporary").iterdir()]
