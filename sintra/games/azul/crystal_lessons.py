"""How to play Crystal Mosaic: the rules on a page, and a tutorial."""

from __future__ import annotations

from sintra.games.azul.lessons import (
    OFFER,
    REFILL,
    TABLE,
    TILING,
    center,
    floor_line,
    full_line,
    one_task,
    picking,
)
from sintra.rules.lessons import Lesson, Page, anything, says

HOW_TO_PLAY: Page = (
    (
        "The goal",
        "Crystal Mosaic is Azul on other walls: most of their spaces take any color, and you decide where "
        "tiles go. The game ends after the round in which somebody completes a row; the most points win.",
    ),
    TABLE,
    OFFER,
    (
        "Phase B: tiling",
        f"{TILING} You choose the column. A color may appear only once in each row and in each column, and "
        "a printed space takes only its own color. On side 1, a tile on a printed space scores double. If "
        "a full line's color fits nowhere in its row, all its pieces fall to the floor line.",
    ),
    REFILL,
    (
        "The end of the game",
        "On side 1, score 2 points for each complete row, 7 for each complete column and 10 for each color "
        "of which all five tiles are on your wall; on side 2, score 3, 10 and 12. A tie goes to whoever has "
        "more complete rows; otherwise, the victory is shared.",
    ),
)

LESSONS = (
    Lesson(
        "The goal",
        "On the right of your board is the wall, five rows of five spaces: most take any color, a few are "
        "printed with one, such as black (k) in row 1. On the left are five pattern lines, of one to five "
        "spaces. Players take turns picking pieces for their lines. A full line puts a tile on the wall "
        "when the round ends, and tiles score. The game ends after the round in which somebody completes "
        "a row; the most points win. Colors have letters: b blue, y yellow, r red, k black, t teal. A "
        "capital is a piece. Mira plays against you. If you know Azul, type `lesson 8` for what is new.",
        seed=3,
        options=(("side", "1"),),
    ),
    *picking(3, "1"),
    center(3, "1"),
    floor_line("teal", seed=2, turns=16, side="1"),
    full_line(
        "blue",
        "At the end of the round, you choose the column that one of its pieces goes to. The others go to the "
        "lid, from which the bag is refilled when it is empty.",
        seed=1,
        turns=4,
        side="1",
    ),
    one_task(
        "A color once in each row",
        "Every row of the wall takes each color once. A line beside a row that already shows red can't take "
        "red again, and a line that holds another color takes none either. Try line 3: the game explains.",
        "Place the red pieces on a line that takes them.",
        says("place [1-5]"),
        "Choose a line rather than the floor.",
        "The same holds for columns, when the tile goes to the wall.",
        seed=2,
        turns=12,
        steps="pick 4 red",
        side="1",
    ),
    one_task(
        "Choosing a column",
        "The round is over, and your topmost full line has a tile to place. A free space takes any color, "
        "a printed one only its own; a color goes once into each row and each column. A tile without "
        "neighbors scores 1. Otherwise it scores the length of its unbroken row and of its unbroken "
        "column: 5 points in a row of three and a column of two. On side 1, which this is, a printed "
        "space, marked with a cross, scores double.",
        "Choose a column for each of your full lines: type its number.",
        anything,
        "",
        "Leave room for colors still to come: a full line whose color fits nowhere in its row falls to "
        "the floor, all of it. The floor line is counted last.",
        seed=1,
        turns=10,
        side="1",
        until="round",
    ),
    one_task(
        "The end of the game",
        "Somebody is about to complete a row, which ends the game after this round. Then a complete row "
        "scores 2 points, a complete column 7, and all five tiles of a color 10. Side 2 gives 3, 10 and 12. "
        "If players are tied, more complete rows win; otherwise they share the victory.",
        "Play to the end of the game. `hint` suggests a step.",
        anything,
        "",
        "Columns and colors are worth more than rows, but rows end the game.",
        seed=1,
        turns=56,
        side="1",
        until="game",
    ),
    one_task(
        "A whole round",
        "You are ready. Play a round against Mira. `hint` suggests a step whenever you like.",
        "Play until the round is over.",
        anything,
        "",
        "Well played. `sintra play --rules crystal game.log` starts a game, and `sintra rules crystal "
        "--how-to-play` has all rules on a page.",
        seed=12,
        turns=0,
        side="1",
        until="round",
    ),
)
