"""`sintra serve`, run as a process, and a browser's requests to it by hand."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

from tests.kit.program import PATIENCE, SINTRA, environment


class Answer(NamedTuple):
    """An answer: its status, its headers by name in small letters, and its body."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)

    @property
    def said(self) -> str:
        """The message of a refusal."""
        return str(self.json["message"])


class Served:
    """A server under test, and a browser that was let in."""

    def __init__(self, process: subprocess.Popen[str], link: str, folder: Path) -> None:
        self.process, self.link, self.folder = process, link, folder
        parts = urlsplit(link)
        self.host, self.secret = parts.netloc, parts.query.removeprefix("key=")
        self.port = int(parts.port or 0)
        welcome = self.ask(f"/?{parts.query}", cookie=None)
        self.cookie = welcome.headers["set-cookie"].partition(";")[0]

    cookie: str | None = None

    def connect(self) -> HTTPConnection:
        """A new connection."""
        return HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)

    def ask(
        self,
        path: str,
        query: Mapping[str, object] | None = None,
        *,
        method: str = "GET",
        body: bytes | None = None,
        headers: Mapping[str, str | None] | None = None,
        cookie: str | None = "",
    ) -> Answer:
        """Make a request and return its answer; a header that is None is left out."""
        whole: dict[str, str | None] = {"Host": self.host}
        whole["Cookie"] = self.cookie if cookie == "" else cookie
        whole |= dict(headers or {})
        connection = self.connect()
        try:
            address = path if query is None else f"{path}?{urlencode(query)}"
            kept = {name: value for name, value in whole.items() if value is not None}
            connection.request(method, address, body, kept)
            response = connection.getresponse()
            return Answer(response.status, _small(response), response.read())
        finally:
            connection.close()

    def send(self, path: str, body: object, **more: Any) -> Answer:
        """Make a request of a page of ours that changes something."""
        headers = {"Content-Type": "application/json", "Origin": f"http://{self.host}"}
        headers |= more.pop("headers", {})
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.ask(path, method="POST", body=data, headers=headers, **more)

    @contextmanager
    def stream(self, log: str, last: int | None = None, **query: object) -> Iterator[Stream]:
        """Open a stream of events."""
        connection = self.connect()
        headers = {"Host": self.host, "Cookie": self.cookie or ""}
        if last is not None:
            headers["Last-Event-ID"] = str(last)
        try:
            connection.request("GET", f"/api/stream?{urlencode({'log': log, **query})}", None, headers)
            yield Stream(connection.getresponse())
        finally:
            connection.close()

    def end(self) -> tuple[int, str]:
        """End the server as Ctrl-C does; return its exit code and what it said on standard error."""
        self.process.send_signal(signal.SIGINT)
        _, said = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, said


class Stream:
    """Server-sent events, one after the other."""

    def __init__(self, response: HTTPResponse) -> None:
        self.response = response
        self.status = response.status

    def next(self) -> tuple[str, int | None, Any]:
        """The next event: its kind, its number, and its data."""
        found: dict[str, str] = {}
        while True:
            line = self.response.readline().decode()
            assert line, "the stream has ended"
            key, _, value = line.rstrip("\n").partition(": ")
            if key:
                found[key] = value
            elif "data" in found:
                number = int(found["id"]) if "id" in found else None
                return found["event"], number, json.loads(found["data"])
            else:
                found = {}


def _small(response: HTTPResponse) -> dict[str, str]:
    return {name.lower(): value for name, value in response.getheaders()}


@contextmanager
def serving(folder: Path, *options: str, path: Path | None = None) -> Iterator[Served]:
    """Run the server for a folder, or for a log of it."""
    where = [] if options and not options[0].startswith("-") else [str(path or folder)]
    command = [SINTRA, "serve", *where, *options, "--port", "0"]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment({"BROWSER": "true"}),  # `--open` opens nothing
        cwd=folder,
    )
    assert process.stdout is not None
    try:
        link = process.stdout.readline().strip()
        if not link:
            raise AssertionError(process.communicate()[1])
        served = Served(process, link, folder)
        yield served
        if process.poll() is None:
            code, said = served.end()
            assert "Traceback" not in said, said
            assert code in (0, 130), said
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()
