"""Generate the documents that come from the program itself; with `--check`, only report stale ones.

docs/commands.md   the command reference
docs/sintra.1      the manual page
docs/show.svg      a picture of `sintra show`
docs/azul.svg      the same for another game
docs/table*.svg    pictures by `sintra draw`
docs/moving*.svg   a round of docs/example.log, moving
docs/architecture.md   the import graph in it; the rest is written by hand
docs/learning.md       the tables of planes and codes in it
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from enum import Enum
from html import escape
from itertools import groupby
from pathlib import Path
from textwrap import fill
from typing import Any, NamedTuple

import typer

from scripts import rooms
from scripts.moving import moving
from sintra import catalog
from sintra.api import draw
from sintra.cli.app import program
from sintra.cli.commands import COMMANDS
from sintra.cli.reports import ANSWERS
from sintra.rules.planes import listing
from sintra.rules.ruleset import RuleSet
from sintra.version import VERSION
from sintra.view import theme

ROOT = Path(__file__).parent.parent
COLUMNS = 120
"""The length of a line of prose, in characters."""

EXIT_CODES = (
    (0, "success"),
    (1, "negative result, e.g. `verify` found a faulty log, or `diff` a difference"),
    (2, "usage error: an unknown word, option or value"),
    (3, "illegal step"),
    (4, "the log is unreadable or damaged, or a worker process died"),
    (5, "conflict: the log changed, is locked, or already exists"),
    (6, "unknown log format or rule-set"),
    (130, "interrupted by Ctrl-C"),
)

ENVIRONMENT = (
    ("NO_COLOR", "Set and not empty: no colors, unless `--color always` is given."),
    ("FORCE_COLOR", "Set and not empty: use colors even if standard output is not a terminal."),
    ("SINTRA_THEME", "Theme to draw with: dark, light, color-blind or ascii; `--theme` comes first."),
    ("COLORFGBG", "Set by some terminals: says whether the background is light or dark."),
    ("COLUMNS", "Width to draw, if standard output is not a terminal; at least 80."),
    ("SINTRA_PURE", "Set and not empty: run the rules as plain Python, even if they are compiled."),
)

FILES = (
    (
        "LOG",
        "A game: JSON Lines, one immutable event per line. It only grows at its end; its first lines are "
        "always a valid log, too. `sintra schema log-RULES` describes the lines.",
    ),
    ("LOG.bak", "The backup that `repair` makes."),
)

EXAMPLES = (
    (
        "Start a game, play a step, look at it:",
        (
            "sintra new --seed 42 > game.log",
            "sintra move game.log pick 3 orange place 2",
            "sintra show game.log",
        ),
    ),
    ("Play a random step:", ("sintra move game.log $(sintra legal game.log | shuf -n 1)",)),
    ("Use a pipe instead of a file:", ("sintra new --seed 1 | sintra move - pick 1 blue | sintra show -",)),
    ("Check all logs in a folder:", ("sintra verify games/*.log",)),
    ("Read scores in a script:", ("sintra score --json game.log | jq .total",)),
)


# -- The commands, from their own help ---------------------------------------------------------


class Entry(NamedTuple):
    """An option or an argument, and its description."""

    form: str
    text: str


class Help(NamedTuple):
    """The parts of a command's help."""

    name: str
    usage: str
    summary: str
    body: list[str | list[str]]
    """Paragraphs, and preformatted blocks."""
    examples: list[str]
    arguments: list[Entry]
    options: list[Entry]
    keys: list[str]
    """The keys of its answer with `--json`."""


HELP_OPTION = Entry("-h, --help", "Show this message and exit.")


def help_of(name: str, command: Any) -> Help:
    """Return the help of a command, or of the program itself."""
    body, examples = taken_apart(command.help)
    summary, *rest = body
    shown = [parameter for parameter in command.params if not getattr(parameter, "hidden", False)]
    arguments = [p for p in shown if p.param_type_name == "argument"]
    words = [str(p.metavar) if p.required else f"[{p.metavar}]" for p in arguments]
    return Help(
        name=name,
        usage=" ".join(["sintra", *([name] if name else []), "[OPTIONS]", *words]),
        summary=str(summary),
        body=rest,
        examples=examples,
        arguments=[Entry(str(p.metavar), p.help or "") for p in arguments],
        options=[*map(option, (p for p in shown if p not in arguments)), HELP_OPTION],
        keys=list(ANSWERS[name].__struct_fields__) if name in ANSWERS else [],
    )


