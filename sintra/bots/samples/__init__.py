"""Small bots in several languages to start from."""

from __future__ import annotations

import shlex
from importlib.resources import files

from sintra.errors import UsageError

LANGUAGES = {"sh": "bot.sh", "python": "bot.py", "js": "bot.js", "c": "bot.c", "rust": "bot.rs"}
"""The file of each language."""
COMPILERS = {"c": "cc -O2 -o {program} {file}", "rust": "rustc -O -o {program} {file}"}


def sample(language: str) -> bytes:
    """Return the sample of a language."""
    if language not in LANGUAGES:
        raise UsageError(f"no sample in {language!r}; there are: {', '.join(LANGUAGES)}")
    return files(__name__).joinpath(LANGUAGES[language]).read_bytes()


def how_to_run(language: str, path: str) -> list[str]:
    """Return the commands that build, check and use a sample that was written to a file."""
    program = path if language not in COMPILERS else path.rpartition(".")[0] or f"{path}.bin"
    built = COMPILERS.get(language, "")
    lines = [built.format(program=shlex.quote(program), file=shlex.quote(path))] if built else []
    command = program if "/" in program else f"./{program}"
    called = shlex.quote(shlex.quote(command))
    bots = shlex.quote(f"mine=cmd:{shlex.quote(command)},greedy")
    return [*lines, f"sintra bot check {called}", f"sintra simulate 20 --bots {bots} --rotate"]
