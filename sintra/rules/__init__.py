"""The author's kit: everything that a rule-set needs, in one import.

A **rule-set** (`RuleSet`) is a game's card: its name, options, colors and steps, what is printed on its
boards, and its words. A **state** (`State`) is one game under way. It works on small integers and changes in
place; it never draws, opens or prints anything. Chance comes in as events, by `arrange` and `deal`.

The kit, by purpose:

    the card          RuleSet, Option, Printed, Ruling, EVERY_GAME, Color, Palette
    the log           Event, Choice, Picked, OptionValue, Step, pick_steps
    the state         State, ARRANGE, DEAL, CHOICE, ROUND_END, GAME_END, OVER, Offer, Misfit, BadDeal
    piles             named, counted (pieces by color, in words)
    effects           Effect, COMMON_EFFECTS, OWN_EFFECTS
    chance            Chance, Stream
    snapshots         Value, TableSnapshot, table_fields, Snapshot, PlayerSnapshot
    words and errors  pieces, why_no_pick, in_words, UsageError

**Codes.** Every step of a rule-set has a fixed number, its index in `RuleSet.steps`. Codes are stable: they
are what learning programs see, and what the engine looks up. Players are counted from 0 inside a state, and
from 1 everywhere else.

`sintra.testing` tries a rule-set on random games. `docs/rule-sets.md` shows how to write one, step by step.
"""

from sintra.errors import UsageError
from sintra.frozen import Value
from sintra.log.codec import in_words
from sintra.log.events import Choice, Event, OptionValue, Picked
from sintra.rules.chance import Chance, Stream
from sintra.rules.colors import Color, Palette
from sintra.rules.effects import COMMON_EFFECTS, Effect
from sintra.rules.offer import PICK_CODES, BadDeal, Offer, pick_steps
from sintra.rules.piles import named
from sintra.rules.printed import Printed
from sintra.rules.refusals import why_no_pick
from sintra.rules.ruleset import Misfit, Option, RuleSet
from sintra.rules.rulings import EVERY_GAME, Ruling
from sintra.rules.snapshot import PlayerSnapshot, Snapshot, TableSnapshot, table_fields
from sintra.rules.state import ARRANGE, CHOICE, DEAL, GAME_END, OVER, OWN_EFFECTS, ROUND_END, State
from sintra.rules.steps import Step
from sintra.text import counted, pieces

__all__ = [
    "ARRANGE",
    "CHOICE",
    "COMMON_EFFECTS",
    "DEAL",
    "EVERY_GAME",
    "GAME_END",
    "OVER",
    "OWN_EFFECTS",
    "PICK_CODES",
    "ROUND_END",
    "BadDeal",
    "Chance",
    "Choice",
    "Color",
    "Effect",
    "Event",
    "Misfit",
    "Offer",
    "Option",
    "OptionValue",
    "Palette",
    "Picked",
    "PlayerSnapshot",
    "Printed",
    "RuleSet",
    "Ruling",
    "Snapshot",
    "State",
    "Step",
    "Stream",
    "TableSnapshot",
    "UsageError",
    "Value",
    "counted",
    "in_words",
    "named",
    "pick_steps",
    "pieces",
    "table_fields",
    "why_no_pick",
]
