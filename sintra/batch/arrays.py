"""Many games at once behind arrays: the inner loop of `Vector`, compiled with the rules.

The seed of every game is a one-way function of the batch's: nothing that a learner knows of one game reveals
the draws of another. A game that is over restarts within the same step.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

from sintra._mypyc import i64, u8, vec
from sintra.batch.rewards import margins, shares
from sintra.rules.chance import MAX_SEED, Chance
from sintra.rules.observer import Observer, clear, real_numbers, small_numbers
from sintra.rules.state import CHOICE, DEAL, GAME_END, OVER, ROUND_END, State


def episode_seed(seed: int, game: int, episode: int) -> int:
    """Return the seed of an episode, from 1, of a game, from 0: from SHA-256, so it can't be reversed."""
    digest = sha256(f"{seed} game {game} episode {episode}".encode()).digest()
    return int.from_bytes(digest[:8], "little") & MAX_SEED


def settle(state: State, chance: Chance, rounds: i64) -> bool:
    """Let everything automatic happen; return True if a player has to choose.

    Nobody does once the game is over, or after round `rounds` (R6).
    """
    while True:
        phase = state.phase
        if phase >= CHOICE:
            return True
        if phase == ROUND_END:
            state.end_round()
        elif phase == DEAL and state.round < rounds:
            state.deal_from(chance.stream(f"displays {state.round + 1}"))
        elif phase == GAME_END:
            state.finish()
        else:
            return False


class Episode:
    """A game that was played: its seed, the chosen codes, and if it was played to the end."""

    def __init__(self, seed: int, codes: list[int], over: bool) -> None:
        self.seed = seed
        self.codes = codes
        self.over = over

    def __reduce__(self) -> tuple[object, ...]:
        return Episode, (self.seed, self.codes, self.over)


class Batch:
    """Several games of the same kind under way; arrays have a row for each."""

    masks: vec[u8]
    """1 for each legal code."""
    planes: vec[u8]
    """The planes as the player to move sees them; empty if `cells` is 0."""
    movers: vec[u8]
    """Who has to choose, from 0."""
    rewards: vec[float]
    """The reward of each player for the last step, by seat."""
    ended: vec[u8]
    """1 if the last step ended the game."""
    truncated: vec[u8]
    """1 if the last step reached the limit of rounds."""

    def __init__(
        self,
        start: Callable[[Chance], State],
        observer: Observer,
        games: i64,
        players: i64,
        width: i64,
        cells: i64,
        rounds: i64,
        margin: bool,
        keep: bool,
        first: i64,
    ) -> None:
        """`width` is the number of codes, `cells` the size of all planes; games are numbered from `first`."""
        self.start = start
        self.observer = observer
        self.games = games
        self.players = players
        self.width = width
        self.cells = cells
        self.rounds = rounds
        self.margin = margin
        self.keep = keep
        self.first = first
        self.seed = 0
        self.masks = small_numbers(games * width)
        self.planes = small_numbers(games * cells)
        self.movers = small_numbers(games)
        self.rewards = real_numbers(games * players)
        self.ended = small_numbers(games)
        self.truncated = small_numbers(games)
        self.states: list[State] = []
        self.chances: list[Chance] = []
        self.codes: list[list[int]] = []
        self.episodes: list[int] = []
        self.kept: list[Episode] = []

    def reset(self, seed: int) -> None:
        """Restart all games."""
        self.seed = seed
        self.states = []
        self.chances = []
        self.codes = []
        self.episodes = [0] * self.games
        self.kept = []
        game: i64 = 0
        while game < self.games:
            state, chance = self._begin(game)
            self.states.append(state)
            self.chances.append(chance)
            self.codes.append([])
            self._clear(game)
            self._show(game, state)
            game += 1

    def _begin(self, game: i64) -> tuple[State, Chance]:
        """Return the next episode of a game."""
        self.episodes[game] += 1
        chance = Chance(episode_seed(self.seed, self.first + game, self.episodes[game]))
        state = self.start(chance)
        settle(state, chance, 1)
        if self.cells:
            self.observer.lay_out(state, self.planes, game * self.cells)
        return state, chance

    def illegal(self, codes: vec[i64]) -> i64:
        """Return the first game whose code is not legal, or -1."""
        game: i64 = 0
        while game < self.games:
            code = codes[game]
            if code < 0 or code >= self.width or self.masks[game * self.width + code] == u8(0):
                return game
            game += 1
        return -1

    def step(self, codes: vec[i64]) -> i64:
        """Take a step in each game; if a code is not legal, do nothing, and return as `illegal` does."""
        game = self.illegal(codes)
        if game >= 0:
            return game
        game = 0
        while game < self.games:
            self._step(game, codes[game])
            game += 1
        return -1

    def _step(self, game: i64, code: i64) -> None:
        if self.ended[game] or self.truncated[game]:
            self._clear(game)
        state = self.states[game]
        self.codes[game].append(code)
        state.play(code)
        if state.phase < CHOICE and not settle(state, self.chances[game], self.rounds):
            self._end(game, state)
            state, chance = self._begin(game)
            self.states[game] = state
            self.chances[game] = chance
            self.codes[game] = []
        self._show(game, state)

    def _end(self, game: i64, state: State) -> None:
        """Record the rewards and the episode; a truncated game has no rewards."""
        over = state.phase == OVER
        if over:
            self.ended[game] = u8(1)
            at = game * self.players
            for reward in margins(state) if self.margin else shares(state):
                self.rewards[at] = reward
                at += 1
        else:
            self.truncated[game] = u8(1)
        if self.keep:
            seed = self.chances[game].seed
            self.kept.append(Episode(0 if seed is None else seed, self.codes[game], over))

    def _clear(self, game: i64) -> None:
        """Clear the results of a game's last episode."""
        self.ended[game] = u8(0)
        self.truncated[game] = u8(0)
        at = game * self.players
        end = at + self.players
        while at < end:
            self.rewards[at] = 0.0
            at += 1

    def _show(self, game: i64, state: State) -> None:
        """Write what the player to move sees."""
        at = game * self.width
        clear(self.masks, at, self.width)
        self.observer.mark(state, self.masks, at)
        self.movers[game] = u8(state.player)
        if self.cells:
            self.observer.paint(state, state.player, self.planes, game * self.cells)

    # -- Looking at it --

    def under_way(self, game: i64) -> tuple[int, list[int]]:
        """Return the seed of a game, and the codes chosen so far."""
        seed = self.chances[game].seed
        return 0 if seed is None else seed, self.codes[game][:]

    def taken_off(self) -> list[Episode]:
        """Return the kept episodes, and discard them."""
        kept = self.kept
        self.kept = []
        return kept
