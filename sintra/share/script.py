"""The script of a game: the contents of a code, packed from a game or unpacked into one.

One function does both, so that they can't diverge: `Digits.number` returns the value, packed or unpacked.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from sintra import catalog
from sintra.fold import Fold, decoder_of
from sintra.game import Game
from sintra.log.codec import as_read, decode_created
from sintra.log.events import (
    MAX_SEED,
    Choice,
    Created,
    Dealt,
    Event,
    Noted,
    Undone,
    seed_remark,
)
from sintra.rules.chance import Chance
from sintra.rules.created import CHANCES, create
from sintra.rules.digits import BadDigits, Digits
from sintra.rules.piles import count, counts, of
from sintra.rules.state import ARRANGE, CHOICE, DEAL, OVER

RULES = ("sintra", "azul", "crystal")
"""Rule-sets that are coded as a number; others go by their names."""
MAX_EVENTS = 1 << 20
FREE_EVENTS = 1000
"""Maximum number of events without a choice that are played at the end: a game might never end."""
UNDONE, SEED, NOTE = range(3)
"""Marks: events that no state waits for."""
Mark = tuple[int, int, int | str]
"""The number of other events since the last mark, the kind of mark, and its contents."""


class Script:
    """A game, packed or unpacked."""

    def __init__(self, digits: Digits, game: Game | None = None) -> None:
        """Pack a game into digits, or unpack the one they have."""
        self.digits = digits
        self.given = game
        events = list(game.events) if game else []
        self.marks, self.events = _marks(events)
        """What is to be packed; marks are also what was unpacked."""
        self.next = 1
        """The index of the next of `events`."""

    def run(self) -> Game:
        """Code the whole game; return it."""
        digits = self.digits
        created = self._created()
        self.fold = Fold(self.given.rules if self.given else catalog.find(created.rules), created)
        self.chance = Chance(created.seed)
        self.played: list[Event] = [self.fold.created]
        self.own = digits.flag(self._has_own_draws())
        self._code_marks()
        extra = digits.large(self._extra() if digits.packing else 0, FREE_EVENTS)
        self._play()
        if digits.packing:
            return self.given or Game(self.fold, self.played)
        if digits.left:
            raise BadDigits("too long")
        return self._without(extra)

    # -- The first event --

    def _created(self) -> Created:
        """Code the first event."""
        digits, given = self.digits, self.given
        made = given.created if given else None
        name = self._name(made.rules if made else "")
        rules = given.rules if given else catalog.find(name)
        players = len(made.players) if made else 2
        players = 2 + digits.number(players - 2, 3)
        options = {}
        for option in rules.options:
            at = option.values.index(made.options[option.name]) if made else 0
            options[option.name] = option.values[digits.number(at, len(option.values))]
        chance = CHANCES[digits.number(CHANCES.index(made.chance) if made else 0, len(CHANCES))]
        seed = self._seed(made.seed or 0 if made else 0) if chance == "seeded" else None
        engine = self._engine(made.engine if made else "")
        text = made.position if made and isinstance(made.position, str) else ""
        position = digits.text(text) if digits.flag(bool(text)) else ""
        usual = tuple(f"Player {number}" for number in range(1, players + 1))
        names = made.players if made else usual
        if digits.flag(names != usual):
            names = tuple(digits.text(name) for name in names)
        if made:
            return made
        found = create(rules, players, options, chance, seed, engine, position)
        return as_read(replace(found, players=names), decode_created)

    def _name(self, name: str) -> str:
        """Code the name of the rules."""
        at = RULES.index(name) if name in RULES else len(RULES)
        at = self.digits.number(at, len(RULES) + 1)
        return RULES[at] if at < len(RULES) else self.digits.text(name)

    def _seed(self, seed: int) -> int:
        """Code a seed, small or drawn."""
        if self.digits.flag(seed >= 1 << 20):
            return self.digits.number(seed, MAX_SEED + 1)
        return self.digits.large(seed, (1 << 20) - 1)

    def _engine(self, engine: str) -> str:
        """Code the version that wrote a log: usually three numbers."""
        found = re.fullmatch(r"(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})", engine)
        if not self.digits.flag(self.digits.packing and found is None):
            parts = map(int, found.groups()) if found else (0, 0, 0)
            return ".".join(str(self.digits.large(part, 999)) for part in parts)
        return self.digits.text(engine)

    # -- Marks --

    def _code_marks(self) -> None:
        """Code the events that no state waits for: undo, and remarks."""
        digits = self.digits
        number = digits.large(len(self.marks), MAX_EVENTS)
        marks: list[Mark] = self.marks if digits.packing else [(0, 0, 0)] * number
        self.marks = []
        for gap, kind, said in marks:
            gap = digits.large(gap, MAX_EVENTS)
            kind = digits.number(kind, 3)
            if kind == UNDONE:
                said = 1 + digits.large(int(said or 1) - 1, MAX_EVENTS)
            elif kind == NOTE:
                said = digits.text(str(said))
            self.marks.append((gap, kind, said))

    def _mark(self, kind: int, said: int | str) -> Event:
        """Return the event of a mark."""
        if kind == UNDONE:
            return Undone(int(said))
        return seed_remark(len(self.played) + 2) if kind == SEED else Noted(str(said))

    # -- The game --

    def _play(self) -> None:
        """Code every event; when unpacking, continue after the last packed choice until one is needed."""
        marks = iter(self.marks)
        mark = next(marks, None)
        gap = free = 0
        while True:
            if mark and mark[0] == gap:
                self._take(as_read(self._mark(*mark[1:]), decoder_of(self.fold.rules).decode))
                mark, gap = next(marks, None), 0
                continue
            if self.digits.packing and self.next == len(self.events):
                return
            before = self.digits.left
            event = self._event()
            if event is None:
                return
            if not self.digits.packing and not before and mark is None:
                free += 1
                if free > FREE_EVENTS:
                    return
            self._take(event)
            gap += 1

    def _take(self, event: Event) -> None:
        self.fold.take(event)
        self.played.append(event)
        if len(self.played) > MAX_EVENTS:
            raise BadDigits("too long")

    def _event(self) -> Event | None:
        """Code the next event that the state waits for; None if nothing is left to determine it."""
        fold, phase = self.fold, self.fold.state.phase
        given = self.events[self.next] if self.digits.packing else None
        self.next += 1
        if phase == OVER:
            return None
        if phase >= CHOICE:
            return self._choice(given)
        if phase in (ARRANGE, DEAL):
            return self._drawn(given)
        trial = fold.copy()
        return trial.go_on(self.chance)

    def _choice(self, given: Event | None) -> Event | None:
        """Code a choice by its index among the legal ones."""
        fold = self.fold
        legal = fold.state.legal()
        if given is None and len(legal) > 1 and not self.digits.left:
            return None
        events = fold.choices[fold.state.player]
        at = 0
        if isinstance(given, Choice):
            at = legal.index(fold.words.codes[fold.state.player][given])
        return events[legal[self.digits.number(at, len(legal))]]

    # -- Chance --

    def _has_own_draws(self) -> bool:
        """Return True if a game has draws that do not follow from its seed."""
        if self.given is None:
            return False
        fold = Fold(self.given.rules, self.given.created)
        for event in self.given.events[1:]:
            if isinstance(event, (Dealt, fold.rules.arranged)) and event != self._usual(fold):
                return True
            fold.take(event)
        return False

    def _usual(self, fold: Fold) -> Event:
        """Return what the seed draws; without a seed, what seed 0 draws, which is an unlikely match."""
        chance = Chance(fold.created.seed or 0)
        return fold.arrange(chance, {}) if fold.state.phase == ARRANGE else fold.draw(chance)

    def _drawn(self, given: Event | None) -> Event | None:
        """Code a draw: the seed's, or any other."""
        fold, digits = self.fold, self.digits
        usual = self._usual(fold)
        if not self.own:
            return usual
        if not digits.packing and not digits.left:
            return None
        if not digits.flag(given is not None and given != usual):
            return usual
        if fold.state.phase == DEAL:
            return self._deal(given)
        created = fold.created
        return fold.rules.pack(digits, created.options, len(created.players), given)

    def _deal(self, given: Event | None) -> Dealt:
        """Code a deal piece by piece: each is one of the colors in the bag, or then in the tower (R2)."""
        offer, names = self.fold.state.offer, self.fold.rules.colors
        bag, tower = offer.bag, offer.tower
        displays: list[tuple[str, ...]] = []
        drawn = given.displays if isinstance(given, Dealt) else ()
        for number in range(offer.displays):
            pieces: list[str] = []
            for place in range(offer.size):
                if not bag:
                    bag, tower = tower, 0
                there = [color for color, pieces_ in enumerate(counts(bag, offer.colors)) if pieces_]
                if not there:
                    break
                at = 0
                if drawn:
                    color = names.index(drawn[number][place])
                    if not count(bag, color):
                        raise BadDigits("not in the bag")
                    at = there.index(color)
                color = there[self.digits.number(at, len(there))]
                bag -= of(color, 1)
                pieces.append(names[color])
            displays.append(tuple(pieces))
        return Dealt(self.fold.state.round + 1, tuple(displays))

    # -- The end --

    def _extra(self) -> int:
        """Return the number of events without a choice after the last one: unpacking plays them, too."""
        if self.given is None:
            return 0
        script = Script(Digits(1))
        script.fold, script.chance = self.given.fold.copy(), self.chance
        script.played, script.own = list(self.given.events), self.own
        before = len(script.played)
        script._play()
        return len(script.played) - before

    def _without(self, extra: int) -> Game:
        """Return the game without its last events."""
        if not extra:
            return Game(self.fold, self.played)
        if extra >= len(self.played):
            raise BadDigits("too many events to leave out")
        events = self.played[:-extra]
        fold = Fold(self.fold.rules, self.fold.created)
        for event in events[1:]:
            fold.take(event)
        return Game(fold, events)


def _marks(events: list[Event]) -> tuple[list[Mark], list[Event]]:
    """Return the marks of a log, and its other events."""
    marks: list[Mark] = []
    others: list[Event] = []
    gap = -1  # the first event is none of those between
    for number, event in enumerate(events, 1):
        if isinstance(event, Undone):
            marks.append((gap, UNDONE, event.events))
        elif isinstance(event, Noted):
            marks.append((gap, SEED, 0) if event == seed_remark(number + 1) else (gap, NOTE, event.text))
        else:
            others.append(event)
            gap += 1
            continue
        gap = 0
    return marks, others
