"""The analysis of a game: what every turn lost, and how much of the result was luck and how much skill.

The value of a position to a player is the expected lead over the best opponent, in points, and
the chance of winning, in percent (`judge`). Three values mark a round: before its deal (the mean over sampled
deals), after its deal, and at its end (before the next deal; after the last round: the result).

    luck of a round     after its deal, less before its deal
    skill of a round    at its end, less after its deal
    luck of the start   before the first deal, less 0 (or an equal chance): the seat, and how the table was
                        laid out

So luck and skill add up to the result, exactly: every value is rounded to tenths before it is used.

The loss of a turn is the value of the best turn found, less the value of the turn that was played, on the
same sampled deals. It is 0 for the best turn. A loss gets a mark only if it is more than twice its standard
error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from sintra.bots.search import play_turn, steps_of
from sintra.errors import UsageError
from sintra.log.codec import encode_lines
from sintra.study.judge import Judge, Standing, differences, mean
from sintra.study.results import (
    DEALS,
    FORMAT,
    LUCK_SHARE,
    MARKS,
    NODES,
    Analysis,
    Budget,
    DealJudged,
    Judged,
    Mark,
    NowJudged,
    RoundJudged,
    Totals,
    TurnJudged,
    Value,
    events_of,
    tenths,
)
from sintra.study.walk import Stop, counting, stops, stops_of, turn_of

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from sintra.game import Game


class Job(Struct, frozen=True):
    """A stop in a log to judge, for a worker."""

    log: bytes
    """The log without undone events and remarks, which may be most of it."""
    budget: Budget
    at: int


def value_of(standing: Standing) -> Value:
    """Return a standing, rounded to tenths."""
    rounded = [tenths(one) for one in standing]
    return Value(rounded[: len(rounded) // 2], rounded[len(rounded) // 2 :])


def judged(job: Job) -> Judged:
    """Judge a turn or a deal of a log."""
    return judge_stop(stops_of(job.log)[job.at], job.budget, _steps_of(job.log))


def judge_stop(stop: Stop, budget: Budget, words: Sequence[str]) -> Judged:
    """Judge a turn or a deal; `words` are those of the rule-set's steps."""
    judge = Judge(stop.before, budget.nodes, budget.seed)
    if stop.kind == "turn":
        return _turn(stop, judge, budget, words)
    if stop.kind == "now":
        return NowJudged(stop.round, False, _here(stop, judge, budget))
    before, error = mean(judge.samples(stop.before, budget.deals * LUCK_SHARE))
    after = value_of(judge.outcome(stop.after.copy()))
    return DealJudged(stop.round, stop.numbers[0], value_of(before), value_of(error), after)


def _here(stop: Stop, judge: Judge, budget: Budget) -> Value:
    """Return the value of the last position of a log."""
    if stop.before.legal():
        return value_of(judge.outcome(stop.before.copy()))
    return value_of(mean(judge.samples(stop.before, budget.deals * LUCK_SHARE)).mean)


def _turn(stop: Stop, judge: Judge, budget: Budget, words: Sequence[str]) -> TurnJudged:
    """Compare a turn with the best one found by a search."""
    best = judge.lines(stop.before, budget.nodes)[0].turn
    played = turn_of(stop)
    better, own = stop.before.copy(), stop.before.copy()
    play_turn(better, best)
    play_turn(own, played)
    lost, error = [0.0], [0.0]
    seat = (stop.player or 1) - 1
    seats = stop.before.seats
    if better.key() != own.key():
        paired = differences(judge.samples(better, budget.deals), judge.samples(own, budget.deals))
        lost, error = mean(paired)
    if len(lost) == 1 or lost[seat] <= 0:  # the search found nothing better
        best, lost, error = played, [0.0] * 2 * seats, [0.0] * 2 * seats
    loss, doubt = lost[seat], error[seat]
    return TurnJudged(
        round=stop.round,
        player=seat + 1,
        events=stop.numbers,
        played=[words[code] for code in stop.codes],
        best=[words[code] for code in (stop.codes if best == played else steps_of(best))],
        loss=loss,
        error=round(doubt, 2),
        chance_loss=lost[seat + seats],
        chance_error=round(error[seat + seats], 2),
        mark=mark_of(loss, doubt),
        after=value_of(judge.outcome(own)),
    )


def mark_of(loss: float, error: float) -> Mark:
    """Return the mark of a loss: none unless it is more than twice its standard error."""
    for least, mark in MARKS:
        if loss >= least and loss > 2 * error:
            return mark
    return ""


def _steps_of(log: bytes) -> list[str]:
    from sintra.api import loads

    return [step.words for step in loads(log).rules.steps]


# -- All together ----------------------------------------------------------------------------


def rounds_of(found: Sequence[Judged], start: Value | None = None) -> list[RoundJudged]:
    """Return luck and skill by round, with the luck of the start as round 0.

    `start` is the value at the start of a game that begins within a round, from a position.
    """
    deals = [one for one in found if isinstance(one, DealJudged)]
    ends = [one.before for one in deals] + [one.value for one in found if isinstance(one, NowJudged)]
    seats = len(ends[0].lead)
    none = Value([0.0] * seats, [0.0] * seats)
    even = Value([0.0] * seats, [tenths(100 / seats)] * seats)
    if start is None:
        rounds = [RoundJudged(0, ends[0].less(even), deals[0].error, none)]
    else:
        rounds = [
            RoundJudged(0, start.less(even), none, none),
            RoundJudged(found[0].round, none, none, ends[0].less(start)),
        ]
    for deal, end in zip(deals, ends[1:], strict=True):
        rounds.append(RoundJudged(deal.round, deal.after.less(deal.before), deal.error, end.less(deal.after)))
    return rounds


