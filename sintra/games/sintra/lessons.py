"""How to play Stained Glass of Sintra: the rules on a page, and a tutorial."""

from __future__ import annotations

from sintra.rules.lessons import Lesson, Page, Task, anything, causes, says

HOW_TO_PLAY: Page = (
    (
        "The goal",
        "You glaze the windows of a palace. Colored pieces go to the eight pattern strips above your "
        "windows; a complete strip gives you a piece of glass for the window below it, and points. After "
        "six rounds, the most points win.",
    ),
    (
        "The table",
        "Each round, displays in the middle (5, 7 or 9 for 2, 3 or 4 players) are filled with four pieces "
        "each from the bag. The starting tile waits in the center. A glazier stands above one of your "
        "strips, at first above the leftmost. Six pieces on the round indicator show the bonus color of "
        "every round.",
    ),
    (
        "A turn: pick and place, or return",
        "Pick all pieces of one color from one display; the other pieces of that display move to the "
        "center. Or pick all pieces of one color from the center; whoever does so first in a round also "
        "takes the starting tile, starts the next round, and moves their marker one space down the broken "
        "glass track. Then place the pieces on one strip that has free spaces of that color: the one "
        "beneath your glazier or any to its right, never to its left. A joker space takes any color. The "
        "glazier moves to that strip. Pieces that do not fit break. If no strip in reach takes the color, "
        "all of them break, and the glazier stays. Instead of picking, your glazier may return to your "
        "leftmost strip, unless it is there already; that is your whole turn.",
    ),
    (
        "Broken glass",
        "Each broken piece moves your marker one space down the broken glass track. The last space costs 18 "
        "points immediately and leads back to the start; at the end of the game you lose the points that "
        "your marker shows.",
    ),
    (
        "A complete strip",
        "When all five spaces of a strip are filled, first score a point for each of its pieces that has "
        "the color of the round. Then keep one of the five pieces and put it into the window below; the "
        "other four go to the tower. The first time, turn the strip over, so that it can be filled once "
        "more; the second time, it is removed. Finally score the points printed below that window, and "
        "below every window to its right that already has glass.",
    ),
    (
        "Rounds",
        "A round ends when displays and center are empty. Whoever took the starting tile starts the next "
        "one. When the bag is empty, it is refilled from the tower. The game ends after six rounds.",
    ),
    (
        "Final scoring",
        "Score a point for every three pieces that are left on all your strips together, and lose what your "
        "marker shows. Side A: each ornament between two windows scores 3, 6 or 10 points for 2, 3 or 4 "
        "pieces of glass around it. Side B: multiply your windows with two pieces of glass by the number of "
        "pieces in the color that your windows have most of. A tie goes to whoever lost fewer points to "
        "broken glass; otherwise, the victory is shared.",
    ),
)

