"""Answers about a game with `--json`: the keys that scripts rely on. `sintra schema` publishes them.

Answers about many games and analysis, which need more imports, are in `reports`.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from sintra.log.events import OptionValue
from sintra.rules.ruleset import Option
from sintra.rules.rulings import Ruling

Line = Annotated[
    Any,
    Meta(
        description="An event, as its line in the log; `sintra schema log-RULES` has its keys.",
        extra_json_schema={
            "type": "object",
            "properties": {"type": {"type": "string"}},
            "required": ["type"],
        },
    ),
]
"""An event; its keys depend on the rule-set."""

State = Annotated[
    Any, Meta(description="The table; its keys depend on the rule-set.", extra_json_schema={"type": "object"})
]

Happened = Annotated[
    dict[str, int | str | None],
    Meta(
        description="What the rules did automatically, to which player, with which numbers.",
        extra_json_schema={
            "properties": {"effect": {"type": "string"}, "player": {"type": ["integer", "null"]}},
            "required": ["effect", "player"],
        },
    ),
]

Printed = Annotated[
    Any,
    Meta(
        description="A printed table: its name, its values, and how certain they are.",
        extra_json_schema={
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "value": {"type": ["array", "object", "number"]},
                "source": {"type": "string"},
                "note": {"type": "string"},
            },
            "required": ["name", "value", "source", "note"],
            "additionalProperties": False,
        },
    ),
]


class Answer(Struct, frozen=True, forbid_unknown_fields=True):
    """An object on a line of standard output."""


class NewAnswer(Answer, frozen=True):
    """`new -o FILE`, `fork -o FILE`, `convert -o FILE`, `decode -o FILE`: which log was written."""

    log: str
    rules: str
    options: dict[str, OptionValue]
    players: tuple[str, ...]
    chance: str
    seed: int | None


class MoveAnswer(Answer, frozen=True):
    """`move`, `undo`, `note`, `deal`, `arrange`: the events that were appended, and how the game stands."""

    events: list[Line]
    player: int | None
    round: int
    over: bool
    scores: list[int]
    winners: list[int]
    legal: list[str]


class LegalAnswer(Answer, frozen=True):
    """`legal`: whose choice it is, and the legal next steps."""

    player: int | None
    legal: list[str]


class ShowAnswer(Answer, frozen=True):
    """`show`: the whole table; `state` has the keys of the rule-set. With `--code`, the game as a code."""

    rules: str
    options: dict[str, OptionValue]
    players: tuple[str, ...]
    events: int
    over: bool
    scores: list[int]
    winners: list[int]
    legal: list[str]
    state: State
    code: str | UnsetType = UNSET


class CodeAnswer(Answer, frozen=True):
    """`code`: a game as a code, the number of events of its log, and whether it has names and remarks."""

    code: str
    events: int
    names: bool


class PositionAnswer(Answer, frozen=True):
    """`position`: a position as one line."""

    position: str


class ReplayLine(Answer, frozen=True):
    """`replay`, one line per event: the event, what followed by the rules, and the scores after it."""

    number: int
    event: Line
    effects: list[Happened]
    scores: list[int]


class TestAnswer(Answer, frozen=True):
    """`rules --test`: whether the kit passed."""

    rules: str
    ok: bool
    steps: int | UnsetType = UNSET
    message: str | UnsetType = UNSET
    log: str | UnsetType = UNSET


class Section(Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the rules, below its heading."""

    heading: str
    text: str


class PageAnswer(Answer, frozen=True):
    """`rules NAME --how-to-play`: the rules on a page."""

    rules: str
    title: str
    page: list[Section]


class RulesAnswer(Answer, frozen=True):
    """`rules NAME`: all about a rule-set; `rules` alone answers a list of these (`rules-list`)."""

    name: str
    title: str
    package: str | None
    players: tuple[int, ...]
    colors: tuple[str, ...]
    options: tuple[Option, ...]
    steps: list[str]
    tables: tuple[Printed, ...]
    rulings: tuple[Ruling, ...]
