"""The author's kit: everything that a rule-set needs, in one import.

A **rule-set** is a value: its name, its options, the steps that its players can take, what is printed
on its boards, and how a game starts. A **state** is one game under way. It works on small integers and
changes in place; it never draws, opens or prints anything. Chance comes in by `arrange` and `deal`.

**Codes.** Every step of a rule-set has a fixed number, its index in `RuleSet.steps`. Codes are stable:
they are what programs that learn see, and what the engine looks up. Players are counted from 0 inside a
state, and from 1 everywhere else.
"""

from sintra.errors import UsageError
from sintra.frozen import Value
from sintra.log.codec import in_words
from sintra.log.events import Choice, Event, OptionValue, Picked
from sintra.rules.chance import Chance, Stream
from sintra.rules.effects import COMMON_EFFECTS, Effect
from sintra.rules.offer import PICK_CODES, BadDeal, Offer, pick_steps
from sintra.rules.piles import named
from sintra.rules.printed import Printed
from sintra.rules.refusals import why_no_pick
from sintra.rules.ruleset import Misfit, Option, RuleSet
from sintra.rules.rulings import EVERY_GAME, Ruling
from sintra.rules.snapshot import PlayerSnapshot, Snapshot
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
    "Effect",
    "Event",
    "Misfit",
    "Offer",
    "Option",
    "OptionValue",
    "Picked",
    "PlayerSnapshot",
    "Printed",
    "RuleSet",
    "Ruling",
    "Snapshot",
    "State",
    "Step",
    "Stream",
    "UsageError",
    "Value",
    "counted",
    "in_words",
    "named",
    "pick_steps",
    "pieces",
    "why_no_pick",
]
