"""What a bot is handed: nothing of it leads to the game's seed, and states can be kept, copied and sent."""

from __future__ import annotations

import copy
import pickle
from hashlib import sha256
from pathlib import Path

import pytest

import sintra
from sintra.batch.simulation import simulate
from sintra.rules.chance import SALT, Chance, Stream
from sintra.rules.state import State

WORD = 2**32


def step_back(state: list[int]) -> None:
    """Undo a step of the generator."""
    a, b, c, d = state
    before = b * pow(9, -1, WORD) % WORD
    second = a ^ a >> 9 ^ a >> 18 ^ a >> 27
    result = (c - (before << 21 | before >> 11)) % WORD
    counter = (d - 1) % WORD
    state[:] = [(result - second - counter) % WORD, second, before, counter]


def seed_behind(stream: Stream, label: str) -> int:
    """Run a stream that nothing was drawn from backwards, to the seed that it began at."""
    text = label.encode().ljust(12, b"\0")
    state = [stream.a, stream.b, stream.c, stream.d]
    for words in ([int.from_bytes(text[at : at + 4], "little") for at in (0, 4, 8)], [0, 0, SALT]):
        for _ in range(12):
            step_back(state)
        for at, word in enumerate(words):
            state[at] ^= word
    assert state[2:] == [0, 1], "there was something else before"
    return state[0] | state[1] << 32


class Spy:
    """A bot that keeps what it is handed."""

    def __init__(self) -> None:
        self.streams: list[Stream] = []
        self.states: list[State] = []

    def __call__(self, state: State, stream: Stream) -> int:
        first = state.legal()[0]
        self.states.append(state)
        self.streams.append(Stream(stream.a, stream.b, stream.c, stream.d))
        return first


def test_the_way_back_is_the_right_one() -> None:
    """Without the hash, it leads from a bot's stream to the seed, and so to all deals."""
    for seed in (0, 1, 42, 2**53 - 1, 1234567890123):
        assert seed_behind(Chance(seed).stream("choices"), "choices") == seed
        assert seed_behind(Chance(seed).stream("bot 1"), "bot 1") == seed


def test_what_a_bot_is_handed_does_not_lead_to_the_seed(tmp_path: Path) -> None:
    spy = Spy()
    simulate("azul", 3, bots=[spy, "random"], seed=7, out=tmp_path / "run")
    games = [sintra.load(path) for path in sorted((tmp_path / "run").rglob("*.log"))]
    seeds = [game.created.seed for game in games]
    found = {seed_behind(stream, "choices") for stream in spy.streams}
    hashed = {
        int.from_bytes(sha256(f"{seed} bot 1".encode()).digest()[:8], "little") % 2**53 for seed in seeds
    }
    assert found == hashed
    assert len(found) == 3
    assert not found & {7, *seeds}
    for seed in found:
        deals = {str(event) for event in sintra.new("azul", 2, seed=seed).events[2:3]}
        assert not deals & {str(game.events[2]) for game in games}


@pytest.mark.parametrize("rules", ["azul", "sintra", "crystal"])
def test_a_state_that_a_bot_is_handed_can_be_kept_copied_and_sent(rules: str) -> None:
    spy = Spy()
    simulate(rules, 1, bots=[spy, "random"], seed=7)
    for state in spy.states[::5]:
        for twin in (state.copy(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
            assert type(twin) is type(state)
            assert twin.legal() == state.legal()
            twin.play(twin.legal()[0])
        assert state.legal()
