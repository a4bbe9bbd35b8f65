"""Attacks on `sintra serve`, each with the answer that it gets; nothing is lost and the server goes on."""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="a game in the browser needs the extra web")

import sintra
from tests.kit.serving import Served, serving

SCRIPT = "</script><script>alert(1)</script>"
NAMES = [SCRIPT, "\"'`<img src=x onerror=alert(1)>", "\u202eevil\u202c\u200f", "\u6f22" * 80]
"""Names that would break out of a page, turn its words around, or be twice as wide as others."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server for a folder with a game, and things that must not be reached."""
    top = tmp_path_factory.mktemp("top")
    folder = top / "games"
    folder.mkdir()
    sintra.new(seed=1).save(folder / "game.log")
    sintra.new(seed=2).save(top / "secret.log")
    (top / "elsewhere").mkdir()
    sintra.new(seed=3).save(top / "elsewhere" / "inner.log")
    (folder / "link.log").symlink_to(top / "secret.log")
    (folder / "door").symlink_to(top / "elsewhere")
    (folder / "inside.log").symlink_to(folder / "game.log")
    os.mkfifo(folder / "pipe.log")
    (folder / "folder.log").mkdir()
    with serving(folder) as server:
        yield server
        assert server.ask("/api/table", {"log": "game.log"}).status == 200, "the server goes on"


PLAY = {"log": "game.log", "expect": 3, "seat": 1, "steps": ["pick 1 blue"]}


# -- From where --


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1", "localhost:1", ""])
def test_another_host_is_misdirected(served: Served, host: str) -> None:
    """DNS rebinding: a name of others that leads to this machine."""
    answer = served.ask("/api/menu", headers={"Host": host})
    assert answer.status == 421
    assert "this server is not" in answer.said


def test_this_machine_may_be_called_localhost(served: Served) -> None:
    assert served.ask("/api/menu", headers={"Host": f"localhost:{served.port}"}).status == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"])
def test_other_pages_are_refused(served: Served, origin: str) -> None:
    assert served.ask("/api/menu", headers={"Origin": origin}).status == 403
    answer = served.send("/api/play", PLAY, headers={"Origin": origin})
    assert (answer.status, answer.said) == (403, "requests from other pages are refused")


def test_a_request_that_changes_something_must_name_its_origin(served: Served) -> None:
    answer = served.send("/api/play", PLAY, headers={"Origin": None})
    assert (answer.status, "must name its origin" in answer.said) == (403, True)


def test_a_header_that_is_given_twice_is_refused(served: Served) -> None:
    with socket.create_connection(("127.0.0.1", served.port), timeout=10) as wire:
        host = f"Host: {served.host}\r\n"
        wire.sendall(
            f"GET /api/menu HTTP/1.1\r\n{host}Host: evil\r\nCookie: {served.cookie}\r\n\r\n".encode()
        )
        assert wire.recv(100).split()[1] == b"400"


# -- Without the secret --


@pytest.mark.parametrize("path", ["/", "/game?log=game.log", "/assets/table.js", "/api/table?log=game.log"])
@pytest.mark.parametrize("cookie", [None, "sintra=1", "nonsense; =;;", "sintra-{port}=guess"])
def test_without_the_secret_there_is_nothing(served: Served, path: str, cookie: str | None) -> None:
    answer = served.ask(path, cookie=cookie and cookie.format(port=served.port))
    assert answer.status == 403
    assert b"open the link that `sintra serve` printed" in answer.body


def test_a_wrong_secret_is_refused_and_sets_nothing(served: Served) -> None:
    for key in ("guess", "", served.secret[:-1], "%00", "\u00e9"):
        answer = served.ask("/", {"key": key or "x"}, cookie=None)
        assert (answer.status, "set-cookie" in answer.headers) == (403, False)


def test_the_secret_becomes_a_cookie_that_scripts_and_other_sites_do_not_get(served: Served) -> None:
    answer = served.ask("/game", {"log": "game.log", "key": served.secret}, cookie=None)
    assert answer.status == 200
    name, *rest = answer.headers["set-cookie"].split("; ")
    assert rest == ["HttpOnly", "SameSite=Strict", "Path=/"]
    assert name.startswith(f"sintra-{served.port}=")
    assert served.secret not in name
    assert served.secret.encode() not in answer.body
    assert b'url=/game?log=game.log"' in answer.body


def test_the_page_after_the_secret_leads_nowhere_else(served: Served) -> None:
    answer = served.ask(f"//evil.example/?key={served.secret}", cookie=None)
    assert b"evil" not in answer.body or answer.status != 200


