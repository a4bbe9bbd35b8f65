"""The work that is measured, without the clock, written so that older trees can do it, too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

BOARDS = {
    "sintra-a": ("sintra", "A"),
    "sintra-b": ("sintra", "B"),
    "azul": ("azul", "colored"),
    "gray": ("azul", "gray"),
    "crystal1": ("crystal", "1"),
    "crystal2": ("crystal", "2"),
}
"""What is played: the rules and the side of the boards."""
GAMES = 200
"""Number of different games behind each figure."""
MAX_ROUNDS = 30
"""The rules alone may never end a game of Azul: a random one stops after this many rounds."""

Work = Callable[[], int]
"""Does some work, and returns how much."""


class Unmeasured(Exception):
    """Something that a figure needs is missing."""


def found(name: str, *modules: str) -> Any:
    """Return a name of the engine from the first module that has it."""
    for module in modules:
        try:
            return getattr(import_module(module), name)
        except (ImportError, AttributeError):
            continue
    raise Unmeasured(f"this tree has no {name}")


def game(board: str, players: int, seed: int) -> Any:
    """Return a game that was just dealt."""
    import sintra

    rules, side = BOARDS[board]
    return sintra.new(rules, players, seed=seed, side=side)


def arranged(board: str, players: int, chance: Any) -> Any:
    """Return an arranged state before its first deal: every deal is part of a playout."""
    one = game(board, players, 0)
    options = one.created.options
    state = one.rules.start(options, players)
    state.arrange(one.rules.arrange(options, players, {}, chance))
    return state


# -- Playing ---------------------------------------------------------------------------------


def playouts(board: str, players: int) -> Work:
    """Random games on codes alone, as `simulate` plays them."""
    play_out = found("play_out", "sintra.batch.selfplay", "sintra.selfplay")
    chance = found("Chance", "sintra.rules.chance", "sintra.chance")
    bots = [_random_bot()] * players
    starts = cycle([(arranged(board, players, own), own) for own in map(chance, range(GAMES))])

    def play() -> int:
        state, own = next(starts)
        return int(play_out(state.copy(), own, bots, MAX_ROUNDS))

    return play


def _random_bot() -> Callable[[Any, Any], int]:
    """Return the random bot; interpreted, one that draws by Python's generator, as the yardsticks do."""
    if found("build", "sintra.catalog")() == "compiled":
        bot: Callable[[Any, Any], int] = found("random", "sintra.bots.simple", "sintra.bots")
        return bot
    draw = Random(1).random

    def by_draw(state: Any, _: Any) -> int:
        codes = state.legal()
        return int(codes[int(draw() * len(codes))])

    return by_draw


def public(board: str) -> Work:
    """Random games by game.legal() and game.play(step), which keep the log."""
    starts = cycle([game(board, 2, seed) for seed in range(GAMES)])
    draw = Random(1).random
    return lambda: played(next(starts).copy(), draw)


def played(game: Any, draw: Callable[[], float]) -> int:
    """Play a game to its end by steps, at random; return the number of turns."""
    while not game.over and game.round <= MAX_ROUNDS:
        steps = game.legal()
        game.play(steps[int(draw() * len(steps))])
    return sum(type(event).__name__ in ("Picked", "Returned") for event in game.events)


def simulating() -> Work:
    """`sintra.simulate` in this process, counted in games."""
    import sintra

    seeds = iter(range(10**9))
    games = 20 * GAMES if found("build", "sintra.catalog")() == "compiled" else GAMES

    def run() -> int:
        sintra.simulate("azul", games, players=2, seed=next(seeds), jobs=1)
        return games  # enough to make the cost per run negligible

    return run


def bare() -> Work:
    """The playouts that a simulation consists of, counted in games."""
    play = playouts("azul", 2)

    def run() -> int:
        for _ in range(GAMES):
            play()
        return GAMES

    return run


# -- Searching -------------------------------------------------------------------------------


@cache
def positions(board: str, players: int) -> list[tuple[Any, list[int]]]:
    """Return positions from all over random games, each with its legal codes."""
    states = []
    draw = Random(1).random
    for seed in range(GAMES):
        one = game(board, players, seed)
        for _ in range(seed % 40):
            if one.over:
                break
            steps = one.legal()
            one.play(steps[int(draw() * len(steps))])
        if not one.over:
            states.append((one.live.copy(), list(one.live.legal())))
    return states


