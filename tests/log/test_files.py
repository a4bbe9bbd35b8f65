"""Lines and files: what is written, what is read, and what is refused."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import sintra
from sintra.errors import Conflict, DamagedLog, UnknownFormat, UnknownRules, Unreadable, UsageError
from sintra.log import files, limits, writing
from sintra.log.codec import encode_line, encode_lines
from sintra.log.events import Noted

GOOD = sintra.new(seed=42)
TEXT = GOOD.dumps()
ENGINE = f'"engine":"{sintra.__version__}"'
LINES = TEXT.splitlines(keepends=True)
PICK = '{"type":"picked","player":1,"source":3,"color":"orange"}\n'


def test_lines_are_compact_and_in_the_documented_order() -> None:
    game = GOOD.copy()
    game.play("pick 3 orange place 2 pick center pink")
    game.note("schön ☕")
    assert game.dumps().splitlines() == [
        '{"type":"created","format":1,"rules":"sintra","options":{"side":"A","floor_at_zero":false},'
        '"players":["Player 1","Player 2"],"chance":"seeded","seed":42,' + ENGINE + "}",
        LINES[1].rstrip(),
        '{"type":"dealt","round":1,"displays":[["yellow","blue","blue","pink"],["pink","orange","blue","clear"],'
        '["orange","orange","pink","clear"],["yellow","yellow","orange","yellow"],["yellow","blue","blue","blue"]]}',
        '{"type":"picked","player":1,"source":3,"color":"orange"}',
        '{"type":"placed","player":1,"strip":2}',
        '{"type":"picked","player":2,"source":0,"color":"pink"}',
        '{"type":"noted","text":"schön ☕"}',
    ]
    arranged = LINES[1]
    keys = ["indicator", "strips", "windows", "broken"]
    assert sorted(keys, key=lambda key: arranged.index(f'"{key}"')) == keys
    assert arranged.startswith('{"type":"arranged","indicator":[')


def test_without_a_seed_null_is_written() -> None:
    assert '"chance":"system","seed":null' in sintra.new(chance="system").dumps()


def test_events_are_immutable_values() -> None:
    event = GOOD.events[2]
    with pytest.raises(AttributeError):
        event.round = 2  # type: ignore[attr-defined]
    assert hash(event) == hash(sintra.loads(TEXT).events[2])


def test_any_spacing_and_order_of_keys_is_read() -> None:
    spaced = ' { "color" : "orange", "source":3,\t"type":"picked","player":1 } \r\n'
    assert sintra.loads(TEXT + spaced).events[-1] == sintra.loads(TEXT + PICK).events[-1]


@pytest.mark.parametrize(
    ("line", "field", "complaint"),
    [
        ('{"type":"jumped","player":1}', "type", "unknown event 'jumped'"),
        ('{"player":1}', "type", "missing"),
        ('{"type":"picked","player":1,"source":3}', "color", "missing"),
        ('{"type":"picked","player":1,"source":3,"color":"orange","x":1}', "x", "unknown field"),
        (
            '{"type":"picked","player":"1","source":3,"color":"orange"}',
            "player",
            "expected a whole number, got text",
        ),
        (
            '{"type":"picked","player":1.0,"source":3,"color":"orange"}',
            "player",
            "expected a whole number, got a fraction",
        ),
        (
            '{"type":"picked","player":true,"source":3,"color":"orange"}',
            "player",
            "expected a whole number, got true or false",
        ),
        (
            '{"type":"picked","player":null,"source":3,"color":"orange"}',
            "player",
            "expected a whole number, got null",
        ),
        ('{"type":"picked","player":0,"source":3,"color":"orange"}', "player", ">= 1"),
        ('{"type":"picked","player":1,"source":10,"color":"orange"}', "source", "<= 9"),
        ('{"type":"picked","player":1,"source":3,"color":"red"}', "color", "not one of blue, clear"),
        ('{"type":"picked","player":1,"source":3,"color":"Orange"}', "color", "not one of blue, clear"),
        ('{"type":"placed","player":1,"strip":9}', "strip", "<= 8"),
        ('{"type":"placed","player":1,"line":2}', "line", "unknown field"),
        ('{"type":"tiled","player":1,"row":1,"column":1}', "type", "unknown event 'tiled'"),
        ('{"type":"undone","events":0}', "events", ">= 1"),
        ('{"type":"noted","text":7}', "text", "expected text"),
        ('{"type":"picked","player":1,"source":3,"color":"pink"}{}', None, "not JSON"),
        ('{"type":"noted","text":7,"text":"x"}', "text", "expected text"),
        ('{"type":"picked","type":"noted","text":"x"}', "type", "occurs twice"),
        ("[1,2]", None, "expected an object, got a list"),
        ("", None, "empty line"),
        ("   ", None, "empty line"),
        ("hello", None, "not JSON"),
        ('{"type":"picked"', None, "not JSON"),
    ],
)
def test_a_bad_line_is_named_with_its_field(line: str, field: str | None, complaint: str) -> None:
    with pytest.raises(DamagedLog) as caught:
        sintra.loads(TEXT + line + "\n" + PICK)
    assert (caught.value.line, caught.value.field) == (4, field)
    assert complaint in caught.value.message
    assert str(caught.value).startswith("line 4")


def test_text_that_is_not_utf8_is_named() -> None:
    with pytest.raises(DamagedLog, match="line 4: not UTF-8"):
        sintra.loads(TEXT.encode() + b'{"type":"noted","text":"\xff"}\n')
    with pytest.raises(DamagedLog, match="line 1: not a sintra log: not UTF-8"):
        sintra.loads(b'{"type":"cre\xffated","format":1,"rules":"sintra"}\n')


@pytest.mark.parametrize(
    ("old", "new", "error", "complaint"),
    [
        ('"format":1', '"format":2', UnknownFormat, "format 2.*update sintra"),
        ('"format":1', '"format":0', UnknownFormat, "format 0.*sintra convert"),
        ('"format":1', '"format":"1"', DamagedLog, "field format"),
        ('"rules":"sintra"', '"rules":"ludo"', UnknownRules, "'ludo'"),
        ('"side":"A"', '"side":"C"', DamagedLog, "field options: side can't be C"),
        ('"floor_at_zero":false', '"floor_at_zero":0', DamagedLog, "floor_at_zero can't be 0"),
        ('"seed":42', '"seed":null', DamagedLog, "field seed"),
        ('"seed":42', '"seed":9007199254740992', DamagedLog, "field seed"),
        ('"seed":42', '"seed":-1', DamagedLog, "field seed"),
        ('"chance":"seeded"', '"chance":"table"', DamagedLog, "field seed"),
        ('"chance":"seeded"', '"chance":"dice"', DamagedLog, "field chance"),
        ('["Player 1","Player 2"]', '["A","A"]', DamagedLog, "same name"),
        ('["Player 1","Player 2"]', '["A"]', DamagedLog, "field players"),
        ('["Player 1","Player 2"]', '["A",""]', DamagedLog, r"field players\[1\]"),
        ('["Player 1","Player 2"]', '["A","B","C","D","E"]', DamagedLog, "field players"),
        (
            '"type":"created"',
            '"type":"noted"',
            DamagedLog,
            "not a sintra log: it starts with `noted`, not `created`",
        ),
        (ENGINE, ENGINE + ',"x":1', DamagedLog, "field x: unknown field"),
        ("," + ENGINE, "", DamagedLog, "field engine: missing field"),
    ],
)
def test_a_bad_first_line_is_refused(old: str, new: str, error: type[Exception], complaint: str) -> None:
    assert old in LINES[0]
    with pytest.raises(error, match=complaint):
        sintra.loads(TEXT.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('"indicator":["clear","orange"', '"indicator":["clear","clear"', "must show each color once"),
        ('"windows":[2,', '"windows":[', "field windows"),
        ('"windows":[2,', '"windows":[-2,', "field windows"),
        ('"broken":[0,-1', '"broken":[0,-2', "the track must fall from 0 to -18"),
        (",-18]", "]", "the track must fall from 0 to -18"),
        (
            '"down":["blue","joker","orange","blue","joker"]',
            '"down":["blue","pink","orange","blue","joker"]',
            "two jokers",
        ),
        ('"up":["orange","yellow"', '"up":["yellow","yellow"', "must have the same strips as player 1"),
    ],
)
def test_a_bad_arrangement_is_refused(old: str, new: str, complaint: str) -> None:
    assert old in LINES[1]
    with pytest.raises(DamagedLog, match=complaint) as caught:
        sintra.loads(TEXT.replace(old, new, 1))
    assert caught.value.line == 2


def test_the_joker_side_starts_face_down() -> None:
    down = '"down":["blue","joker","orange","blue","joker"]'
    up = '{"up":["clear","pink","orange","clear","orange"],'
    flipped = (
        '{"up":["blue","joker","orange","blue","joker"],"down":["clear","pink","orange","clear","orange"]'
    )
    with pytest.raises(DamagedLog, match="joker side must start face down"):
        sintra.loads(TEXT.replace(up + down, flipped))


def test_the_arrangement_is_for_all_players() -> None:
    three = sintra.new("sintra", 3, seed=42).dumps().splitlines(keepends=True)
    with pytest.raises(DamagedLog, match="expected strips for 2 players, not 3"):
        sintra.loads(LINES[0] + three[1])


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ('{"type":"picked","player":1,"source":3,"color":"pink"}', None),
        (
            '{"type":"picked","player":1,"source":3,"color":"blue"}',
            "display 3 has no blue; it has clear, 2 orange and pink",
        ),
        ('{"type":"picked","player":1,"source":0,"color":"blue"}', "the center is empty"),
        (
            '{"type":"picked","player":1,"source":6,"color":"blue"}',
            "no display 6: 2 players have 5 displays (R1)",
        ),
        ('{"type":"placed","player":1,"strip":1}', "nothing in hand"),
        ('{"type":"kept","player":1,"color":"blue"}', "no strip is complete"),
        ('{"type":"returned","player":1}', "already above the leftmost strip, 1 (S7)"),
    ],
)
def test_an_illegal_event_is_named_with_the_reason(line: str, complaint: str | None) -> None:
    text = TEXT + line + "\n"
    if complaint is None:
        sintra.loads(text)
        return
    with pytest.raises(DamagedLog) as caught:
        sintra.loads(text)
    assert complaint in str(caught.value)
    assert caught.value.line == 4


def test_jokers_are_written_only_beyond_the_least() -> None:
    with pytest.raises(DamagedLog) as caught:
        sintra.loads(TEXT + PICK + '{"type":"placed","player":1,"strip":2,"jokers":0}\n')
    assert (caught.value.line, caught.value.field) == (5, "jokers")


# -- Files --


@pytest.fixture
def path(tmp_path: Path) -> Path:
    GOOD.save(tmp_path / "game.log")
    return tmp_path / "game.log"


def test_a_log_is_read_in_blocks_of_whole_lines(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "READ_BYTES", 100)
    blocks = list(files.read(path))
    assert len(blocks) > 1
    assert b"".join(blocks) == TEXT.encode()
    assert all(block.endswith(b"\n") for block in blocks)
    assert sintra.load(path).dumps() == TEXT


def test_a_torn_line_is_named_with_line_and_byte() -> None:
    with pytest.raises(DamagedLog, match=f"line 4: the last line is torn: .* from byte {len(TEXT) + 1} on"):
        sintra.loads(TEXT + PICK[:20])


def test_an_empty_log_is_no_log() -> None:
    with pytest.raises(DamagedLog, match="the log is empty"):
        sintra.loads("")


def test_a_line_has_a_limit() -> None:
    with pytest.raises(DamagedLog, match="longer than 65536 bytes"):
        sintra.loads(TEXT + "x" * 1_000_000)


def test_what_cant_be_opened_is_told(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="no such file"):
        sintra.load(tmp_path / "none.log")
    with pytest.raises(Unreadable, match="is a directory"):
        sintra.load(tmp_path)
    with pytest.raises(Unreadable, match="no such file"):
        sintra.load("a\0b")


def test_append_adds_whole_lines(path: Path) -> None:
    with writing.Appender(path) as file:
        assert b"".join(file.read()) == TEXT.encode()
        file.append(PICK.encode())
        file.append(encode_line(Noted("twice")))
    assert path.read_text() == TEXT + PICK + '{"type":"noted","text":"twice"}\n'


def test_append_through_a_symbolic_link(path: Path) -> None:
    link = path.parent / "link.log"
    link.symlink_to(path)
    with writing.Appender(link, sync=False) as file:
        list(file.read())
        file.append(PICK.encode())
    assert path.read_text() == TEXT + PICK
    assert link.is_symlink()


def test_a_locked_log_is_a_conflict(path: Path) -> None:
    with path.open("rb") as holder:
        fcntl.flock(holder, fcntl.LOCK_EX)
        with pytest.raises(Conflict, match="is locked"), writing.Appender(path):
            pass
    with writing.Appender(path):
        pass


def test_a_log_that_was_changed_in_place_is_a_conflict(path: Path) -> None:
    """As by `dd conv=notrunc`: the length is the same, and so may be the time."""
    times = path.stat()
    with writing.Appender(path) as file:
        list(file.read())
        with path.open("r+") as other:
            other.seek(TEXT.index("Player 1") + 7)
            other.write("X")
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
        with pytest.raises(Conflict, match="changed while it was being read"):
            file.append(PICK.encode())
    assert path.read_text() == TEXT.replace("Player 1", "Player X", 1)


def test_what_was_appended_is_no_change_of_others(path: Path) -> None:
    with writing.Appender(path) as file:
        list(file.read())
        file.append(PICK.encode())
        file.append(b"")
        file.append(PICK.encode())
    assert path.read_text() == TEXT + PICK + PICK


def test_a_log_that_grew_meanwhile_is_a_conflict(path: Path) -> None:
    with writing.Appender(path) as file:
        list(file.read())
        with path.open("a") as other:
            other.write(PICK)
        with pytest.raises(Conflict, match="changed while it was being read"):
            file.append(PICK.encode())
    assert path.read_text() == TEXT + PICK


def test_a_log_that_was_deleted_meanwhile_is_a_conflict(path: Path) -> None:
    with writing.Appender(path) as file:
        list(file.read())
        path.unlink()
        with pytest.raises(Conflict, match="no longer exists") as caught:
            file.append(PICK.encode())
    assert caught.value.exit_code == 5
    assert not path.exists()


def test_a_failed_write_leaves_the_log_as_it_was(path: Path) -> None:
    """At a file-size limit the system writes a part and then refuses."""
    pid = os.fork()
    if pid == 0:  # pragma: no cover - another process
        import resource

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(TEXT) + 10, len(TEXT) + 10))
        code = 1
        try:
            with writing.Appender(path) as file:
                list(file.read())
                file.append(PICK.encode())
        except Unreadable as error:
            code = 0 if "the log is unchanged" in str(error) else 2
        os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert path.read_text() == TEXT


def test_the_reason_for_a_short_write_is_the_systems(path: Path) -> None:
    limit = len(TEXT) + 10
    script = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit})); "
    script += "from sintra.cli import main; main()"
    words = [sys.executable, "-c", script, "move", str(path), "pick", "3", "orange"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 4
    assert "file too large; the log is unchanged" in done.stderr


def test_putting_back_cuts_off_only_what_was_written_here(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that takes no lock may write after us; its line stays, and that is told."""

    def stranger(fd: int) -> None:
        os.write(fd, PICK.encode())
        raise OSError(5, "Input/output error")

    with writing.Appender(path) as file:
        list(file.read())
        monkeypatch.setattr(os, "fsync", stranger)
        with pytest.raises(Unreadable, match="another program wrote to it at the same time"):
            file.append(PICK.encode())
    assert path.read_text() == TEXT + PICK + PICK