@pytest.mark.parametrize(
    "path",
    ["/", "/assets/game.js", "/api/menu", "/nothing", "/api/table?log=no.log", "/replay?log=game.log"],
)
def test_every_answer_has_its_policy(served: Served, path: str) -> None:
    headers = served.ask(path).headers
    inline = " 'sha256-" if path.startswith("/replay") else " 'self';"
    assert headers["content-security-policy"].startswith(f"default-src 'none'; script-src{inline}")
    assert headers["content-security-policy"].endswith("; frame-ancestors 'none'")
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"
    assert "server" not in headers
    assert "access-control-allow-origin" not in headers


# -- Bodies --


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", None]
)
def test_only_json_is_read(served: Served, kind: str | None) -> None:
    answer = served.send("/api/play", PLAY, headers={"Content-Type": kind})
    assert (answer.status, answer.said) == (415, "only application/json is read")


def memory(served: Served) -> int:
    """The memory of the server, in kilobytes; 0 where that is not known."""
    try:
        lines = Path(f"/proc/{served.process.pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


@pytest.mark.parametrize("declared", [True, False])
def test_a_body_of_100_mb_is_refused_and_not_kept(served: Served, declared: bool) -> None:
    before = memory(served)
    length = "Content-Length: 104857600" if declared else "Transfer-Encoding: chunked"
    head = f"POST /api/play HTTP/1.1\r\nHost: {served.host}\r\nCookie: {served.cookie}\r\n"
    head += f"Origin: http://{served.host}\r\nContent-Type: application/json\r\n{length}\r\n\r\n"
    block = b" " * (1 << 20)
    part = block if declared else f"{len(block):x}\r\n".encode() + block + b"\r\n"
    with socket.create_connection(("127.0.0.1", served.port), timeout=10) as wire:
        wire.sendall(head.encode())
        sent = 0
        try:
            while sent < 100:
                wire.sendall(part)
                sent += 1
        except OSError:  # closed by the server, which has answered
            pass
        try:
            answer = wire.recv(1000)
        except OSError:  # its answer came before what it did not want to read
            answer = b""
    assert sent < 100
    assert answer == b"" or answer.split()[1] == b"413"
    assert memory(served) - before < 20_000


def test_a_body_that_is_declared_too_long_gets_a_clear_answer(served: Served) -> None:
    answer = served.send("/api/play", b" " * 70_000)
    assert (answer.status, answer.said) == (413, "a request may have at most 65536 bytes")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b"[" * 60_000,
        json.dumps({**PLAY, "more": 1}).encode(),
        json.dumps({**PLAY, "expect": -1}).encode(),
        json.dumps({**PLAY, "expect": 10**400}).encode(),
        json.dumps({**PLAY, "seat": "1"}).encode(),
        json.dumps({**PLAY, "steps": ["pick 1 blue"] * 21}).encode(),
        json.dumps({**PLAY, "log": 7}).encode(),
    ],
)
def test_bodies_that_make_no_sense_are_refused(served: Served, body: bytes) -> None:
    before = (served.folder / "game.log").read_bytes()
    answer = served.send("/api/play", body)
    assert (answer.status, answer.json["error"]) == (400, "usage")
    assert (served.folder / "game.log").read_bytes() == before


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"])
def test_other_methods_are_refused(served: Served, method: str) -> None:
    assert served.ask("/api/table", {"log": "game.log"}, method=method).status == 405


# -- Out of the folder --

OUTSIDE = [
    "../secret.log",
    "./../secret.log",
    "door/../../secret.log",
    "/etc/passwd",
    "//etc/passwd.log",
    "..\\secret.log",
    "game.log\0",
    "game.log/../../secret.log",
    ".hidden.log",
    "nothing.log",
    "link.log",
    "door/inner.log",
    "pipe.log",
    "folder.log",
    "game.log.bots",
    "",
    "x" * 5000 + ".log",
]


@pytest.mark.parametrize("name", OUTSIDE)
def test_nothing_outside_the_folder_is_shown_or_written(served: Served, name: str) -> None:
    for path in ("/api/table", "/api/stream", "/api/hint", "/log", "/replay", "/game"):
        assert served.ask(path, {"log": name}).status in (400, 404), path
    assert served.send("/api/play", {**PLAY, "log": name}).status in (400, 404)
    for said in (served.ask("/api/table", {"log": name}).said,):
        assert str(served.folder) not in said


