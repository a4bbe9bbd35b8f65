"""The full screen, played by Textual's pilot: whole games in `make screens`, a few turns here."""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path

import pytest

import sintra
from tests.kit.program import fresh, played, run

pytest.importorskip("textual", reason="the full screen needs the extra tui")

from sintra.bots.seats import remember, remembered
from sintra.cli import games
from sintra.cli.screen.menu import MenuScreen, NewScreen
from sintra.cli.screen.page import last_lines
from sintra.cli.screen.play import PlayScreen
from sintra.cli.screen.replay import ReplayScreen
from sintra.view.style import Style
from sintra.view.theme import LEGIBLE, contrast, themed
from tests.kit.screens import BOARDS, SIZES, click, new_log, opened, played_on_screen, spot_of, table, until

WHOLE = bool(os.environ.get("SINTRA_SCREENS"))
"""True to play whole games at all sizes."""


def cases() -> list[tuple[str, str, str, int, int]]:
    """Boards, how they are played, the size, and the number of players."""
    if WHOLE:
        return [
            (rules, side, mode, at, 2 + (at + number) % 3)
            for number, (rules, side) in enumerate(BOARDS)
            for mode in ("keys", "mouse")
            for at in range(3)
        ]
    return [
        (rules, side, ("keys", "mouse")[number % 2], number % 3, 4 - number % 3)
        for number, (rules, side) in enumerate(BOARDS)
    ]


@pytest.mark.parametrize(("rules", "side", "mode", "at", "players"), cases())
def test_what_is_played_on_the_screen_is_what_move_writes(
    rules: str, side: str, mode: str, at: int, players: int, tmp_path: Path
) -> None:
    log = new_log(tmp_path / "game.log", rules, side, players)
    twin = Path(shutil.copy(log, tmp_path / "twin.log"))
    said = asyncio.run(
        played_on_screen(log, mode, SIZES[at], SIZES[(at + 1) % 3], 10_000 if WHOLE else 9, seed=at)
    )
    run("move", twin, stdin="\n".join(said))
    assert log.read_bytes() == twin.read_bytes()
    assert sintra.load(log).over or not WHOLE


# -- A game ----------------------------------------------------------------------------------


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "game.log"
    path.write_bytes(fresh())
    return path


def text(screen: PlayScreen | ReplayScreen | MenuScreen | NewScreen) -> str:
    """What is on the screen, without colors."""
    return "\n".join(strip.text for strip in screen.painted._strips)


@pytest.mark.parametrize("turns", [0, 41])
def test_four_players_of_sintra_fit_into_80_by_24(turns: int, tmp_path: Path) -> None:
    """Offer, own board and choices are on the screen together."""
    path = tmp_path / "game.log"
    game = sintra.new("sintra", 4, seed=3)
    for _ in range(turns):
        game.play(game.legal()[0])
    game.save(path)

    async def look() -> None:
        screen = table(path)
        async with opened(screen).run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            shown = text(screen)
            assert all(part in shown for part in ("offer", "center", "strip", "window", "glass", "q quit"))
            assert all(spot_of(screen, f"={step.words}") for step in game.legal())
            assert len(shown.splitlines()) == 24
            assert max(map(len, shown.splitlines())) <= 80

    asyncio.run(look())


def test_the_last_text_is_cut_rather_than_left_out() -> None:
    """With four players on 80x24 there may be a single line for what has just happened."""
    texts = [
        "Ada picks blue.",
        "Round 4 is dealt: byop bobc yyco boob. The bag was refilled after 32 pieces.",
    ]
    assert last_lines(texts, 50, 1, Style()) == ["• Round 4 is dealt: byop bobc yyco boob. The bag …"]
    assert len(last_lines(texts, 50, 2, Style())) == 2
    assert len(last_lines(texts, 50, 3, Style())) == 3
    assert last_lines(texts, 50, 0, Style()) == []


