"""Azul and Crystal Mosaic: the rule-sets, as the engine asks for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from sintra.errors import UsageError
from sintra.games.azul import boards, options, rulings
from sintra.games.azul.arrangement import check_wall
from sintra.games.azul.boards import Board, template
from sintra.games.azul.boards import in_words as in_words_of
from sintra.games.azul.codes import EFFECTS, STEPS
from sintra.games.azul.colors import COLORS, PALETTE
from sintra.games.azul.events import AzulArranged
from sintra.games.azul.rules import AzulState
from sintra.games.azul.snapshot import AzulSnapshot, snapshot
from sintra.log.codec import in_words
from sintra.log.events import OptionValue
from sintra.rules.chance import Chance
from sintra.rules.printed import Printed
from sintra.rules.ruleset import Misfit, Option, RuleSet
from sintra.rules.rulings import EVERY_GAME, Ruling
from sintra.rules.state import State


class AzulRules(RuleSet):
    """A rule-set for boards with pattern lines and a wall; what is printed on them defines the game."""

    colors = COLORS
    palette = PALETTE
    arranged = AzulArranged
    steps = STEPS
    guide = (
        (
            "pick SOURCE COLOR",
            "take all pieces of a color from display 1 to 9 (the rest goes to the center) or "
            "from center; the round's first pick from there takes the starting tile, which "
            "goes to the floor line",
        ),
        ("place N", "put the picked pieces on pattern line N; what does not fit falls to the floor line"),
        ("place floor", "drop all picked pieces to the floor line"),
        ("tile ROW COLUMN", "on walls with free spaces: where the piece of a full line goes"),
    )
    effects = EFFECTS
    view = "sintra.games.azul.draw"
    scene = "sintra.games.azul.scene"
    planes = "sintra.games.azul.planes"

    def __init__(
        self,
        name: str,
        title: str,
        boards: Mapping[str, Board],
        options: tuple[Option, ...],
        tables: tuple[Printed, ...],
        rulings: tuple[Ruling, ...],
        lessons: str,
    ) -> None:
        """Name a game and say what is printed on each side of its boards."""
        self.name = name
        self.title = title
        self.boards = boards
        self.options = options
        self.tables = tables
        self.rulings = rulings
        self.template = template(next(iter(boards.values())))
        self.lessons = lessons

    def start(self, options: Mapping[str, OptionValue], players: int) -> AzulState:
        """Return a state that waits for its arrangement."""
        return AzulState(players)

    def arrange(
        self, options: Mapping[str, OptionValue], players: int, components: Mapping[str, Any], chance: Chance
    ) -> AzulArranged:
        """Return the board that everybody plays on, with the values of `components`, which are checked."""
        board = self.boards[str(options["side"])]
        try:
            own = msgspec.convert(in_words_of(components), boards.Components)
            wall = own.wall or board.wall
            check_wall(wall)
        except (msgspec.ValidationError, Misfit) as error:
            raise UsageError(f"components: {in_words(error)}") from None
        return AzulArranged(
            colors=COLORS,
            wall=wall,
            multiplier=own.multiplier or board.multiplier,
            floor=own.floor or board.floor,
            bonus=own.bonus or board.bonus,
        )

    def starter(
        self, options: Mapping[str, OptionValue], players: int, components: Mapping[str, Any]
    ) -> Callable[[Chance], State]:
        """Return a function that starts games: chance lays nothing out, so all start alike."""
        state = super().starter(options, players, components)(Chance(0))
        return lambda _: state.copy()

    def snapshot(self, state: AzulState) -> AzulSnapshot:
        """Return the whole table as an immutable value."""
        return snapshot(state)

    def position(self, state: AzulState) -> str:
        """Return everything that lies on the table as text."""
        from sintra.games.azul import position  # few commands need it

        return position.position(state)

    def restore(self, options: Mapping[str, OptionValue], players: int, position: str) -> AzulState:
        """Return the state that a position describes."""
        from sintra.games.azul.position import restore

        return restore(players, self.boards[str(options["side"])], position)

    def why_not(self, state: AzulState, code: int) -> str:
        """Say why this step is not legal here, and what would be."""
        from sintra.games.azul import refusals  # few steps are refused

        return refusals.why_not(state, code)


AZUL = AzulRules(
    "azul",
    "Azul",
    boards.AZUL,
    options.AZUL,
    boards.AZUL_TABLES,
    EVERY_GAME + rulings.AZUL,
    "sintra.games.azul.lessons",
)
CRYSTAL = AzulRules(
    "crystal",
    "Crystal Mosaic",
    boards.CRYSTAL,
    options.CRYSTAL,
    boards.CRYSTAL_TABLES,
    EVERY_GAME + rulings.AZUL + rulings.CRYSTAL,
    "sintra.games.azul.crystal_lessons",
)
