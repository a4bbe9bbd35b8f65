"""`sintra draw`."""

from __future__ import annotations

import os
from typing import Annotated

from sintra import api
from sintra.cli.options import LogArgument, Option
from sintra.cli.output import write_bytes
from sintra.errors import UsageError
from sintra.log import writing
from sintra.reader import read_log

FORMATS = (".svg", ".png")


def draw(
    log_: LogArgument,
    output: Annotated[
        str | None,
        Option("--output", "-o", help="Picture to write: FILE.svg or FILE.png.", metavar="FILE"),
    ] = None,
    at: Annotated[int | None, Option(help="Draw the table after event N.", metavar="N")] = None,
    player: Annotated[int | None, Option(help="Draw only the board of player P.", metavar="P")] = None,
    dark: Annotated[bool, Option("--dark", help="Draw on a dark background.")] = False,
    width: Annotated[
        int | None, Option(help="Width of a PNG, in pixels.", min=1, max=16_384, metavar="PIXELS")
    ] = None,
) -> None:
    """Draw the table as a picture: SVG, or PNG with the extra `png`.

    Without -o, the SVG goes to standard output. An older picture is replaced. Every piece has a letter and
    a shape, so nothing depends on color vision.

    \b
    sintra draw game.log -o table.svg
    sintra draw game.log --at 20 --player 2 --dark > board.svg
    """
    kind = os.path.splitext(output)[1].lower() if output not in (None, "-") else ".svg"
    if kind not in FORMATS:
        raise UsageError(f"can't draw {output}: the name must end in .svg or .png")
    if width is not None and kind != ".png":
        raise UsageError("--width is for PNG; an SVG scales to any size")
    picture = api.draw(read_log(log_, at), at=at, player=player, dark=dark)
    if kind == ".png":
        from sintra.view.svg import png

        data = png(picture, width)
    else:
        data = picture.encode()
    if output in (None, "-"):
        write_bytes(data)
    else:
        writing.replace(str(output), data)
