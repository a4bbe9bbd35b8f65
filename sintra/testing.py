"""The contract kit for authors of rule-sets: checks on random games what every game must do.

    from sintra.testing import check_rules

    def test_my_rules() -> None:
        check_rules(MY_RULES)

`Broken` says what does not hold; any error has the log that shows it as a note.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import msgspec

from sintra.api import loads_as
from sintra.catalog import fault
from sintra.errors import IllegalStep
from sintra.fold import Fold, vocabulary
from sintra.game import Game
from sintra.log.codec import encode_line
from sintra.log.events import FORMAT, Created, OptionValue
from sintra.log.lines import split
from sintra.reader import Reader
from sintra.rules.chance import Chance, Stream
from sintra.rules.ruleset import RuleSet
from sintra.rules.state import CHOICE, DEAL, State
from sintra.text import place, short_path
from sintra.version import VERSION
from sintra.view import scene_of, sentence_of, view_of
from sintra.view.card import card
from sintra.view.style import Style
from sintra.view.symbols import symbols

METHODS = (
    *("arrange", "legal", "play", "end_round", "finish", "scores", "winners", "breakdown", "worth", "census"),
    "copy",
)
"""The methods of `State` that have no default."""


class Broken(AssertionError):
    """A broken contract: something that every rule-set must do, but this one does not."""


def check_rules(
    rules: RuleSet,
    games: int = 3,
    seed: int = 1,
    rounds: int = 30,
    after_game: Callable[[], None] = lambda: None,
) -> int:
    """Try a rule-set on random games with every option and number of players; return the steps played.

    `rounds` ends games that the rules alone may never end (R6); `after_game` is called after each game.
    """
    steps = 0
    try:
        check_form(rules)
        for options in all_options(rules):
            for players in rules.players:
                for number in range(games):
                    steps += check_game(rules, options, players, seed * 1000 + number, rounds)
                    after_game()
    except Exception as error:
        if not hasattr(error, "__notes__"):  # it got no further than the first line of a log
            error.add_note(encode_line(_created(rules, next(all_options(rules)), 2, seed)).decode())
        raise
    return steps


def games_of(rules: RuleSet, games: int) -> int:
    """Return the number of games that `check_rules` would play."""
    return len(list(all_options(rules))) * len(rules.players) * games


def report(error: Exception) -> str:
    """Return in one line what went wrong: a broken contract, or where the rule-set's own code failed."""
    if isinstance(error, Broken):
        return str(error)
    return f"{type(error).__name__}: {error}{place(error)}"


def hold(condition: bool, otherwise: str) -> None:
    """Raise Broken unless a condition holds; works without Python's own assertions, too."""
    if not condition:
        raise Broken(otherwise)


def all_options(rules: RuleSet) -> Iterator[dict[str, OptionValue]]:
    """Yield every combination of a rule-set's options."""
    names = [option.name for option in rules.options]
    for values in product(*(option.values for option in rules.options)):
        yield dict(zip(names, values, strict=True))


def _created(rules: RuleSet, options: dict[str, OptionValue], players: int, seed: int) -> Created:
    """Return the first event of a game."""
    names = tuple(f"Player {number}" for number in range(1, players + 1))
    return Created(FORMAT, rules.name, options, names, "seeded", seed, VERSION)


# -- What a rule-set is ------------------------------------------------------------------------


def check_form(rules: RuleSet) -> None:
    """Check that the rule-set, its state and the words of its steps are complete."""
    wrong = fault(rules, rules.name)
    hold(not wrong, f"the rule-set is incomplete: {wrong}")
    state = rules.start(next(all_options(rules)), rules.players[0])
    hold(isinstance(state, State), f"`start` returned {type(state).__name__}, which is not a State")
    for name in METHODS:
        missing = getattr(type(state), name) is getattr(State, name)
        hold(not missing, f"{type(state).__name__} has no method `{name}`{_home(type(state))}")
    check_vocabulary(rules)
    hold(bool(card(rules)), "`sintra rules` has nothing to print")


def _home(kind: type) -> str:
    """Return the file and line of a class, if its source can be found."""
    import inspect
    import sys

    try:
        line = inspect.getsourcelines(kind)[1]
        return f" ({short_path(inspect.getfile(kind), sys.path)}, line {line})"
    except (OSError, TypeError):
        return ""