def test_a_reader_that_waited_keeps_nobody_waiting(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It met a half-written line; as soon as that is read, writers have the log again."""
    path.write_text(TEXT + PICK[:20])
    flock = fcntl.flock

    def waited(fd: int, operation: int) -> None:
        flock(fd, operation)
        if operation == fcntl.LOCK_SH:  # meanwhile, its writer came to the end
            with path.open("a") as file:
                file.write(PICK[20:])

    monkeypatch.setattr(fcntl, "flock", waited)
    reading = files.read(path)
    assert (next(reading).decode(), next(reading).decode()) == (TEXT, PICK)
    with writing.Appender(path) as file:
        assert b"".join(file.read()).decode() == TEXT + PICK
    assert list(reading) == []


def test_only_ordinary_files_are_appended_to(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="not a regular file"), writing.Appender("/dev/null"):
        pass
    with pytest.raises(Unreadable, match="no such file"), writing.Appender(tmp_path / "none"):
        pass


def test_a_folder_that_cant_be_synced_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """But for systems that can't do that with folders."""
    real = os.fsync
    for number, complaint in ((5, "may lose it: input/output error"), (22, None)):

        def failing(fd: int, number: int = number) -> None:
            if os.path.isdir(f"/proc/self/fd/{fd}"):
                raise OSError(number, os.strerror(number))
            real(fd)

        monkeypatch.setattr(os, "fsync", failing)
        path = tmp_path / f"{number}.log"
        if complaint is None:
            writing.create(path, b"x\n")
        else:
            with pytest.raises(Unreadable, match=complaint):
                writing.create(path, b"x\n")
        assert path.read_bytes() == b"x\n"


@pytest.mark.parametrize("number", [errno.EACCES, errno.EPERM])
def test_a_folder_that_nobody_may_read_has_room_for_a_new_log(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = os.open

    def refusing(path: str, flags: int, mode: int = 0o777) -> int:
        if os.path.isdir(path):
            raise OSError(number, os.strerror(number))
        return opened(path, flags, mode)

    monkeypatch.setattr(os, "open", refusing)
    writing.create(tmp_path / "new.log", b"x\n")
    assert (tmp_path / "new.log").read_bytes() == b"x\n"


def test_a_new_file_never_overwrites_one(path: Path) -> None:
    with pytest.raises(Conflict, match="already exists"):
        writing.create(path, b"other")
    assert path.read_text() == TEXT
    with pytest.raises(Unreadable, match="can't create"):
        writing.create(path / "below", b"other")


def test_a_file_that_cant_be_written_whole_is_not_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Unreadable, match="no space left on device; no file was created"):
        writing.create(tmp_path / "new.log", b"x\n")
    assert not (tmp_path / "new.log").exists()


def test_the_draft_of_another_program_is_left_alone(path: Path) -> None:
    """It was killed when its log had its name already."""
    os.link(path, path.parent / f".sintra-{os.getpid()}-0.new")
    writing.create(path.parent / "new.log", b"x\n")
    assert (path.parent / "new.log").read_bytes() == b"x\n"
    assert path.read_text() == TEXT


def test_a_file_that_cant_be_replaced_stays_and_no_draft_is_left(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    for name in ("replace", "write"):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, full)
            with pytest.raises(Unreadable, match="no space left on device"):
                writing.replace(path, b"x\n")
        assert path.read_text() == TEXT
        assert os.listdir(path.parent) == [path.name]


def test_a_file_that_is_read_whole_has_a_limit(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_LOG_BYTES", len(TEXT))
    assert files.read_whole(path) == TEXT.encode()
    path.write_text(TEXT + "\n")
    with pytest.raises(Unreadable, match=f"longer than {len(TEXT)} bytes"):
        files.read_whole(path)


# -- Repair --


def test_a_torn_line_of_many_blocks_is_cut_off(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_text(TEXT + PICK[:35])
    monkeypatch.setattr(limits, "READ_BYTES", 10)
    assert writing.repair(path) == (35, f"{path}.bak")
    assert path.read_text() == TEXT
    assert Path(f"{path}.bak").read_text() == TEXT + PICK[:35]


def test_a_torn_line_that_cant_be_cut_off_is_in_the_backup(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(5, "Input/output error")

    path.write_text(TEXT + PICK[:20])
    monkeypatch.setattr(os, "ftruncate", refuse)
    with pytest.raises(Unreadable, match=f"input/output error; the original is in {path}.bak$"):
        writing.repair(path)
    assert path.read_text() == Path(f"{path}.bak").read_text() == TEXT + PICK[:20]


def test_a_backup_is_never_open_to_more_people_than_the_log(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From its first moment on: whoever opens the draft then can read it later."""
    modes: list[int] = []
    opened, written = os.open, os.write

    def seen(fd: int) -> int:
        modes.append(stat.S_IMODE(os.fstat(fd).st_mode))
        return fd

    def opening(name: str, flags: int, mode: int = 0o777) -> int:
        fd = opened(name, flags, mode)
        return seen(fd) if writing.is_draft(os.path.basename(name)) else fd

    path.write_text(TEXT + PICK[:20])
    path.chmod(0o600)
    monkeypatch.setattr(os, "open", opening)
    monkeypatch.setattr(os, "write", lambda fd, data: written(seen(fd), data))
    mask = os.umask(0)
    try:
        writing.repair(path)
    finally:
        os.umask(mask)
    assert modes == [0o600, 0o600]
    assert Path(f"{path}.bak").stat().st_mode & 0o777 == 0o600


# -- Component files --


@pytest.mark.parametrize(
    ("name", "data", "complaint"),
    [
        ("a.json", b"[1]", "not valid"),
        ("a.json", b"{", "not valid"),
        ("a.toml", b"x = ", "not valid"),
        ("a.toml", b"\xff", "not valid"),
        ("a.json", b" " * (1 << 20) + b"{}", "longer than 1048576 bytes"),
    ],
)
def test_a_component_file_that_cant_be_read_is_told(
    tmp_path: Path, name: str, data: bytes, complaint: str
) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(UsageError, match=complaint):
        files.read_components(tmp_path / name)


def test_component_files_are_json_or_toml(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"broken": [0, -18]}')
    (tmp_path / "a.toml").write_text("broken = [0, -18]\n")
    assert (
        files.read_components(tmp_path / "a.json")
        == files.read_components(tmp_path / "a.toml")
        == {"broken": [0, -18]}
    )
    with pytest.raises(UsageError, match="no such file"):
        files.read_components(tmp_path / "none.json")
    with pytest.raises(UsageError, match="directory"):
        files.read_components(tmp_path)


def test_bytes_survive_the_way_through_the_reader() -> None:
    assert encode_lines(sintra.loads(TEXT).events) == TEXT.encode()
