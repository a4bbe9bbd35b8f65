"""Positions as a line: the rules and their options, the players, chance, a check, and what lies on the table.

    azul side=colored players=2 seed=42 check=x3k9 / awaits=pick round=2 ... / wall=... / score=... / ...

The check is computed from the rest of the line, so typos are noticed. A line without one is accepted, for
positions written by hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from zlib import crc32

from sintra import catalog
from sintra.api import fold_after, game_of
from sintra.errors import UsageError
from sintra.game import Game
from sintra.log.events import MAX_POSITION_CHARACTERS, MAX_SEED, Created, OptionValue
from sintra.rules.chance import new_seed
from sintra.rules.created import CHANCES, create
from sintra.rules.position import Section
from sintra.rules.ruleset import Misfit, RuleSet
from sintra.rules.state import ARRANGE, OVER
from sintra.text import has_controls, plural, spelled

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
CHECK_CHARACTERS = 4


def position(game: Game | str | PathLike[str], at: int | None = None, *, seed: bool = True) -> str:
    """Return the position of a game, or of a log file, after event `at`, as a line; by default the last.

    Without `seed`, each game that starts from the line gets different deals.
    """
    game = game_of(game)
    fold = fold_after(game, at)
    made = game.created
    words = [f"{key}={spelled(value)}" for key, value in made.options.items()]
    words.append(f"players={len(made.players)}")
    if seed:
        words.append(f"seed={made.seed}" if made.chance == "seeded" else f"chance={made.chance}")
    head = " ".join([made.rules, *words])
    body = game.rules.position(fold.state)
    return f"{head} check={_check(f'{head} / {body}')} / {body}"


def from_position(
    line: str,
    players: Sequence[str] | None = None,
    *,
    seed: int | None = None,
    chance: str | None = None,
) -> Game:
    """Return a new game that starts from a position; `players` are names.

    Chance is that of the line, unless a seed or `chance` is given; if the line has none, a seed is drawn.
    """
    if len(line) > MAX_POSITION_CHARACTERS:
        raise UsageError(f"position: longer than {MAX_POSITION_CHARACTERS} characters")
    line = " ".join(line.split())
    if has_controls(line):
        raise UsageError("position: the line has a character that can't be printed")
    head, slash, body = line.partition(" / ")
    if not slash or not head or "=" in head.split()[0]:
        raise UsageError("position: expected a line such as `sintra position` prints: RULES ... / ... / ...")
    name, *words = head.split()
    rules = catalog.find(name)
    try:
        section = Section("position", words)
        _compare_check(section, name, words, body)
        made = _created(rules, section, players, seed, chance)
        state = rules.restore(made.options, len(made.players), body)
    except Misfit as error:
        raise UsageError(error.reason if error.field == "position" else str(error)) from None
    if state.phase == OVER:
        raise UsageError("position: the game is over, and nothing is left to play")
    text = "" if state.phase == ARRANGE else rules.position(state)
    return Game.start(
        rules, create(rules, made.players, made.options, made.chance, made.seed, made.engine, text)
    )


def _check(text: str) -> str:
    """Return the check of a line without one."""
    number = crc32(text.encode("utf-8", "surrogatepass"))
    return "".join(DIGITS[number // 36**place % 36] for place in range(CHECK_CHARACTERS))


def _compare_check(section: Section, name: str, words: Sequence[str], body: str) -> None:
    """Raise Misfit if a line has a check that does not match the rest of it."""
    if "check" not in section.words:
        return
    given = section.word("check")
    head = " ".join([name, *(word for word in words if not word.startswith("check="))])
    if given != _check(f"{head} / {body}"):
        hint = "mistyped or cut; leave out check=... if you changed it on purpose"
        raise Misfit("position", f"the line does not match its check {given[:40]!r}: {hint}")


def _created(
    rules: RuleSet, section: Section, names: Sequence[str] | None, seed: int | None, chance: str | None
) -> Created:
    """Return the first event that the start of a line describes, without the position."""
    players = section.number("players", 2, 4)
    if names and len(names) != players:
        given = plural(len(names), "name is", "names are")
        raise Misfit("position", f"the position has {players} players, but {given} given")
    options: dict[str, OptionValue] = {}
    for option in rules.options:
        word = section.word(option.name, spelled(option.default))
        values = {spelled(value): value for value in option.values}
        if word not in values:
            raise section.misfit(option.name, f"can't be {word[:40]}; choose from: {', '.join(values)}")
        options[option.name] = values[word]
    own_chance = CHANCES[section.choice("chance", CHANCES)] if "chance" in section.words else "seeded"
    own_seed = _seed(section) if "seed" in section.words else None
    if own_seed is not None and own_chance != "seeded":
        raise section.misfit("seed", f"chance={own_chance} takes none")
    section.end()
    if seed is None and chance is None:
        seed, chance = own_seed, own_chance
    chance = chance or "seeded"
    if chance == "seeded" and seed is None:
        seed = new_seed()
    return create(
        rules, list(names) if names else players, options, chance, seed, catalog.engine_of(rules.name)
    )


def _seed(section: Section) -> int:
    word = section.word("seed")
    if not (word.isascii() and word.isdigit() and len(word) <= 16 and int(word) <= MAX_SEED):
        raise section.misfit("seed", f"expected a whole number from 0 to {MAX_SEED}, not {word[:40]!r}")
    return int(word)
