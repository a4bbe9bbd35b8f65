"""Many processes on one log: in every order that two can meet in, and in a crowd.

Two commands meet at every call: the first stops there, the other runs as a whole, and the first goes on. In
the crowd, processes move, undo, wait, and read at random; what was acknowledged is then looked up in the log.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NoReturn

import sintra as library
from scripts.torture.crash import at, goes_on
from scripts.torture.faults import fail
from scripts.torture.layer import Call, Ended, Hook, calmly, sintra, warm, watched
from scripts.torture.scenarios import LOG, Dry, Scenario, content, fault, scenarios, whole_lines
from sintra.log import files, writing
from sintra.log.codec import encode_lines
from sintra.log.events import Event, Noted
from sintra.reader import Reader

WRITERS = 10
READERS = 4
FOLLOWERS = 2
THE_END = "the end"
"""The remark after which nobody follows any more."""
LOGS = 12
QUOTA = 38
"""So many commands of each writer have to be acknowledged, on each log."""
THOUSANDS = 340
"""Commands on the last log, which then has thousands of moves."""
PATIENCE = 60
"""Seconds after which a process that should have come to a place counts as lost."""
FOREIGN = b'{"type":"picked","player":1,"source":3,"color":"orange"}\n'
"""What a program writes that takes no lock: after it, the step of the scenarios is not legal any more."""


def run(scale: float, scratch: Path) -> dict[str, int | str]:
    """Let processes race; figures of it."""
    figures = Counter[str]()
    figures["meetings of two commands"] = (
        meetings(scratch) if scale >= 1 else meetings(scratch, FIRST[:1], SECOND[::3])
    )
    figures["meetings with a program that takes no lock"] = strangers(scratch) + at_repair(scratch)
    figures["changes in place, at every call"] = in_place(
        scratch, () if scale >= 1 else ("move steps", "undo")
    )
    figures["two commands that create the same log"] = makers(scratch) + makers(scratch, _without_links)
    figures["readers that meet a half-written line"] = half_written(scratch) + put_back(scratch)
    figures["repairs that meet a half-written line"] = half_repaired(scratch)
    if scale < 1:
        return {**figures, **crowd(scratch, 0, 12)}
    for number in range(LOGS):
        figures.update(crowd(scratch, number, QUOTA))
    largest = crowd(scratch, LOGS, THOUSANDS)
    figures["moves acknowledged on one log of its own"] = largest.pop("moves acknowledged")
    figures.update(largest)
    return dict(figures)


# -- Two that meet ---------------------------------------------------------------------------

FIRST = ("move steps", "undo", "note")
SECOND = (
    ("move", LOG, "pick", "3", "orange"),
    ("note", LOG, "second"),
    ("undo", LOG),
    ("verify", "--json", LOG),
    ("show", "--json", LOG),
    ("legal", "--json", LOG),
)


def meetings(scratch: Path, first: Iterable[str] = FIRST, second: Iterable[tuple[str, ...]] = SECOND) -> int:
    """One command stops at each of its calls while another runs: as if one had come after the other."""
    count = 0
    for name in first:
        scenario = scenarios()[name]
        folder = scratch / "meet"
        dry = Dry(scenario, folder)
        for words in second:
            serial = _serial(scenario, words, folder)
            for number, (call, *_) in enumerate(dry.calls, 1):
                scenario.lay(folder)
                ended, other = _meet(scenario, folder, number, words)
                place = f"{name} and {' '.join(words)}, meeting at call {number}, {call}; {folder}"
                _check_meeting(folder, (ended, other), serial, place)
                count += 1
    return count


def _serial(scenario: Scenario, words: tuple[str, ...], folder: Path) -> set[tuple[bool, bool, bytes]]:
    """What the two give one after the other, in both orders: which is done, and the log then."""
    found = set()
    for order in (0, 1):
        scenario.lay(folder)
        done = [False, False]
        for which in (order, 1 - order):
            ended = sintra(*(words if which else scenario.words), cwd=folder)
            done[which] = ended.code == 0
        found.add((done[0], done[1], content(folder) or b""))
    for alone in (0, 1):
        scenario.lay(folder)
        sintra(*(words if alone else scenario.words), cwd=folder)
        found.add((not alone, bool(alone), content(folder) or b""))
    return found


def _meet(
    scenario: Scenario, folder: Path, number: int, words: tuple[str, ...], through: Hook = Call.go
) -> tuple[Ended, Ended]:
    """Run a command that starts another at a call; how both ended. All their calls go through a hook."""
    report = folder.parent / "other.json"

    def meeting(call: Call) -> Any:
        if call.number == number:
            ended = sintra(*words, cwd=folder, hook=through)
            report.write_text(json.dumps([ended.code, ended.out.decode(), ended.err]))
        return through(call)

    first = scenario.run(folder, meeting)
    code, out, err = json.loads(report.read_text())
    return first, Ended(code, out.encode(), err)


def _check_meeting(
    folder: Path, both: tuple[Ended, Ended], serial: set[tuple[bool, bool, bytes]], place: str
) -> None:
    codes = tuple(ended.code for ended in both)
    assert set(codes) <= {0, 2, 3, 5}, f"{place}: {both}"  # 2: there is nothing to undo
    data = content(folder) or b""
    assert fault(folder / LOG) is None, f"{place}: {codes}, and {fault(folder / LOG)}"
    state = (codes[0] == 0, codes[1] == 0, data)
    assert state in serial, f"{place}: {codes}, and the log is as after no order of them"
    assert codes[0] == 0 or codes[1] == 0, f"{place}: both lost: {both}"


def strangers(scratch: Path) -> int:
    """A program that takes no lock writes to the log, replaces it, or deletes it, at every call."""
    scenario = scenarios()["move steps"]
    folder = scratch / "strangers"
    dry = Dry(scenario, folder)
    old, new = scenario.files[LOG], (dry.stages[-1] or b"")[len(scenario.files[LOG]) :]
    checked = max(n for n, (call, *_) in enumerate(dry.calls, 1) if call == "write")
    count = 0
    for number, (call, *_) in enumerate(dry.calls, 1):
        place = f"at call {number}, {call}; {folder}"
        scenario.lay(folder)
        ended = scenario.run(folder, _first(number, lambda: _append(folder)))
        data = content(folder) or b""
        count += 1
        if number < checked:
            assert ended.code in (3, 5), f"written to without a lock {place}: {ended}"
            assert data == old + FOREIGN, f"written to without a lock {place}: it is something else"
        else:  # too late to be noticed; still, nothing is written over
            whole = (old + FOREIGN + new, old + new + FOREIGN)
            assert data in whole, f"written to without a lock {place}: a line is lost"
        if number >= checked:
            continue
        scenario.lay(folder)
        ended = scenario.run(folder, _first(number, lambda: _replace(folder)))
        done = content(folder) == old + new
        assert ended.code in (0, 5), f"replaced {place}: {ended}"
        assert done == (ended.code == 0), f"replaced {place}: acknowledged, and not in the log"
        scenario.lay(folder)
        ended = scenario.run(folder, _first(number, (folder / LOG).unlink))
        assert ended.code == (4 if number == 1 else 5), f"deleted {place}: {ended}"
        assert content(folder) is None, f"deleted {place}: it is there again"
        count += 2

    def disturbed(_: Call) -> NoReturn:
        _append(folder)
        fail("EIO")

    scenario.lay(folder)
    ended = scenario.run(folder, at(checked + 1, disturbed))
    place = f"written to just before an error; {folder}"
    assert ended.code == 4, f"{place}: {ended}"
    assert content(folder) == old + new + FOREIGN, f"{place}: a line is lost"
    assert "another program wrote to it" in ended.err, f"{place}: {ended}"
    return count + 1


def in_place(scratch: Path, names: Iterable[str] = ()) -> int:
    """A program that takes no lock changes a byte of the log in place, at every call of every writer."""
    folder = scratch / "in-place"
    count = 0
    for name in names or scenarios():
        scenario = scenarios()[name]
        if scenario.creates or scenario.appends > 1:  # `play` compares all bytes with those that it wrote
            continue
        dry = Dry(scenario, folder)
        called = [call for call, *_ in dry.calls]
        read, written = called.index("read") + 1, called.index("ftruncate" if scenario.torn else "write") + 1
        *_, again, _end = (n for n, call in enumerate(called[: written - 1], 1) if call == "pread")
        edited = scenario.files[LOG].replace(b"Player 1", b"Player X")
        for number in range(1, len(called) + 1):
            scenario.lay(folder)
            ended = scenario.run(folder, _first(number, lambda: _edit(folder)))
            place = f"{name}: changed in place at call {number}, {called[number - 1]}"
            count += 1
            if read < number <= again:
                assert ended.code == 5, f"{place}, and acknowledged: {ended}; {folder}"
                assert content(folder) == edited, f"{place}: it is something else; {folder}"
            else:  # before it was read, or too late to be noticed
                assert ended.code == 0, f"{place}: {ended}; {folder}"
    return count


def _edit(folder: Path) -> None:
    with (folder / LOG).open("r+b") as file:
        file.seek(file.read().index(b"Player 1") + len(b"Player "))
        file.write(b"X")


def at_repair(scratch: Path) -> int:
    """A program that takes no lock writes to a torn log at every call of a repair: nothing is cut off."""
    scenario = scenarios()["repair"]
    folder = scratch / "at-repair"
    dry = Dry(scenario, folder)
    cut = next(n for n, (call, *_) in enumerate(dry.calls, 1) if call == "ftruncate")
    for number, (call, *_) in enumerate(dry.calls[: cut - 1], 1):
        scenario.lay(folder)
        ended = scenario.run(folder, _first(number, lambda: _append(folder)))
        place = f"written to without a lock at call {number} of a repair, {call}; {folder}"
        assert ended.code in (0, 5), f"{place}: {ended}"
        assert content(folder) == scenario.files[LOG] + FOREIGN, f"{place}: a line is lost"
    return cut - 1


def _first(number: int, act: Callable[[], None]) -> Hook:
    """A hook that does something else before a call."""

    def hook(call: Call) -> Any:
        if call.number == number:
            act()
        return call.go()

    return hook


def _append(folder: Path) -> None:
    with (folder / LOG).open("ab") as file:
        file.write(FOREIGN)


def _replace(folder: Path) -> None:
    other = folder / "other"
    shutil.copy(folder / LOG, other)
    other.replace(folder / LOG)


def makers(scratch: Path, through: Hook = Call.go) -> int:
    """Two commands make a log of the same name: one of them does, and the other says so."""
    scenario = scenarios()["new"]
    folder = scratch / "makers"
    dry = Dry(scenario, folder, through)
    words = ("new", "--seed", "7", "-o", LOG)
    for number, (call, *_) in enumerate(dry.calls, 1):
        scenario.lay(folder)
        first, second = _meet(scenario, folder, number, words, through)
        place = f"two new logs, meeting at call {number}, {call}; {folder}"
        assert sorted((first.code, second.code)) == [0, 5], f"{place}: {first}, {second}"
        seed = library.load(folder / LOG).created.seed
        assert seed == (42 if first.code == 0 else 7), f"{place}: the log is the loser's"
    return len(dry.calls)


def _without_links(call: Call) -> Any:
    """A file system that has no hard links."""
    return fail("EPERM") if call.name == "link" else call.go()


# -- Others at a half-written line -----------------------------------------------------------


def half_written(scratch: Path) -> int:
    """A reader comes when a line is half in the log: it waits, reads the whole, and then holds nobody up."""
    met = 0
    for count, place, code, read in _met(scratch / "half", _read_and_note):
        met += 1
        assert code == 0, f"a reader met {count} bytes{place}: {read}"
        now = (scratch / "half" / LOG).read_text()
        assert read == now, f"a reader met {count} bytes{place}: it read something else"
        assert now.endswith('"text":"meanwhile"}\n'), f"a reader met {count} bytes{place}: nobody could write"
    for count, place, code, said in _met(scratch / "lockless", _read_all, _without_locks):
        met += 1
        told = code == 4 and "torn" in said
        assert told, f"a reader without locks met {count} bytes{place}: {code}, {said}"
    return met


def half_repaired(scratch: Path) -> int:
    """A repair comes when a line is half in the log: it waits, and then there is nothing to cut off."""
    folder = scratch / "half-repaired"
    met = 0
    for count, place, code, said in _met(folder, _repair):
        met += 1
        assert (code, said) == (0, "(0, None)"), f"a repair met {count} bytes{place}: {code}, {said}"
        assert fault(folder / LOG) is None, f"a repair met {count} bytes{place}: {fault(folder / LOG)}"
    return met


def _met(
    folder: Path, act: Callable[[Path], str], through: Hook = Call.go
) -> Iterable[tuple[int, str, int, str]]:
    """Stop a write after some bytes until another process waits or is done: where, and how that ended."""
    scenario = scenarios()["move steps"]
    where, size = _write_of(Dry(scenario, folder))
    for count in (1, size // 2, size - 1):
        scenario.lay(folder)
        other = _Other(folder, act, through)

        def slowly(call: Call, count: int = count, other: _Other = other) -> Any:
            fd, data = call.args
            call.part(count)
            other.start(fd)
            return count + call.through(fd, data[count:])

        ended = scenario.run(folder, at(where, slowly))
        assert ended.code == 0, f"{ended}; {folder}"
        yield count, f" of {size}; {folder}", *other.result()


def _read_all(folder: Path) -> str:
    return b"".join(files.read(folder / LOG)).decode()


def _read_and_note(folder: Path) -> str:
    """Read a log block by block; another process writes to it before the second is looked at."""
    text = ""
    for number, block in enumerate(files.read(folder / LOG)):
        text += block.decode()
        if number == 1:
            sintra("note", LOG, "meanwhile", cwd=folder)
    return text


def _repair(folder: Path) -> str:
    return str(writing.repair(folder / LOG))


def _without_locks(call: Call) -> Any:
    """A file system that has no locks."""
    return fail("ENOLCK") if call.name == "flock" else call.go()


def put_back(scratch: Path) -> int:
    """The half-written line is put back, and another comes in its place: the reader never joins the two."""
    scenario = scenarios()["move steps"]
    folder = scratch / "put-back"
    dry = Dry(scenario, folder)
    where, size = _write_of(dry)
    other = b'{"type":"noted","text":"%s"}\n' % (b"x" * 300)
    counts = (1, 30, size // 2, size - 1)
    for count in counts:
        scenario.lay(folder)
        answers = _Other(folder, _read_all)

        def half(call: Call, count: int = count, answers: _Other = answers) -> Any:
            if call.number == where:
                fd, data = call.args
                written = call.through(fd, data[:count])
                answers.start(fd)
                return written
            result = call.go()
            if call.name == "ftruncate":  # as if the next writer had come at once
                os.write(call.args[0], other)
            return result

        ended = scenario.run(folder, half)
        assert ended.code == 4, f"{ended}; {folder}"
        assert content(folder) == scenario.files[LOG] + other, f"not put back; {folder}"
        code, events = answers.result()
        place = f"a reader met {count} bytes that were put back; {folder}"
        whole_line = whole_lines((dry.stages[-1] or b"")[: len(scenario.files[LOG]) + count])
        if len(whole_line) > len(scenario.files[LOG]):
            assert code == 5, f"{place}: it did not notice: {code}, {events}"
        else:
            assert code == 0, f"{place}: {code}, {events}"
            assert events == (content(folder) or b"").decode(), f"{place}: it read something else"
    return len(counts)


def _write_of(dry: Dry) -> tuple[int, int]:
    """Which call is the write, and its size."""
    return next((n, size) for n, (call, _, size) in enumerate(dry.calls, 1) if call == "write")


class _Other:
    """A process that is started in the midst of a write, which goes on when the other waits for the lock."""

    def __init__(self, folder: Path, act: Callable[[Path], str], through: Hook = Call.go) -> None:
        self._folder, self._act, self._through = folder, act, through
        self._marks = folder.parent / "waiting", folder.parent / "answer"
        for mark in self._marks:
            mark.unlink(missing_ok=True)

    def start(self, locked: int) -> None:
        """Let it act until it waits for the lock or is done."""
        if os.fork() == 0:
            os.close(locked)  # a copy of it would hold the lock, too
            code, text = 99, "it ended with an error of Python's"
            try:
                with watched(self._seen):
                    code, text = 0, self._act(self._folder)
            except library.errors.SintraError as error:
                code, text = error.exit_code, str(error)
            finally:
                draft = self._marks[1].with_suffix(".new")
                draft.write_text(json.dumps([code, text]))
                draft.replace(self._marks[1])
                os._exit(0)
        _until(lambda: any(mark.exists() for mark in self._marks))

    def _seen(self, call: Call) -> Any:
        if call.name == "flock" and self._through is not _without_locks:  # without locks, it does not wait
            self._marks[0].touch()
        return self._through(call)

    def result(self) -> tuple[int, str]:
        """0 and what it gave, or the exit code of its error and what that says."""
        _until(self._marks[1].exists)
        code, text = json.loads(self._marks[1].read_text())
        return int(code), str(text)


def _until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < end, "a process got lost"
        time.sleep(0.002)


# -- A crowd ---------------------------------------------------------------------------------

GAMES = (
    ("sintra", "A"),
    ("azul", "colored"),
    ("crystal", "1"),
    ("sintra", "B"),
    ("azul", "gray"),
    ("crystal", "2"),
)


def crowd(scratch: Path, number: int, quota: int) -> Counter[str]:
    """Processes move, undo, note and read on one log; every acknowledged command is in it exactly once."""
    warm()
    rules, side = GAMES[number % len(GAMES)]
    folder = scratch / f"crowd-{number}"
    folder.mkdir()
    library.new(rules, 2 + number % 3, seed=number, side=side).save(folder / LOG)
    start = content(folder) or b""
    readers = [_fork(_read_on, folder, seat) for seat in range(READERS)]
    followers = [_fork(_follow, folder, seat) for seat in range(FOLLOWERS)]
    writers = [_fork(_write_on, folder, seat, quota) for seat in range(WRITERS)]
    broken = [pid for pid in writers if os.waitpid(pid, 0)[1]]
    (folder / "done").touch()
    broken += [pid for pid in readers if os.waitpid(pid, 0)[1]]
    try:
        _check_all(folder, broken)
        figures = _check_crowd(folder, start)
        goes_on(folder, f"after the crowd; {folder}")
        assert calmly("note", LOG, THE_END, cwd=folder).code == 0
        _until(lambda: all((folder / f"{seat}.followed").exists() for seat in range(FOLLOWERS)))
    finally:
        for pid in followers:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    for seat in range(FOLLOWERS):
        seen = (folder / f"{seat}.followed").read_bytes()
        assert seen == content(folder), f"a follower saw what never was; {folder}"
        figures["events seen by followers"] += seen.count(b"\n")
    shutil.rmtree(folder)
    return figures


def _check_all(folder: Path, broken: list[int]) -> None:
    told = "; ".join(path.read_text() for path in sorted(folder.glob("*.failed")))
    assert not broken, f"a process of the crowd failed: {told}; {folder}"
    assert not told, f"a follower failed: {told}; {folder}"


def _nap() -> bool:
    time.sleep(0.01)
    return True


def _follow(folder: Path, seat: int) -> None:
    """Take every event as soon as it comes, until the last remark; what was seen goes to a file."""
    events: list[Event] = []
    for moment in Reader(files.read(folder / LOG, _nap)):
        event = moment.event
        events.append(event)
        if isinstance(event, Noted) and event.text == THE_END:
            break
    draft = folder / f"{seat}.draft"
    draft.write_bytes(encode_lines(events))
    draft.rename(folder / f"{seat}.followed")


def _fork(act: Callable[..., None], folder: Path, seat: int, *more: Any) -> int:
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        act(folder, seat, *more)
        code = 0
    except BaseException as error:
        (folder / f"{seat}-{act.__name__}.failed").write_text(f"{type(error).__name__}: {error}")
    finally:
        os._exit(code)


class _Writes:
    """A hook that notes where a write went."""

    def __init__(self) -> None:
        self.last: list[tuple[int, int]] = []

    def __call__(self, call: Call) -> Any:
        result = call.go()
        if call.name == "write":
            self.last.append((os.lseek(call.args[0], 0, os.SEEK_CUR), result))
        return result


def _write_on(folder: Path, seat: int, quota: int) -> None:
    """Act on the log at random until enough commands were acknowledged."""
    dice = random.Random(f"{folder.name} {seat}")
    wait = ("--wait",) if seat % 2 else ()
    writes = _Writes()
    hook: Hook = writes
    done = 0
    with watched(hook), (folder / f"{seat}.acknowledged").open("w") as book:
        while done < quota:
            words, careful = _command(folder, seat, done, dice)
            writes.last.clear()
            sync = () if seat % 3 else ("--no-sync",)
            ended = calmly(*words, *wait, *sync, "--json", cwd=folder)
            kind = words[0]
            if ended.code == 0:
                done += 1
                events = json.loads(ended.out)["events"]
                book.write(json.dumps(["ok", kind, writes.last, events]) + "\n")
            else:
                assert ended.code in (2, 3, 5), f"{words}: {ended}"  # 2: there is nothing to undo
                assert ended.code != 5 or careful or not wait, f"{words}: lost its turn in spite of --wait"
                book.write(json.dumps(["lost", kind, ended.code]) + "\n")
                time.sleep(0.1 * dice.random())


def _command(folder: Path, seat: int, done: int, dice: random.Random) -> tuple[list[str], bool]:
    """What to try next; whether it may be refused because others were faster, even if it waits."""
    choice = dice.random()
    if choice < 0.05:
        return ["note", LOG, f"{seat}-{done}"], False
    legal = json.loads(calmly("legal", "--json", LOG, cwd=folder).out)["legal"]
    if choice < 0.1 or not legal:
        return ["undo", LOG, "-n", str(dice.choice((1, 1, 2)) if legal else 3)], False
    words = ["move", LOG, *dice.choice(legal).split()]
    if choice < 0.35:
        events = json.loads(calmly("verify", "--json", LOG, cwd=folder).out)["events"]
        return [*words, "--expect", str(events)], True
    return words, False


def _read_on(folder: Path, seat: int) -> None:
    """Read the log over and over; every time it is a log, and a prefix of what it is in the end."""
    with (folder / f"{seat}.read").open("w") as book:
        parent = os.getppid()
        while not (folder / "done").exists() and os.getppid() == parent:
            if seat % 2:
                data = b"".join(files.read(folder / LOG))
                library.loads(data)
                book.write(f"{len(data)} {hashlib.sha256(data).hexdigest()}\n")
            else:
                ended = calmly(("verify", "show")[seat // 2 % 2], "--json", LOG, cwd=folder)
                assert ended.code == 0, f"{ended}"
                book.write("0 -\n")
            time.sleep(0.05)  # readers come often, and leave room for the others


def _check_crowd(folder: Path, start: bytes) -> Counter[str]:
    """All that was acknowledged is in the log once, in one piece, and nothing else is."""
    data = content(folder) or b""
    assert fault(folder / LOG) is None, f"{fault(folder / LOG)}; {folder}"
    assert data.startswith(start), f"the beginning has changed; {folder}"
    figures = Counter[str](logs=1)
    pieces: list[tuple[int, int]] = []
    for book in sorted(folder.glob("*.acknowledged")):
        for row in map(json.loads, book.read_text().splitlines()):
            if row[0] == "lost":
                figures["rejected because another program was faster (exit code 5)"] += row[2] == 5
                figures["rejected as no longer legal (exit codes 2 and 3)"] += row[2] != 5
                continue
            _, kind, places, events = row
            figures[{"move": "moves acknowledged"}.get(kind, "undos and notes acknowledged")] += 1
            assert len(places) == 1, f"{kind} was written {len(places)} times; {folder}"
            (end, size) = places[0]
            found = [json.loads(line) for line in data[end - size : end].splitlines()]
            assert found == events, f"{kind}: acknowledged {events}, and the log has {found}; {folder}"
            pieces.append((end - size, end))
    at_byte = len(start)
    for begin, end in sorted(pieces):
        assert begin == at_byte, f"something is lost, doubled or unknown at byte {at_byte}; {folder}"
        at_byte = end
    assert at_byte == len(data), f"something that nobody acknowledged from byte {at_byte} on; {folder}"
    for book in folder.glob("*.read"):
        for size, digest in (line.split() for line in book.read_text().splitlines()):
            figures["reads meanwhile"] += 1
            same = digest == "-" or hashlib.sha256(data[: int(size)]).hexdigest() == digest
            assert same, f"a reader saw what never was: {size} bytes; {folder}"
    return figures
