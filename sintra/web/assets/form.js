// A real table: what was arranged or dealt is entered by clicking pieces; the server says what is wrong at once.
"use strict";

(() => {
  const { element, ask, send, picture } = Sintra;
  let open = null; // the form on the page: for which event, with which rows, and which of them is filled
  let checks = 0;

  // Show the form that a game waits for in a place, or none.
  Sintra.form = async (place, game, failed) => {
    place.hidden = !game;
    if (!game) {
      open = null;
      place.replaceChildren();
      return;
    }
    if (open && open.events === game.events) return;
    try {
      const asked = await ask("/api/form", { log: game.log });
      const count = asked.awaits === "deal" ? asked.displays : asked.questions.length;
      open = { place, game, asked, events: game.events, rows: Array.from({ length: count }, () => []), row: 0 };
      draw();
    } catch (error) {
      failed(error);
    }
  };

  const size = (row) => (open.asked.awaits === "deal" ? open.asked.size : open.asked.questions[row].count);
  const full = (row) => open.rows[row].length >= size(row);

  // What can be clicked for a row: what a person would type, what shows it, and which part of the box it is.
  function answers(row) {
    if (open.asked.awaits === "deal") {
      return open.asked.colors.map((color) => ({ word: color, shows: [color], back: [], part: null }));
    }
    return open.asked.questions[row].answers;
  }

  function add(answer) {
    if (full(open.row)) return;
    open.rows[open.row].push(answer.word);
    if (full(open.row) && open.row < open.rows.length - 1) open.row += 1;
    draw();
  }

  function remove(row, at) {
    open.rows[row].splice(at, 1);
    open.row = row;
    draw();
  }

  // -- Drawing --

  // Draw the form anew; keys stay where they were, or go on where there is something to do.
  function draw() {
    const { place } = open;
    const key = place.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    redraw();
    if (!key) return;
    const same = place.querySelector(`[data-key="${CSS.escape(key)}"]:enabled`);
    const near = key.startsWith("answer ") ? ".answer:enabled" : `[data-key="row ${open.row}"]`;
    (same || place.querySelector(near) || place.querySelector(".main")).focus();
  }

  function redraw() {
    const { place, asked } = open;
    const deal = asked.awaits === "deal";
    const head = deal ? `Round ${asked.round}: what was drawn?` : "How is the table laid out?";
    const rows = open.rows.map((_, row) => drawn(row, deal));
    const done = element("button", { type: "button", class: "main", "data-key": "done", onclick: enter }, deal ? "Deal" : "Lay out");
    const wrong = element("p", { class: "wrong", role: "alert" });
    place.replaceChildren(element("h2", {}, head), ...rows, palette(), wrong, element("p", {}, done));
    check(wrong);
  }

  function drawn(row, deal) {
    const label = deal ? `Display ${row + 1}` : open.asked.questions[row].question;
    const here = row === open.row;
    if (!deal && !size(row)) return typed(row, label);
    const cells = Array.from({ length: size(row) }, (_, at) => {
      const word = open.rows[row][at];
      if (word === undefined) return element("span", { class: "cell" });
      const found = answers(row).find((answer) => answer.word === word);
      const shows = found.shows.map((thing) => picture(thing));
      const title = `Take ${word} away`;
      return element("button", { type: "button", class: "cell", "data-key": `cell ${row} ${at}`, "aria-label": title, title, onclick: () => remove(row, at) }, ...shows);
    });
    const choose = element("button", { type: "button", class: "row-name", "data-key": `row ${row}`, "aria-pressed": `${here}`, onclick: () => ((open.row = row), draw()) }, label);
    return element("div", { class: `row${here ? " here" : ""}${deal ? " display" : ""}` }, choose, element("div", { class: "cells" }, ...cells));
  }

  // A question without anything to click: its answer is typed.
  function typed(row, label) {
    const input = element("input", {
      "data-key": `row ${row}`,
      value: open.rows[row].join(" "),
      onchange: (event) => ((open.rows[row] = event.target.value.split(/\s+/).filter(Boolean)), draw()),
    });
    return element("p", { class: "field" }, element("label", {}, `${label} `, input));
  }

  function palette() {
    if (!open.rows.length) return element("p", { class: "quiet" }, "There is nothing to choose: the boards are always the same.");
    const used = new Set(open.rows[open.row].map((word) => answers(open.row).find((answer) => answer.word === word)?.part));
    const buttons = answers(open.row).map((answer) => {
      const gone = full(open.row) || (answer.part !== null && used.has(answer.part));
      const front = element("span", { class: "front" }, ...answer.shows.map((thing) => picture(thing)));
      const back = element("span", { class: "back" }, ...answer.back.map((thing) => picture(thing)));
      const name = answer.back.length ? `${answer.word.split("/")[0]}, behind it ${answer.word.split("/")[1]}` : answer.word;
      return element("button", { type: "button", class: "answer", disabled: gone, "data-key": `answer ${answer.word}`, "data-word": answer.word, "aria-label": name, title: name, onclick: () => add(answer) }, front, ...(answer.back.length ? [back] : []));
    });
    return element("div", { class: "palette", role: "group", "aria-label": "Pieces" }, ...buttons);
  }

  // -- Asking the server --

  async function check(place) {
    checks += 1;
    const mine = checks;
    const { game, rows, events } = open;
    try {
      const found = await send("/api/check", { log: game.log, expect: events, rows });
      if (mine !== checks) return;
      place.textContent = found.wrong;
      place.classList.toggle("missing", !found.wrong);
      if (!found.wrong) place.textContent = found.missing;
    } catch (error) {
      if (mine === checks) place.textContent = error.message;
    }
  }

  async function enter() {
    const path = open.asked.awaits === "deal" ? "/api/deal" : "/api/arrange";
    await Sintra.act(path, { rows: open.rows });
  }
})();