def check_vocabulary(rules: RuleSet) -> None:
    """Check that words, events and codes of the steps lead to each other, one to one."""
    words = vocabulary(rules, max(rules.players))
    hold(len(words.codes_by_words) == len(rules.steps), "two steps have the same words")
    for player, row in enumerate(words.events):
        hold(len(words.codes[player]) == len(rules.steps), "two steps have the same event")
        for code, event in enumerate(row):
            hold(words.codes[player][event] == code, f"{rules.steps[code]} has the event of another step")
            hold(event.player == player + 1, f"the event of {rules.steps[code]} is not its player's")
    for step in rules.steps:
        hold(words.read(str(step)) == [str(step)], f"{step} is not read as itself")
        twice = words.read(f"{step} {step}".upper())
        hold(twice == [str(step)] * 2, f"{step} can't be followed by a step")
        hold(step.kind in rules.lines, f"the event of {step} is not among the rule-set's lines")
    hold(rules.arranged in rules.lines, "`arranged` is not among the rule-set's lines")
    hold(rules.palette.names == rules.colors, "`palette` has other colors than `colors`")


# -- What a game does --------------------------------------------------------------------------


def check_game(
    rules: RuleSet, options: dict[str, OptionValue], players: int, seed: int, rounds: int = 30
) -> int:
    """Play one game at random, checking the contract at every step; return the number of steps."""
    created = _created(rules, options, players, seed)
    log = encode_line(created).decode()
    game: Game | None = None
    choose = Chance(seed).stream("bot 1")
    steps = 0
    try:
        game = Game(Fold(rules, created), [created])
        game.settle()
        pieces = game.live.census()
        while not game.over and game.round <= rounds:
            check_state(game.live, pieces)
            _check_illegal(game, choose)
            if steps % 3 == 0:
                _check_search(game)
            _check_step(game, choose)
            steps += 1
        if game.over:
            hold(game.legal() == [], "steps are legal after the end")
            hold(bool(game.winners), "nobody has won")
            hold(game.winners == sorted(set(game.winners)), "winners are not in order")
        check_state(game.live, pieces)
        check_log(game, choose)
        check_deals(game)
        check_views(game)
    except Exception as error:
        error.add_note(game.dumps() if game else log)
        raise
    return steps


def check_state(state: State, pieces: list[int]) -> None:
    """Check that pieces are conserved, legal steps are in order, and points add up."""
    hold(state.census() == pieces, f"pieces are not conserved: {state.census()}, not {pieces}")
    legal = state.legal()
    hold(legal == sorted(set(legal)), "legal steps are not in the order of their codes")
    waits = (len(legal) > 0) == (state.phase >= CHOICE)
    hold(waits, "a player has no legal step, or nobody has to choose")
    for player in range(len(state.scores())):
        hold(isinstance(state.worth(player), int), "`worth` does not return a whole number")
    for score, parts in zip(state.scores(), state.breakdown(), strict=True):
        hold(sum(parts.values()) == score, f"{parts} does not add up to {score}")


def _check_illegal(game: Game, choose: Stream) -> None:
    """Check that `legal` and `allows` agree, and that a refusal changes nothing and gives a reason."""
    state = game.live
    steps = game.rules.steps
    legal = set(state.legal())
    for code in range(len(steps)):
        hold(state.allows(code) == (code in legal), f"{steps[code]}: `legal` and `allows` disagree")
    refused = [code for code in range(len(steps)) if code not in legal]
    if not refused:
        return
    step = steps[refused[choose.below(len(refused))]]
    if _stands_for_another(game.rules, state, step.words):
        return
    before = game.events, game.state
    refusal: IllegalStep | None = None
    try:
        game.play(step)
    except IllegalStep as error:
        refusal = error
    if refusal is None:
        raise Broken(f"{step} is not legal, but was played")
    hold(len(str(refusal)) > len(str(step)) + 2, f"no reason is given why {step} is refused")
    hold(list(refusal.legal) == [str(legal) for legal in game.legal()], "a refusal offers other steps")
    hold((game.events, game.state) == before, f"the refused {step} changed the game")


def _stands_for_another(rules: RuleSet, state: State, words: str) -> bool:
    """Return True if the words of a step are another spelling of a legal step."""
    try:
        return rules.resolve(state, words) != words
    except ValueError:
        return False


def _check_step(game: Game, choose: Stream) -> None:
    """Check that copies are independent, undo restores, and the same step leads to the same state."""
    legal = game.legal()
    step = legal[choose.below(len(legal))]
    before = game.state
    twin = game.copy()
    events = twin.play(step)
    hold(game.state == before, f"{step} on a copy changed the game")
    said = game.play(str(step))
    hold(said == events, f"{step} in words is not {step} as a step")
    hold(game.state == twin.state, f"{step} leads to another state on a copy")
    twin.undo()
    hold(twin.state == before, f"undoing {step} does not restore the state")
    again = twin.play(step)
    hold(again == events, f"{step} after an undo is not the same")
    hold(twin.state == game.state, f"{step} after an undo leads to another state")