def taken_apart(text: str) -> tuple[list[str | list[str]], list[str]]:
    """Split a docstring into its paragraphs and blocks, and the examples at its end."""
    body: list[str | list[str]] = []
    for block in text.strip().split("\n\n"):
        lines = block.splitlines()
        body.append(lines[1:] if lines[0].strip() == "\b" else " ".join(line.strip() for line in lines))
    last = body.pop() if isinstance(body[-1], list) else []
    assert isinstance(last, list)
    return body, last


def option(parameter: Any) -> Entry:
    """Describe an option: its names, its value and its default."""
    names = [*sorted(parameter.opts, key=len)]
    form = ", ".join(names)
    if parameter.secondary_opts:
        form += " / " + ", ".join(parameter.secondary_opts)
    if not parameter.is_flag and parameter.metavar:
        form += f" {parameter.metavar}"
    default = parameter.default
    text = (parameter.help or "").strip()
    if parameter.secondary_opts:
        chosen = (parameter.opts if default else parameter.secondary_opts)[-1]
        text += f" [default: {chosen.lstrip('-')}]"
    elif default not in (None, False, "", ()) and not callable(default) and not parameter.is_flag:
        text += f" [default: {default.value if isinstance(default, Enum) else default}]"
    return Entry(form, text)


def commands() -> tuple[Help, list[Help]]:
    """Return the help of the program and of all its commands, in order."""
    group: Any = typer.main.get_command(program([]))
    return help_of("", group), [help_of(name, group.commands[name]) for name in COMMANDS]


def steps() -> list[tuple[list[str], list[Entry]]]:
    """Return the steps of each game; games with the same steps share an entry."""
    found: list[tuple[list[str], list[Entry]]] = []
    for name in catalog.BUILT_IN:
        rules = catalog.find(name)
        guide = [Entry(*row) for row in rules.guide]
        for titles, known in found:
            if known == guide:
                titles.append(rules.title)
                break
        else:
            found.append(([rules.title], guide))
    return found


# -- The command reference -----------------------------------------------------------------------


def reference() -> str:
    """Return docs/commands.md."""
    itself, every = commands()
    parts = [
        "# Commands",
        "The output of `sintra COMMAND --help`, on one page. Generated by `make docs`.",
        fenced(["sintra [OPTIONS] COMMAND [ARGS]..."]),
        itself.summary,
        fenced(itself.examples),
        table("option", itself.options),
        table("command", [Entry(f"[{c.name}](#{c.name})", c.summary) for c in every], code=False),
    ]
    for command in every:
        parts += [f"## {command.name}", command.summary, fenced([command.usage])]
        parts += [
            fenced(block) if isinstance(block, list) else filled(marked(block)) for block in command.body
        ]
        if command.examples:
            parts += ["For example:", fenced(command.examples)]
        if command.arguments:
            parts.append(table("argument", command.arguments))
        parts.append(table("option", command.options))
        if command.keys:
            keys = ", ".join(f"`{key}`" for key in command.keys)
            parts.append(filled(f"With `--json`: {keys} (`sintra schema {command.name}`)."))
    parts.append("## Steps")
    for titles, guide in steps():
        parts += [f"{listed(titles)}:", table("step", guide)]
    codes = [Entry(str(code), text) for code, text in EXIT_CODES]
    parts += ["## Exit codes", table("exit code", codes, code=False)]
    parts += [
        "With `--json`, an error is one JSON object on standard error; `sintra schema error` describes it.",
        "## Environment",
        table("variable", [Entry(*row) for row in ENVIRONMENT]),
    ]
    return "\n\n".join(parts) + "\n"


def marked(text: str) -> str:
    """Escape a paragraph for Markdown, except for backquotes."""
    parts = text.split("`")
    return "`".join(part if at % 2 else re.sub(r"([*_<])", r"\\\1", part) for at, part in enumerate(parts))


def filled(text: str) -> str:
    """Break a paragraph into lines that diff well."""
    return fill(text, COLUMNS, break_long_words=False, break_on_hyphens=False)


def fenced(lines: list[str]) -> str:
    """Return a fenced block."""
    return "\n".join(["```text" if not lines[0].startswith("sintra") else "```sh", *lines, "```"])


