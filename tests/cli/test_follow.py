"""Following a log: events are told as others add them, whole, and until the game is over."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import pty
import select
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import Mock

import pytest

import sintra
from sintra.errors import Conflict, DamagedLog, Unreadable
from sintra.log import files
from tests.kit.program import PATIENCE, SINTRA, environment, fresh, played, run

pytestmark = pytest.mark.process

PICK = b'{"type":"picked","player":1,"source":3,"color":"orange"}\n'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A game that nobody has moved in."""
    path = tmp_path / "game.log"
    path.write_bytes(fresh())
    return path


def add(path: Path, data: bytes) -> bool:
    """Others add to a log; there may be more."""
    with path.open("ab") as file:
        file.write(data)
    return True


def seldom(pause: Callable[[], bool]) -> Callable[[], bool]:
    """A pause that is not made again and again: who would wait for ever fails."""
    times = iter(range(9))
    return lambda: pause() if next(times, None) is not None else pytest.fail("it waits for ever")


def test_lines_come_as_they_are_added(path: Path) -> None:
    more = iter([PICK, b'{"type":"noted","text":"x"}\n'])
    blocks = files.read(path, seldom(lambda: add(path, next(more))))
    assert [next(blocks), next(blocks), next(blocks)] == [fresh(), PICK, b'{"type":"noted","text":"x"}\n']


def test_a_file_that_is_not_followed_has_an_end(path: Path) -> None:
    assert list(files.read(path)) == [fresh()]


@pytest.mark.parametrize("what", ["replaced", "deleted", "emptied", "rewritten"])
def test_a_log_that_is_not_the_same_any_more_is_a_conflict(what: str, path: Path) -> None:
    def disturb() -> bool:
        if what == "replaced":
            other = path.with_suffix(".new")
            other.write_bytes(fresh() + PICK)
            other.replace(path)
        elif what == "deleted":
            path.unlink(missing_ok=True)
        else:
            path.write_bytes(b"" if what == "emptied" else fresh(7) + PICK)
        return True

    blocks = files.read(path, seldom(disturb))
    assert next(blocks) == fresh()
    with pytest.raises(Conflict, match=r"replaced or deleted|changed while it was being read"):
        next(blocks)


def test_a_torn_line_that_nobody_completes_is_told(path: Path) -> None:
    add(path, PICK[:20])
    blocks = files.read(path, lambda: pytest.fail("it waits for ever"))
    assert next(blocks) == fresh()
    with pytest.raises(DamagedLog, match="torn"):
        next(blocks)


def test_what_was_added_before_a_log_was_moved_is_read(path: Path) -> None:
    def archived() -> bool:
        add(path, PICK)
        path.rename(path.with_suffix(".done"))
        return True

    blocks = files.read(path, seldom(archived))
    assert [next(blocks), next(blocks)] == [fresh(), PICK]
    with pytest.raises(Conflict, match="replaced or deleted"):
        next(blocks)


def test_a_log_that_was_told_to_its_end_may_be_moved(path: Path) -> None:
    """Whoever has seen all that they wanted does not care where it went."""
    wanted = iter([True, False])

    def archived() -> bool:
        if path.exists():
            path.rename(path.with_suffix(".done"))
        return next(wanted)

    assert list(files.read(path, seldom(archived))) == [fresh()]