def test_a_place_out_of_reach_is_refused_as_soon_as_it_is_typed(tmp_path: Path) -> None:
    """With the ruling that says so, and where it is explained."""
    path = tmp_path / "game.log"
    game = sintra.new("sintra", 2, seed=42)
    game.play("pick 3 orange place 2 pick 1 yellow place 1 pick 2 clear")
    game.save(path)

    async def sit() -> None:
        screen = table(path)
        async with opened(screen).run_test(size=(80, 24)) as pilot:
            await pilot.press("1")
            shown = " ".join(text(screen).split())
            assert "place 1: strip 1 is left of the glazier, who is above strip 2" in shown
            assert "(S3: see `sintra help S3`)" in shown
            await pilot.press("9", "q")

    asyncio.run(sit())


def test_bots_answer_and_undo_takes_them_back(log: Path) -> None:
    async def sit() -> None:
        screen = table(log, {2: "greedy"})
        async with opened(screen).run_test(size=(80, 24)) as pilot:
            await pilot.press(*"3o", "enter")
            assert "hand   2" in text(screen)
            await pilot.press("2", "enter")
            await until(pilot, lambda: len(screen.sitting.game.events) == 7)
            assert screen.sitting.game.player == 1
            await pilot.press("u")
            assert "Took back 3 steps." in text(screen)
            assert screen.sitting.game.legal()[0].words.startswith("place")
            await pilot.press("f2", "f2")
            assert "no step to take back" in text(screen)
            await pilot.press("q")

    asyncio.run(sit())
    game = sintra.load(log)
    assert game.counting == sintra.loads(fresh()).counting
    run("verify", log)


def test_space_hurries_a_slow_bot(log: Path) -> None:
    async def sit() -> None:
        screen = table(log, {1: "greedy"}, pace=30)
        async with opened(screen).run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: "is thinking" in text(screen))
            assert len(screen.sitting.game.events) == 3
            await pilot.pause(0.3)
            await pilot.press("space")
            await until(pilot, lambda: len(screen.sitting.game.events) == 4)

    asyncio.run(sit())


def test_a_step_is_explained_before_it_is_made_and_refused_with_its_reason(log: Path) -> None:
    async def sit() -> None:
        screen = table(log)
        async with opened(screen).run_test(size=(80, 24)) as pilot:
            await pilot.press(*"3o")
            assert "Picks 2 orange from display 3; 2 pieces to the center." in text(screen)
            assert "place 2" in screen.painted.page.lit
            await pilot.press(*"3b")
            assert "display 3 has no blue" in text(screen)
            await pilot.press(*"3o", "enter", "9")
            assert screen.choices is not None
            place = spot_of(screen, "place 3")
            assert place is not None
            await pilot.hover("Painted", offset=place)
            assert screen.choices.step.words == "place 3"
            await pilot.press("down", "up", "tab", "shift+tab", "backspace", "escape")
            assert len(screen.sitting.game.events) == 4

    asyncio.run(sit())


def test_enter_alone_gives_no_points_away(tmp_path: Path) -> None:
    """The cursor is on no step that costs points where another does not, such as the floor."""

    async def sit() -> None:
        screen = table(new_log(tmp_path / "azul.log", "azul", "colored", 2))
        async with opened(screen).run_test(size=(80, 24)) as pilot:
            for _ in range(12):
                choices = screen.choices
                assert choices is not None
                assert choices.gains[choices.cursor] >= min(0, max(choices.gains))
                await pilot.press("enter")

    asyncio.run(sit())


