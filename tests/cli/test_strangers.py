"""Strangers' logs: nothing in them is sent to a terminal, or taken for a file, a module or a program."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import sintra.cli
from scripts.torture.limits import call, takers
from sintra.text import printable as printable_json
from sintra.text import safe_json
from tests.kit.program import SINTRA, clean, environment, played, run

RUDE = "\x1b]0;owned\x07\x1b[2J\x9b31m\x7f\r\x00\u202e\u2028\U000e0041"
"""What a terminal might obey: escapes of both kinds, bells, carriage returns, text that runs backwards."""
PATHS = [
    "/etc/passwd",
    "../../etc/shadow",
    "os",
    "sintra.cli",
    "$(touch owned)",
    "`id`",
    "file:///etc/hosts",
    "os:system",
]
"""What might be taken for a file, a module or a command."""
LOGS = ("fork", "convert", "draw")
"""Commands that write a whole log to standard output."""


def log_of(text: str, *, left: int = 0) -> bytes:
    """A game with a text in every place that takes one."""
    lines = [json.loads(line) for line in played(left=left).splitlines()]
    lines[0]["players"] = [f"A{text}", f"B{text}"]
    lines[0]["engine"] = f"0.1.0 {text}"
    lines.insert(3, {"type": "noted", "text": text})
    lines.append({"type": "noted", "text": f"last {text}"})
    return b"".join(
        json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n" for line in lines
    )


def broken(text: str) -> Iterator[bytes]:
    """Logs that are refused, each with the text where an error quotes it."""
    good = log_of(text, left=1).splitlines(keepends=True)
    first = json.loads(good[0])
    for change in (
        {"rules": text},
        {"rules": text, "engine": f"1 {text}"},
        {"options": {text: 1}},
        {"options": {"side": text, "floor_at_zero": False}},
        {text: 1},
        {"type": text},
        {"chance": text},
        {"players": [text, text]},
    ):
        yield json.dumps(first | change, ensure_ascii=False).encode() + b"\n"
    for line in (
        {"type": text},
        {"type": "noted", "text": "", text: text},
        {"type": "picked", "color": text},
    ):
        value = {"player": 1, "source": 1} | line if "color" in line else line
        yield b"".join(good) + json.dumps(value, ensure_ascii=False).encode() + b"\n"
    yield (
        b"".join(good[:2])
        + json.dumps({"type": "dealt", "round": 1, "displays": [[text[:40]]]}).encode()
        + b"\n"
    )


def printable(text: str) -> None:
    """Nothing is in it that a terminal might obey, but ends of lines."""
    found = sorted({ch for ch in text if ch != "\n" and not ch.isprintable()})
    assert not found, f"{found} reached the terminal"


# -- Control sequences -----------------------------------------------------------------------


class Said(NamedTuple):
    """How a command ended, and what it said."""

    code: int
    out: str
    err: str


def said(*arguments: str | Path) -> Said:
    """A command in this process, which is faster than one of its own."""
    plain = sys.stdout, sys.stderr, sys.stdin
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in plain]
    sys.stdout, sys.stderr, sys.stdin = streams
    try:
        code = sintra.cli._run([str(word) for word in arguments])
    finally:
        sys.stdout, sys.stderr, sys.stdin = plain
    texts = []
    for stream in streams[:2]:
        stream.flush()
        texts.append(stream.buffer.getvalue().decode())
    return Said(code, *texts)


def ways(name: str, log: Path) -> Iterator[list[str]]:
    """A command on a log, in all ways that it can answer."""
    options = said(name, "--help").out
    for more in ([], ["--json"], ["--tables"], ["--backs", "--ascii"], ["-q"]):
        if all(option in options for option in more):
            words = call(name, log)
            if name == "diff":
                other = log.with_name("other.log")
                other.write_bytes(log_of("Ada"))
                words[2] = str(other)
            yield [*words, *more]


def tried(name: str, log: Path) -> None:
    """A command on a rude log says nothing that a terminal might obey."""
    for arguments in ways(name, log):
        log.write_bytes(log_of(RUDE, left=1))
        found = said(*arguments)
        printable(found.err if name in LOGS else found.out + found.err)
        if "--json" in arguments and name not in LOGS:
            for line in (found.out + found.err).splitlines():
                json.loads(line)


@pytest.mark.parametrize("name", takers())
def test_what_a_log_says_is_shown_and_not_sent(name: str, tmp_path: Path) -> None:
    """Every command, as text and as JSON, on a game that is sound."""
    tried(name, tmp_path / f"{RUDE[:6]}.log")


@pytest.mark.parametrize("name", takers())
def test_errors_show_and_do_not_send(name: str, tmp_path: Path) -> None:
    log = tmp_path / "rude.log"
    shown = 0
    for data in broken(RUDE):
        log.write_bytes(data)
        for more in ([], ["--json"]) if name not in (*LOGS, "play") else ([],):
            found = said(*call(name, log), *more)
            assert found.code in ((0, 4, 6) if name == "repair" else (1, 4, 6)), found
            printable(found.out + found.err)
            shown += "owned" in found.out + found.err
            if not more and name not in ("verify", "stats", "repair"):
                assert found.err.count("\n") == (
                    2 if name == "export" else 1
                )  # the fault, and that nothing is left
            if name == "export":
                assert found.out == ""
    assert shown, "no error quotes what is rude"


def on_a_terminal(*arguments: str, stdin: bytes = b"") -> str:
    """What the program sends to a terminal, but for the ends of lines and its own colors."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [SINTRA, *arguments],
        stdin=subprocess.PIPE,
        stdout=theirs,
        stderr=theirs,
        env=environment({"TERM": "xterm"}),
    )
    os.close(theirs)
    assert process.stdin is not None
    process.stdin.write(stdin)
    process.stdin.close()
    sent = b""
    while data := _sent(ours):
        sent += data
    os.close(ours)
    process.wait()
    text = sent.decode()
    clean(text)
    return re.sub(r"\x1b\[[0-9;]*m", "", text).replace("\r\n", "\n")


