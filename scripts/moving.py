"""A moving picture of a game, as one SVG file: pieces fly, scores change, and the log grows line by line.

It is made of nothing but the scenes of `sintra draw`. Between two scenes, a thing that leaves a slot is the
one of its kind that comes to another; what comes out of the bag or goes to the tower starts or ends there.
Every thing gets an animation in CSS: the picture moves wherever SVG is shown, and stands still for who wants
that.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import NamedTuple

from sintra.log.events import Choice
from sintra.reader import Reader
from sintra.view import scene_of
from sintra.view.scene import WIDTH, Scene, Slot
from sintra.view.svg import DARK, GAP, LIGHT, laid_out, paints, style, symbol_defs, thing_id

STEP, FLIGHT, END = 1.0, 0.45, 3.0
"""Seconds for an event, for a flight at its beginning, and for the last scene."""
BAR = 92
"""The height of the terminal below the table."""
UNIT = 32
"""The size at which things are drawn before they are scaled."""
SEEN, GONE = 1, 0
MONO = "ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace"


class Frame(NamedTuple):
    """A scene, the command that led to it, and the line of the log that it added."""

    scene: Scene
    command: str
    line: str


class Point(NamedTuple):
    """Where a thing is from a frame on: its slot, and whether it is seen."""

    frame: int
    slot: str
    seen: int


class Track(NamedTuple):
    """A thing on its way through the frames."""

    thing: str
    points: list[Point]


def moving(path: Path, first: int, last: int, dark: bool = False) -> str:
    """Return the events of a log from one to another as a moving picture."""
    frames = list(framed(path, first, last))
    return Film(frames, dark).document()


def framed(path: Path, first: int, last: int) -> Iterator[Frame]:
    """Yield the scenes of a log."""
    lines = path.read_bytes().splitlines(keepends=True)
    reader = Reader(iter([b"".join(lines[:last])]), path)
    for moment in reader:
        if moment.number < first:
            continue
        event, words = moment.event, ""
        if isinstance(event, Choice):
            words = spoken(event)
        command = f"sintra move game.log {words}" if words else ""
        yield Frame(scene_of(reader.fold), command, lines[moment.number - 1].decode().strip())


def spoken(event: Choice) -> str:
    """Return the words of a choice, as a player types them."""
    kind = type(event).__struct_config__.tag
    fields = {name: getattr(event, name) for name in event.__struct_fields__ if name != "player"}
    values = [
        "center" if (name, value) == ("source", 0) else str(value) for name, value in fields.items() if value
    ]
    if fields.get("source") == 0:
        values = ["center", str(fields["color"])]
    verb = {"picked": "pick", "placed": "place", "kept": "keep", "returned": "return"}[str(kind)]
    return " ".join([verb, *values])


class Film:
    """The frames, and where everything is at each time."""

    def __init__(self, frames: list[Frame], dark: bool) -> None:
        self.frames, self.theme = frames, DARK if dark else LIGHT
        self.scenes = [frame.scene for frame in frames]
        self.palette = self.scenes[0].palette
        self.places = list(laid_out(self.scenes[0].panels))
        self.seconds = STEP * (len(frames) - 1) + END
        self.still = len(frames) * 2 // 3
        self.rules: dict[str, str] = {}
        self.slots = {
            name: Slot(x + GAP + slot.x, y + GAP + slot.y, slot.size)
            for panel, x, y in self.places
            for name, slot in panel.slots.items()
        }

    def document(self) -> str:
        """Return the picture."""
        width = max(x for _, x, _ in self.places) + WIDTH + 2 * GAP
        table = max(y + panel.height for panel, _, y in self.places) + 2 * GAP
        body = [
            *self._ground(),
            *self._lying(),
            *self._texts(),
            *self._flying(),
            *self._terminal(width, table),
        ]
        height = table + BAR
        used = {thing for scene in self.scenes for thing in scene.things.values()}
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
            f'viewBox="0 0 {width:g} {height:g}" role="img">',
            f"<title>{escape(self.scenes[0].panels[0].label)}: a round, played step by step</title>",
            f"<style>{paints(self.palette)}{style(self.theme)}{self._style()}</style>",
            f"<defs>{symbol_defs(self.palette) if used else ''}</defs>",
            f'<rect class="ground" width="{width:g}" height="{height:g}"/>',
        ]
        return "\n".join([*parts, *body, "</svg>"]) + "\n"

    # -- Time --

    def _at(self, frame: int, after: float = 0.0) -> str:
        """Return a moment as a share of the whole."""
        return f"{100 * (frame * STEP + after) / self.seconds:.2f}".rstrip("0").rstrip(".") + "%"

    def _style(self) -> str:
        rules = "".join(f"@keyframes {name}{{{rule}}}" for name, rule in self.rules.items())
        common = f".title{{font-size:17px}}.a{{animation:{self.seconds:g}s linear infinite}}"
        calm = "@media (prefers-reduced-motion:reduce){.a{animation:none!important}}"
        return f"{common}{rules}{calm}"

    def _shown(self, spans: list[tuple[int, int]], late: float = 0.0) -> str:
        """Return the attributes of something that is seen from some frames until others."""
        count = len(self.frames)
        if spans == [(0, count)]:
            return ""
        rule = "" if spans[0][0] == 0 else "0%{opacity:0}"
        for start, end in spans:
            rule += f"{self._at(start, late if start else 0)}{{opacity:1}}"
            if end < count:
                rule += f"{self._at(end, late)}{{opacity:0}}"
        name = f"v{'-'.join(f'{start}_{end}' for start, end in spans)}{'l' if late else ''}"
        self.rules[name] = rule
        now = any(start <= self.still < end for start, end in spans)
        hidden = "" if now else ' opacity="0"'
        return f' class="a" style="animation-name:{name};animation-timing-function:step-end"{hidden}'

    # -- What does not move --

    def _ground(self) -> Iterator[str]:
        for panel, x, y in self.places:
            card = f'<rect class="card" width="{WIDTH}" height="{panel.height:g}" rx="14"/>'
            yield f'<g transform="translate({x + GAP:g} {y + GAP:g})">{card}{panel.art}</g>'

    def _lying(self) -> Iterator[str]:
        """Yield what only comes and goes: printed spaces, empty panes, marks of colors."""
        for name, slot in self.slots.items():
            held = [scene.things.get(name, "") for scene in self.scenes]
            for thing in dict.fromkeys(held):
                if thing and not self._flies(thing):
                    spans = spans_of([one == thing for one in held])
                    size = f'width="{slot.size:g}" height="{slot.size:g}"{self._shown(spans, FLIGHT)}'
                    yield f'<use href="#{thing_id(thing)}" x="{slot.x:g}" y="{slot.y:g}" {size}/>'

    def _texts(self) -> Iterator[str]:
        for panel, x, y in self.places:
            for name, text in panel.texts.items():
                said = [scene.texts.get(name, "") for scene in self.scenes]
                for words in dict.fromkeys(said):
                    if words:
                        where = (
                            f'x="{x + GAP + text.x:g}" y="{y + GAP + text.y:g}" text-anchor="{text.anchor}"'
                        )
                        shown = self._shown(spans_of([one == words for one in said]), FLIGHT)
                        inner = f'<text class="{text.style}" {where}>{escape(words)}</text>'
                        yield f"<g{shown}>{inner}</g>" if shown else inner

    def _terminal(self, width: float, top: float) -> Iterator[str]:
        """Yield the commands and the lines that they add to the log."""
        box = f'x="{GAP}" y="{top - 4:g}" width="{width - 2 * GAP:g}" height="{BAR - 14}" rx="12"'
        yield f'<rect {box} fill="#16181d" stroke="{self.theme.edge}"/>'
        for number, frame in enumerate(self.frames):
            shown = self._shown([(number, number + 1)])
            prompt = f'<tspan fill="#8b919c">$</tspan> {escape(frame.command)}' if frame.command else ""
            line = frame.line if len(frame.line) <= 104 else frame.line[:103] + "…"
            yield (
                f'<g{shown} font-family="{MONO}" xml:space="preserve">'
                f'<text x="44" y="{top + 28:g}" style="font:600 17px {MONO};fill:#fff">{prompt}</text>'
                f'<text x="44" y="{top + 56:g}" style="font:14px {MONO};fill:#9fd3d8">{escape(line)}</text>'
                "</g>"
            )

    # -- What moves --

    def _flies(self, thing: str) -> bool:
        return thing in self.palette.names or thing in ("starting tile", "turn", "now", "glazier", "marker")

    def _flying(self) -> Iterator[str]:
        for number, track in enumerate(self._tracks()):
            name = f"t{number}"
            still = [point for point in track.points if point.frame <= self.still][-1:]
            where = self._where(still[0] if still else track.points[0])
            hidden = "" if still and still[0].seen else ' opacity="0"'
            size = f'width="{UNIT}" height="{UNIT}" transform="{where.replace("px", "")}"'
            attributes = f'href="#{thing_id(track.thing)}" {size}'
            if len(track.points) == 1 and track.points[0].frame == 0:
                yield f"<use {attributes}/>"
                continue
            self.rules[name] = "".join(self._keys(track))
            yield f'<use {attributes}{hidden} class="a" style="animation-name:{name}"/>'

    def _where(self, point: Point) -> str:
        slot = self.slots[point.slot]
        return f"translate({slot.x:g}px,{slot.y:g}px) scale({slot.size / UNIT:.3g})"

    def _keys(self, track: Track) -> Iterator[str]:
        """Yield the keyframes of a track: rest, fly in a curve of speed, rest."""
        before: Point | None = None
        for point in track.points:
            if before is None and point.frame:
                yield f"0%,{self._at(point.frame)}{{transform:{self._where(point)};opacity:0}}"
            elif before is None:
                yield f"0%{{transform:{self._where(point)};opacity:{point.seen}}}"
            else:
                rest = f"transform:{self._where(before)};opacity:{before.seen}"
                there = f"transform:{self._where(point)};opacity:{point.seen}"
                yield f"{self._at(point.frame)}{{{rest};animation-timing-function:ease-in-out}}"
                yield f"{self._at(point.frame, FLIGHT)}{{{there}}}"
            before = point
        assert before is not None
        yield f"to{{transform:{self._where(before)};opacity:{before.seen}}}"

    def _tracks(self) -> list[Track]:
        """Return what moves, with where it is when."""
        tracks: list[Track] = []
        held: dict[str, Track] = {}
        for number, scene in enumerate(self.scenes):
            now = {name: thing for name, thing in scene.things.items() if self._flies(thing)}
            left = {name: track for name, track in held.items() if now.get(name) != track.thing}
            for name in left:
                del held[name]
            for name, thing in now.items():
                if name in held:
                    continue
                source = nearest(self.slots, name, [at for at, track in left.items() if track.thing == thing])
                if source is not None:
                    track = left.pop(source)
                else:
                    track = Track(thing, [])
                    tracks.append(track)
                    if number:
                        track.points.append(Point(number - 1, self._stock("bag", thing, name), GONE))
                track.points.append(Point(number, name, SEEN))
                held[name] = track
            for name, track in left.items():
                track.points.append(Point(number, self._stock("tower", track.thing, name), GONE))
        return tracks

    def _stock(self, stock: str, thing: str, otherwise: str) -> str:
        """Return the slot where pieces come from or go to."""
        name = f"{stock} mark/{thing}"
        return name if name in self.slots else otherwise


def nearest(slots: dict[str, Slot], name: str, others: list[str]) -> str | None:
    """Return the nearest of other slots."""
    here = slots[name]

    def distance(other: str) -> float:
        there = slots[other]
        return (there.x - here.x) ** 2 + (there.y - here.y) ** 2

    return min(others, key=distance, default=None)


def spans_of(flags: list[bool]) -> list[tuple[int, int]]:
    """Return from where to where something is true."""
    spans: list[tuple[int, int]] = []
    for at, flag in enumerate(flags):
        if flag and spans and spans[-1][1] == at:
            spans[-1] = (spans[-1][0], at + 1)
        elif flag:
            spans.append((at, at + 1))
    return spans