@pytest.mark.parametrize(
    "name", ["../new.log", "door/new.log", "/tmp/new.log", ".new.log", "no/new.log", "new.txt"]
)
def test_no_log_is_made_outside_the_folder(served: Served, name: str) -> None:
    wish = {"log": name, "rules": "azul", "seats": [{"name": "Ada"}, {"name": "Ben"}]}
    before = sorted(served.folder.parent.rglob("*"))
    assert served.send("/api/new", wish).status == 400
    assert sorted(served.folder.parent.rglob("*")) == before


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("game.txt", "it must end in .log"),
        ("../secret.log", "no part of it may be empty or start with a dot"),
        ("..\\secret.log", "no part of it may be empty or start with a dot"),
        ("a\\b.log", "it has a quote, a backslash or a control character"),
        ("x" * 200 + ".log", "it has more than 200 bytes"),
    ],
)
def test_a_name_that_is_refused_is_told_why(served: Served, name: str, why: str) -> None:
    said = served.ask("/api/table", {"log": name}).said
    assert said == f"{name[:80]!r} can't be the name of a log: {why}"


def test_a_link_within_the_folder_is_followed(served: Served) -> None:
    assert served.ask("/api/table", {"log": "inside.log"}).status == 200


@pytest.mark.parametrize(
    "path", ["/assets/..%2fapp.py", "/assets/../app.py", "/assets/replay.js", "/assets/%00"]
)
def test_only_the_files_of_the_pages_are_sent(served: Served, path: str) -> None:
    assert served.ask(path).status == 404


def test_the_menu_says_what_is_wrong_with_a_log_and_shows_the_others(served: Served) -> None:
    listed = {game["log"]: game["error"] for game in served.ask("/api/menu").json["games"]}
    assert listed["game.log"] == ""
    assert listed["link.log"] == "link.log leads out of the folder"


# -- Many, and strange --


def test_more_streams_than_there_may_be_are_refused_clearly(served: Served) -> None:
    with ExitStack() as stack:
        streams = [stack.enter_context(served.stream("game.log")) for _ in range(200)]
        statuses = [stream.status for stream in streams]
        assert statuses == [200] * 64 + [503] * 136
        refusal = json.loads(streams[-1].response.read())
        assert refusal["message"] == "64 browsers are watching already; close one of them, and try again"
        assert served.ask("/api/table", {"log": "game.log"}).status == 200
    for _ in range(100):
        with served.stream("game.log") as again:
            if again.status == 200:
                break
    assert again.status == 200, "those who left make room"


def test_browsers_that_leave_in_the_middle_do_no_harm(served: Served) -> None:
    """A write to a connection that is gone must not end the server."""
    ask = f"GET /api/table?log=game.log HTTP/1.1\r\nHost: {served.host}\r\nCookie: {served.cookie}\r\n\r\n"
    for attempt in range(40):
        with socket.create_connection(("127.0.0.1", served.port), timeout=10) as wire:
            wire.sendall(ask.encode() * 4)
            time.sleep(attempt % 10 * 0.0007)
            with suppress(OSError):
                wire.shutdown(socket.SHUT_WR)
    assert served.ask("/api/table", {"log": "game.log"}).status == 200


@pytest.mark.parametrize("name", NAMES)
def test_names_and_notes_stay_text(served: Served, name: str) -> None:
    log = f"name-{NAMES.index(name)}.log"
    game = sintra.new(players=["Ada", "Ben"], seed=1)
    lines = game.dumps().replace('"Ada"', json.dumps(name, ensure_ascii=False))
    game = sintra.loads(lines)
    game.note(f"{name} {SCRIPT}")
    game.save(served.folder / log)
    answer = served.ask("/api/table", {"log": log})
    assert answer.headers["content-type"] == "application/json"
    assert "\u202e" not in answer.body.decode()
    assert b"<script>alert" not in served.ask("/game", {"log": log}).body
    page = served.ask("/replay", {"log": log})
    assert page.status == 200
    assert b"<script>alert" not in page.body
    assert b"<img" not in page.body


def test_a_name_of_a_file_stays_text(served: Served) -> None:
    answer = served.ask("/game", {"log": f"{SCRIPT}.log"})
    assert answer.status in (400, 404)
    assert b"<script>alert" not in answer.body


def test_a_new_game_with_names_that_can_not_be_printed_is_refused(served: Served) -> None:
    for name in ("a\nb", "\x1b[31mAda", "", " ", "x" * 81):
        wish = {"log": "names.log", "rules": "azul", "seats": [{"name": name}, {"name": "Ben"}]}
        assert served.send("/api/new", wish).status == 400
    assert not (served.folder / "names.log").exists()