def _sent(fd: int) -> bytes:
    try:
        return os.read(fd, 1 << 16)
    except OSError:  # nobody has it open any more
        return b""


@pytest.mark.process
@pytest.mark.parametrize("arguments", ["fork -", "convert -", "note - hello", "show -", "replay -"])
def test_a_log_on_a_terminal_is_shown_and_not_sent(arguments: str) -> None:
    """Also where a whole log is written to standard output; to a pipe it goes as it is."""
    loose = log_of(RUDE).replace(b'","', b'",\t\r"')
    sent = on_a_terminal(*arguments.split(), stdin=loose)
    printable(sent)
    assert "owned" in sent
    if arguments in ("fork -", "note - hello"):
        assert (
            sintra.loads(sent).events[1:-1]
            == sintra.loads(loose).events[1 : len(sintra.loads(sent).events) - 1]
        )
    if arguments == "note - hello":
        assert run(*arguments.split(), stdin=loose).raw.startswith(loose)


def test_json_is_the_same_with_its_escapes() -> None:
    text = json.dumps({"a": f"{RUDE}é李"}, ensure_ascii=False)
    assert json.loads(printable_json(text)) == json.loads(text)
    assert safe_json({"a": "é李 plain"}) == '{"a":"é李 plain"}'
    assert json.loads(safe_json({"a": RUDE, "b": [RUDE], RUDE: 1})) == {"a": RUDE, "b": [RUDE], RUDE: 1}
    assert json.loads(safe_json(["\udcff", {"\udcfe": ("x", 1)}])) == ["\\udcff", {"\\udcfe": ["x", 1]}]


