"""Build the documentation as web pages in build/site/html, without a network.

The pages are those in docs/, CONTRIBUTING and CHANGELOG, as they are for a reader of the repository;
docs/site has what only the site needs. A page that no list below names comes last, so none is ever missing.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import sintra
import sintra.errors

ROOT = Path(__file__).parent.parent
BUILD = ROOT / "build" / "site"
CONTENTS = {
    "Start": ("tutorial", "play", "serve"),
    "Guides": (
        "shell",
        "bug-reports",
        "bots",
        "league",
        "learning",
        "rule-sets",
        "real-table",
        "analysis",
        "pictures",
        "codes",
        "library",
    ),
    "Reference": ("commands", "log", "protocol", "python", "reliability", "glossary"),
    "Figures": ("benchmarks", "strong", "campaigns"),
    "The project": ("architecture", "contributing", "changelog"),
}
"""The pages in their order. One that is not there is passed over; one that is not here goes to \"More\"."""
TITLES = {
    "play": "Play in the terminal",
    "serve": "Play in the browser",
    "shell": "Script a game",
    "bots": "Write a bot",
    "league": "Run a league",
    "learning": "Train a program",
    "rule-sets": "Write a rule-set",
    "real-table": "Record a real table",
    "library": "Use it from Python",
    "strong": "The strong player",
}
"""What pages are called in the table of contents, if it is not their heading: what a reader wants to do."""
TWINS = {
    "../CONTRIBUTING.md": "contributing.md",
    "../CHANGELOG.md": "changelog.md",
    "../README.md": "index.md",
}
"""What links out of docs/ lead to on the site."""
KNOWN = re.compile(r"sintra\.([A-Za-z_]\w*)$", re.MULTILINE)


def main() -> int:
    """Assemble the pages and run Sphinx; every warning is an error."""
    source = BUILD / "source"
    shutil.rmtree(source, ignore_errors=True)
    for name, text in assembled().items():
        file = source / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    shutil.copytree(ROOT / "docs" / "site" / "_static", source / "_static", dirs_exist_ok=True)
    for picture in (ROOT / "docs").glob("*.svg"):
        shutil.copy(picture, source)
        shutil.copy(picture, source / "_static")
    words = ["-W", "--keep-going", "-q", "-b", "html", "-d", str(BUILD / "doctrees")]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *words, str(source), str(BUILD / "html")],
        env=os.environ | {"SINTRA_ROOT": str(ROOT)},
        check=False,
    )
    if done.returncode == 0:
        sys.stdout.write(f"{BUILD.relative_to(ROOT) / 'html' / 'index.html'}\n")
    return done.returncode


def assembled() -> dict[str, str]:
    """Return the source of the site by file name."""
    docs = ROOT / "docs"
    found = {path.name: site_links(path.read_text(encoding="utf-8")) for path in docs.glob("*.md")}
    for name in ("CONTRIBUTING", "CHANGELOG"):
        text = (ROOT / f"{name}.md").read_text(encoding="utf-8")
        found[f"{name.lower()}.md"] = site_links(text.replace("](docs/", "]("))
    found["conf.py"] = (docs / "site" / "conf.py").read_text(encoding="utf-8")
    found["python.md"] = python_page()
    found["index.md"] = first_page({*found} | {"python.md"})
    return found


def site_links(text: str) -> str:
    """Return a page whose links stay on the site; what is not on it is only named."""

    def led(link: re.Match[str]) -> str:
        target, _, anchor = link[2].partition("#")
        if target in TWINS or target.upper().removesuffix(".MD") in ("CONTRIBUTING", "CHANGELOG"):
            return f"[{link[1]}]({TWINS.get(target, target.lower())}{'#' + anchor if anchor else ''})"
        outside = target.startswith("../") or (target and not (ROOT / "docs" / target).exists())
        return link[1] if outside and not target.startswith("https://") else link[0]

    return re.sub(r"(?<!!)\[([^\]]*)\]\(([^)\s]+)\)", led, text)


def python_page() -> str:
    """Return the page of the Python interface; public names that it does not sort come under \"More\"."""
    text = (ROOT / "docs" / "site" / "python.md").read_text(encoding="utf-8")
    errors = sorted({*sintra.__all__} & {name for name in dir(sintra.errors) if name[0].isupper()})
    rest = sorted({*sintra.__all__} - {*KNOWN.findall(text)} - {*errors} - {"__version__"})
    text = text.replace("@ERRORS@", directives([f"autoexception:: sintra.{name}" for name in errors]))
    more = [f"auto{'class' if name[0].isupper() else 'function'}:: sintra.{name}" for name in rest]
    return text.replace("@MORE@", "## More\n\n" + directives(more) if more else "")


def directives(lines: list[str]) -> str:
    """Return a block of directives for Sphinx."""
    return "\n".join(["```{eval-rst}", ".. currentmodule:: sintra", *(f".. {line}" for line in lines), "```"])


def first_page(pages: set[str]) -> str:
    """Return the first page, with the table of contents."""
    text = (ROOT / "docs" / "site" / "index.md").read_text(encoding="utf-8")
    learning = (
        '<a href="learning.html"><b>Train a program</b><span>Millions of steps a second, for numpy</span></a>'
    )
    text = text.replace("@LEARNING@\n", f"{learning}\n" if "learning.md" in pages else "")
    return text + "\n" + "\n".join(contents(pages))


def contents(pages: set[str]) -> Iterator[str]:
    """Yield the table of contents, by part."""
    names = {page.removesuffix(".md") for page in pages if page.endswith(".md")}
    rest = names - {name for part in CONTENTS.values() for name in part} - {"index"}
    for title, part in {**CONTENTS, "More": tuple(sorted(rest))}.items():
        shown = [f"{TITLES[name]} <{name}>" if name in TITLES else name for name in part if name in names]
        if shown:
            yield "\n".join(["```{toctree}", ":hidden:", f":caption: {title}", "", *shown, "```", ""])


if __name__ == "__main__":
    sys.exit(main())
