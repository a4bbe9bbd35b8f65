"""A plain model of Azul: Stained Glass of Sintra, kept close to the cardboard.

It exists to be compared with the engine: colors are words, a strip is five spaces, the bag is a
count of pieces. Numbers such as S4 or R2 are the project's rulings. Players, displays, strips and
rounds are counted from 1, as in the log.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

COLORS = ("blue", "clear", "orange", "pink", "yellow")
PIECES_OF_EACH_COLOR = 20
DISPLAYS_FOR_PLAYERS = {2: 5, 3: 7, 4: 9}
PIECES_ON_A_DISPLAY = 4
LAST_ROUND = 6
ORNAMENT_POINTS = {0: 0, 1: 0, 2: 3, 3: 6, 4: 10}


@dataclass
class Space:
    """One space of a strip: what is printed on it (a color or "joker") and the piece lying there."""

    printed: str
    piece: str | None = None


@dataclass
class Strip:
    """A double-sided strip: the five spaces that face up, and what is printed underneath."""

    spaces: list[Space]
    underside: list[str]

    def pieces(self) -> list[str]:
        return [space.piece for space in self.spaces if space.piece is not None]

    def empty_spaces(self, printed: str) -> list[Space]:
        return [space for space in self.spaces if space.printed == printed and space.piece is None]

    def is_complete(self) -> bool:
        return all(space.piece is not None for space in self.spaces)


@dataclass
class Player:
    """All that lies before one player, and this player's two markers on the scoring board."""

    strips: list[Strip | None]  # eight slots, leftmost first; None is an empty slot
    windows: list[list[str]] = field(default_factory=lambda: [[] for _ in range(8)])
    glazier: int = 1  # the slot it stands above
    score: int = 0
    broken_steps: int = 0  # how many spaces the broken-glass marker is below the top
    lost_on_track: int = 0  # for a tie: every loss in full, even where the floor softened it (S10)
    points: dict[str, int] = field(
        default_factory=lambda: {"bonus": 0, "windows": 0, "broken": 0, "left": 0, "side": 0}
    )

    def strip(self, slot: int) -> Strip:
        strip = self.strips[slot - 1]
        if strip is None:
            raise ValueError(f"slot {slot} is empty")
        return strip

    def leftmost_slot(self) -> int | None:
        """The first slot that still has a strip, or None when all strips are gone."""
        for slot, strip in enumerate(self.strips, start=1):
            if strip is not None:
                return slot
        return None

    def slots_for(self, color: str) -> list[int]:
        """The slots within the glazier's reach whose strip has room for this color (S3)."""
        slots = []
        for slot, strip in enumerate(self.strips, start=1):
            if slot < self.glazier or strip is None:
                continue
            if strip.empty_spaces(color) or strip.empty_spaces("joker"):
                slots.append(slot)
        return slots

    def gain(self, what_for: str, points: int) -> None:
        self.score += points
        self.points[what_for] += points