def table(title: str, entries: list[Entry], code: bool = True) -> str:
    """Return a Markdown table of two columns."""
    rows = [f"| {title} | |", "|---|---|"]
    for entry in entries:
        form = entry.form.replace("|", "\\|")
        rows.append(f"| {f'`{form}`' if code else form} | {entry.text.replace('|', chr(92) + '|')} |")
    return "\n".join(rows)


def listed(names: list[str]) -> str:
    """Join names with commas and \"and\"."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


# -- The manual page -----------------------------------------------------------------------------


def manual() -> str:
    """Return docs/sintra.1, the manual page."""
    itself, every = commands()
    name, _, rest = itself.summary.partition(" ")
    lines = [
        '.\\" Generated by `make docs`.',
        f'.TH SINTRA 1 "" "sintra {VERSION}" "User Commands"',
        ".SH NAME",
        roff(f"sintra - {name.lower()} {rest}".rstrip(".")),
        ".SH SYNOPSIS",
        ".nf",
        *(f"\\fBsintra {roff(c.name)}\\fR {roff(c.usage.split(' ', 2)[2])}" for c in every),
        "\\fBsintra \\-\\-version\\fR | \\fB\\-\\-help\\fR",
        ".fi",
        ".SH DESCRIPTION",
        roff(
            "A game is one plain log: every choice is an immutable event on a line of JSON, and the table is "
            "computed from the lines. Answers go to standard output, everything else to standard error."
        ),
        ".PP",
        *prose(
            "Wherever a command takes a `LOG`, `-` is standard input; commands that add to a log then write "
            "the whole new log to standard output."
        ),
        ".SH OPTIONS",
        *(line for entry in itself.options for line in tagged(entry)),
        ".SH COMMANDS",
    ]
    for command in every:
        lines += [f'.SS "{roff(command.usage)}"', *prose(command.summary)]
        for block in command.body:
            lines += [".PP", *(kept(block) if isinstance(block, list) else prose(block))]
        lines += [line for entry in command.arguments + command.options[:-1] for line in tagged(entry)]
        if command.examples:
            lines += [".PP", "For example:", ".PP", *kept(command.examples)]
    lines.append(".SH STEPS")
    for titles, guide in steps():
        lines += [f'.SS "{roff(listed(titles))}"', *(line for entry in guide for line in tagged(entry))]
    lines.append(".SH EXIT STATUS")
    lines += [line for code, text in EXIT_CODES for line in tagged(Entry(str(code), text))]
    lines.append(".SH ENVIRONMENT")
    lines += [line for row in ENVIRONMENT for line in tagged(Entry(*row))]
    lines.append(".SH FILES")
    lines += [line for row in FILES for line in tagged(Entry(*row))]
    lines.append(".SH EXAMPLES")
    for title, example in EXAMPLES:
        lines += [".PP", roff(title), ".PP", *kept(list(example))]
    lines += [".SH SEE ALSO", "\\fBjq\\fR(1), \\fBsintra COMMAND \\-\\-help\\fR, \\fBsintra help STEP\\fR"]
    return "\n".join(lines) + "\n"


def roff(text: str) -> str:
    """Escape text for roff."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    text = text.replace('"', "\\(dq").replace("^", "\\(ha").replace("~", "\\(ti")
    text = "".join(ch if ch.isascii() else f"\\[u{ord(ch):04X}]" for ch in text)
    return f"\\&{text}" if text.startswith(".") else text


def prose(text: str) -> list[str]:
    """Return a paragraph, with bold text for backquotes."""
    parts = text.split("`")
    return ["".join(f"\\fB{roff(part)}\\fR" if at % 2 else roff(part) for at, part in enumerate(parts))]


def kept(block: list[str]) -> list[str]:
    """Return a preformatted block, indented."""
    return [".RS 4", ".nf", *map(roff, block), ".fi", ".RE"]


def tagged(entry: Entry) -> list[str]:
    """Return an entry of a list, names in bold and placeholders in italics."""
    words = re.split(r"([A-Z][A-Z_=|.]*\b(?:\.\.\.)?|\b[a-z]+(?:\|[a-z]+)+)", entry.form)
    form = "".join(f"\\f{'BI'[at % 2]}{roff(word)}\\fR" for at, word in enumerate(words) if word)
    return [".TP", form, *prose(entry.text)]


