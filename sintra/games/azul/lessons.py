"""How to play Azul: the rules on a page, and a tutorial."""

from __future__ import annotations

from sintra.rules.lessons import Attempt, Done, Lesson, Page, Task, anything, says

TABLE = (
    "The table",
    "There are 20 pieces of each of five colors. Each round, displays in the middle (5, 7 or 9 for 2, 3 or 4 "
    "players) are filled with four pieces each from the bag, and the starting tile is put in the center. You "
    "have five pattern lines with one to five spaces, the wall beside them, and a floor line below.",
)
OFFER = (
    "Phase A: the offer",
    "Take turns. Pick all pieces of one color from one display; the other pieces of that display move to "
    "the center. Or pick all pieces of one color from the center; whoever does so first in a round also "
    "takes the starting tile, puts it on their floor line and starts the next round. Then place all picked "
    "pieces on one of your pattern lines. A line holds one color, and can't take a color that its row of "
    "the wall already has. Pieces that do not fit fall to your floor line, and you may drop all of them "
    "there; past its last space, they go to the lid. The phase ends when displays and center are empty.",
)
TILING = (
    "For every full pattern line, from the top down, one piece moves to the wall beside it and the others "
    "go to the lid. A tile scores the length of the unbroken row and of the unbroken column that it is now "
    "part of, each only if longer than one; a tile without neighbors scores 1. Lines that are not full stay "
    "as they are. Then you lose the points printed on the occupied spaces of your floor line, but never "
    "drop below 0, and clear it."
)
REFILL = (
    "Phase C: the next round",
    "Displays are filled from the bag. When the bag is empty, it is refilled from the lid.",
)

HOW_TO_PLAY: Page = (
    (
        "The goal",
        "You tile a wall of five rows and five columns. Pieces are collected on pattern lines, and full "
        "lines put a tile on the wall at the end of the round. Tiles that touch others score most. The game "
        "ends after the round in which somebody completes a row; the most points win.",
    ),
    TABLE,
    OFFER,
    (
        "Phase B: tiling",
        f"{TILING} On the colored side, every color has its printed space in each row. On the gray side, "
        "you choose the column, but a color may appear only once in each row and column; if it fits "
        "nowhere, the whole line falls to the floor.",
    ),
    REFILL,
    (
        "The end of the game",
        "Score 2 points for each complete row, 7 for each complete column, and 10 for each color of which "
        "all five tiles are on your wall. A tie goes to whoever has more complete rows; otherwise, the "
        "victory is shared.",
    ),
)


def fills_a_line(attempt: Attempt) -> bool:
    """Return True if a step fills a pattern line and drops nothing."""
    numbers = [effect.numbers for effect in attempt.effects if effect.name == "filled"]
    if not numbers or any(effect.name == "fell" for effect in attempt.effects):
        return False
    line = attempt.before.players[0].lines[numbers[0]["line"] - 1]  # type: ignore[attr-defined]
    return bool(line.pieces + numbers[0]["pieces"] == line.spaces)


def drops(attempt: Attempt) -> bool:
    """Return True if pieces fall to the floor line."""
    return any(effect.name == "fell" for effect in attempt.effects)


def picking(seed: int, side: str) -> tuple[Lesson, ...]:
    """Return lessons on a first turn: picking and placing."""
    return (
        Lesson(
            "Picking",
            "Every round begins with four pieces on each of the numbered displays at the top: five "
            "displays for two players, seven for three, nine for four. On your turn, pick all pieces of "
            "one color from one display. Type the number of the display and the letter of the color, such "
            "as `4t` for the teal pieces on display 4; black is `k`.",
            (
                Task(
                    "Pick from a display.",
                    says("pick [1-9] *"),
                    "That works, too, but pick from a display this time.",
                    "They are in your hand now, and the other pieces of that display have moved to the "
                    "center.",
                ),
            ),
            seed=seed,
            options=(("side", side),),
        ),
        Lesson(
            "Placing",
            "Picked pieces go to one of the five lines on the left of your board. A line holds pieces of "
            "one color. Pieces that do not fit fall to the floor line, so choose a line with enough spaces.",
            (
                Task(
                    "Place the pieces: type the number of a line.",
                    says("place [1-5]"),
                    "You may drop all pieces to the floor, but it costs points. Choose a line.",
                    "What fits waits there for the end of the round; the rest is on the floor line.",
                ),
            ),
        ),
    )


def center(seed: int, side: str) -> Lesson:
    """Return the lesson on the center."""
    return Lesson(
        "The center and the starting tile",
        "What was left on a display lies in the center. You may pick from there, too: all pieces of one "
        "color. The first player to do so in a round also takes the starting tile. It lets them start the "
        "next round, and takes a space of their floor line, which costs what is printed there. When the "
        "displays and the center are empty, the picking is over for this round. Type `c` and the letter of "
        "a color.",
        (
            Task(
                "Pick from the center, and take the starting tile.",
                says("pick center *"),
                "That is a display. Pick from the center.",
                "You start the next round.",
            ),
            Task("Place what you picked.", says("place *"), "Place the pieces first."),
        ),
        seed=seed,
        turns=2,
        options=(("side", side),),
    )


