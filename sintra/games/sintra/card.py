"""Stained Glass of Sintra, 2 to 4 players: its card.

The rules are in `rules`, in the order of the rulebook; what is printed is in `boards`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from sintra.errors import UsageError
from sintra.games.sintra import boards
from sintra.games.sintra.arrangement import Arrangement, Setup, check_printed, in_order
from sintra.games.sintra.codes import EFFECTS, SPELLINGS, STEPS
from sintra.games.sintra.colors import COLORS, PALETTE
from sintra.games.sintra.events import SintraArranged, Strip
from sintra.games.sintra.options import OPTIONS, Chosen
from sintra.games.sintra.rules import SintraState
from sintra.games.sintra.rulings import RULINGS
from sintra.games.sintra.snapshot import SintraSnapshot, snapshot
from sintra.log import codec
from sintra.log.events import Event, OptionValue
from sintra.rules.chance import Chance
from sintra.rules.ruleset import Misfit, RuleSet
from sintra.rules.rulings import EVERY_GAME

if TYPE_CHECKING:
    from sintra.rules.digits import Digits


class SintraRules(RuleSet):
    """Stained Glass of Sintra, as the engine asks for it."""

    name = "sintra"
    title = "Stained Glass of Sintra"
    options = OPTIONS
    players = (2, 3, 4)
    colors = COLORS
    palette = PALETTE
    arranged = SintraArranged
    steps = STEPS
    guide = (
        (
            "pick SOURCE COLOR",
            "take all pieces of a color from display 1 to 9 (the rest goes to the center) or "
            "from center; the round's first pick from there takes the starting tile, a step "
            "on the broken glass track",
        ),
        (
            "place N",
            "put the picked pieces on strip N, beneath the glazier or to its right; what does not fit "
            "breaks. Spaces of the color fill before jokers",
        ),
        ("place N jokers K", "the same, with K jokers used"),
        (
            "keep COLOR",
            "choose the piece of the completed strip that goes to the window; the others go to the "
            "tower, and the window scores with all furnished ones to its right",
        ),
        ("return", "instead of picking, the glazier walks back to the leftmost strip"),
    )
    spellings = SPELLINGS
    effects = EFFECTS
    tables = boards.TABLES
    template = boards.TEMPLATE
    rulings = EVERY_GAME + RULINGS
    view = "sintra.games.sintra.draw"
    scene = "sintra.games.sintra.scene"
    planes = "sintra.games.sintra.planes"
    lessons = "sintra.games.sintra.lessons"

    def start(self, options: Mapping[str, OptionValue], players: int) -> SintraState:
        """Return a state that waits for its arrangement."""
        return SintraState(players, Arrangement(Chosen(options)))

    def arrange(
        self,
        options: Mapping[str, OptionValue],
        players: int,
        components: Mapping[str, Any],
        chance: Chance,
    ) -> SintraArranged:
        """Shuffle everybody's strips, joker side down, and draw six pieces for the indicator."""
        return _laid_out(Setup(*_printed(str(options["side"]), components)), players, chance)

    def arrange_again(
        self, options: Mapping[str, OptionValue], players: int, arranged: SintraArranged, chance: Chance
    ) -> SintraArranged:
        """Shuffle the same strips again; those of the box start in its order."""
        strips = in_order(arranged.strips[0], [Strip(up, down) for up, down in boards.STRIPS], chance)
        return _laid_out(Setup(strips, arranged.windows, arranged.broken), players, chance)

    def starter(
        self, options: Mapping[str, OptionValue], players: int, components: Mapping[str, Any]
    ) -> Callable[[Chance], SintraState]:
        """Return a function that starts games; what is printed is checked and packed only once."""
        setup = Setup(*_printed(str(options["side"]), components))
        blank = self.start(options, players)

        def start(chance: Chance) -> SintraState:
            state = blank.copy()
            state.lay_out(setup.printed(blank.printed, players, chance))
            return state

        return start

    def lay(
        self,
        options: Mapping[str, OptionValue],
        players: int,
        components: Mapping[str, Any],
        words: Sequence[str],
    ) -> SintraArranged:
        """Return the arrangement that was typed in: see `typed.arranged`."""
        from sintra.games.sintra import typed  # imported late: few games are recorded at a real table

        return typed.arranged(words, players, *_printed(str(options["side"]), components))

    def questions(self, players: Sequence[str]) -> list[tuple[str, str]]:
        """Return questions for the round indicator, and for everybody's strips."""
        found = [("indicator", "The round indicator: six letters, from round I on")]
        for number, name in enumerate(players, 1):
            question = f"{name}'s strips from left to right, by the side that is up: eight words like pbypy"
            found.append((f"strips {number}", question))
        return found

    def snapshot(self, state: SintraState) -> SintraSnapshot:
        """Return the whole table in words."""
        return snapshot(state)

    def position(self, state: SintraState) -> str:
        """Return everything that lies on the table as text."""
        from sintra.games.sintra import position  # few commands need it

        return position.position(state)

    def restore(self, options: Mapping[str, OptionValue], players: int, position: str) -> SintraState:
        """Return the state that a position describes."""
        from sintra.games.sintra.position import restore

        return restore(options, players, position)

    def pack(
        self, digits: Digits, options: Mapping[str, OptionValue], players: int, arranged: Event | None
    ) -> SintraArranged:
        """Pack an arrangement into the digits of a code, or unpack one."""
        from sintra.games.sintra.packing import pack

        assert arranged is None or isinstance(arranged, SintraArranged)
        return pack(digits, str(options["side"]), players, arranged)

    def resolve(self, state: SintraState, words: str) -> str:
        """Return the words of a step, for any spelling of it."""
        if " jokers " not in words:
            return words
        from sintra.games.sintra import refusals  # imported late: rarely needed

        return refusals.resolve(state, words)

    def why_not(self, state: SintraState, code: int) -> str:
        """Say why this step is not legal here, and what would be."""
        from sintra.games.sintra import refusals

        return refusals.why_not(state, code)


def _laid_out(setup: Setup, players: int, chance: Chance) -> SintraArranged:
    """Return a random arrangement."""
    indicator = tuple(COLORS[color] for color in setup.indicator(chance))
    rows = tuple(setup.strips(faces) for faces in setup.rows(players, chance))
    return SintraArranged(indicator, rows, setup.windows, setup.broken)


def _printed(
    side: str, components: Mapping[str, Any]
) -> tuple[Sequence[Strip], tuple[int, ...], tuple[int, ...]]:
    """Return strips, windows and broken glass track: checked, and from a component file where it has them."""
    try:
        own = msgspec.convert(boards.in_words(components), boards.Components)
    except msgspec.ValidationError as error:
        raise UsageError(f"components: {codec.in_words(error)}") from None
    strips = own.strips or tuple(Strip(up, down) for up, down in boards.STRIPS)
    windows = boards.WINDOWS if own.windows is None else own.windows  # an empty dictionary is a value, too
    if isinstance(windows, dict):
        unknown = [name for name in windows if name not in boards.WINDOWS]
        if unknown:
            raise UsageError(
                f"components: windows: no side {unknown[0]!r}; choose {' or '.join(boards.WINDOWS)}"
            )
        if side not in windows:
            raise UsageError(f"components: windows: side {side} is missing")
        windows = windows[side]
    broken = own.broken or boards.BROKEN
    try:
        check_printed(strips, windows, broken)
    except Misfit as error:
        raise UsageError(f"components: {error}") from None
    return strips, windows, broken


SINTRA = SintraRules()
