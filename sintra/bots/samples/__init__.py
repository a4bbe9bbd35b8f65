"""Small bots in several languages to start from."""

from __future__ import annotations

import os
import shlex
from importlib.resources import files

from sintra.errors import UsageError

LANGUAGES = {"sh": "bot.sh", "python": "bot.py", "js": "bot.js", "c": "bot.c", "rust": "bot.rs"}
"""The file of each language."""
COMPILERS = {"c": "cc -O2 -o {program}", "rust": "rustc -O -o {program}"}


def sample(language: str) -> bytes:
    """Return the sample of a language."""
    if language not in LANGUAGES:
        raise UsageError(f"no sample in {language!r}; there are: {', '.join(LANGUAGES)}")
    return files(__name__).joinpath(LANGUAGES[language]).read_bytes()


def how_to_run(language: str, path: str) -> list[str]:
    """Return the commands that build, check and use a sample that was written to a file."""
    program, lines = path, []
    if language in COMPILERS:
        stem, ending = os.path.splitext(path)
        program = stem if ending else f"{path}.bin"
        file = shlex.quote(path) if language != "c" or ending == ".c" else f"-x c {shlex.quote(path)}"
        lines = [f"{COMPILERS[language].format(program=shlex.quote(program))} {file}"]
    command = program if "/" in program else f"./{program}"
    called = shlex.quote(shlex.quote(command))
    bots = shlex.quote(f"mine=cmd:{shlex.quote(command)},greedy")
    return [*lines, f"sintra bot check {called}", f"sintra simulate 20 --bots {bots} --rotate"]