def test_nothing_that_the_screen_says_is_cut(tmp_path: Path) -> None:
    """Neither the end of a round when looking back, nor a message that takes more than a line."""
    path = tmp_path / "game.log"
    game = sintra.new("azul", ["a player with a long name", "another one with a name"], seed=3)
    while game.state.round == 1:
        game.play(game.legal()[-1])
    game.save(path)

    async def sit() -> None:
        screen = table(path)
        async with opened(screen).run_test(size=(80, 24)) as pilot:
            longest = max(range(len(screen.history)), key=lambda at: len(screen.history.seen[at].sentence))
            assert len(screen.history.seen[longest].sentence) > 80
            while screen.at != longest:
                await pilot.press("pageup")
            foot = text(screen).partition("Event ")[2]
            assert screen.history.seen[longest].sentence in " ".join(foot.split())
            await pilot.press("end")
            screen.message = " ".join(["a reason that takes more than a line"] * 4)
            screen.redraw()
            await pilot.pause()
            assert screen.message in " ".join(text(screen).split())

    asyncio.run(sit())


def test_a_hint_names_the_best_turns_and_goes_to_the_first(log: Path) -> None:
    async def sit() -> None:
        screen = table(log)
        async with opened(screen).run_test(size=(80, 24)) as pilot:
            await pilot.press("h")
            await until(pilot, lambda: bool(screen.notices))
            title, lines = screen.notices[0]
            assert "the best turns" in title
            assert screen.choices is not None
            assert screen.choices.step.words in lines[0]
            assert "chance of winning" in lines[-1]
            await pilot.press("enter")
            assert screen.notices == []
            assert len(screen.sitting.game.events) == 3, "a hint plays nothing"

    asyncio.run(sit())


def test_history_help_and_themes(log: Path) -> None:
    log.write_bytes(played(left=20))

    async def sit() -> None:
        screen = table(log)
        app = opened(screen)
        async with app.run_test(size=(100, 40)) as pilot:
            last = len(screen.history)
            await pilot.press("pageup", "left", "up")
            assert f"Event {last - 3} of {last}" in text(screen)
            await pilot.press("right", "pagedown", "enter")
            assert screen.at is None
            await pilot.press("home")
            assert "Event 1 of" in text(screen)
            await pilot.press("end", "v")
            assert "back " in text(screen)
            await pilot.press("f5", "?")
            assert "take back your last step" in text(screen)
            assert "show the other sides of the strips" in text(screen)
            await pilot.press("x")
            assert not screen.notices
            looks = []
            for _ in range(4):
                await pilot.press("f4")
                looks.append((app.look.theme.name, app.look.unicode))
            assert looks == [("light", True), ("color-blind", True), ("dark", False), ("dark", True)]
            await pilot.resize_terminal(60, 20)
            await until(pilot, lambda: "80x24 shows everything" in text(screen))

    asyncio.run(sit())


