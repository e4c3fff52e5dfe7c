"""What is built: the sdist holds the sources, the wheel the two packages, and both work.

The builds are isolated as ``pip install`` does them, so they need the package index. They start
from a copy of the sources: a working folder also holds build/ and *.egg-info, which change
what setuptools packs.
"""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parents[1]
IS_CHECKOUT = (ROOT / ".git").exists()
IS_WINDOWS = sys.platform == "win32"
SOURCES_LIST = "fanorona.egg-info/SOURCES.txt"

needs_checkout = pytest.mark.skipif(not IS_CHECKOUT, reason="compares with git: not a checkout")

# Files of the repository that nobody needs who builds, tests or packs a release.
NOT_IN_SDIST = re.compile(r"\.git(ignore|attributes)|\.github/.*|\.ci/.*|proofs/.*")
# Files that setuptools adds.
ADDED_TO_SDIST = re.compile(r"PKG-INFO|setup\.cfg|fanorona\.egg-info/.*")


def run(*command: str | Path, **options: object) -> str:
    """Run a command and return what it wrote to both streams; fail with all of it."""
    done = subprocess.run(
        [str(part) for part in command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        **options,  # type: ignore[call-overload]
    )
    if done.returncode:
        pytest.fail(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout}", False)
    return str(done.stdout)


def source_files() -> list[str]:
    """Names of the project's files, as git or, in an unpacked sdist, its own list has them."""
    if IS_CHECKOUT:
        # Untracked files count: one that should have been left out is seen before its commit.
        names = run("git", "ls-files", "-z", "-co", "--exclude-standard", cwd=ROOT).split("\0")
    elif (ROOT / SOURCES_LIST).exists():
        names = (ROOT / SOURCES_LIST).read_text("utf-8").splitlines()
    else:
        pytest.skip(f"neither .git nor {SOURCES_LIST}: the list of sources is not known")
    return sorted(name for name in names if name and (ROOT / name).is_file())


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a clean copy of the sources."""
    target = tmp_path_factory.mktemp("tree")
    for name in source_files():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target / name)
    return target


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the environment with a git that fails, and without the path to this checkout."""
    environment = {k: v for k, v in os.environ.items() if k not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    if not IS_WINDOWS:
        folder = tmp_path_factory.mktemp("bin")
        git = folder / "git"
        git.write_text("#!/bin/sh\necho 'the build called git' >&2\nexit 99\n")
        git.chmod(0o755)
        environment["PATH"] = f"{folder}{os.pathsep}{environment['PATH']}"
    return environment


@pytest.fixture(scope="module")
def dist(tree: Path, environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the sdist, and the wheel from the sdist, each in a clean environment."""
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--outdir", out, tree, cwd=out, env=environment)
    return out


@pytest.fixture(scope="module")
def sdist_names(dist: Path) -> set[str]:
    (path,) = dist.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        members = [m.name for m in archive.getmembers() if m.isfile()]
    tops = {name.split("/", 1)[0] for name in members}
    assert tops == {path.name.removesuffix(".tar.gz")}
    return {name.split("/", 1)[1] for name in members}


@pytest.fixture(scope="module")
def wheel_names(dist: Path) -> set[str]:
    (path,) = dist.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        return {name for name in archive.namelist() if not name.endswith("/")}


def compiled_modules() -> set[str]:
    return {path.stem for path in (ROOT / "src" / "fanorona_core").glob("*.pyx")}


@needs_checkout
def test_sdist_holds_the_repository(sdist_names: set[str]) -> None:
    wanted = {name for name in source_files() if not NOT_IN_SDIST.fullmatch(name)}
    assert sorted(wanted - sdist_names) == [], "missing in the sdist"
    extra = {name for name in sdist_names - wanted if not ADDED_TO_SDIST.fullmatch(name)}
    assert sorted(extra) == [], "in the sdist only"


def test_sdist_holds_no_products(sdist_names: set[str]) -> None:
    products = {".c", ".cpp", ".so", ".pyd", ".pyc", ".html"}
    assert [n for n in sorted(sdist_names) if PurePosixPath(n).suffix in products] == []


def test_wheel_top_level(wheel_names: set[str]) -> None:
    tops = {name.split("/", 1)[0] for name in wheel_names}
    assert {t for t in tops if not t.endswith(".dist-info")} == {"fanorona_core", "fanorona_cli"}
    assert len(tops) == 3


def test_wheel_holds_no_sources_of_the_compiler(wheel_names: set[str]) -> None:
    sources = {".pyx", ".pxd", ".pxi", ".c", ".cpp", ".h"}
    assert [n for n in sorted(wheel_names) if PurePosixPath(n).suffix in sources] == []


@pytest.mark.parametrize(
    ("folder", "package"), [("fanorona_core", "fanorona_core"), ("cli", "fanorona_cli")]
)
def test_wheel_holds_all_of_the_package(folder: str, package: str, wheel_names: set[str]) -> None:
    """Modules, stubs, py.typed and data; subpackages and data are listed by hand in pyproject."""
    wanted = {
        f"{package}{name.removeprefix(folder)}"
        for name in source_files()
        if name.startswith(f"{folder}/")
    }
    assert f"{package}/py.typed" in wanted
    assert sorted(wanted - wheel_names) == [], "missing in the wheel"


def test_wheel_holds_the_compiled_modules(wheel_names: set[str]) -> None:
    binaries = [PurePosixPath(n) for n in wheel_names if n.endswith((".so", ".pyd"))]
    assert {path.parent.as_posix() for path in binaries} <= {"fanorona_core"}
    # sorted lists, not sets: a reused build folder would bring the same module twice.
    assert sorted(path.name.split(".")[0] for path in binaries) == sorted(compiled_modules())


def test_wheel_has_a_stub_for_each_compiled_module(wheel_names: set[str]) -> None:
    wanted = {f"fanorona_core/{name}.pyi" for name in compiled_modules()}
    assert sorted(wanted - wheel_names) == []


def test_installed_wheel_works(dist: Path, environment: dict[str, str], tmp_path: Path) -> None:
    (wheel,) = dist.glob("*.whl")
    venv.create(tmp_path / "venv", with_pip=True)
    scripts = tmp_path / "venv" / ("Scripts" if IS_WINDOWS else "bin")
    python = scripts / "python"
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    def call(*command: str | Path) -> str:
        return run(*command, cwd=elsewhere, env=environment).strip()

    call(python, "-m", "pip", "install", "--disable-pip-version-check", "-q", wheel)
    version = re.search(r'= "(.+)"', (ROOT / "fanorona_core" / "_version.py").read_text("utf-8"))
    assert version
    banner = f"fanorona, version {version[1]}"
    assert call(scripts / "fanorona", "--version") == banner
    assert call(python, "-m", "fanorona_cli", "--version") == banner
    assert call(python, "-W", "error", "-c", "import fanorona_core") == ""
    for name in sorted(compiled_modules()):
        assert call(python, "-W", "error", "-c", f"import fanorona_core.{name}") == ""
    # The folder of the command line is called cli, but no package of that name may be installed.
    code = "import importlib.util as u; print(u.find_spec('cli'), u.find_spec('src'))"
    assert call(python, "-c", code) == "None None"


def test_cython_gives_no_hints(tree: Path, tmp_path: Path) -> None:
    """A "performance hint" means a hidden lock of the interpreter in a hot loop: an error here."""
    copy = tmp_path / "tree"
    shutil.copytree(tree, copy, ignore=shutil.ignore_patterns("build"))
    # Any command makes setup.py translate all modules; this one compiles nothing.
    output = run(sys.executable, "setup.py", "--name", cwd=copy)
    assert output.splitlines()[-1] == "fanorona"
    hints = re.findall(r"^(?:performance hint|warning): .*", output, re.M)
    assert hints == []


def test_extras_name_the_build_requirements() -> None:
    """The tests run setup.py outside of an isolated build; both lists must ask for the same."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wanted = set(project["build-system"]["requires"])
    assert wanted <= set(project["project"]["optional-dependencies"]["test"])