def _check_search(game: Game) -> None:
    """Check what programs that search use: `choose_any` is a legal step, `become` a copy, `key` a hash."""
    state = game.live
    legal = state.legal()
    drawn, again = (Chance(len(game.events)).stream("any") for _ in range(2))
    code = state.choose_any(drawn)
    hold(code == legal[again.below(len(legal))], "`choose_any` does not choose like `legal` and `below`")
    other = game.live
    other.play(code)
    hold(other.key() != state.key(), f"{game.rules.steps[code]} does not change the key of the position")
    other.become(state)
    _check_same(game.rules, other, state, "`become` does not lead to a copy")
    other.play(code)
    _check_same(game.rules, state, game.live, "a step after `become` changed the other state")


def _check_same(rules: RuleSet, one: State, other: State, otherwise: str) -> None:
    """Check that two states are the same position: equal snapshots, legal steps and keys."""
    hold(rules.snapshot(one) == rules.snapshot(other), f"{otherwise}: their snapshots differ")
    hold(one.legal() == other.legal(), f"{otherwise}: their legal steps differ")
    hold(one.key() == other.key(), f"{otherwise}: their keys differ")


def check_deals(game: Game) -> None:
    """Check that `deal_from` draws and deals what `offer.draw` and `deal` do."""
    fold = Fold(game.rules, game.created)
    for event in game.events[1:]:
        if fold.state.phase == DEAL:
            drawn, dealt = fold.state.copy(), fold.state.copy()
            drawn.deal_from(Chance(game.round).stream("deal"))
            dealt.deal(dealt.offer.draw(Chance(game.round).stream("deal")))
            _check_same(game.rules, drawn, dealt, "`deal_from` is not `deal` with what the offer draws")
        fold.take(event)


def check_log(game: Game, choose: Stream) -> None:
    """Check that the log holds the same game, and that every prefix of whole lines leads there again."""
    rules = game.rules
    text = game.dumps()
    again = loads_as(rules, text)
    hold(again.state == game.state, "the fold of the log is not the live state")
    hold(again.live.key() == game.live.key(), "the key of the same position differs after reading the log")
    hold(again.events == game.events, "the log has other events")
    hold(again.dumps() == text, "the log is written differently")
    lines = text.splitlines(keepends=True)
    for _ in range(8):
        cut = 1 + choose.below(len(lines))
        prefix = loads_as(rules, "".join(lines[:cut]))
        for event in game.events[cut:]:
            prefix.take(event)
        hold(prefix.state == game.state, f"the log cut after line {cut} does not lead to the same game")
        settled = loads_as(rules, "".join(lines[:cut])).settle()
        same = game.events[cut : cut + len(settled)] == tuple(settled)
        hold(same, f"the log cut after line {cut} continues differently")


def check_views(game: Game) -> None:
    """Check that every event has a sentence, every table a drawing, and every state a snapshot in JSON."""
    view = view_of(game.rules)
    reader = Reader(split(game.dumps().encode()), watch=True, rules=game.rules)
    for moment in reader:
        fold = reader.fold
        said = sentence_of(fold, moment)
        hold(bool(said) and said.isprintable(), f"the sentence for {moment.event} is {said!r}")
        if moment.number % 7 == 1 or fold.over:
            drawn = view.table(fold, Style(unicode=False))
            hold(all(line.isascii() for line in drawn), "the table in ASCII is not ASCII")
            check_scene(fold)
            hold(bool(msgspec.json.encode(fold.rules.snapshot(fold.state))), "the snapshot is not JSON")
            check_position(fold)


def check_position(fold: Fold) -> None:
    """Check that the position as text leads back to the same state, if the rule-set has positions."""
    rules, created = fold.rules, fold.created
    if type(rules).position is RuleSet.position:
        return
    text = rules.position(fold.state)
    again = rules.restore(created.options, len(created.players), text)
    hold(rules.position(again) == text, f"the position comes back as another one: {text}")
    hold(rules.snapshot(again) == rules.snapshot(fold.state), f"the snapshot of a position differs: {text}")
    hold(again.legal() == fold.state.legal(), f"the legal steps of a position differ: {text}")


def check_scene(fold: Fold) -> None:
    """Check that a scene puts known things into existing slots, and shows no piece twice."""
    scene = scene_of(fold)
    slots = {name for panel in scene.panels for name in panel.slots}
    texts = {name for panel in scene.panels for name in panel.texts}
    known = {thing for thing, _ in symbols(scene.palette)}
    for name, thing in scene.things.items():
        hold(name in slots, f"the scene puts {thing!r} into {name!r}, a slot that no panel has")
        hold(thing in known, f"the scene has {thing!r} in {name!r}, a thing without a symbol")
    hold(texts >= scene.texts.keys(), f"no panel has a place for the text of {scene.texts.keys() - texts}")
    shown = scene.pieces()
    for color, pieces in zip(fold.rules.colors, fold.state.census(), strict=True):
        hold(shown[color] <= pieces, f"the scene shows {shown[color]} {color} pieces; there are {pieces}")
    hold(
        len(scene.panels) == 1 + len(fold.created.players),
        "a scene has a panel for the offer and each player",
    )