def one_task(
    title: str,
    text: str,
    task: str,
    done: Done,
    otherwise: str,
    then: str,
    *,
    seed: int,
    turns: int,
    steps: str = "",
    side: str = "colored",
    until: str = "",
) -> Lesson:
    """Return a lesson with a single task."""
    tasks = (Task(task, done, otherwise, then, until),)
    return Lesson(title, text, tasks, seed=seed, turns=turns, steps=steps, options=(("side", side),))


def floor_line(color: str, *, seed: int, turns: int, side: str = "colored") -> Lesson:
    """Return the lesson on the floor line, which begins with too many pieces of a color from the center."""
    return one_task(
        "The floor line",
        f"You hold more {color} pieces than any line has room for. What does not fit falls to the floor "
        "line, and each taken space there costs what is printed on it. You may even drop all pieces: type "
        "`f`.",
        "Place the pieces, and see what falls.",
        drops,
        "Nothing fell. Try another line.",
        "At the end of the round you lose the points of the taken spaces, and the floor line is cleared. "
        "Your score never drops below 0.",
        seed=seed,
        turns=turns,
        steps=f"pick center {color}",
        side=side,
    )


def full_line(color: str, then: str, *, seed: int, turns: int, side: str = "colored") -> Lesson:
    """Return the lesson on full lines, which begins with just enough pieces of a color from the center."""
    return one_task(
        "A full line",
        "Only full lines put a tile on the wall. Lines that are not full keep their pieces for the next "
        "round. You hold just enough pieces to fill one of your lines.",
        "Fill a line without dropping anything.",
        fills_a_line,
        "That is legal, but it does not fill a line exactly.",
        then,
        seed=seed,
        turns=turns,
        steps=f"pick center {color}",
        side=side,
    )


LESSONS = (
    Lesson(
        "The goal",
        "This is your board. On the right is the wall, five rows of five spaces; on the left are five "
        "pattern lines, of one to five spaces. Players pick pieces in turn and collect them on their lines. "
        "A full line puts a tile on the wall when the round ends, and tiles score. The game ends after the "
        "round in which somebody completes a row of the wall; the most points win. Colors have letters: b "
        "blue, y yellow, r red, k black, t teal. A capital is a piece, a small letter an empty space for "
        "that color. Mira plays against you.",
        seed=3,
    ),
    *picking(3, "colored"),
    center(3, "colored"),
    floor_line("yellow", seed=3, turns=14),
    full_line(
        "yellow",
        "At the end of the round, one of its pieces goes to the wall and the others to the lid, from which "
        "the bag is refilled when it is empty.",
        seed=1,
        turns=4,
    ),
    one_task(
        "A color once in each row",
        "A row of the wall has one space for each color. A line beside a row that already shows red can't "
        "take red again, and a line that holds another color takes none either. Try line 3: the game "
        "explains.",
        "Place the red pieces on a line that takes them.",
        says("place [1-5]"),
        "Choose a line rather than the floor.",
        "The space of a color moves one column to the right in each row, so plan ahead.",
        seed=3,
        turns=10,
        steps="pick 1 red",
    ),
    one_task(
        "Tiling and scoring",
        "This is the last pick of the round. Then every full line puts a tile on the wall, from the top "
        "down. A tile without neighbors scores 1. Otherwise it scores the length of the unbroken row that it "
        "is now part of, and that of the column: 5 points in a row of three and a column of two. The floor "
        "line is counted last.",
        "Pick and place what is left.",
        anything,
        "",
        "Tiles that touch others in both directions score twice: once across and once down. Each round, "
        "new pieces are dealt until somebody has completed a row.",
        seed=3,
        turns=18,
        until="round",
    ),
    one_task(
        "The end of the game",
        "Somebody is about to complete a row, which ends the game after this round. Then a complete row "
        "scores 2 points, a complete column 7, and all five tiles of a color 10. If players are tied, more "
        "complete rows win; otherwise they share the victory.",
        "Play to the end of the game. `hint` suggests a step.",
        anything,
        "",
        "Columns and colors are worth more than rows, but rows end the game.",
        seed=1,
        turns=52,
        until="game",
    ),
    one_task(
        "A whole round",
        "You are ready. Play a round against Mira. `hint` suggests a step whenever you like.",
        "Play until the round is over.",
        anything,
        "",
        "Well played. `sintra play` starts a game, and `sintra rules azul --how-to-play` has all rules on a "
        "page. On the gray side of the board you choose the column of every tile.",
        seed=12,
        turns=0,
        until="round",
    ),
)