def test_a_folder_that_nobody_may_look_into_is_no_conflict(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = files.read(path, seldom(lambda: True))
    assert next(blocks) == fresh()
    refused = PermissionError(errno.EACCES, "Permission denied")
    monkeypatch.setattr(os, "stat", Mock(side_effect=refused))
    with pytest.raises(Unreadable, match=f"can't read {path}: permission denied"):
        next(blocks)


def test_every_half_written_line_is_waited_for(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is put back, and after a while another that becomes whole."""
    steps = iter([b"", PICK])
    flock = fcntl.flock

    def ended(fd: int, operation: int) -> None:
        flock(fd, operation)
        if operation == fcntl.LOCK_SH:  # the writer came to its end, with nothing or with a line
            path.write_bytes(fresh() + next(steps))

    monkeypatch.setattr(fcntl, "flock", ended)
    blocks = files.read(path, seldom(lambda: add(path, PICK[:10])))
    assert [next(blocks), next(blocks)] == [fresh(), PICK]


def test_a_half_written_line_right_after_another_is_waited_for(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One writer ends its line, and the next has begun before that is read."""
    note = b'{"type":"noted","text":"x"}\n'
    steps = iter([PICK[20:] + note[:10], note[10:]])
    flock = fcntl.flock

    def ended(fd: int, operation: int) -> None:
        flock(fd, operation)
        if operation == fcntl.LOCK_SH:
            add(path, next(steps))

    monkeypatch.setattr(fcntl, "flock", ended)
    add(path, PICK[:20])
    assert list(files.read(path)) == [fresh(), PICK, note]


# -- The command -----------------------------------------------------------------------------


@contextmanager
def following(path: Path, *more: str) -> Iterator[subprocess.Popen[bytes]]:
    words = [SINTRA, "replay", str(path), "--follow", *more]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdout=pipe, stderr=pipe, env=environment()) as process:
        try:
            yield process
        finally:
            process.kill()


def lines(process: subprocess.Popen[bytes]) -> Iterator[bytes]:
    assert process.stdout is not None
    return iter(process.stdout.readline, b"")


def complaint(process: subprocess.Popen[bytes]) -> str:
    assert process.stderr is not None
    return process.stderr.read().decode()


def test_a_game_is_told_while_others_play_it(path: Path) -> None:
    """Every line is there before the next command is given, also in a pipe."""
    with following(path, "--json") as process:
        told = lines(process)
        assert [json.loads(next(told))["number"] for _ in range(3)] == [1, 2, 3]
        run("move", path, "pick", "3", "orange", "place", "2")
        assert [json.loads(next(told))["event"]["type"] for _ in range(2)] == ["picked", "placed"]
        run("undo", path)
        assert json.loads(next(told))["event"] == {"type": "undone", "events": 1}
        process.send_signal(signal.SIGINT)
        assert (process.wait(PATIENCE), complaint(process)) == (130, "")


def test_it_ends_with_the_game(path: Path) -> None:
    whole = played()
    path.write_bytes(b"".join(whole.splitlines(keepends=True)[:-3]))
    with following(path) as process:
        told = lines(process)
        before = [next(told) for _ in range(whole.count(b"\n") - 3)]
        add(path, b"".join(whole.splitlines(keepends=True)[-3:]))
        assert b"".join([*before, *told]).decode() == run("replay", path).out
        assert process.wait(PATIENCE) == 0
    with following(path, "-q") as process:
        assert (process.wait(PATIENCE), list(lines(process))) == (0, [])


def test_a_game_that_goes_on_after_its_end_is_told_on(path: Path) -> None:
    """The end was taken back; and what was noted after the end is told, too."""
    path.write_bytes(played())
    run("undo", path)
    run("note", path, "once more")
    run("move", path, "--auto", *run("legal", path).lines[0].split())
    with following(path, "--to", str(played().count(b"\n") + 3)) as process:
        assert (process.wait(PATIENCE), len(list(lines(process)))) == (0, played().count(b"\n") + 3)
    path.write_bytes(played())
    run("note", path, "well played")
    with following(path) as process:
        assert (process.wait(PATIENCE), b"".join(lines(process)).decode()) == (0, run("replay", path).out)


def test_it_ends_when_nobody_reads_any_more(path: Path) -> None:
    script = f"{SINTRA} replay {path} --follow | head -n 3"
    done = subprocess.run(
        ["sh", "-c", script], capture_output=True, env=environment(), timeout=PATIENCE, check=True
    )
    assert done.stdout.count(b"\n") == 3


def test_it_ends_when_nobody_is_at_the_other_end_of_a_socket(path: Path) -> None:
    ours, theirs = socket.socketpair()
    words = [SINTRA, "replay", str(path), "--follow"]
    with subprocess.Popen(words, stdout=theirs.fileno(), env=environment()) as process:
        theirs.close()
        with ours, ours.makefile("rb") as told:
            assert [next(told)[:4] for _ in range(3)] == [b"   1", b"   2", b"   3"]
        assert process.wait(PATIENCE) == 0


@pytest.mark.parametrize(
    "words", ["replay --follow --plain", "replay --follow -q", "replay --follow", "play"]
)
def test_it_ends_when_its_terminal_is_gone(words: str, path: Path) -> None:
    """Also where no signal says so, as after `nohup` or `setsid`."""
    main, side = pty.openpty()
    command, *more = words.split()
    with subprocess.Popen(
        [SINTRA, command, str(path), *more],
        stdin=side,
        stdout=side,
        stderr=side,
        env=environment({"TERM": "xterm"}),
        start_new_session=True,
    ) as process:
        os.close(side)
        while select.select([main], [], [], 1.0)[0]:
            os.read(main, 65536)  # until it waits
        os.close(main)
        try:
            assert process.wait(PATIENCE / 4) in (0, 4)
        finally:
            process.kill()


def test_what_is_illegal_ends_it(path: Path) -> None:
    with following(path) as process:
        add(path, PICK + PICK)
        assert process.wait(PATIENCE) == 4
        assert "line 5" in complaint(process)


def test_following_has_its_own_pace(path: Path) -> None:
    for more in (["--delay", "1"], ["--step"]):
        assert "be combined with --delay or --step" in run("replay", path, "--follow", *more, code=2).err


def test_a_pipe_is_followed_to_its_end(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with following(tmp_path / "pipe") as process:
        with (tmp_path / "pipe").open("wb") as pipe:
            pipe.write(sintra.new(seed=1).dumps().encode())
        assert process.wait(PATIENCE) == 0
