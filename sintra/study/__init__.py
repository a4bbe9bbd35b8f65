"""Studying games: hints, analysis that separates luck from skill, and puzzles.

`judge` values positions, `chances` turns values into chances of winning, `walk` finds the turns and deals of
a log, `analysis` puts it all together and `kept` keeps it in a file.
"""