LESSONS = (
    Lesson(
        "The goal",
        "This is your palace: eight strips of five spaces, and below each a window with room for two pieces "
        "of glass. Players pick pieces in turn and place them on their strips; a full strip gives its window "
        "a piece of glass, and points. After six rounds, the most points win. Colors have letters: b blue, c "
        "clear, o orange, p pink, y yellow. A capital is a piece, a small letter an empty space for that "
        "color. Mira plays against you.",
        seed=3,
    ),
    Lesson(
        "Picking",
        "Every round begins with four pieces on each of the numbered displays at the top: five displays "
        "for two players, seven for three, nine for four. On your turn, pick all pieces of one color from "
        "one display. Type the number of the display and the letter of the color, such as `3p` for the "
        "pink pieces on display 3.",
        (
            Task(
                "Pick from a display.",
                says("pick [1-9] *"),
                "That works, too, but pick from a display this time.",
                "They are in your hand now, and the other pieces of that display have moved to the center.",
            ),
        ),
    ),
    Lesson(
        "Placing",
        "Picked pieces go to one strip with empty spaces of their color. One of your strips has two jokers, "
        "marked `*`, now on its back; they take any color. Pieces that do not fit break, so look for a "
        "strip with enough room.",
        (
            Task(
                "Place the pieces: type the number of a strip.",
                says("place *"),
                "Place the pieces on a strip.",
                "The glazier, the triangle above your strips, has moved there. Strips to its left are out of "
                "its reach.",
            ),
        ),
    ),
    Lesson(
        "The center and the starting tile",
        "What was left on a display lies in the center. You may pick from there, too: all pieces of one "
        "color. The first player to do so in a round also takes the starting tile. It lets them start the "
        "next round, and costs a step on the broken glass track. When the displays and the center are empty, "
        "the round ends. Type `c` and the letter of a color, such as `cp`.",
        (
            Task(
                "Pick from the center, and take the starting tile.",
                says("pick center *"),
                "That is a display. Pick from the center.",
                "You start the next round. Your marker on the line `glass` has moved a step.",
            ),
            Task(
                "Place what you picked.",
                says("place *"),
                "Place the pieces first.",
            ),
        ),
        seed=3,
        turns=2,
    ),
    Lesson(
        "Breaking",
        "You hold more clear pieces than any strip has room for. As many as fit are placed; the others "
        "break, and each of them is a step on the broken glass track, the line `glass`. If no strip that "
        "you may use takes a color at all, all of its pieces break, and the glazier stays. The last space of "
        "the track costs its 18 points at once, and you begin again at the first one.",
        (
            Task(
                "Place the pieces, and see how many break.",
                causes("broke"),
                "Nothing broke. Try another strip.",
                "The marker on the line `glass` shows what you lose at the end of the game.",
            ),
        ),
        seed=4,
        turns=0,
        steps="pick 5 clear",
    ),
    Lesson(
        "Completing a strip",
        "Now it gets interesting: one of your strips lacks just what you hold. A complete strip first "
        "scores a point for each of its pieces in the color of the round: the one in brackets in the line "
        "`rounds`.",
        (
            Task(
                "Complete a strip.",
                causes("completed"),
                "That is legal, but it completes no strip. Find the one that has just enough room.",
                "Now keep one of its pieces for the window. The other four go to the tower. When the bag is "
                "empty, it is refilled from there.",
            ),
            Task(
                "Choose the piece to keep: type the letter of its color.",
                says("keep *"),
                "Keep one of the pieces.",
                "The window has its first piece of glass and scored the points below it. The strip was "
                "turned over and can be filled once more; the second time, it is removed.",
            ),
        ),
        seed=1,
        turns=4,
        steps="pick center clear",
    ),
    Lesson(
        "The glazier",
        "You may place pieces beneath your glazier, the triangle, or to its right, never to its left; it "
        "then moves to that strip. Here it stands far to the right, and most strips are out of reach. "
        "Instead of picking, you may let it walk back to your leftmost strip, unless it is there already. "
        "That is your whole turn, and costs nothing else.",
        (
            Task(
                "Send the glazier back: type `return`.",
                says("return"),
                "You could do that, but send the glazier back first.",
                "All strips are in reach again.",
            ),
        ),
        seed=4,
        turns=4,
    ),
    Lesson(
        "Windows in a row",
        "A window that gets a piece of glass scores the points printed below it, and so does every window "
        "to its right that already has glass. So glass on the right pays again and again. Here you have "
        "just completed a strip.",
        (
            Task(
                "Keep a piece, and count the points.",
                causes("scored"),
                "Keep one of the pieces.",
                "The windows to the right scored along with the one you filled.",
            ),
        ),
        seed=1,
        turns=56,
        steps="pick center clear place 3",
    ),
    Lesson(
        "The end of the game",
        "This is the end of round six, the last one. Then every three pieces left on all your strips "
        "together score a point, the marker costs what it shows, and on this side each ornament, a diamond "
        "between two windows, scores 3, 6 or 10 points for 2, 3 or 4 pieces of glass around it (line "
        "`bonus`). If players are tied, the one who lost less to broken glass wins; otherwise they share "
        "the victory.",
        (
            Task(
                "Play to the end of the game. `hint` suggests a step.",
                anything,
                "",
                "That was a whole final scoring. On side B, instead of ornaments, your windows with two "
                "pieces count times the pieces in the color that you have most of.",
                until="game",
            ),
        ),
        seed=1,
        turns=77,
    ),
    Lesson(
        "A whole round",
        "You are ready. Play a round against Mira. `hint` suggests a step whenever you like.",
        (
            Task(
                "Play until the round is over.",
                anything,
                "",
                "Well played. `sintra play` starts a game, and `sintra rules sintra --how-to-play` has all "
                "rules on a page.",
                until="round",
            ),
        ),
        seed=12,
    ),
)