def copies(board: str, players: int) -> Work:
    """state.copy(), of many positions."""
    states = [state for state, _ in positions(board, players)]

    def copy() -> int:
        for state in states:
            state.copy()
        return len(states)

    return copy


def successors(board: str, players: int) -> Work:
    """become(state) and play(code) on a state that is reused: what a search does at every node.

    Both methods are looked up once, as a search would that calls them a million times.
    """
    states = [(state, codes[len(codes) // 2]) for state, codes in positions(board, players)]
    spare = states[0][0].copy()
    if not hasattr(spare, "become"):
        raise Unmeasured("this tree has no State.become")
    become, play = spare.become, spare.play

    def search() -> int:
        for state, code in states:
            become(state)
            play(code)
        return len(states)

    return search


# -- Reading ---------------------------------------------------------------------------------


@cache
def logs(board: str = "sintra-a") -> list[str]:
    """Return the logs of complete games."""
    texts = []
    for seed in range(GAMES):
        one = game(board, 2 + seed % 3, seed)
        played(one, Random(seed).random)
        texts.append(one.dumps())
    return texts


def loading() -> Work:
    """sintra.loads of complete games, counted in events."""
    import sintra

    texts = cycle(logs())

    def load() -> int:
        return len(sintra.loads(next(texts)).events)

    return load


def decoding() -> Work:
    """msgspec decoding the same lines, and nothing else."""
    from sintra import catalog

    decode = found("line_decoder", "sintra.log.codec", "sintra.events")(catalog.find("sintra").lines).decode
    texts = cycle([text.encode().splitlines() for text in logs()])

    def decode_log() -> int:
        lines = next(texts)
        for line in lines:
            decode(line)
        return len(lines)

    return decode_log


@cache
def long_log(events: int) -> str:
    """Return a log of four players with at least so many events: now and then, a step is taken back."""
    one = game("sintra-b", 4, 1)
    draw = Random(1).random
    while len(one.events) < events and not one.over:
        steps = one.legal()
        one.play(steps[int(draw() * len(steps))])
        if len(one.events) % 3 == 0 and one.player is not None:
            one.undo()
    return str(one.dumps())


def _folds() -> Iterator[Any]:
    """Yield a game of four players after each of its events, again and again."""
    import sintra

    whole = sintra.loads(long_log(300))
    folds = [sintra.loads(whole.fork(at).dumps()).fold for at in range(3, len(whole.events), 20)]
    return cycle(folds)


def drawing() -> Work:
    """Tables of four players as SVG, counted in positions."""
    drawn = found("drawn", "sintra.view.svg")
    folds = _folds()

    def draw() -> int:
        drawn(next(folds))
        return 1

    return draw


def snapshots() -> Work:
    """The same tables as values, which a picture is made from."""
    folds = _folds()

    def look() -> int:
        fold = next(folds)
        fold.rules.snapshot(fold.state)
        return 1

    return look


def one_step_left() -> tuple[str, list[str]]:
    """Return the log of a game that lacks its last choice, and the words of a legal step."""
    import sintra

    lines = logs()[1].splitlines(keepends=True)
    choices = ("picked", "placed", "kept", "returned")
    last = max(at for at, line in enumerate(lines) if any(f'"type":"{name}"' in line for name in choices))
    text = "".join(lines[:last])
    return text, str(sintra.loads(text).legal()[0]).split()


def folder_of_logs(folder: Path, games: int) -> tuple[Path, int]:
    """Write a file of many logs; return it with the number of its events."""
    path = folder / "many.logs"
    texts = logs() * (1 + games // GAMES)
    path.write_text("".join(texts))
    return path, sum(text.count("\n") for text in texts)


def choices(bot: str, programs: Any) -> list[float]:
    """Let a program play all seats of a game; return the seconds that each of its choices took."""
    from time import perf_counter

    import sintra
    from sintra.bots.referee import seated

    game = sintra.new("azul", 2, seed=1)
    seats = seated([bot, bot], game, programs)
    taken = []
    while game.player is not None:
        start = perf_counter()
        code = seats[game.player - 1].choose(game)
        taken.append(perf_counter() - start)
        game.choose(code)
        game.settle(8)
    for seat in seats:
        seat.leave(game, "ended")
    return taken
