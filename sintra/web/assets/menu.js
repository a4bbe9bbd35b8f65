// The menu: a new game, and the games of the folder.
"use strict";

(() => {
  if (Sintra.shared()) return;
  const { element, named, say, ask, send, minus } = Sintra;
  const at = (id) => document.getElementById(id);
  const PERSON = "person";
  const FIRST = ["easy", "medium", "hard"]; // the bots that are offered first
  let menu;
  const wish = { board: 0, count: 2, names: ["Player 1", "Player 2", "Player 3", "Player 4"], kinds: [PERSON, "easy", "easy", "easy"] };

  function radio(group, label, checked, chosen) {
    const input = element("input", { type: "radio", name: group, checked, onchange: chosen });
    return element("label", { class: "choice" }, input, element("span", {}, label));
  }

  function boards() {
    const all = menu.boards.map((board, number) =>
      radio("board", board.title, number === wish.board, () => ((wish.board = number), counts())),
    );
    at("boards").replaceChildren(...all);
  }

  function counts() {
    const possible = menu.boards[wish.board].players;
    if (!possible.includes(wish.count)) wish.count = possible[0];
    at("count").replaceChildren(
      ...possible.map((count) => radio("count", `${count}`, count === wish.count, () => ((wish.count = count), seats()))),
    );
    seats();
  }

  function seats() {
    const real = at("real").checked;
    const kinds = [PERSON, ...FIRST, ...menu.bots.filter((bot) => !FIRST.includes(bot))];
    const rows = [...Array(wish.count).keys()].map((seat) => {
      const name = element("input", {
        "aria-label": `Name of player ${seat + 1}`,
        value: wish.names[seat],
        maxlength: 80,
        required: true,
        oninput: (event) => (wish.names[seat] = event.target.value),
      });
      const kind = element(
        "select",
        { "aria-label": `Who plays in seat ${seat + 1}`, disabled: real, onchange: (event) => (wish.kinds[seat] = event.target.value) },
        ...kinds.map((bot) => element("option", { value: bot, selected: bot === (real ? PERSON : wish.kinds[seat]) }, bot)),
      );
      return element("li", { class: `p${seat + 1}` }, element("span", { class: "seat" }, `${seat + 1}`), name, kind);
    });
    at("seats").replaceChildren(...rows);
  }

  async function start(event) {
    event.preventDefault();
    const board = menu.boards[wish.board];
    const real = at("real").checked;
    const log = at("log").value.trim();
    const people = [...Array(wish.count).keys()].map((seat) => {
      const bot = real || wish.kinds[seat] === PERSON ? null : wish.kinds[seat];
      return { name: wish.names[seat], bot };
    });
    const seed = at("seed").value.trim() || null;
    try {
      const body = { log, rules: board.rules, side: board.side, seats: people, seed, table: real };
      const made = await send("/api/new", body);
      location.assign(`/game?${new URLSearchParams({ log: made.log })}`);
    } catch (error) {
      say(error.message);
      at("message").scrollIntoView({ block: "nearest" });
    }
  }

  function link(words, path, query, kind = "button") {
    return element("a", { class: kind, href: `${path}?${new URLSearchParams(query)}` }, words);
  }

  function listed(game) {
    const { log } = game;
    if (game.error) return element("li", { class: "faulty" }, element("h3", {}, named(log)), element("p", {}, game.error));
    const players = game.players.map((name, seat) => {
      const bot = game.bots[seat + 1] ? element("small", {}, ` ${game.bots[seat + 1]}`) : "";
      const won = game.winners.includes(seat + 1) ? element("b", { class: "won" }, " won") : "";
      return element("li", { class: `p${seat + 1}` }, named(name), bot, element("b", {}, ` ${minus(game.scores[seat])}`), won);
    });
    const state = game.over ? "over" : `round ${Math.max(game.round, 1)}${game.table ? ", real table" : ""}`;
    const doors = game.over
      ? [link("Replay", "/replay", { log }), link("Result", "/game", { log, seat: "0" })]
      : [link("Continue", "/game", { log }, "button main"), link("Watch", "/game", { log, seat: "0" }), link("Replay", "/replay", { log })];
    return element(
      "li",
      {},
      element("h3", {}, named(log)),
      element("p", { class: "quiet" }, `${game.title}, ${state}`),
      element("ul", { class: "players" }, ...players),
      element("p", { class: "doors" }, ...doors),
    );
  }

  async function load() {
    try {
      menu = await ask("/api/menu");
    } catch (error) {
      say(error.message);
      return;
    }
    at("make").hidden = Boolean(menu.only);
    at("log").value = menu.name;
    boards();
    counts();
    at("games").replaceChildren(...menu.games.map(listed));
    at("none").hidden = menu.games.length > 0;
  }

  at("new").addEventListener("submit", start);
  at("real").addEventListener("change", () => {
    at("seed").disabled = at("real").checked; // the box is shuffled by hand
    seats();
  });
  load();
})();