# -- The pictures --------------------------------------------------------------------------------

WIDE, HIGH, SIZE, MARGIN = 8.4, 20, 14, 24
"""The width and height of a cell, the font size, and the margin, in pixels."""

GROUND, INK, BRIGHT = "#16181d", "#c9ced6", "#ffffff"


class Look(NamedTuple):
    """The style of text in a terminal."""

    color: int | None = None
    strong: bool = False
    under: int | None = None
    """The color of the background."""

    def after(self, codes: str) -> Look:
        """Return the look after an escape sequence."""
        numbers = [int(code or 0) for code in codes.split(";")]
        look = self
        while numbers:
            code = numbers.pop(0)
            if code == 0:
                look = Look()
            elif code == 1:
                look = look._replace(strong=True)
            elif code in (38, 48) and numbers[0] == 5:
                number = numbers[1]
                look = look._replace(color=number) if code == 38 else look._replace(under=number)
                numbers = numbers[2:]
            else:
                raise ValueError(f"unknown escape sequence: {code}")
        return look

    @property
    def classes(self) -> str:
        """The names of its CSS classes."""
        color = [f"c{self.color}"] if self.color is not None else []
        return " ".join(color + ["b"] * self.strong)


def rgb(color: int) -> str:
    """Return the RGB value of one of a terminal's 256 colors."""
    if color < 16:
        raise ValueError(f"color {color} depends on the terminal")
    return "#" + "".join(f"{level:02x}" for level in theme.rgb(color))


def picture(title: str, screen: str) -> str:
    """Return a terminal screen as SVG, every letter in its own cell."""
    rows: list[str] = []
    colors: set[int] = set()
    widest = 0
    for number, line in enumerate(screen.splitlines()):
        column, look = 0, Look()
        for at, part in enumerate(re.split(r"\x1b\[([0-9;]*)m", line)):
            if at % 2:
                look = look.after(part)
                continue
            if look.under is not None:
                rows.append(_block(column, len(part), number, look.under))
            for word in re.finditer(r"[\u2500-\u2bff]|[^\s\u2500-\u2bff]+", part):
                rows.append(_text(word[0], column + word.start(), number, look))
                colors |= {look.color} - {None}  # type: ignore[arg-type]
                widest = max(widest, column + word.end())
            column += len(part)
    width = round(2 * MARGIN + widest * WIDE)
    height = 2 * MARGIN + len(screen.splitlines()) * HIGH
    fonts = "ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace"
    style = [
        f"text{{font:{SIZE}px {fonts};fill:{INK};white-space:pre}}",
        f".b{{font-weight:700;fill:{BRIGHT}}}",
        *(f".c{color}{{fill:{rgb(color)}}}" for color in sorted(colors)),
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img">',
            f"<title>{escape(title)}</title>",
            f"<style>{''.join(style)}</style>",
            f'<rect x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="12" fill="{GROUND}" '
            'stroke="#2b2f38"/>',
            *rows,
            "</svg>\n",
        ]
    )


def _block(column: int, columns: int, row: int, color: int) -> str:
    """Return a background as SVG."""
    x, y = MARGIN + column * WIDE, MARGIN + row * HIGH
    size = f'width="{columns * WIDE:.1f}" height="{HIGH - 2}"'
    return f'<rect x="{x:.1f}" y="{y - 1}" {size} rx="2" fill="{rgb(color)}"/>'


def _text(word: str, column: int, row: int, look: Look) -> str:
    """Return a word as SVG; a shape is fitted into its cell, whatever its font."""
    places = " ".join(f"{MARGIN + (column + at) * WIDE:.1f}".removesuffix(".0") for at in range(len(word)))
    y = MARGIN + row * HIGH + SIZE
    kind = f' class="{look.classes}"' if look.classes else ""
    shape = f' textLength="{WIDE}" lengthAdjust="spacingAndGlyphs"' if word[0] >= "\u2500" else ""
    return f'<text x="{places}" y="{y}"{kind}{shape}>{escape(word)}</text>'