def test_the_end_of_a_round_and_of_the_game_is_told_with_its_points(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    log.write_bytes(played(left=1))

    async def sit() -> None:
        screen = table(log)
        app = opened(screen)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("enter")
            assert [title for title, _ in screen.notices] == ["Round 6 ends", "The game is over"]
            assert "windows +" in text(screen)
            await pilot.press("space")
            assert "total   by source" in text(screen)
            assert "wins." in text(screen) or "share the victory" in text(screen)
            await pilot.press("space", "enter")
        assert "sintra replay" in app.said

    asyncio.run(sit())


def test_a_log_that_somebody_else_changed_ends_the_sitting(log: Path) -> None:
    async def sit() -> object:
        screen = table(log)
        app = opened(screen)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            run("move", log, "pick", "1", "blue")
            await pilot.press(*"3o", "enter")
        return app.failure

    assert "changed by another program" in str(asyncio.run(sit()))


def test_a_bot_that_fails_ends_the_sitting(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (log.parent / "lost_bot.py").write_text("def lost(state, stream): return None\n")
    monkeypatch.syspath_prepend(str(log.parent))

    async def sit() -> object:
        app = opened(table(log, {1: "lost_bot:lost"}))
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: app.failure is not None)
        return app.failure

    assert "not a legal step" in str(asyncio.run(sit()))


def test_the_cursor_is_seen_in_every_theme(log: Path) -> None:
    """A piece under the cursor stands in brackets, also where its shape leaves no room beside the letter."""

    async def sit() -> None:
        screen = table(log)
        app = opened(screen)
        async with app.run_test(size=(80, 24)) as pilot:
            for _ in range(4):
                await pilot.press("t", *"3o")
                (offer,) = [line for line in text(screen).splitlines() if line.startswith("offer 1")]
                inverse = not app.look.color
                assert offer.count("[O]") == 2 or inverse, (app.look.theme.name, offer)
                await pilot.press("backspace", "backspace")

    asyncio.run(sit())


@pytest.mark.parametrize("name", ["dark", "light", "color-blind"])
def test_what_is_lit_or_under_the_cursor_can_be_read(name: str) -> None:
    from sintra.cli.screen.painted import ink

    theme = themed(name, {})
    for state in ("", "lit", "cursor"):
        for codes in ("", f"38;5;{theme.faint}", f"1;38;5;{theme.bright}"):
            drawn = ink(codes, theme, state)
            assert drawn.color is not None
            assert drawn.bgcolor is not None
            assert contrast(drawn.color.number or 0, drawn.bgcolor.number or 0) >= LEGIBLE


# -- Bots beside the log ---------------------------------------------------------------------


def test_bots_are_remembered_beside_the_log(log: Path) -> None:
    game = sintra.load(log)
    assert remembered(str(log), game) == {}
    remember(str(log), {})
    assert list(log.parent.iterdir()) == [log]
    remember(str(log), {2: "greedy:depth=1"})
    assert remembered(str(log), game) == {2: "greedy:depth=1"}
    remember(str(log), {})
    assert remembered(str(log), game) == {}


@pytest.mark.parametrize("data", [b"\xff", b"9=greedy", b"2=nobody", b"x", b"2=os:abort", b"1=\n2"])
def test_what_came_with_a_log_runs_no_code_and_harms_nothing(data: bytes, log: Path) -> None:
    Path(f"{log}.bots").write_bytes(data)
    assert remembered(str(log), sintra.load(log)) == {}


def test_a_resumed_game_has_its_bots_again(log: Path) -> None:
    run("play", log, "--bots", "greedy")
    ran = run("play", log, stdin="3o 2\n")
    assert "bots as before: seat 2 greedy" in ran.err
    assert "Player 2: picks" in ran.out
    run("play", log, "--bots", "none", stdin="")
    assert "bots as before" not in run("play", log).err


# -- The menu --------------------------------------------------------------------------------


def test_a_new_game_is_made_and_continued_by_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    async def choose() -> None:
        menu = MenuScreen(games.games_here, 0, games.courses())
        app = opened(menu)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("n", "tab")
            form = app.screen
            assert isinstance(form, NewScreen)
            await pilot.press("right", "right", "enter", "right", "enter", "backspace", "x")
            await pilot.press(
                "down", *["left"] * 3, "down", *["left"] * 3, "down", "7", "a", "enter", "enter"
            )
            assert "Azul, side colored" in text(form)
            assert form.form.seed == "7"
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(app.screen, PlayScreen))
            assert isinstance(app.screen, PlayScreen)
            assert app.screen.sitting.bots == {2: "greedy", 3: "greedy"}
            assert app.screen.sitting.game.players == ("Player x", "Player 2", "Player 3")
            await pilot.press("q")
            await until(pilot, lambda: "game.log" in text(menu))
            await pilot.press("up", "enter")
            await until(pilot, lambda: isinstance(app.screen, PlayScreen))
            await pilot.press("q", "q")

    asyncio.run(choose())
    assert sintra.load("game.log").created.seed == 7
    assert sorted(os.listdir()) == ["game.log", "game.log.bots"]


