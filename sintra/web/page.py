"""Pages as text: self-contained HTML documents, in which text from a game can't break out of its place."""

from __future__ import annotations

import os
from base64 import b64encode
from functools import cache
from hashlib import sha256
from html import escape

import msgspec

from sintra.log import files
from sintra.text import safe

ASSETS = os.path.join(os.path.dirname(__file__), "assets")
BREAKERS = {"<": "\\u003c", "\u2028": "\\u2028", "\u2029": "\\u2029"}
"""Characters that must be escaped in a script element; in JSON, they only occur in strings."""


@cache
def asset(name: str) -> str:
    """Return a file of `assets` as text, without indentation, empty lines and comment lines."""
    lines = map(str.strip, files.read_whole(os.path.join(ASSETS, name)).decode().splitlines())
    return "".join(f"{line}\n" for line in lines if line and not line.startswith("//"))


def text(words: str) -> str:
    """Return text as HTML: control characters are shown as escapes, and nothing is markup."""
    return escape(safe(words))


def embedded(value: object) -> str:
    """Return a value as JSON, escaped for a script element."""
    data = msgspec.json.encode(value).decode()
    for sign, written in BREAKERS.items():
        data = data.replace(sign, written)
    return data


def document(
    title: str, body: str, *, style: str = "", script: str = "", data: object = None, mark: str = ""
) -> str:
    """Return a page that loads nothing: only this style and this script are allowed, by their hashes.

    `data` is in the element `data`; `mark` is a comment by which the program knows its own pages.
    """
    comment = f"<!-- {mark} -->\n" if mark else ""
    held = (
        f'<script type="application/json" id="data">{embedded(data)}</script>\n' if data is not None else ""
    )
    code = f"<script>{script}</script>\n" if script else ""
    return (
        f'<!doctype html>\n{comment}<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy(style, script)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{text(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}\n{held}{code}</body>\n</html>\n"
    )


def beginning(mark: str) -> bytes:
    """Return the start of every page with a mark."""
    return document("", "", mark=mark).partition("<html")[0].encode()


def policy_of(page: str) -> str:
    """Return the policy that stands in a page of `document`, for its header."""
    return page.partition('Content-Security-Policy" content="')[2].partition('"')[0]


def policy(style: str, script: str) -> str:
    """Return the Content-Security-Policy of a page with this style and this script, and nothing else."""
    scripts = hash_of(script) if script else "'none'"
    own = f"script-src {scripts}; style-src {hash_of(style)}"
    return f"default-src 'none'; {own}; base-uri 'none'; form-action 'none'"


def hash_of(inline: str) -> str:
    """Return the source expression of an inline script or style in a Content-Security-Policy."""
    return f"'sha256-{b64encode(sha256(inline.encode()).digest()).decode()}'"