def screen(log: str, at: int) -> str:
    """Return a command line and the output of `show` in a terminal of 80 columns."""
    words = ["show", str(ROOT / "fixtures" / "games" / log), "--at", str(at), "--color", "always"]
    plain = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
    done = subprocess.run(
        [sys.executable, "-m", "sintra", *words],
        env=plain | {"COLUMNS": "80", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    return f"\x1b[38;5;245m$\x1b[0m \x1b[1msintra show game.log\x1b[0m\n\n{done.stdout.rstrip()}\n"


def drawn(log: str, at: int, **how: Any) -> str:
    """Return the picture of a golden game."""
    return draw(ROOT / "fixtures" / "games" / log, at=at, **how)


# -- The import graph ----------------------------------------------------------------------------


def architecture() -> str:
    """Return docs/architecture.md with the current import graph of the package."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    return re.sub(r"(?<=```text\n).*?(?=\n```)", "\n".join(rooms.lines()), text, count=1, flags=re.DOTALL)


# -- All of them ---------------------------------------------------------------------------------


GENERATED = "<!-- generated by `make docs` from here on -->\n"


def learning() -> str:
    """Return the page for learning programs, with the planes and codes of the rule-sets."""
    written = (ROOT / "docs" / "learning.md").read_text(encoding="utf-8").partition(GENERATED)[0]
    azul, crystal, sintra = (catalog.find(name) for name in ("azul", "crystal", "sintra"))
    assert azul.planes == crystal.planes
    assert azul.steps == crystal.steps
    parts = [*_learned("Azul and Crystal Mosaic", azul), *_learned(sintra.title, sintra)]
    return written + GENERATED + "\n" + "\n".join(parts)


def _learned(title: str, rules: RuleSet) -> list[str]:
    """Return the planes and codes of a game as tables."""
    found = listing(rules)
    shape = f"{found['rows']} rows, {found['columns']} columns: {found['cells']}."
    lines = [f"### {title}", "", filled(shape), ""]
    for kind, head in (("table", "the table"), ("player", "each player")):
        first = 0 if kind == "table" else len(found["table"])
        lines += [f"| plane | of {head} | cells |", "|---|---|---|"]
        lines += [
            f"| {number}{' + …' if first else ''} | `{plane['name']}` | {plane['meaning']} |"
            for number, plane in enumerate(found[kind], first)
        ]
        lines += [""]
    lines += ["| code | step |", "|---|---|"]
    code = 0
    for head, group in groupby(found["codes"], key=lambda words: words.rpartition(" ")[0]):
        ends = [words.rpartition(" ")[2] for words in group]
        last = code + len(ends) - 1
        numbers = str(code) if last == code else f"{code} to {last}"
        lines.append(f"| {numbers} | {f'{head} ' if head else ''}{', '.join(ends)} |")
        code = last + 1
    return [*lines, ""]


def documents() -> dict[str, str]:
    """Return the generated files by path."""
    return {
        "docs/commands.md": reference(),
        "docs/sintra.1": manual(),
        "docs/show.svg": picture(
            "sintra show: Stained Glass of Sintra, two players", screen("sintra-b-2.log", 110)
        ),
        "docs/azul.svg": picture(
            "sintra show: Azul with the gray wall, two players", screen("azul-gray-2.log", 114)
        ),
        "docs/table.svg": drawn("sintra-a-2.log", 110),
        "docs/table-dark.svg": drawn("sintra-a-2.log", 110, dark=True),
        "docs/table-azul.svg": drawn("azul-colored-4.log", 150),
        "docs/table-board.svg": drawn("crystal-1-2.log", 120, player=1),
        "docs/moving.svg": moving(ROOT / "docs" / "example.log", 137, 169),
        "docs/moving-dark.svg": moving(ROOT / "docs" / "example.log", 137, 169, dark=True),
        "docs/architecture.md": architecture(),
        "docs/learning.md": learning(),
    }


def stale() -> list[str]:
    """Return the paths of files that are out of date."""
    found = []
    for path, text in documents().items():
        file = ROOT / path
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            found.append(path)
    return found


def main(arguments: list[str]) -> int:
    """Write the documents, or check them."""
    if arguments not in ([], ["--check"]):
        sys.stderr.write("usage: python -m scripts.docs [--check]\n")
        return 2
    if arguments:
        old = stale()
        for path in old:
            sys.stderr.write(f"{path} is out of date: run `make docs`\n")
        return 1 if old else 0
    for path, text in documents().items():
        (ROOT / path).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
