"""Shorthand: what people type for a step at the keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from sintra.errors import UsageError
from sintra.fold import vocabulary
from sintra.game import Game
from sintra.rules.ruleset import RuleSet
from sintra.rules.steps import Step, Vocabulary

_PICK = re.compile("([0-9]|c)([a-z])")
MAX_WORDS = 5
"""Maximum number of words of a step."""


def shorts(rules: RuleSet, legal: Sequence[Step]) -> dict[str, Step]:
    """Return the short forms of steps: their numbers and letters, without the verb.

    `pick 3 orange` is `3o`, `place 2` is `2`. Words that all legal steps share may be left out, too: with
    line 4 to tile, `tile 4 2` is `2`. Illegal steps have short forms as well, so that they can be explained.
    """
    found: dict[str, Step] = {}
    alike: dict[str, list[list[str]]] = {}
    for step in legal:
        alike.setdefault(verb_of(step), []).append(step.words.split())
    letters = rules.palette.letter
    for step in [*legal, *rules.steps]:
        if verb_of(step) in alike:
            words = step.words.split()
            head = _shared(alike[verb_of(step)])
            if words[: len(head)] == head:
                found.setdefault(_short(words[len(head) :], letters), step)
            found.setdefault(_short(words[1:] or words, letters), step)
    return found


def verb_of(step: Step) -> str:
    """Return the first word of a step."""
    return step.words.split()[0]


def _shared(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the first words that all steps have in common; at least one word is left over."""
    shared = []
    for column in zip(*(row[:-1] for row in rows), strict=False):
        if len(set(column)) > 1:
            break
        shared.append(column[0])
    return shared


def _short(words: Sequence[str], letter: Callable[[str], str]) -> str:
    return "".join(word if word.isdecimal() else letter(word) for word in words)


def first_step(game: Game, tokens: Sequence[str]) -> tuple[str, int]:
    """Return the first step of a line, and the number of words that it took."""
    legal = game.legal()
    known = shorts(game.rules, legal)
    for used in range(min(MAX_WORDS, len(tokens)), 0, -1):
        step = known.get("".join(tokens[:used]))
        if step is not None:
            return step.words, used
    words = vocabulary(game.rules, len(game.players))
    said = _read(words, tokens)
    if said is not None:
        return said, len(said.split())
    for verb in dict.fromkeys(map(verb_of, legal)):
        said = _read(words, [verb, *tokens])
        if said is not None and said != verb:
            return said, len(said.split()) - 1
    if pick := _PICK.fullmatch(tokens[0]):
        return words.read(" ".join(["pick", *pick.groups()]), game.live.offer)[0], 1
    meant = tokens if tokens[0].isalpha() else [verb_of(legal[0]), *tokens]
    return words.read(" ".join(meant), game.live.offer)[0], len(tokens)  # says what is wrong


def in_full(game: Game, tokens: Sequence[str]) -> str | None:
    """Return the steps of a line in full words; None unless it begins with a short form.

    What only looks like a short pick is spelled out, too, and alone: its refusal says what is wrong.
    """
    trial = game.copy()
    trial.settle()
    if not tokens:
        return None
    if tokens[0] not in shorts(trial.rules, trial.legal()):
        pick = _PICK.fullmatch(tokens[0])
        return " ".join(["pick", *pick.groups()]) if pick else None
    found: list[str] = []
    while tokens:
        said, used = first_step(trial, tokens)
        trial.play(said)
        found.append(said)
        tokens = tokens[used:]
    return " ".join(found)


def _read(words: Vocabulary, tokens: Sequence[str]) -> str | None:
    """Return the step that a line begins with, in full words; None if there is none."""
    for used in range(min(MAX_WORDS, len(tokens)), 0, -1):
        try:
            return words.read(" ".join(tokens[:used]))[0]
        except UsageError:
            continue
    return None


def shortest(game: Game) -> dict[Step, str]:
    """Return the shortest form of each step."""
    found: dict[Step, str] = {}
    for short, step in shorts(game.rules, game.legal()).items():
        found.setdefault(step, short)
    return found


def examples(legal: Sequence[Step]) -> list[Step]:
    """Return one step of each kind: a pick from a display, one from the center, and so on."""
    kinds: dict[tuple[str, bool], Step] = {}
    for step in sorted(legal, key=lambda step: (verb_of(step) != "pick", "center" in step.words)):
        kinds.setdefault((verb_of(step), any(word.isdecimal() for word in step.words.split())), step)
    return list(kinds.values())
