// A game in the browser: what is legal, what it would score and what it did all come from the server.
"use strict";

(() => {
  if (Sintra.shared()) return;
  const { element, named, say, ask, send, minus, signed } = Sintra;
  const at = (id) => document.getElementById(id);
  const query = new URLSearchParams(location.search);
  const log = query.get("log");
  const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  let game; // what the server said of the game
  let table;
  let stream;
  let seats = []; // the seats of this browser
  let targets = []; // where one can point: places on the table with the steps that they stand for
  let active = null; // the target under the pointer or with the focus
  let touched = null; // the target that a finger has chosen
  let keyed = false; // whether the last step was played by keys
  let busy = false;
  const moved = new Set(); // the players that have done something
  Sintra.seen = []; // the numbers of all events that came by the stream

  // -- Seats --

  const persons = () => game.players.map((_, at) => at + 1).filter((seat) => !game.bots[seat]);
  const mine = () => game.turn.awaits === "choice" && seats.includes(game.turn.player);
  const enters = () => game.table && seats.length > 0 && ["arrange", "deal"].includes(game.turn.awaits);

  // Which seats this browser has: those of its address, or the only ones there are, or whatever is chosen.
  async function sit() {
    const people = persons();
    const given = query.get("seat");
    if (given !== null) seats = given.split(",").map(Number).filter((seat) => people.includes(seat));
    else if (people.length < 2 || game.table || game.turn.awaits === "over") seats = people;
    else {
      const options = people.map((seat) => [named(game.players[seat - 1]), [seat]]);
      const chosen = await choose("Who are you?", [...options, ["All of us, on this screen", people], ["Just watching", []]]);
      seats = chosen || [];
      query.set("seat", seats.join(",") || "0");
      history.replaceState(null, "", `?${query}`);
    }
  }

  const watches = () => query.get("seat") === "0";

  // Let the person choose one of several things: pairs of a label and a value; null if they do not.
  function choose(title, options) {
    const dialog = at("ask");
    dialog.querySelector("h2").textContent = title;
    return new Promise((resolve) => {
      const end = (value) => (dialog.close(), resolve(value));
      const buttons = options.map(([label, value]) => element("button", { type: "button", onclick: () => end(value) }, label));
      dialog.querySelector(".answers").replaceChildren(...buttons);
      dialog.oncancel = () => resolve(null);
      dialog.onkeydown = (event) => {
        const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        event.stopPropagation();
        const here = buttons.indexOf(document.activeElement);
        buttons[(here + step + buttons.length) % buttons.length].focus();
      };
      dialog.showModal();
      buttons[0].focus();
    });
  }

  // -- What is shown --

  function status() {
    const { turn } = game;
    const who = turn.player ? game.players[turn.player - 1] : "";
    const bot = turn.player ? game.bots[turn.player] : null;
    let words = turn.words.slice(0, 1).toUpperCase() + turn.words.slice(1);
    if (mine()) words = seats.length > 1 ? [named(who), ", it is your turn"] : "Your turn";
    else if (turn.awaits === "choice") words = bot ? [named(who), " is thinking"] : ["Waiting for ", named(who)];
    else if (turn.awaits === "over") words = "The game is over";
    at("status").replaceChildren(...[words].flat());
    at("status").classList.toggle("yours", mine());
    document.title = `${mine() ? "● " : ""}${game.players.join(", ")}: ${game.title}`;
    document.body.dataset.events = game.events;
    document.body.dataset.awaits = turn.awaits;
    at("hint").disabled = !mine();
    at("undo").disabled = game.table ? seats.length === 0 || game.events < 2 : !seats.some((seat) => moved.has(seat));
  }

  function tell(line) {
    moved.add(line.player);
    const item = element("li", { class: line.player ? `p${line.player}` : "", "data-event": line.number }, line.text);
    const list = at("story");
    const last = list.firstElementChild;
    if (!last || last.dataset.round !== `${line.round}`) {
      list.prepend(element("li", { class: "round", "data-round": line.round }, line.round ? `Round ${line.round}` : "Start"));
    }
    list.firstElementChild.dataset.round = line.round;
    list.firstElementChild.after(item);
  }

  // -- Choices --

  async function offer() {
    targets = [];
    active = touched = null;
    table.light([]);
    at("preview").replaceChildren();
    at("hints").hidden = true;
    list([]);
    status();
    Sintra.form(at("form"), enters() ? game : null, (error) => say(error.message));
    if (!mine()) return;
    let found;
    try {
      found = await ask("/api/choices", { log });
    } catch (error) {
      say(error.message);
      return;
    }
    if (found.events !== game.events || !mine()) return; // more has happened: the stream brings it
    const groups = new Map();
    for (const step of found.steps) {
      const key = step.places.join(" ");
      groups.set(key, { places: step.places, steps: [...(groups.get(key)?.steps || []), step] });
    }
    list(found.steps);
    at("moves").open = groups.has("") || at("moves").open;
    targets = [...groups.values()].filter((target) => target.places.length);
    table.light(targets.flatMap((target) => target.places));
    targets.forEach(prepare);
    if (targets.length) show(null);
    document.body.dataset.ready = game.events;
    if (!targets.length) return;
    if (keyed) targets[0].rects[0].focus();
    else if (!targets.some((target) => seen(target.rects[0]))) {
      targets[0].rects[0].scrollIntoView({ block: "center", behavior: calm ? "auto" : "smooth" });
    }
  }

  // Offer nothing more: the log is not what is shown.
  function freeze() {
    clearTimeout(catching);
    targets = [];
    show(null);
    table.light([]);
    list([]);
    Sintra.form(at("form"), null);
    at("hint").disabled = at("undo").disabled = at("hints").hidden = true;
  }

  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;

  function seen(rect) {
    const box = rect.getBoundingClientRect();
    const around = at("table").parentElement.getBoundingClientRect();
    return box.top >= Math.max(0, around.top) && box.bottom <= Math.min(innerHeight - 80, around.bottom);
  }

  // Make the lit places of a target one thing to point at, and to reach by keys.
  function prepare(target, number) {
    target.rects = target.places
      .map((place) => at("table").querySelector(`.lit[data-place="${CSS.escape(place)}"]`))
      .filter(Boolean);
    target.rects.forEach((rect, at) => {
      rect.addEventListener("pointerenter", (event) => event.pointerType !== "touch" && show(target));
      rect.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && show(null));
      rect.addEventListener("click", (event) => clicked(target, event));
      if (at) return;
      rect.setAttribute("role", "button");
      rect.setAttribute("tabindex", number ? "-1" : "0");
      rect.setAttribute("aria-label", target.steps.map(described).join("; or "));
      rect.addEventListener("focus", () => focused(target));
      rect.addEventListener("blur", () => show(null));
    });
  }

  // A finger has to say twice what it means: the first time shows what the step would do.
  function clicked(target, event) {
    keyed = false;
    if (event.pointerType === "touch" && touched !== target) {
      touched = target;
      show(target);
      at("preview").append(element("small", { class: "quiet" }, "Tap again to play"));
    } else take(target);
  }

  function focused(target) {
    for (const other of targets) other.rects[0].setAttribute("tabindex", other === target ? "0" : "-1");
    show(target);
  }

  const described = (step) => `${step.words}: ${step.does}${step.gain ? ` (${signed(step.gain)})` : ""}`;

  function words(step) {
    const points = element("b", { class: step.gain > 0 ? "gain" : step.gain < 0 ? "loss" : "even" }, signed(step.gain));
    return [points, " ", step.does];
  }

  const how = matchMedia("(hover: none)").matches
    ? "Tap a lit place to see what it does, and again to play it."
    : "Point at a lit place to see what it does; click to play it.";

  // Show what the steps of a target would do; without a target, how to find out.
  function show(target) {
    active = target;
    for (const other of targets) other.rects.forEach((rect) => rect.classList.toggle("near", other === target));
    const lines = target
      ? target.steps.map((step) => element("span", {}, ...words(step)))
      : [element("small", { class: "quiet" }, how)];
    at("preview").replaceChildren(...lines);
  }

  function list(steps) {
    const items = steps.map((step) => {
      const button = element("button", { type: "button", "data-words": step.words, onclick: () => play(step.words) }, ...words(step));
      return element("li", {}, button);
    });
    at("moves").hidden = !steps.length;
    at("moves").querySelector("ul").replaceChildren(...items);
  }

  async function take(target) {
    if (busy) return;
    let [step] = target.steps;
    if (target.steps.length > 1) {
      const options = target.steps.map((step) => [element("span", {}, element("i", {}, step.words), " ", ...words(step)), step]);
      step = await choose("Which one?", options);
    }
    if (step) await play(step.words);
    else if (keyed) target.rects[0].focus();
  }

  const play = (words) => act("/api/play", { seat: game.turn.player, steps: [words] });

  // Hide what was said before; a link stays until it is closed.
  const forget = () => at("message").querySelector("a") || say("");

  // Do something to the game; what comes of it comes by the stream.
  async function act(path, body) {
    if (busy) return;
    busy = true;
    forget();
    try {
      const { events } = await send(path, { log, expect: game.events, ...body });
      await reached(events);
    } catch (error) {
      if (error.status === 409) say("The game has moved on in the meantime. Please look again.");
      else say(error.message);
    } finally {
      busy = false;
    }
  }

  // Wait until the stream has brought as many events, but not for ever.
  async function reached(events) {
    for (let wait = 0; game.events < events && wait < 100; wait += 1) await new Promise((done) => setTimeout(done, 20));
  }

  // -- Keys --

  function nearest([right, down]) {
    if (!active) return targets[0];
    const middle = (target) => {
      const box = target.rects[0].getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const [x, y] = middle(active);
    let best = null;
    let least = Infinity;
    for (const target of targets) {
      const [tx, ty] = middle(target);
      const along = (tx - x) * right + (ty - y) * down;
      const across = Math.abs((tx - x) * down) + Math.abs((ty - y) * right);
      const far = along + 2.5 * across;
      if (target !== active && along > 1 && far < least) [best, least] = [target, far];
    }
    return best;
  }

  function pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || at("ask").open) return;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName)) return;
    const target = targets.find((one) => one.rects.includes(document.activeElement));
    if (MOVES[event.key] && targets.length && !at("form").contains(document.activeElement)) {
      event.preventDefault();
      if (!target) active = null;
      nearest(MOVES[event.key])?.rects[0].focus();
    } else if ((event.key === "Enter" || event.key === " ") && target) {
      event.preventDefault();
      keyed = true;
      take(target);
    } else if (event.key === "u") at("undo").click();
    else if (event.key === "h") at("hint").click();
    else if (event.key === "Escape") document.activeElement?.blur();
  }

  // -- Hints, undo, links --

  async function hint() {
    at("hint").disabled = true;
    try {
      const found = await ask("/api/hint", { log });
      const lines = found.lines.map((line) => {
        const chance = line.chance === null ? "" : `, ${Math.round(line.chance)}%`;
        const figures = element("span", { class: "figures" }, `${signed((Math.round(10 * line.lead) / 10 || 0).toFixed(1))}${chance}`);
        const why = element("small", { class: "quiet" }, line.why.join(", "));
        return element("li", {}, element("b", {}, line.steps.join(", ")), " ", figures, why);
      });
      const note = element("p", { class: "quiet" }, found.learned ? "Expected lead in points, and the chance of winning." : "");
      at("hints").replaceChildren(element("h2", {}, "Best turns"), element("ol", {}, ...lines), note);
      at("hints").hidden = false;
      at("hints").scrollIntoView({ block: "nearest" });
      const first = found.lines[0].steps[0];
      show(targets.find((target) => target.steps.some((step) => step.words === first)) || null);
    } catch (error) {
      say(error.message);
    } finally {
      at("hint").disabled = !mine();
    }
  }

  async function invite() {
    const people = persons().map((seat) => [["A link for ", named(game.players[seat - 1])], `${seat}`]);
    const options = [...people, [["A link to watch"], "0"]].map(([label, seat]) => [element("span", {}, ...label), seat]);
    const seat = await choose("Play in another browser", options);
    if (seat === null) return;
    try {
      const { link } = await send("/api/invite", { path: `/game?${new URLSearchParams({ log, seat })}` });
      const copied = await navigator.clipboard?.writeText(link).then(() => true, () => false);
      const said = copied ? "Copied. Open this link in the other browser: " : "Open this link in the other browser: ";
      say(said, element("a", { href: link }, link));
    } catch (error) {
      say(error.message);
    }
  }

  // -- The end --

  async function ended() {
    const known = !at("end").hidden;
    at("end").hidden = game.turn.awaits !== "over";
    if (at("end").hidden) return;
    const score = await ask("/api/score", { log });
    const kinds = Object.keys(score.rounds[0]?.points[0] || {});
    const sum = (round) => round.points.map((points) => Object.values(points).reduce((a, b) => a + b, 0));
    const head = game.players.map((name, seat) => element("th", { scope: "col", class: `p${seat + 1}` }, named(name)));
    const rows = score.rounds.map((round) => row(round.round === null ? "final scoring" : `round ${round.round}`, sum(round)));
    const total = row("total", score.total);
    total.className = "total";
    const by = kinds.map((kind) => {
      const points = game.players.map((_, seat) => score.rounds.reduce((all, round) => all + round.points[seat][kind], 0));
      return row(kind.replaceAll("_", " "), points);
    });
    const winners = game.turn.winners.map((seat) => game.players[seat - 1]);
    const said = winners.flatMap((name, at) => [...(at ? [" and "] : []), named(name)]);
    const group = (title) => element("tr", { class: "group" }, element("th", { scope: "rowgroup", colspan: head.length + 1 }, title));
    const body = (...rows) => element("tbody", {}, ...rows);
    const heads = element("thead", {}, element("tr", {}, element("td", {}), ...head));
    at("end").replaceChildren(
      element("h2", {}, ...said, winners.length > 1 ? " share the win" : " has won"),
      element("table", {}, heads, body(group("By round"), ...rows), body(group("By source"), ...by), body(total)),
      element("p", {}, element("a", { class: "button main", href: at("replay").href }, "Replay"), " ", element("a", { class: "button", href: "/?menu" }, "New game")),
    );
    if (!known) at("end").scrollIntoView({ block: "nearest" });
  }

  const row = (label, points) => {
    return element("tr", {}, element("th", { scope: "row" }, label), ...points.map((one) => element("td", {}, minus(one))));
  };

  // -- The stream --

  let catching = null;

  function stepped(event) {
    const { line, changes, turn } = JSON.parse(event.data);
    if (line.number <= game.events) return; // cannot be: each comes once
    if (line.number !== game.events + 1) return load();
    Sintra.seen.push(line.number);
    forget();
    const before = table.things;
    table.apply(changes);
    table.fly(before);
    tell(line);
    Object.assign(game, { events: line.number, turn });
    status();
    clearTimeout(catching);
    catching = setTimeout(settled, 30); // several may come at once
  }

  function settled() {
    offer();
    ended().catch((error) => say(error.message));
  }

  function listen() {
    stream?.close();
    const play = watches() ? "0" : "1";
    stream = new EventSource(`/api/stream?${new URLSearchParams({ log, after: game.events, play })}`);
    stream.onopen = () => (document.body.classList.remove("lost"), status());
    stream.addEventListener("step", stepped);
    stream.addEventListener("trouble", (event) => {
      const { message } = JSON.parse(event.data);
      if (message) say(`${message} `, element("button", { type: "button", onclick: load }, "Try again"));
    });
    stream.addEventListener("fault", (event) => {
      stream.close();
      freeze();
      say(`${JSON.parse(event.data).message} `, element("button", { type: "button", onclick: load }, "Load again"));
    });
    stream.onerror = lost;
  }

  // The connection is lost: the browser tries again by itself, unless it was refused.
  async function lost() {
    const closed = stream.readyState === EventSource.CLOSED;
    document.body.classList.add("lost");
    at("status").textContent = closed ? "Not connected" : "The server is not responding. Trying again…";
    if (!closed) return;
    const again = element("button", { type: "button", onclick: load }, "Try again");
    const asked = new AbortController();
    try {
      const answer = await fetch(stream.url, { signal: asked.signal });
      const said = answer.ok ? "The connection was lost." : (await answer.json()).message;
      asked.abort();
      say(`${said} `, again);
    } catch {
      say("The server is not responding. ", again);
    }
  }

  async function load() {
    stream?.close();
    say("");
    try {
      game = await ask("/api/table", { log });
    } catch (error) {
      say(`${error.message} `, element("button", { type: "button", onclick: load }, "Try again"));
      return;
    }
    at("title").textContent = game.title;
    at("replay").href = `/replay?${new URLSearchParams({ log })}`;
    at("story").replaceChildren();
    moved.clear();
    game.story.forEach(tell);
    table = Sintra.table(at("table"), game.skeleton);
    table.panels.forEach((panel) => panel.svg.setAttribute("role", "group")); // not a picture: it has buttons
    table.show(game.things, game.texts);
    status();
    await sit();
    for (const id of ["undo", "hint", "invite"]) at(id).hidden = watches();
    listen();
    settled();
  }

  at("undo").addEventListener("click", () => !at("undo").disabled && act("/api/undo", { seats }));
  at("hint").addEventListener("click", hint);
  at("moves").firstElementChild.addEventListener("click", () => setTimeout(() => at("moves").scrollIntoView({ block: "nearest" })));
  at("invite").addEventListener("click", invite);
  document.addEventListener("keydown", pressed);
  addEventListener("pagehide", () => stream?.close());
  Sintra.act = act;
  load();
})();
