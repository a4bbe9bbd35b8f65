"""The compiled build: mypyc makes machine code of the rules where a C compiler is at hand.

Without one, or with SINTRA_PURE=1, the same source is installed as it is, and works the same.
"""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from typing import Any

from setuptools import setup
from setuptools.command.build_ext import build_ext

COMPILED = [
    "sintra/rules/bits.py",
    "sintra/rules/chance.py",
    "sintra/rules/keys.py",
    "sintra/rules/offer.py",
    "sintra/rules/piles.py",
    "sintra/rules/state.py",
    "sintra/rules/wide.py",
    "sintra/games/azul/player.py",
    "sintra/games/azul/arrangement.py",
    "sintra/games/azul/rules.py",
    "sintra/games/azul/worth.py",
    "sintra/games/sintra/player.py",
    "sintra/games/sintra/arrangement.py",
    "sintra/games/sintra/options.py",
    "sintra/games/sintra/rules.py",
    "sintra/games/sintra/worth.py",
    "sintra/bots/simple.py",
    "sintra/batch/selfplay.py",
    "sintra/batch/counting.py",
    "sintra/batch/games.py",
    "sintra/checkpoints.py",
    "sintra/fold.py",
    "sintra/game.py",
]
NEEDED = ["mypy>=2.4", "msgspec>=0.18.6"]
"""What compiling needs: mypyc is a part of mypy, which reads msgspec's types."""
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

            built = list(mypycify(COMPILED, opt_level="3", debug_level="0"))
            for extension in built if os.name == "posix" else []:
                extension.extra_compile_args += FLAGS
            return built
    except (Exception, SystemExit) as error:  # whatever another version of mypyc thinks of the source
        print(f"sintra: mypyc does not work here: {error}")
    print("sintra: the rules are installed as source, interpreted")
    return []


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
