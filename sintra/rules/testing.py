"""A kit for authors of rule-sets: what every game must do, tried on random games.

    from sintra.rules.testing import check_rules

    def test_my_rules() -> None:
        check_rules(MY_RULES)

An AssertionError says what does not hold, with the log that shows it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from sintra.chance import Chance, Stream
from sintra.errors import IllegalStep
from sintra.events import OptionValue
from sintra.game import Game, vocabulary
from sintra.loading import loads
from sintra.rules import CHOICE, RuleSet, State


def check_rules(rules: RuleSet, games: int = 3, seed: int = 1, rounds: int = 30) -> int:
    """Try a rule-set on random games of every option and number of players; returns the steps played.

    `rounds` ends games that the rules alone may never end (R6).
    """
    check_vocabulary(rules)
    return sum(
        check_game(rules, options, players, seed * 1000 + number, rounds)
        for options in all_options(rules)
        for players in rules.players
        for number in range(games)
    )


def all_options(rules: RuleSet) -> Iterator[dict[str, OptionValue]]:
    """Every combination of a rule-set's options."""
    names = [option.name for option in rules.options]
    for values in product(*(option.values for option in rules.options)):
        yield dict(zip(names, values, strict=True))


def check_vocabulary(rules: RuleSet) -> None:
    """Words, events and codes of the steps lead to each other, one to one."""
    words = vocabulary(rules, max(rules.players))
    assert len(words.codes_by_words) == len(rules.steps), "two steps have the same words"
    for player, row in enumerate(words.events):
        assert len(words.codes[player]) == len(rules.steps), "two steps have the same event"
        for code, event in enumerate(row):
            assert words.codes[player][event] == code
            assert event.player == player + 1
    for step in rules.steps:
        assert words.read(str(step)) == [str(step)], f"{step} is not read as itself"
        assert words.read(f"{step} {step}".upper()) == [str(step)] * 2, f"{step} can't be followed by a step"
        assert step.kind in rules.lines, f"the event of {step} is not among the rule-set's lines"
    assert rules.arranged in rules.lines, "`arranged` is not among the rule-set's lines"


def check_game(
    rules: RuleSet, options: dict[str, OptionValue], players: int, seed: int, rounds: int = 30
) -> int:
    """Play one game at random, trying all that must hold at every step; returns the number of steps."""
    game = Game.new(rules, players, seed=seed, options=options)
    choose = Chance(seed).stream("bot 1")
    pieces = game.live.census()
    steps = 0
    try:
        while not game.over and game.round <= rounds:
            check_state(game.live, pieces)
            _check_illegal(game, choose)
            _check_step(game, choose)
            steps += 1
        if game.over:
            assert game.legal() == [], "steps are legal after the end"
            assert game.winners, "nobody has won"
            assert game.winners == sorted(set(game.winners))
        check_state(game.live, pieces)
        check_log(game, choose)
    except AssertionError as error:
        error.add_note(game.dumps())
        raise
    return steps


def check_state(state: State, pieces: list[int]) -> None:
    """Pieces are conserved, legal steps are listed in order and allowed, points add up."""
    assert state.census() == pieces, f"pieces are not conserved: {state.census()}, not {pieces}"
    legal = state.legal()
    assert legal == sorted(set(legal)), "legal steps are not listed in the order of their codes"
    assert (len(legal) > 0) == (state.phase >= CHOICE), "a player has no legal step, or nobody has to choose"
    for score, parts in zip(state.scores(), state.breakdown(), strict=True):
        assert sum(parts.values()) == score, f"{parts} does not add up to {score}"


def _check_illegal(game: Game, choose: Stream) -> None:
    """What `legal` offers is what `play` accepts; a refusal changes nothing and says why."""
    state = game.live
    steps = game.rules.steps
    legal = set(state.legal())
    for code in range(len(steps)):
        assert state.allows(code) == (code in legal), f"{steps[code]}: legal and allows disagree"
    refused = [code for code in range(len(steps)) if code not in legal]
    if not refused:
        return
    code = refused[choose.below(len(refused))]
    before = game.events, game.state
    refusal: IllegalStep | None = None
    try:
        game.play(steps[code])
    except IllegalStep as error:
        refusal = error
    assert refusal is not None, f"{steps[code]} is not legal, but was played"
    assert len(str(refusal)) > len(str(steps[code])) + 2, f"no reason is given why {steps[code]} is refused"
    assert list(refusal.legal) == [str(step) for step in game.legal()]
    assert (game.events, game.state) == before, f"the refused {steps[code]} changed the game"


def _check_step(game: Game, choose: Stream) -> None:
    """A copy is a game of its own; undoing restores; the same step leads to the same state again."""
    legal = game.legal()
    step = legal[choose.below(len(legal))]
    before = game.state
    twin = game.copy()
    events = twin.play(step)
    assert game.state == before, f"{step} on a copy changed the game"
    assert game.play(str(step)) == events, f"{step} in words is not {step} as a step"
    assert game.state == twin.state, f"{step} leads to another state on a copy"
    twin.undo()
    assert twin.state == before, f"undoing {step} does not restore the state"
    assert twin.play(step) == events, f"{step} after an undo is not the same"
    assert twin.state == game.state, f"{step} after an undo leads to another state"


def check_log(game: Game, choose: Stream) -> None:
    """The log tells the same game; every prefix of whole lines is a valid log that leads there again."""
    text = game.dumps()
    again = loads(text)
    assert again.state == game.state, "the fold of the log is not the live state"
    assert again.events == game.events
    assert again.dumps() == text
    lines = text.splitlines(keepends=True)
    for _ in range(8):
        cut = 1 + choose.below(len(lines))
        prefix = loads("".join(lines[:cut]))
        for event in game.events[cut:]:
            prefix.take(event)
        assert prefix.state == game.state, f"the log cut after line {cut} does not lead to the same game"
        part = loads("".join(lines[:cut]))
        settled = part.settle()
        assert game.events[cut : cut + len(settled)] == tuple(settled), (
            f"the log cut after line {cut} goes on differently"
        )
