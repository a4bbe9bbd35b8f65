"""The routes of `sintra serve`: its pages and answers."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from html import escape
from typing import TypeVar
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from sintra import api, catalog
from sintra.batch.shelf import boards, free_name
from sintra.bots.names import BOTS
from sintra.bots.seats import remember
from sintra.errors import IllegalStep, SintraError, UsageError
from sintra.game import Game
from sintra.log.events import Dealt
from sintra.rules.state import ARRANGE, DEAL
from sintra.share.code import decode
from sintra.table import check_awaited, laid, record
from sintra.web import choices
from sintra.web.house import MAX_STREAMS, House, Table
from sintra.web.page import asset, policy_of, text
from sintra.web.requests import (
    Enter,
    Invite,
    New,
    Play,
    Undo,
    answer,
    body_of,
    number_of,
    refused,
)
from sintra.web.security import KEY, Gate, Guard
from sintra.web.skeleton import table_style
from sintra.web.streams import StreamAnswer

KINDS = {"css": "text/css", "js": "text/javascript"}
T = TypeVar("T")
Page = Callable[[Request], Awaitable[Response]]
ASSETS = ("table.css", "table.js", "serve.css", "code.js", "common.js", "menu.js", "game.js", "form.js")
"""The files that browsers may load."""


class Server:
    """The handlers of all requests."""

    def __init__(self, house: House, gate: Gate, address: str, start: str) -> None:
        """`address` is the server's address, `start` its first page."""
        self._house = house
        self._gate = gate
        self._address = address
        self._start = start

    def app(self) -> ASGIApp:
        """Return the application, guarded."""
        pages = {
            "/": self._menu_page,
            "/game": self._game_page,
            "/replay": self._replay_page,
            "/log": self._log_file,
            "/style.css": self._style,
            "/assets/{name}": self._asset,
            "/api/menu": self._menu,
            "/api/table": self._table,
            "/api/choices": self._choices,
            "/api/hint": self._hint,
            "/api/score": self._score,
            "/api/form": self._form,
            "/api/stream": self._stream,
        }
        acts = {
            "/api/new": self._new,
            "/api/play": self._play,
            "/api/undo": self._undo,
            "/api/arrange": self._arrange,
            "/api/deal": self._deal,
            "/api/check": self._check,
            "/api/invite": self._invite,
        }
        routes = [Route(path, self._clear(page), methods=["GET"]) for path, page in pages.items()]
        routes += [Route(path, self._clear(act), methods=["POST"]) for path, act in acts.items()]
        return Guard(Starlette(routes=routes, exception_handlers={404: self._nothing}), self._gate)

    def _clear(self, page: Page) -> Page:
        """Wrap a handler, so that its errors become answers: in JSON for scripts, in words for people."""
        root = f"{self._house.folder.root}/"

        async def answered(request: Request) -> Response:
            try:
                return await page(request)
            except SintraError as error:
                words = str(error).replace(root, "")  # logs are named as browsers know them
                said = refused(error, words)
                if request.url.path.startswith("/api/"):
                    return said
                return _page("error.html", status=said.status_code, message=text(words))

        return answered

    # -- Pages --

    async def _nothing(self, request: Request, _: Exception) -> Response:
        said = "no such page"
        if request.url.path.startswith("/api/"):
            return answer({"error": "unknown", "message": said}, 404)
        return _page("error.html", status=404, message="There is no such page.")

    async def _menu_page(self, request: Request) -> Response:
        if self._start != "/" and "menu" not in request.query_params:
            return Response(status_code=303, headers={"location": self._start})
        return _page("menu.html")

    async def _game_page(self, request: Request) -> Response:
        table = await self._asked(request)
        style = f"/style.css?log={quote(table.watched.name)}"
        return _page("game.html", style)

    async def _replay_page(self, request: Request) -> Response:
        from sintra.web.replay import replay_page

        if not request.query_params:  # `/replay#code=...`: the menu handles the code
            return Response(status_code=303, headers={"location": "/"})
        if "code" in request.query_params:
            code = request.query_params["code"]
            found = await self._threaded(lambda: replay_page(decode(code)))
        else:
            table = await self._asked(request)
            found = await self._house.look(table, replay_page)
        own = {"content-security-policy": f"{policy_of(found)}; frame-ancestors 'none'"}
        return Response(found, media_type="text/html", headers=own)

    async def _log_file(self, request: Request) -> Response:
        table = await self._asked(request)
        data = await self._house.look(table, Game.dumps)
        name = quote(table.watched.name.rpartition("/")[2])
        headers = {"content-disposition": f"attachment; filename*=UTF-8''{name}"}
        return Response(data, media_type="text/plain", headers=headers)

    async def _style(self, request: Request) -> Response:
        if "log" in request.query_params:
            rules = (await self._asked(request)).watched.game.rules
        else:
            rules = catalog.find("sintra")
        return Response(table_style(rules.palette), media_type="text/css")

    async def _asset(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in ASSETS:
            return Response("sintra: no such file\n", 404, media_type="text/plain")
        return Response(asset(name), media_type=KINDS[name.rpartition(".")[2]])

    async def _asked(self, request: Request) -> Table:
        """Return the table named in the address of a request."""
        return await self._house.table(request.query_params.get("log", ""))

    # -- Answers --

    async def _menu(self, request: Request) -> Response:  # noqa: ARG002
        folder = self._house.folder
        games = await self._threaded(folder.games)
        return answer(
            {
                "games": games,
                "boards": list(boards()),
                "bots": [*BOTS, *folder.offered],
                "name": "" if folder.only else free_name(folder.root),
                "only": folder.only,
            }
        )

    async def _threaded(self, work: Callable[[], T]) -> T:
        from starlette.concurrency import run_in_threadpool

        return await run_in_threadpool(work)

    async def _table(self, request: Request) -> Response:
        table = await self._asked(request)
        return answer(await table.alone(table.watched.opened))

    async def _choices(self, request: Request) -> Response:
        return answer(await self._house.look(await self._asked(request), choices.choices))

    async def _hint(self, request: Request) -> Response:
        return answer(await self._house.look(await self._asked(request), choices.suggested))

    async def _score(self, request: Request) -> Response:
        return answer(await self._house.look(await self._asked(request), api.score))

    async def _form(self, request: Request) -> Response:
        return answer(await self._house.look(await self._asked(request), choices.form))

    async def _stream(self, request: Request) -> Response:
        table = await self._asked(request)
        if self._house.full:
            said = f"{MAX_STREAMS} browsers are watching already; close one of them, and try again"
            return answer({"error": "full", "message": said}, 503)
        last = request.headers.get("last-event-id", "")
        number = number_of(request, "after", table.watched.events)
        number = int(last) if last.isascii() and last.isdigit() and len(last) < 12 else number
        leave = self._house.join(table, request.query_params.get("play") == "1")
        return StreamAnswer(self._house.messages(table, number), leave)  # type: ignore[return-value]

    # -- Acts --

    async def _new(self, request: Request) -> Response:
        wish = await body_of(request, New)
        path = self._house.folder.new_path(wish.log)
        offered = (*BOTS, *self._house.folder.offered)
        bots = {seat: who.bot for seat, who in enumerate(wish.seats, 1) if who.bot is not None}
        for name in bots.values():
            if name not in offered:
                raise UsageError(f"no bot is called {name!r} here: {', '.join(offered)}")
        if wish.table and bots:
            raise UsageError("a game at a real table has no bots")
        await self._threaded(lambda: _start(wish, path, bots))
        return answer({"log": wish.log})

    async def _play(self, request: Request) -> Response:
        wish = await body_of(request, Play)
        table = await self._house.table(wish.log)

        def act(game: Game) -> None:
            if game.player != wish.seat or wish.seat in table.seats.bots:
                raise IllegalStep(f"it is not your turn: {game.awaits}")
            game.play(*wish.steps)

        return answer({"events": await self._house.write(table, wish.expect, act)})

    async def _undo(self, request: Request) -> Response:
        wish = await body_of(request, Undo)
        table = await self._house.table(wish.log)

        def act(game: Game) -> None:
            if game.created.chance == "table":
                game.undo(1)
            else:
                game.undo(choices.steps_back(game, wish.seats, list(table.seats.bots)))

        return answer({"events": await self._house.write(table, wish.expect, act)})

    async def _arrange(self, request: Request) -> Response:
        wish = await body_of(request, Enter)
        table = await self._house.table(wish.log)

        def act(game: Game) -> None:
            check_awaited(game, ARRANGE)
            asked = game.rules.questions(game.players)
            rows = zip(asked, wish.rows, strict=False)
            words = [word for (heading, _), row in rows for word in (*heading.split(), *row)]
            record(game, laid(game, words))

        return answer({"events": await self._house.write(table, wish.expect, act)})

    async def _deal(self, request: Request) -> Response:
        wish = await body_of(request, Enter)
        table = await self._house.table(wish.log)

        def act(game: Game) -> None:
            check_awaited(game, DEAL)
            record(game, Dealt(game.round + 1, tuple(tuple(row) for row in wish.rows)))

        return answer({"events": await self._house.write(table, wish.expect, act)})

    async def _check(self, request: Request) -> Response:
        wish = await body_of(request, Enter)
        table = await self._house.table(wish.log)

        def ask(game: Game) -> choices.Checked:
            check = choices.check_answers if game.live.phase == ARRANGE else choices.check_displays
            return check(game, wish.rows)

        return answer(await self._house.look(table, ask))

    async def _invite(self, request: Request) -> Response:
        wish = await body_of(request, Invite)
        mark = "&" if "?" in wish.path else "?"
        return answer({"link": f"{self._address}{wish.path}{mark}{KEY}={self._gate.secret}"})


def _start(wish: New, path: str, bots: dict[int, str]) -> None:
    """Create the log of a new game, and remember its bots."""
    options = {} if wish.side is None else {"side": _side(wish.rules, wish.side)}
    names: Sequence[str] = [seat.name for seat in wish.seats]
    chance = "table" if wish.table else "seeded"
    seed = None if wish.table or wish.seed is None else int(wish.seed)
    game = api.new(wish.rules, names, seed=seed, chance=chance, **options)  # type: ignore[arg-type]
    if wish.table and not game.rules.questions(game.players):
        record(game, laid(game, ()))  # boards that are always the same need no form
    game.save(path)
    remember(path, bots)


def _side(rules: str, side: str) -> object:
    """Return the value of an option from its text."""
    values = [
        value for option in catalog.find(rules).options if option.name == "side" for value in option.values
    ]
    return next((value for value in values if str(value) == side), side)


def _page(name: str, style: str = "/style.css", status: int = 200, message: str = "") -> Response:
    """Return a page: its body from one asset, in the frame that all pages share."""
    parts = {"style": escape(style), "body": asset(name).replace("{{message}}", message)}
    whole = re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], asset("serve.html"))
    return Response(whole, status, media_type="text/html")