def test_a_new_game_is_made_by_mouse_and_a_taken_name_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    async def choose() -> None:
        menu = MenuScreen(games.games_here, 0, games.courses())
        app = opened(menu)
        async with app.run_test(size=(100, 40)) as pilot:
            await pilot.pause()
            await click(pilot, menu, "row 0")
            await until(pilot, lambda: isinstance(app.screen, NewScreen) and bool(app.screen.painted.places))
            form = app.screen
            assert isinstance(form, NewScreen)
            await click(pilot, form, "row 1 1")
            await click(pilot, form, "row 0 -1")
            Path("game.log").write_text("taken")
            await click(pilot, form, f"row {form.rows() - 1}")
            await until(pilot, lambda: "game.log" in form.message)
            Path("game.log").unlink()
            await click(pilot, form, f"row {form.rows() - 1}")
            await until(pilot, lambda: isinstance(app.screen, PlayScreen) and bool(app.screen.painted.places))
            assert isinstance(app.screen, PlayScreen)
            await click(pilot, app.screen, ":quit")
            await until(pilot, lambda: "game.log" in text(menu))
            await click(pilot, menu, "row 1")
        assert app.chosen == "sintra"

    asyncio.run(choose())
    assert len(sintra.load("game.log").players) == 3


def test_the_menu_lists_what_can_be_continued(tmp_path: Path) -> None:
    (tmp_path / "over.log").write_bytes(played())
    (tmp_path / "junk.log").write_text("junk\n")
    (tmp_path / "open.log").write_bytes(fresh())
    (found,) = games.games_here(str(tmp_path))
    assert found.path.endswith("open.log")
    assert found.about == "Stained Glass of Sintra, round 1: Player 1 and Player 2"
    assert games.games_here(str(tmp_path / "none")) == []


# -- Replay ----------------------------------------------------------------------------------


def test_a_replay_goes_by_event_turn_and_round(log: Path) -> None:
    log.write_bytes(played())
    total = len(played().splitlines())

    async def watch() -> None:
        screen = ReplayScreen(str(log))
        async with opened(screen).run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            assert f"event 1 of {total}, paused" in text(screen)
            assert "q quit" in text(screen)
            for key, where in [
                ("right", 2),
                ("pagedown", 3),
                ("down", 4),
                ("n", 5),
                ("down", 6),
                ("up", 4),
                ("pagedown", None),
                ("pageup", 3),
                ("left", 2),
                ("end", total),
                ("g", 1),
            ]:
                await pilot.press(key)
                if where is None:
                    assert "Round 2 is dealt" in text(screen)
                else:
                    assert f"event {where} of" in text(screen), key
            await click(pilot, screen, ":forward")
            assert "event 2 of" in text(screen)
            await pilot.resize_terminal(200, 60)
            assert "points so far" in text(screen)
            await pilot.press("?", "x", "t", "q")

    asyncio.run(watch())


def test_a_replay_runs_at_its_pace(log: Path) -> None:
    log.write_bytes(played())

    async def watch() -> None:
        screen = ReplayScreen(str(log), 10, 14, delay=0.05)
        async with opened(screen).run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: "event 14 of 14, end" in text(screen))
            await pilot.press("-", "-", "space")
            assert "event 10 of 14, 0.2 s" in text(screen)
            await pilot.press("+", "space", "home", "left")
            assert "event 10 of 14, paused" in text(screen)

    asyncio.run(watch())


def test_a_followed_log_is_drawn_as_it_grows(log: Path) -> None:
    async def watch() -> None:
        screen = ReplayScreen(str(log), follow=True)
        async with opened(screen).run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: "event 3 of 3, live" in text(screen))
            await asyncio.to_thread(run, "move", log, "pick", "3", "orange", "place", "2")
            await until(pilot, lambda: "event 5 of 5, live" in text(screen))
            await pilot.press("left")
            await asyncio.to_thread(run, "move", log, "pick", "1", "blue")
            await until(pilot, lambda: "event 4 of 6, paused" in text(screen))
            await pilot.press("end")
            assert "live" in text(screen)

    asyncio.run(watch())
