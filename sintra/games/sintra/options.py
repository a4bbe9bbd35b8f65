"""The options of Stained Glass of Sintra, as people choose them and as the rules read them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sintra._mypyc import i64
from sintra.log.events import OptionValue
from sintra.rules.keeping import reduced
from sintra.rules.ruleset import Option

OPTIONS = (
    Option("side", ("A", "B"), "A", "the side of the palace boards: A scores ornaments, B one color"),
    Option("floor_at_zero", (False, True), False, "house rule: a score never drops below 0"),
)
SIDE_A: Final = 0
SIDE_B: Final = 1


class Chosen:
    """The options of one game."""

    side: i64
    floor_at_zero: bool

    def __init__(self, options: Mapping[str, OptionValue]) -> None:
        """Read the options of a log's first event."""
        self.side = SIDE_A if options["side"] == "A" else SIDE_B
        self.floor_at_zero = bool(options["floor_at_zero"])

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to make it again, for pickle and deepcopy."""
        return reduced(self, {"side": "A", "floor_at_zero": False})
