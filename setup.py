"""The compiled build: mypyc makes machine code of the rules where a C compiler is at hand.

Without one, or with SINTRA_PURE=1, the same source is installed as it is, and works the same.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from setuptools import setup
from setuptools.command.build_ext import build_ext

COMPILED = [
    "sintra/rules/bits.py",
    "sintra/rules/chance.py",
    "sintra/rules/estimates.py",
    "sintra/rules/keys.py",
    "sintra/rules/observer.py",
    "sintra/rules/offer.py",
    "sintra/rules/piles.py",
    "sintra/rules/script.py",
    "sintra/rules/state.py",
    "sintra/rules/wide.py",
    "sintra/games/azul/player.py",
    "sintra/games/azul/arrangement.py",
    "sintra/games/azul/estimate.py",
    "sintra/games/azul/observer.py",
    "sintra/games/azul/rules.py",
    "sintra/games/azul/worth.py",
    "sintra/games/sintra/player.py",
    "sintra/games/sintra/arrangement.py",
    "sintra/games/sintra/estimate.py",
    "sintra/games/sintra/observer.py",
    "sintra/games/sintra/options.py",
    "sintra/games/sintra/rules.py",
    "sintra/games/sintra/turns.py",
    "sintra/games/sintra/worth.py",
    "sintra/bots/simple.py",
    "sintra/bots/search.py",
    "sintra/batch/arrays.py",
    "sintra/batch/rewards.py",
    "sintra/batch/selfplay.py",
    "sintra/batch/counting.py",
    "sintra/batch/games.py",
    "sintra/checkpoints.py",
    "sintra/fold.py",
    "sintra/game.py",
]
NEEDED = ["mypy>=2.4", "msgspec>=0.18.6"]
"""What compiling needs: mypyc is a part of mypy, which reads msgspec's types."""
OPTIONS = ["--follow-imports=silent"]
"""For mypy: modules that are only imported may need packages that are not here, such as numpy."""
FLAGS = ["-fvisibility=hidden", "-fno-semantic-interposition"]
"""Nobody else calls the compiled functions, so that the C compiler may put them into each other."""
BUILDS = {"build", "build_ext", "bdist_wheel", "editable_wheel", "install", "develop"}


def wanted() -> bool:
    """Whether to compile: nobody asked for the source alone, and there is a compiler."""
    compiler = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    return not os.environ.get("SINTRA_PURE") and shutil.which(compiler.split()[0]) is not None


def extensions() -> list[Any]:
    """The modules to compile; none when only asked for metadata."""
    if not BUILDS & set(sys.argv):
        return []
    try:
        if wanted():
            from mypyc.build import mypycify

            built = list(mypycify([*OPTIONS, *COMPILED], opt_level="3", debug_level="0"))
            for extension in built if os.name == "posix" else []:
                extension.extra_compile_args = [*extension.extra_compile_args, *FLAGS]  # shared by all
            for source in {source for extension in built for source in extension.sources}:
                add_docstrings(Path(source), dict(docstrings()))
            return built
    except (Exception, SystemExit) as error:  # whatever another version of mypyc thinks of the source
        print(f"sintra: mypyc does not work here: {error}")
    print("sintra: the rules are installed as source, interpreted")
    return []


# -- Docstrings --

# mypyc gives compiled functions signatures, but no docstrings: they are written into its C source.
FUNCTION = re.compile(r'(\(PyCFunction\)CPyPy_(\w+),[^}]*PyDoc_STR\()(NULL|"(?:[^"\\]|\\.)*")')
PROPERTY = re.compile(r"(\(getter\)(\w+),\s*NULL, )(NULL)(?=, NULL})")
CLASS = re.compile(r'(CPyType_(\w+)_template_ = {[^;]*?\.tp_doc = PyDoc_STR\()(NULL|"(?:[^"\\]|\\.)*")')


def docstrings() -> Iterator[tuple[str, str]]:
    """Yield the docstrings of the compiled modules by the names that C code has for what they describe."""
    for path in COMPILED:
        module = path.removesuffix(".py").replace("/", "___")
        tree = ast.parse(Path(path).read_text(encoding="utf-8"))
        inside = [(f"{module}___{one.name}", one) for one in tree.body if isinstance(one, ast.ClassDef)]
        for name, body in [(module, tree), *inside]:
            for one in body.body:
                if isinstance(one, ast.FunctionDef | ast.ClassDef) and (text := ast.get_docstring(one)):
                    yield f"{name}___{one.name}", text
                    yield f"{name}_get_{one.name}", text


def add_docstrings(source: Path, texts: Mapping[str, str]) -> None:
    """Write docstrings into C source, where it has signatures or nothing."""

    def added(found: re.Match[str]) -> str:
        text = next((text for name, text in texts.items() if f"___{name}".endswith(f"___{found[2]}")), "")
        old = "" if found[3] == "NULL" else found[3][1:-1]
        escaped = "".join(f"\\{byte:03o}" for byte in text.encode())
        return f'{found[1]}"{old}{escaped}"' if text else found[0]

    code = source.read_text(encoding="utf-8")
    for pattern in (FUNCTION, PROPERTY, CLASS):
        code = pattern.sub(added, code)
    source.write_text(code, encoding="utf-8")


class BuildOrLeave(build_ext):
    """Compile all modules, or leave all of them as they are."""

    def run(self) -> None:
        """Build; a compiler that fails costs speed, and nothing else."""
        if not self.extensions:
            return
        try:
            super().run()
            print("sintra: the rules are compiled by mypyc")
        except Exception as error:  # whatever a strange compiler does
            print(f"sintra: the rules could not be compiled, and are installed as source: {error}")
            self.extensions = []


setup(
    ext_modules=extensions(),
    setup_requires=NEEDED if wanted() else [],
    cmdclass={"build_ext": BuildOrLeave},
)