def totals_of(found: Sequence[Judged], rounds: Sequence[RoundJudged], seat: int) -> Totals:
    """Return a player's total luck and skill."""
    turns = [one for one in found if isinstance(one, TurnJudged) and one.player == seat + 1]
    luck = tenths(sum(one.luck.lead[seat] for one in rounds))
    skill = tenths(sum(one.skill.lead[seat] for one in rounds))
    chance_luck = tenths(sum(one.luck.chance[seat] for one in rounds))
    chance_skill = tenths(sum(one.skill.chance[seat] for one in rounds))
    lost = tenths(sum(one.loss for one in turns))
    even = tenths(100 / len(rounds[0].luck.lead))
    return Totals(
        result=tenths(luck + skill),
        luck=luck,
        skill=skill,
        lost=lost,
        others=tenths(skill + lost),
        chance=tenths(even + chance_luck + chance_skill),
        even=even,
        chance_luck=chance_luck,
        chance_skill=chance_skill,
        turns=len(turns),
        marks={mark: sum(one.mark == mark for one in turns) for _, mark in reversed(MARKS)},
    )


def _numbered(answer: Judged, stop: Stop) -> Judged:
    """Return an answer with its events renumbered as in the whole log."""
    if isinstance(answer, TurnJudged):
        return replace(answer, events=stop.numbers)
    return replace(answer, event=stop.numbers[0]) if isinstance(answer, DealJudged) else answer


# -- A run -----------------------------------------------------------------------------------


class Run:
    """The analysis of a log, stop by stop; earlier judgments are reused."""

    def __init__(self, game: Game, budget: Budget) -> None:
        from sintra.study.kept import digest_of

        self.budget = budget
        self.game = game
        self._stops = stops(game)
        if not any(stop.kind == "turn" for stop in self._stops):
            raise UsageError(f"no turn to analyze: {game.awaits}")
        self._digest = digest_of(game.events)
        self.judged: list[Judged | None] = [None] * len(self._stops)
        if game.over:
            state = game.live
            judge = Judge(state, 1, budget.seed)
            self.judged.append(NowJudged(state.round, True, value_of(judge.standing(state))))

    @property
    def total(self) -> int:
        """The number of turns and deals."""
        return len(self.judged)

    @property
    def done(self) -> int:
        """The number of those that are judged."""
        return sum(one is not None for one in self.judged)

    def resume(self, kept: Analysis) -> None:
        """Reuse earlier judgments of turns and deals with the same events."""
        known = {events_of(one): one for one in kept.judged if one is not None}
        for at, stop in enumerate(self._stops):
            if stop.kind != "now":
                self.judged[at] = known.get(tuple(stop.numbers), self.judged[at])

    def work(self, executor: Executor) -> Iterator[int]:
        """Judge the rest, on any number of workers; yield the number done after each."""
        from sintra.batch.workers import spread

        left = [at for at, one in enumerate(self.judged) if one is None]
        log = encode_lines([self.game.created, *(event for _, event in counting(self.game))])
        jobs = (Job(log, self.budget, at) for at in left)
        done = self.done
        yield done
        for at, answer in zip(left, spread(executor, judged, jobs), strict=True):
            self.judged[at] = _numbered(answer, self._stops[at])
            done += 1
            yield done

    def _start(self) -> Value | None:
        """Return the value at the start of a game that begins within a round, from a position."""
        first = self._stops[0]
        if first.kind == "deal":
            return None
        return _here(first, Judge(first.before, self.budget.nodes, self.budget.seed), self.budget)

    def analysis(self) -> Analysis:
        """Return the analysis so far."""
        from sintra.version import VERSION

        found = [one for one in self.judged if one is not None]
        whole = len(found) == self.total
        rounds = rounds_of(found, self._start()) if whole else []
        seats = range(len(self.game.players))
        return Analysis(
            format=FORMAT,
            engine=VERSION,
            player=f"strong:nodes={self.budget.nodes}",
            budget=self.budget,
            events=len(self.game.events),
            digest=self._digest,
            rules=self.game.rules.name,
            players=list(self.game.players),
            over=self.game.over,
            done=len(found),
            stops=self.total,
            judged=list(self.judged),
            rounds=rounds,
            totals=[totals_of(found, rounds, seat) for seat in seats] if whole else [],
        )


def analyze(
    game: Game,
    *,
    nodes: int = NODES,
    deals: int = DEALS,
    seed: int = 1,
    jobs: int | None = 1,
    executor: Executor | str | None = None,
) -> Analysis:
    """Judge a game turn by turn, and separate luck from skill.

    `nodes` is how many positions are searched for each turn, `deals` on how many sampled deals turns are
    compared. The same numbers give the same analysis, whatever the number of `jobs` (None: one per core).
    """
    from sintra.batch.workers import given

    run = Run(game, Budget(nodes, deals, seed))
    with given(executor, jobs) as used:
        for _ in run.work(used):
            pass
    return run.analysis()