@pytest.mark.parametrize(
    ("what", "name"),
    [
        ("sintra.view.style.safe", "show"),
        ("sintra.text.safe", "verify"),
        ("sintra.view.common.safe", "replay"),
        ("sintra.view.common.safe", "log"),
        ("sintra.text.printable", "show"),
        ("sintra.text.printable", "diff"),
        ("sintra.cli.repair.safe", "repair"),
    ],
)
def test_without_the_escapes_a_terminal_would_obey(
    what: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The protection taken out, in each place."""
    monkeypatch.setattr(what, lambda text: text)
    log = tmp_path / f"{RUDE[:6]}.log"
    with pytest.raises(AssertionError, match="reached the terminal"):
        tried(name, log)


@pytest.mark.parametrize(
    "arguments",
    [
        *(
            "move LOG \udcff",
            "move LOG \udcff --json",
            "note LOG \udcff --json",
            "verify --json LOG",
            "repair --json LOG",
        ),
        *(
            "show --json none\udcff",
            "new --json -o \udcfe.log",
            "fork LOG --json -o \udcfd.log",
            "legal --json LOG \udcff",
        ),
        *(
            "diff LOG LOG --json",
            "rules --json \udcff",
            "schema \udcff",
            "help \udcff",
            "new --rules \udcff --json",
        ),
        *("repair LOG", "new -o \udcfe.log", "play LOG --side \udcff", "new --components \udcff --json"),
    ],
)
def test_words_and_names_that_are_no_utf8(
    arguments: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a shell hands them on: an answer or an error, never a traceback."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "\udcff.log").write_bytes(played())
    found = said(*arguments.replace("LOG", "\udcff.log").split())
    printable(found.out + found.err)
    assert found.out + found.err
    for line in (found.out + found.err).splitlines() if "--json" in arguments else []:
        json.loads(line)


# -- Files, modules, programs ----------------------------------------------------------------

WATCH = """
import io, json, pathlib, sys
import sintra.cli
%s
STARTS = ("subprocess", "os.exec", "os.spawn", "os.posix_spawn", "os.system", "os.fork", "socket", "urllib",
          "ctypes", "os.remove", "os.rename", "os.link", "os.symlink", "os.chdir", "os.mkdir", "os.listdir",
          "os.scandir", "glob")
seen = set()
def hook(name, arguments):
    if name in ("open", "import") or name.startswith(STARTS):
        seen.add(f"{name} {arguments[0]!r}")
sys.addaudithook(hook)
found = []
for arguments, path, data in json.load(sys.stdin):
    with open(path, "w", encoding="utf-8") as file:
        file.write(data)
    pathlib.Path(path).with_suffix(".analysis.json").unlink(missing_ok=True)
    seen.clear()
    out, err, sys.stdout, sys.stderr = sys.stdout, sys.stderr, io.TextIOWrapper(io.BytesIO()), io.StringIO()
    try:
        sintra.cli._run(arguments)
    except Exception as error:
        err.write(repr(error))
    sys.stdout, sys.stderr = out, err
    found.append(sorted(seen))
print(json.dumps(found))
"""
"""The program, with a list of all that it opens, imports and starts for each call."""


def watched(calls: list[tuple[list[str], Path, bytes]], folder: Path, patch: str = "") -> list[set[str]]:
    """What commands open, import and start, one after the other in a process, each on a log of its own."""
    asked = json.dumps([(arguments, str(path), data.decode()) for arguments, path, data in calls])
    done = subprocess.run(
        [sys.executable, "-c", WATCH % patch],
        cwd=folder,
        input=asked.encode(),
        capture_output=True,
        env=environment(),
        check=False,
    )
    clean(done.stderr.decode())
    assert done.returncode == 0, done.stderr.decode()
    return [{re.sub(r"\.sintra-[\w-]+", ".sintra-N", one) for one in row} for row in json.loads(done.stdout)]


@pytest.mark.process
def test_nothing_in_a_log_is_opened_imported_or_run(tmp_path: Path) -> None:
    """Every command: no more for a log full of paths, modules and commands than for one of plain names.

    A command is run twice on a plain log, so that all it ever imports is there, and then on the other.
    """
    path = tmp_path / "game.log"
    names = [name for name in takers() if name != "repair"]
    plain, strange = log_of("Ada", left=1), log_of(" ".join(PATHS)[:70], left=1)
    calls = [(call(name, path), path, data) for name in names for data in (plain, plain, strange)]
    seen = watched(calls, tmp_path)
    for at, name in enumerate(names):
        _, harmless, hostile = seen[3 * at : 3 * at + 3]
        assert hostile == harmless, name
        assert f"open {str(path)!r}" in harmless
        assert not any(one.startswith("import") for one in hostile), name


def unknown(path: Path, name: str) -> tuple[list[str], Path, bytes]:
    """A call of `show` for a log of rules that are not installed."""
    first = json.loads(played().splitlines()[0]) | {"rules": name, "engine": f"1 {name}"}
    return call("show", path), path, json.dumps(first).encode() + b"\n"


@pytest.mark.process
def test_rules_are_looked_up_and_never_loaded_by_a_path(tmp_path: Path) -> None:
    """A rule-set that is not installed is not found, whatever its name looks like.

    One is that of a module which is there, and which nothing has imported.
    """
    path = tmp_path / "game.log"
    names = [*PATHS, "colorsys"]
    plain, *strange = watched([unknown(path, name) for name in ("first", "nobodys", *names)], tmp_path)[1:]
    for name, seen in zip(names, strange, strict=True):
        assert seen == plain, name


@pytest.mark.process
def test_a_module_that_a_log_could_name_would_be_noticed(tmp_path: Path) -> None:
    """The protection taken out: a program that imports what a log names."""
    path = tmp_path / "game.log"
    load = "lambda name, engine='': importlib.import_module(name)"
    patch = f"import sintra.catalog, importlib; sintra.catalog.find = {load}"
    plain, strange = watched([unknown(path, name) for name in ("nobodys", "colorsys")], tmp_path, patch)
    assert any("colorsys" in one for one in strange - plain)


@pytest.mark.process
def test_components_and_plug_ins_are_loaded_when_a_person_asks(tmp_path: Path) -> None:
    """A component file is opened for `--components` alone, and built-in rules look for no plug-in."""
    box = tmp_path / "box.json"
    box.write_text('{"broken":[0,-18]}')
    path = tmp_path / "game.log"
    asked = ["new", "--seed", "1", "--components", str(box), "-q"]
    in_log, by_hand = watched([(call("show", path), path, log_of(str(box))), (asked, path, b"")], tmp_path)
    assert not any(re.search(r"box\.json|importlib.metadata|dist-info", one) for one in in_log)
    assert f"open {str(box)!r}" in by_hand
