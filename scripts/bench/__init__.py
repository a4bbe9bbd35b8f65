"""Measures the speed of the engine: every figure next to a yardstick, in the same run.

A figure alone says little on a noisy machine, so both sides take turns in short rounds, each in its own
process, by CPU time. The table has the medians of all rounds, and the median of the rounds' own ratios. Each
figure uses at least 200 different games, because a processor would learn fewer by heart. A turn is a pick
with its placing and keeping, or a return; a ply is a chess player's move.

    python -m scripts.bench                     every figure
    python -m scripts.bench --only playout-azul the figures whose names begin so
    python -m scripts.bench --against DIR       also another tree of this project, before and after in one run
    python -m scripts.bench --kept FILE         keeps figures in a file; goes on where it was stopped
    python -m scripts.bench --quick             short rounds: does everything work?
    python -m scripts.bench --check             exit code 1 if a target is missed
    python -m scripts.bench --write             writes docs/benchmarks.md

The compiled build is that of `make compiled`, in `build/compiled` of a tree.
"""
