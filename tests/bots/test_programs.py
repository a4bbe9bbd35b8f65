"""Bots that are programs: the protocol, the referee, faults by name, and what is left of a process."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import pytest

import sintra
from scripts.torture.programs import LIMITS, checked, command, killed, left_after, mark, watch
from sintra.batch.check import check_bot
from sintra.batch.simulation import simulate
from sintra.bots import referee as room
from sintra.bots.faults import FAULTS, Fault
from sintra.bots.names import find, is_custom
from sintra.bots.process import Limits, Program
from sintra.bots.protocol import PROTOCOL, Hello, event_line
from sintra.bots.protocol import line as line_of
from sintra.bots.referee import Forfeit, Programs, ProgramSeat, referee, seated
from sintra.bots.serve import Server, serve
from sintra.bots.spec import command_in, parsed
from sintra.bots.strong import searching
from sintra.errors import DamagedLog, UsageError
from sintra.log.events import Noted
from sintra.rules.chance import Chance
from sintra.version import VERSION
from tests.kit.program import BIN, run

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "protocol.md").read_text()
HELLO = line_of(Hello(PROTOCOL, "azul", {}, ("A", "B"), 1, 7, 1.0, 15.0))
GOOD = f"good=cmd:{command('good')}"


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """No test leaves a process behind."""
    with mark("test") as own:
        yield
        room.close_kept()
        assert left_after(own, 2.0) == 0


def scripted(tmp_path: Path, answers: str, last: str = "") -> str:
    """The command of a bot that prints these answers, each when it is asked."""
    path = tmp_path / "scripted.sh"
    lines = "".join(f"ask; printf '%b' {shlex.quote(answer)}\n" for answer in answers.split("|"))
    asked = 'ask() { while read -r line; do case "$line" in *choose*) return;; esac; done; exit; }\n'
    path.write_text(f"#!/bin/sh\n{asked}{lines}{last}\n")
    path.chmod(0o755)
    return f"cmd:{path}"


# -- The protocol ----------------------------------------------------------------------------


def transcript() -> tuple[list[str], list[str]]:
    """What the page says a bot reads and answers: the beginning, and the end."""
    block = re.findall(r"```text\n(.*?)\n```", PAGE, re.DOTALL)[0]
    start, end = re.sub(r'"engine":"[^"]*"', f'"engine":"{VERSION}"', block).split("\n...\n")
    return start.splitlines(), end.splitlines()


def test_the_transcript_of_the_page_is_what_a_bot_answers() -> None:
    lines, _ = transcript()
    answers: list[str] = []
    serve("greedy", [line[2:].encode() for line in lines if line[0] == ">"], answers.append)
    assert answers == [line[2:] for line in lines if line[0] == "<"]
    assert len(answers) == 3


@pytest.mark.process
def test_the_transcript_of_the_page_is_what_the_referee_sends(tmp_path: Path) -> None:
    game = sintra.new("azul", ["Ada", "Ben"], seed=42)
    seen = tmp_path / "seen"
    served = f"cmd:sh -c 'tee {seen} | {BIN}/sintra bot serve greedy'"
    with Programs(Limits()) as programs:
        assert referee(game, seated([served, "random"], game, programs), rounds=20).reason == "ended"
    start, end = [[line[2:] for line in part if line[0] == ">"] for part in transcript()]
    sent = seen.read_text().splitlines()
    assert sent[: len(start)] == start
    assert sent[-len(end) :] == end


@pytest.mark.process
def test_every_message_has_a_schema() -> None:
    messages, answers = (
        jsonschema.Draft202012Validator(run("schema", name).json) for name in ("bot", "bot-answer")
    )
    for line in [line[2:] for part in transcript() for line in part if line[0] == ">"]:
        message = json.loads(line)
        if message["type"] in ("hello", "choose", "over"):
            messages.validate(message)
        else:
            assert message.get("seed") is None
    answers.validate({"step": "pick 1 blue"})
    assert not answers.is_valid({"words": "pick 1 blue"})


def test_ours_served_play_as_ours_called() -> None:
    served = [f"cmd:{BIN}/sintra bot serve {name}" for name in ("greedy", "random:", "greedy:depth=1")]
    served[1] = served[1].removesuffix(":")
    for rules in ("azul", "sintra"):
        game, same = (sintra.new(rules, ["A", "B", "C"], seed=5) for _ in range(2))
        with Programs(Limits(move_time=5)) as programs:
            referee(game, seated(served, game, programs), rounds=3)
            referee(same, seated(["greedy", "random", "greedy:depth=1"], same, programs), rounds=3)
        assert game.dumps() == same.dumps()


@pytest.mark.parametrize("name", ["strong:nodes=1000000000", "strong:time=60", "strong:time=60:cpu=true"])
def test_ours_served_answer_in_the_time_of_the_referee(name: str) -> None:
    """However long a bot is told to think: a seat must not forfeit because a machine is slow."""
    game = sintra.new("sintra", ["A", "B"], seed=5)
    server = Server(name)
    for sent in (HELLO, *map(event_line, game.events)):
        server.take(sent)
    start = time.perf_counter()
    answer = server.take(b'{"type":"choose","number":4,"legal":[],"time":0.5}')
    assert 0.4 < time.perf_counter() - start < 10.0  # busy machines give it less of its time
    assert answer in [step.words for step in game.legal()]


@pytest.mark.parametrize("name", ["easy", "medium", "hard", "strong:nodes=500"])
def test_ours_served_play_as_ever_when_time_is_enough(name: str) -> None:
    game = sintra.new("azul", ["A", "B"], seed=5)
    events = [HELLO, *map(event_line, game.events)]
    hurried: list[str] = []
    free: list[str] = []
    serve(name, [*events, b'{"type":"choose","number":4,"legal":[],"time":60}'], hurried.append)
    serve(name, [*events, b'{"type":"choose","number":4,"legal":[]}'], free.append)
    assert hurried == free


def test_the_time_of_a_referee_ends_with_the_question() -> None:
    game = sintra.new("azul", ["A", "B"], seed=5)
    events = [HELLO, *map(event_line, game.events)]
    serve("hard", [*events, b'{"type":"choose","number":4,"legal":[],"time":0.001}'], print)
    state = game.live
    find("hard")(state, Chance(1).stream("x"))
    assert searching(state).nodes == 2000


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["nonsense"], "not a message of the protocol: b'nonsense'"),
        (['{"type":"hello","protocol":1}'], "hello: Object missing required field"),
        (['{"type":"choose","number":1,"legal":[],"time":1}'], "choose before hello"),
        (['{"type":"picked","player":1,"source":1,"color":"blue"}'], "picked before created"),
    ],
)
def test_a_referee_that_talks_nonsense_is_told(lines: list[str], said: str) -> None:
    with pytest.raises(UsageError, match=re.escape(said)):
        serve("greedy", [line.encode() for line in lines], print)


def test_a_referee_may_leave_out_its_limits_and_say_more_than_we_know() -> None:
    _, *sent = (line[2:].encode() for line in transcript()[0] if line[0] == ">")
    news = b'{"type":"news","text":"?"}'
    answers = []
    for limits in ("", ',"move_time":null,"init_time":null', ',"move_time":1.0,"init_time":15.0,"more":1'):
        hello = f'{{"type":"hello","protocol":1,"seat":1,"seed":7{limits}}}'.encode()
        said: list[str] = []
        timeless = [re.sub(rb'"time":1.0', b'"time":null', line) for line in sent]
        serve("greedy", [news, hello, news, *timeless[:-1], news, timeless[-1]], said.append)
        answers.append(said)
    assert answers[0]
    assert answers == [answers[0]] * 3


def test_a_referee_of_another_protocol_or_with_wrong_events_is_told() -> None:
    sent = [line[2:].encode() for line in transcript()[0] if line[0] == ">"]
    with pytest.raises(UsageError, match="speaks protocol 2; this is protocol 1"):
        Server("greedy").take(sent[0].replace(b'"protocol":1', b'"protocol":2'))
    with pytest.raises(DamagedLog) as caught:
        serve("greedy", [*sent[:4], b'{"type":"picked","player":1,"source":1,"color":"mauve"}'], print)
    assert caught.value.line == 5


# -- Answers ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "fault", "said"),
    [
        (r"pick 2 blue\n", "", ""),
        (r'{"step":"pick 2 blue","info":{"depth":[1,2]}}\n', "", ""),
        (r'"pick 2 blue"\n', "", ""),
        (r"  pick 2 blue \r\n", "", ""),
        (r"p 2 blue\n", "not-understood", "'p 2 blue'"),
        (r"pick 2 black\n", "illegal", "it answered 'pick 2 black'"),
        (r"place 1\n", "illegal", "it answered 'place 1'"),
        (r"pick 2 blue place 1\n", "not-understood", "expected one step, not 2"),
        (r"\n", "not-understood", ""),
        (r'{"step":3}\n', "not-understood", "Expected `str`, got `int`"),
        (r'{"step":"pick 2 blue","why":1}\n', "not-understood", "unknown field"),
        (r"{{{\n", "not-understood", "{{{"),
        (r"\0377\0376\n", "not-understood", "not UTF-8"),
        (r"pick 2 blue\nplace 1\n", "unasked", "'place 1\\\\n' without being asked"),
        ("pick 2 blue", "not-ready", "without a newline"),
    ],
)
def test_an_answer_is_a_step_in_words(answer: str, fault: str, said: str, tmp_path: Path) -> None:
    game = sintra.new("azul", ["Ada", "Ben"], seed=42)
    bot = scripted(tmp_path, f"{answer}|place 1\\n", "cat > /dev/null")
    with Programs(Limits(move_time=0.2, init_time=1)) as programs:
        played = referee(game, seated([bot, "random"], game, programs), rounds=1)
    if not fault:
        assert played.choices[0] == 2
        assert "source=2, color='blue'" in str(game.events[3])
        return
    assert [forfeit.fault for forfeit in played.forfeits] == [fault]
    assert re.search(said, played.forfeits[0].message) or said in played.forfeits[0].message
    assert played.reason == "forfeit"


def test_what_a_bot_gets_does_not_have_the_seed(tmp_path: Path) -> None:
    game = sintra.new("azul", ["Ada", "Ben"], seed=987654321)
    seen = tmp_path / "seen"
    bot = f"cmd:sh -c 'tee {seen} | {command('good')}'"
    with Programs() as programs:
        referee(game, seated([bot, bot], game, programs), rounds=1)
    assert "987654321" not in seen.read_text()


def test_a_game_without_a_seed_has_bots_with_one(tmp_path: Path) -> None:
    seeds = set()
    for number in range(2):
        game = sintra.new("azul", chance="system")
        seen = tmp_path / f"seen{number}"
        with Programs() as programs:
            bot = f"cmd:sh -c 'tee {seen} | {command('good')}'"
            referee(game, seated([bot, "random"], game, programs), rounds=1)
        seeds.add(json.loads(seen.read_text().splitlines()[0])["seed"])
    assert len(seeds) == 2


# -- Faults ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["ends", "illegal", "escapes", "floods", "memory", "daemon", "ahead"])
def test_a_bad_bot_is_named_for_its_fault(kind: str) -> None:
    checked(kind, 1, [f"cmd:{command(kind)}", "greedy"], 3)


def test_two_bad_bots_among_four_rank_behind_none_of_the_rules() -> None:
    """The game goes on to its end, with `greedy` in their seats."""
    bots = [f"cmd:{command('ends', 4)}", GOOD, f"cmd:{command('garbage', 2)}", "random"]
    seen = watch(bots, 1, rules="sintra")
    assert {forfeit.seat: forfeit.fault for forfeit in seen.played.forfeits} == {
        1: "ended",
        3: "not-understood",
    }
    assert seen.game.over
    assert seen.left == 0
    notes = [event.text for event in seen.game.events if isinstance(event, Noted)]
    assert notes[1] == "Player 1 forfeits: ended: it ended with exit code 3"
    assert seen.words[0] == "I have had enough\n"


def test_a_fault_is_never_of_the_seat_that_waits() -> None:
    seen = watch([GOOD, f"cmd:{command('silent', 3)}"], 1)
    assert [forfeit.seat for forfeit in seen.played.forfeits] == [2]
    assert seen.played.times[1] > LIMITS.move_time > seen.played.times[0] / seen.played.choices[0]


def test_every_fault_is_explained_on_the_page() -> None:
    for name, meaning in FAULTS.items():
        assert f"| `{name}` | {meaning}" in PAGE


@pytest.mark.parametrize(
    ("bot", "said"),
    [
        ("./no-such-bot", "can't start ./no-such-bot: no such file or directory"),
        ("/", "can't start /: permission denied"),
        ("/etc/passwd", "can't start /etc/passwd: permission denied"),
    ],
)
def test_a_program_that_is_not_there(bot: str, said: str) -> None:
    seen = watch([f"cmd:{bot}", "greedy"], 1)
    assert seen.played.forfeits == [Forfeit(1, 4, "not-started", said)]
    with pytest.raises(UsageError, match=f"not-started: {re.escape(said)}"):
        simulate("azul", 1, bots=[f"cmd:{bot}", "greedy"], seed=1)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("cmd:", "name the program: cmd:PROGRAM ARGUMENTS"),
        ("x=cmd:  ", "name the program"),
        ("cmd:''", "the command of a bot is empty"),
        ("cmd:'x", "can't read the command \"'x\": no closing quotation"),
        ("greedy=cmd:x", "greedy is a built-in bot"),
    ],
)
def test_a_command_that_means_nothing(name: str, said: str) -> None:
    with pytest.raises(UsageError, match=re.escape(said)):
        simulate("azul", 1, bots=[name, "random"], seed=1)


def test_names_of_programs() -> None:
    assert parsed("a=cmd:./x --depth=3:4").command == "./x --depth=3:4"
    assert not is_custom("cmd:x")
    assert [command_in(text) for text in ("./x a=b", "cmd: ./x", "a=cmd:./x", "a=b")] == [
        *("./x a=b", "./x", "./x", "a=b")
    ]
    with pytest.raises(UsageError, match="can't be called for one choice"):
        find("cmd:./x")


@pytest.mark.parametrize(
    "limits", [{"move_time": 0}, {"init_time": float("nan")}, {"move_time": 1e9}, {"memory": 1}]
)
def test_limits_have_limits(limits: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="must be from"):
        Limits(**limits)  # type: ignore[arg-type]


def test_a_bot_may_not_read_and_loses_by_time() -> None:
    """Its pipe fills up, and nobody waits longer for that than for an answer."""
    program = Program("sleep 60", Limits(move_time=0.05, init_time=0.1))
    program.tell(b"x" * 300_000)
    with pytest.raises(Fault, match="it does not read its input"):
        program.ask(b"\n")
    program.kill()
    program.kill()
    assert program.status == -9


@pytest.mark.parametrize(
    ("script", "said"),
    [("exec >&-; exec sleep 60", "it closed its output"), ("exit 3", "it ended with exit code 3")],
)
def test_a_bot_that_closes_its_output_has_ended(script: str, said: str) -> None:
    forfeits = watch([f"cmd:sh -c '{script}'", "greedy"], 1).played.forfeits
    assert [(forfeit.fault, forfeit.message) for forfeit in forfeits] == [("ended", said)]


def test_one_that_stays_is_ended() -> None:
    program = Program("sh -c 'trap \"\" TERM; while :; do sleep 1; done'", LIMITS)
    assert not program.close()
    assert program.close()


def test_a_fault_goes_through_a_pickle() -> None:
    import pickle

    fault = Fault("ended", "it ended").of("mine", "one\ntwo\n")
    twin = pickle.loads(pickle.dumps(fault))
    assert (str(twin), twin.name, twin.__notes__) == (
        str(fault),
        "ended",
        ["mine wrote: one", "mine wrote: two"],
    )


# -- Runs ------------------------------------------------------------------------------------


def test_any_number_of_processes_plays_the_same_games(tmp_path: Path) -> None:
    bots = [GOOD, "greedy", "random"]
    logs = []
    for number, jobs in enumerate((1, 2)):
        simulate("azul", 4, bots=bots, rotate=True, seed=3, jobs=jobs, out=tmp_path / str(number))
        logs.append([path.read_bytes() for path in sorted((tmp_path / str(number)).rglob("*.log"))])
    assert logs[0] == logs[1]
    assert len(logs[0]) == 4


class Elsewhere(ThreadPoolExecutor):
    """Workers that live on after the run, as those of a cluster do."""


def test_workers_elsewhere_keep_no_process() -> None:
    with Elsewhere(1) as workers:
        summary = simulate("azul", 2, bots=[GOOD, "greedy"], seed=3, executor=workers)
        assert summary == simulate("azul", 2, bots=[GOOD, "greedy"], seed=3)
        assert not room._KEPT


def test_processes_that_wait_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MAX_IDLE", 2)
    with Programs() as programs:
        for number in range(4):
            programs.give_back(Program(f"cat {'' if number % 2 else '-'}", LIMITS))
        assert sum(map(len, programs._idle.values())) == 2


def test_a_process_is_used_again() -> None:
    with Programs() as programs:
        for seed in (1, 2):
            game = sintra.new("azul", seed=seed)
            seat = ProgramSeat(command("good"), programs, game, 1)
            code = seat.choose(game)
            assert code == game.live.legal()[0]
            seat.leave(game, "stopped")
            seat.leave(game, "stopped")
        assert [len(idle) for idle in programs._idle.values()] == [1]


def test_what_is_printed_after_the_last_question_is_not_the_next_game_s(tmp_path: Path) -> None:
    with Programs(Limits(init_time=2)) as programs:
        game = sintra.new("azul", seed=42)
        name = scripted(tmp_path, r"pick 2 blue\n", "echo more; cat > /dev/null")
        seat = ProgramSeat(command_in(name), programs, game, 1)
        game.choose(seat.choose(game))
        assert seat._program is not None
        seat._program._listen(2)
        seat.leave(game, "stopped")
        assert not programs._idle


@pytest.mark.process
def test_the_command_shows_the_last_words_and_obeys_no_code(tmp_path: Path) -> None:
    words = [
        "simulate",
        "3",
        "--rules",
        "azul",
        "--seed",
        "1",
        "--bots",
        f"loud=cmd:{command('escapes', 2)},greedy",
    ]
    for jobs in "12":
        ran = run(*words, "-j", jobs, cwd=tmp_path, code=2)
        assert "the bot loud 1 failed: not-understood: it answered" in ran.err
        assert "loud 1 wrote: " in ran.err
        assert "watch me" in ran.err
        assert "\x1b" not in ran.err
        assert "\x07" not in ran.err
    slow = [*words[:-1], f"mute=cmd:{command('silent', 2)},greedy", "--move-time", "0.1"]
    assert "too-slow: no answer in 0.1 s (and 0.1 s of margin)" in run(*slow, code=2).err
    assert "move_time must be from 0.001" in run(*words, "--move-time", "0", code=2).err


@pytest.mark.process
def test_a_program_plays_with_a_person(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    words = ["play", str(log), "--rules", "azul", "--seed", "42", "--bot", f"2=cmd:{command('good')}"]
    ran = run(*words, cwd=tmp_path, stdin="2 blue 1\n3 teal 2\n")
    assert "Player 2: picks" in ran.out
    game = sintra.load(log)
    assert len([event for event in game.events if getattr(event, "player", 0) == 2]) == 4
    failing = ["play", str(log), "--bot", f"2=mine=cmd:{command('ends')}"]
    ran = run(*failing, cwd=tmp_path, stdin="1 y 3\n", code=2)
    assert "mine failed: ended: it ended with exit code 3" in ran.err
    assert "mine wrote: I have had enough" in ran.err
    assert sintra.load(log).player == 2


@pytest.mark.process
def test_a_run_that_is_killed_leaves_no_program() -> None:
    assert killed("stubborn", 3) == 0
    assert killed("daemon", 4) == 0


# -- bot check, new and serve -----------------------------------------------------------------


def seen_by_check(name: str) -> tuple[str, str]:
    """The step at which a check failed, and what it said."""
    result = check_bot(name, LIMITS)
    assert not result.ok
    assert [step.ok for step in result.steps] == [True] * (len(result.steps) - 1) + [False]
    return result.steps[-1].step, result.steps[-1].message


def test_a_check_names_the_step_that_failed(tmp_path: Path) -> None:
    assert seen_by_check("./none")[0] == "starts"
    assert seen_by_check("sh -c 'echo hi; cat'")[0] == "prints nothing unasked"
    assert seen_by_check("true") == ("prints nothing unasked", "ended: it ended with exit code 0")
    step, said = seen_by_check(command("illegal", 7))
    assert step == "answers in time"
    assert re.fullmatch(r"illegal: it answered .* \(seat 1 of 2, event \d+\)", said)
    with pytest.raises(UsageError, match="name the command of a bot"):
        check_bot(" ")


def test_a_check_finds_what_a_single_game_does_not(tmp_path: Path) -> None:
    """A bot that draws from its own chance, one that stays, and one that plays only the first game."""
    moody, stays, once = (tmp_path / f"{name}.py" for name in ("moody", "stays", "once"))
    loop = "import json, os, random, sys, time\ngames = 0\nfor line in sys.stdin:\n    m = json.loads(line)\n"
    answer = "    if m['type'] == 'choose': print({}, flush=True)\n"
    moody.write_text(loop + answer.format("random.SystemRandom().choice(m['legal'])"))
    stays.write_text(loop + answer.format("m['legal'][0]") + "time.sleep(60)\n")
    once.write_text(
        f"{loop}    games += m['type'] == 'hello'\n" + answer.format("m['legal'][0] if games == 1 else 0")
    )
    python = f"{sys.executable} -I -S"
    assert seen_by_check(f"{python} {moody}")[0] == "plays the same game again with the same seed"
    assert seen_by_check(f"{python} {once}")[0] == "plays a second game in the same process"
    assert seen_by_check(f"{python} {stays}")[0] == "ends at the end of its input"


@pytest.mark.process
def test_bot_new_writes_a_bot_that_plays(tmp_path: Path) -> None:
    ran = run("bot", "new", "python", "mine.py", cwd=tmp_path)
    assert os.access(tmp_path / "mine.py", os.X_OK)
    commands = [line.strip() for line in ran.lines if line.startswith("    ")]
    assert commands == [
        "sintra bot check ./mine.py",
        "sintra simulate 20 --bots mine=cmd:./mine.py,greedy --rotate",
    ]
    assert run("bot", "new", "sh", "mine.sh", "-q", cwd=tmp_path).raw == b""
    assert (tmp_path / "mine.sh").exists()
    (tmp_path / "mine.py").write_text("kept")
    assert "already exists" in run("bot", "new", "python", "mine.py", cwd=tmp_path, code=5).err
    assert (tmp_path / "mine.py").read_text() == "kept"
    assert "no sample in 'cobol'" in run("bot", "new", "cobol", "x", cwd=tmp_path, code=2).err
    assert "takes LANGUAGE and FILE" in run("bot", "new", "c", cwd=tmp_path, code=2).err
    assert "takes one COMMAND" in run("bot", "check", "./mine.py", "--", "-x", cwd=tmp_path, code=2).err


@pytest.mark.process
def test_bot_serve_answers_and_leaves(tmp_path: Path) -> None:
    lines, _ = transcript()
    sent = "".join(f"{line[2:]}\n" for line in lines if line[0] == ">")
    assert run("bot", "serve", "greedy", stdin=sent).lines == [line[2:] for line in lines if line[0] == "<"]
    assert run("bot", "serve", "greedy").raw == b""
    assert "unknown bot" in run("bot", "serve", "gredy", code=2).err
    failed = run("bot", "check", "true", "--json", cwd=tmp_path, code=1).json
    assert failed["ok"] is False
    assert failed["steps"][-1] == {
        "step": "prints nothing unasked",
        "ok": False,
        "message": "ended: it ended with exit code 0",
        "wrote": "",
    }