class PlainSintra:
    """One game, driven from outside: deals, steps in words, ends of rounds and the final scoring."""

    player: int  # whose choice it is; between the rounds, who starts the next one
    round: int  # the round being played; between the rounds, the one to be dealt next

    def __init__(self, created: dict[str, Any], arranged: dict[str, Any]) -> None:
        number_of_players = len(created["players"])
        if number_of_players not in DISPLAYS_FOR_PLAYERS:
            raise ValueError(f"{number_of_players} players cannot play")
        if len(arranged["indicator"]) != LAST_ROUND or len(arranged["strips"]) != number_of_players:
            raise ValueError("the arrangement does not fit the game")
        self.side: str = created["options"]["side"]
        self.floor_at_zero: bool = created["options"]["floor_at_zero"]
        self.window_values: list[int] = list(arranged["windows"])
        self.broken_track: list[int] = list(arranged["broken"])

        self.players = [
            Player([Strip([Space(color) for color in strip["up"]], list(strip["down"])) for strip in strips])
            for strips in arranged["strips"]
        ]
        self.indicator: list[str] = list(arranged["indicator"])  # the top piece is the first one
        self.bag: Counter[str] = Counter(dict.fromkeys(COLORS, PIECES_OF_EACH_COLOR))
        self.bag.subtract(self.indicator)
        self.tower: Counter[str] = Counter()
        self.displays: list[list[str]] = []
        self.center: list[str] = []
        self.hand: list[str] = []  # pieces picked and not placed yet

        self.round = 1
        self.player = 1  # R5
        self.next_to_start = 1  # who holds the tile, or who last held it while it lies in the center
        self.tile_in_center = False
        self.waiting_for = "deal"  # "deal", "pick", "place", "keep", "end of round", "finish", "nothing"

    # ------------------------------------------------------------------ what can be asked at any time

    @property
    def round_is_over(self) -> bool:
        """Whether the round has been played and its end has not been carried out yet."""
        return self.waiting_for == "end of round"

    @property
    def game_is_over(self) -> bool:
        """Whether all six rounds have been ended."""
        return self.waiting_for in ("finish", "nothing")

    def scores(self) -> list[int]:
        return [player.score for player in self.players]

    def breakdown(self) -> list[dict[str, int]]:
        """For each player, what the points so far were for; they add up to the score."""
        return [dict(player.points) for player in self.players]

    def pieces(self) -> Counter[str]:
        """Every piece of the game by color, wherever it is."""
        everything: Counter[str] = Counter()
        everything.update(self.bag)
        everything.update(self.tower)
        everything.update(self.indicator)
        for display in self.displays:
            everything.update(display)
        everything.update(self.center)
        everything.update(self.hand)
        for player in self.players:
            for window in player.windows:
                everything.update(window)
            for strip in player.strips:
                if strip is not None:
                    everything.update(strip.pieces())
        return everything

    # --------------------------------------------------------------------------- the start of a round

    def deal(self, dealt: dict[str, Any]) -> None:
        """Fill the displays as the event says, piece by piece, after checking that it can be so (R2)."""
        if self.waiting_for != "deal":
            raise ValueError("this is not the time to deal")
        if dealt["round"] != self.round:
            raise ValueError(f"round {self.round} comes next, not round {dealt['round']}")
        expected = DISPLAYS_FOR_PLAYERS[len(self.players)]
        if len(dealt["displays"]) != expected:
            raise ValueError(f"there must be {expected} displays, not {len(dealt['displays'])}")

        bag = Counter(self.bag)
        tower = Counter(self.tower)
        for number, display in enumerate(dealt["displays"], start=1):
            if len(display) > PIECES_ON_A_DISPLAY:
                raise ValueError(f"display {number} has more than {PIECES_ON_A_DISPLAY} pieces")
            for color in display:
                if bag.total() == 0:
                    bag, tower = tower, Counter()
                if bag[color] == 0:
                    raise ValueError(f"display {number}: the bag holds no {color}")
                bag[color] -= 1
            if len(display) < PIECES_ON_A_DISPLAY and bag.total() + tower.total() > 0:
                raise ValueError(f"display {number} is short although there are pieces left")

        self.bag = bag
        self.tower = tower
        self.displays = [list(display) for display in dealt["displays"]]
        self.tile_in_center = True
        self.player = self.next_to_start
        self.waiting_for = "end of round" if self._table_is_empty() else "pick"

    def _table_is_empty(self) -> bool:
        return not self.center and not any(self.displays)

    # -------------------------------------------------------------------------------- a player's turn

    def legal(self) -> list[str]:
        """The steps that the player may take next; none when no player has to choose."""
        if self.waiting_for == "pick":
            return self._legal_picks()
        if self.waiting_for == "place":
            return self._legal_places()
        if self.waiting_for == "keep":
            player = self._current_player()
            return [f"keep {color}" for color in sorted(set(player.strip(player.glazier).pieces()))]
        return []

    def _legal_picks(self) -> list[str]:
        steps = []
        for number, display in enumerate(self.displays, start=1):
            for color in sorted(set(display)):
                steps.append(f"pick {number} {color}")
        for color in sorted(set(self.center)):
            steps.append(f"pick center {color}")
        player = self._current_player()
        leftmost = player.leftmost_slot()
        if leftmost is not None and leftmost != player.glazier:  # S7
            steps.append("return")
        return steps

    def _legal_places(self) -> list[str]:
        player = self._current_player()
        color = self.hand[0]
        steps = []
        for slot in player.slots_for(color):
            steps.append(f"place {slot}")
            strip = player.strip(slot)
            fitting = self._how_many_fit(strip)
            fewest_jokers = self._fewest_jokers(strip)
            most_jokers = min(len(strip.empty_spaces("joker")), fitting)
            for jokers in range(fewest_jokers + 1, most_jokers + 1):
                steps.append(f"place {slot} jokers {jokers}")
        return steps

    def _how_many_fit(self, strip: Strip) -> int:
        """How many of the picked pieces this strip takes."""
        room = len(strip.empty_spaces(self.hand[0])) + len(strip.empty_spaces("joker"))
        return min(len(self.hand), room)

    def _fewest_jokers(self, strip: Strip) -> int:
        """How many joker spaces are needed when the spaces of the color fill first (S4)."""
        matching = len(strip.empty_spaces(self.hand[0]))
        return max(0, self._how_many_fit(strip) - matching)

    def _current_player(self) -> Player:
        return self.players[self.player - 1]

    def play(self, words: str) -> None:
        """Play one of the legal steps."""
        if words not in self.legal():
            raise ValueError(f"not a legal step: {words}")
        match words.split():
            case ["pick", source, color]:
                self._pick(source, color)
            case ["place", slot]:
                strip = self._current_player().strip(int(slot))
                self._place(int(slot), self._fewest_jokers(strip))
            case ["place", slot, "jokers", jokers]:
                self._place(int(slot), int(jokers))
            case ["keep", color]:
                self._keep(color)
            case ["return"]:
                player = self._current_player()
                leftmost = player.leftmost_slot()
                assert leftmost is not None
                player.glazier = leftmost
                self._end_turn()
            case _:
                raise ValueError(f"not a step: {words}")

    def _pick(self, source: str, color: str) -> None:
        player = self._current_player()
        if source == "center":
            self.hand = [piece for piece in self.center if piece == color]
            self.center = [piece for piece in self.center if piece != color]
            if self.tile_in_center:
                self.tile_in_center = False
                self.next_to_start = self.player
                self._step_down(player)  # S2: before the pieces are placed
        else:
            display = self.displays[int(source) - 1]
            self.hand = [piece for piece in display if piece == color]
            self.center += [piece for piece in display if piece != color]
            self.displays[int(source) - 1] = []

        if player.slots_for(color):
            self.waiting_for = "place"
        else:  # S5
            self._break_hand()
            self._end_turn()

    def _place(self, slot: int, jokers: int) -> None:
        """Lay the picked pieces on a strip, this many of them on jokers; what does not fit breaks."""
        player = self._current_player()
        player.glazier = slot
        strip = player.strip(slot)
        color = self.hand[0]
        on_color = self._how_many_fit(strip) - jokers
        chosen_spaces = strip.empty_spaces(color)[:on_color] + strip.empty_spaces("joker")[:jokers]
        for space in chosen_spaces:
            space.piece = self.hand.pop()
        self._break_hand()

        if strip.is_complete():
            top_piece = self.indicator[0]
            player.gain("bonus", strip.pieces().count(top_piece))
            self.waiting_for = "keep"
        else:
            self._end_turn()

    def _keep(self, color: str) -> None:
        """Move one piece of the completed strip to the window below, clear the strip, and score (S6)."""
        player = self._current_player()
        slot = player.glazier
        strip = player.strip(slot)
        others = strip.pieces()
        others.remove(color)
        self.tower.update(others)

        window = player.windows[slot - 1]
        window.append(color)
        if len(window) == 1:
            face_up = [space.printed for space in strip.spaces]
            strip.spaces = [Space(printed) for printed in strip.underside]
            strip.underside = face_up
        else:
            player.strips[slot - 1] = None

        points = self.window_values[slot - 1]
        for value, window_to_the_right in zip(self.window_values[slot:], player.windows[slot:], strict=True):
            if window_to_the_right:
                points += value
        player.gain("windows", points)
        self._end_turn()

    def _break_hand(self) -> None:
        """All pieces still in the hand break: one step each, and into the tower."""
        player = self._current_player()
        for piece in self.hand:
            self._step_down(player)
            self.tower[piece] += 1
        self.hand = []

    def _step_down(self, player: Player) -> None:
        """One space down on the broken-glass track; the last space costs at once and leads back up (S2)."""
        player.broken_steps += 1
        if player.broken_steps == len(self.broken_track) - 1:
            self._lose(player, self.broken_track[-1])
            player.broken_steps = 0

    def _lose(self, player: Player, negative_points: int) -> None:
        """Take points for broken glass; with the house rule the score stops at zero (S1)."""
        player.lost_on_track -= negative_points
        new_score = player.score + negative_points
        if self.floor_at_zero:
            new_score = max(0, new_score)
        player.gain("broken", new_score - player.score)

    def _end_turn(self) -> None:
        if self._table_is_empty():
            self.waiting_for = "end of round"
        else:
            self.waiting_for = "pick"
            self.player = self.player % len(self.players) + 1

    # --------------------------------------------------------------- the end of a round, of the game

    def end_round(self) -> dict[str, Any]:
        """Drop the round's indicator piece into the tower (S8) and make ready for the next deal."""
        if not self.round_is_over:
            raise ValueError("the round is not over")
        result = {"round": self.round, "scores": self.scores()}
        self.tower[self.indicator.pop(0)] += 1
        self.player = self.next_to_start  # R3 when nobody took the tile
        if self.indicator:
            self.round += 1
            self.waiting_for = "deal"
        else:
            self.waiting_for = "finish"
        return result

    def finish(self) -> dict[str, Any]:
        """The final scoring (S9), and who won (S10)."""
        if self.waiting_for != "finish":
            raise ValueError("this is not the time for the final scoring")
        for player in self.players:
            pieces_left = sum(len(strip.pieces()) for strip in player.strips if strip is not None)
            player.gain("left", pieces_left // 3)
            self._lose(player, self.broken_track[player.broken_steps])
            player.gain("side", self._ornaments(player) if self.side == "A" else self._best_color(player))
        self.waiting_for = "nothing"
        return {"scores": self.scores(), "winners": self._winners()}

    def _ornaments(self, player: Player) -> int:
        """Side A: each ornament stands between two windows and looks at their four frame spaces (S11)."""
        points = 0
        for left in (1, 3, 5, 7):
            around = len(player.windows[left - 1]) + len(player.windows[left])
            points += ORNAMENT_POINTS[around]
        return points

    def _best_color(self, player: Player) -> int:
        """Side B: full windows times the pieces of the most frequent color in all windows."""
        full_windows = sum(1 for window in player.windows if len(window) == 2)
        in_windows = [piece for window in player.windows for piece in window]
        return full_windows * max(in_windows.count(color) for color in COLORS)

    def _winners(self) -> list[int]:
        highest = max(player.score for player in self.players)
        leaders = [player for player in self.players if player.score == highest]
        least_lost = min(player.lost_on_track for player in leaders)
        return [
            number
            for number, player in enumerate(self.players, start=1)
            if player.score == highest and player.lost_on_track == least_lost
        ]
