// A replay: steps through the events of one game, and keeps table, story, graphs and address together.
"use strict";

(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const part = (id) => document.getElementById(id);
  const make = Sintra.make;
  const last = data.steps.length;
  const table = Sintra.table(part("table"), data.skeleton);
  const links = [...document.querySelectorAll("#story a")];
  const graphs = [];
  let at = 0; // the event that is shown, from 1
  let timer = 0;

  // -- Scenes: every event's is made once, from the one before, so that both ways show the same --

  const slots = data.skeleton.panels.flatMap((panel) => Object.keys(panel.slots));
  const texts = data.skeleton.panels.flatMap((panel) => Object.keys(panel.texts));
  const scenes = [];

  function folded(count, changes, values) {
    let state = new Array(count).fill("");
    return changes.map((change) => {
      state = state.slice();
      for (let i = 0; i < change.length; i += 2) state[change[i]] = values[change[i + 1]];
      return state;
    });
  }

  const lying = folded(slots.length, data.steps, data.things);
  const written = folded(texts.length, data.words, data.sayings);

  function named(names, values) {
    return Object.fromEntries(names.map((name, i) => [name, values[i]]).filter(([, value]) => value));
  }

  function scene(number) {
    scenes[number] ??= {
      things: named(slots, lying[number - 1]),
      texts: named(texts, written[number - 1]),
    };
    return scenes[number];
  }

  // -- Going to an event --

  function show(number, { moving = false, best = [], link = true } = {}) {
    const before = at ? scene(at) : null;
    const step = Math.abs(number - at) === 1;
    at = Math.min(Math.max(number, 1), last);
    const now = scene(at);
    table.show(now.things, now.texts);
    if (at > 1) table.changed(scene(at - 1).things);
    if (best.length) {
      table.mark([]);
      table.light(best);
    } else if (before && step && moving) {
      table.fly(before.things);
    }
    tell();
    follow(moving);
    if (link && location.hash !== `#event-${at}`) history.replaceState(null, "", `#event-${at}`);
  }

  // Bring everything beside the table up to date.
  function tell() {
    const link = links[at - 1];
    for (const other of document.querySelectorAll("#story [aria-current]")) other.removeAttribute("aria-current");
    link.setAttribute("aria-current", "step");
    part("place").textContent = `Event ${at} of ${last}`;
    part("sentence").textContent = link.textContent;
    part("shown").textContent = `Event ${at} of ${last}: ${link.textContent}`;
    const slider = part("slider");
    slider.value = at;
    slider.setAttribute("aria-valuetext", `event ${at}: ${link.textContent}`);
    for (const score of document.querySelectorAll("[data-score]")) {
      score.textContent = scene(at).texts[`${score.dataset.score}/score`] || "0";
    }
    for (const button of document.querySelectorAll("[data-go]")) {
      button.disabled = /Back|back|first/.test(button.dataset.go) ? at === 1 : at === last;
    }
    for (const graph of graphs) graph.point(at);
  }

  // Scroll the story to the current line and, after a step, the page to the board that changed.
  function follow(moving) {
    const story = part("story");
    const line = links[at - 1].closest("li");
    if (story.scrollHeight > story.clientHeight) {
      story.scrollTo({ top: line.offsetTop - (story.clientHeight - line.offsetHeight) / 2 });
    }
    const figures = table.element.querySelectorAll(".panel:has(.mark:not(.gone))");
    if (moving && figures.length) figures[figures.length - 1].scrollIntoView({ block: "nearest" });
  }

  // -- Jumps: each leads to the same place if there is nothing further --

  function after(places) {
    return places.find((place) => place > at) || last;
  }

  function before(places) {
    return places.findLast((place) => place < at) || 1;
  }

  const jumps = {
    first: () => 1,
    last: () => last,
    back: () => at - 1,
    forward: () => at + 1,
    turnBack: () => before(data.turns),
    turn: () => after(data.turns),
    roundBack: () => before(data.rounds),
    round: () => after(data.rounds),
  };

  function go(jump) {
    pause();
    show(jumps[jump](), { moving: true });
  }

  // -- Running --

  function pause() {
    clearTimeout(timer);
    timer = 0;
    running(false);
  }

  function run() {
    if (timer) return pause();
    if (at === last) show(1);
    running(true);
    tick();
  }

  function tick() {
    timer = setTimeout(() => {
      show(at + 1, { moving: true });
      if (at === last) pause();
      else tick();
    }, 1000 * part("pace").value);
  }

  function running(is) {
    const button = part("run");
    button.setAttribute("aria-label", is ? "Pause" : "Run");
    button.querySelector("use").setAttribute("href", is ? "#i-pause" : "#i-run");
    part("caption").setAttribute("aria-live", is ? "off" : "polite");
  }

  function pace(by) {
    const choice = part("pace");
    choice.selectedIndex = Math.min(Math.max(choice.selectedIndex + by, 0), choice.options.length - 1);
  }

  // -- The address: all that is read from it is read here --

  function address() {
    const code = Sintra.code();
    Sintra.foreign((data.codes || []).includes(code) ? null : code);
    const found = /^#event-(\d{1,9})$/.exec(location.hash);
    return found ? Math.min(Math.max(Number(found[1]), 1), last) : null;
  }

  addEventListener("hashchange", () => {
    const number = address();
    if (number !== null && number !== at) {
      pause();
      show(number);
    }
  });

  // -- Keys, pointers and touch --

  const keys = {
    ArrowLeft: "back",
    ArrowRight: "forward",
    ArrowUp: "turnBack",
    ArrowDown: "turn",
    PageUp: "roundBack",
    PageDown: "round",
    Home: "first",
    End: "last",
  };

  const help = document.querySelector(".keys");
  addEventListener("click", (event) => (help.open &&= help.contains(event.target)));

  addEventListener("keydown", (event) => {
    if (event.key === "Escape") help.open = false;
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("select")) return;
    if (keys[event.key]) go(keys[event.key]);
    else if (event.key === " " && !event.target.closest("button, summary, a")) run();
    else if (event.key === "+" || event.key === "=") pace(-1);
    else if (event.key === "-") pace(1);
    else return;
    event.preventDefault();
  });

  for (const button of document.querySelectorAll("[data-go]")) {
    button.addEventListener("click", () => go(button.dataset.go));
  }
  part("run").addEventListener("click", run);
  part("slider").addEventListener("input", (event) => (pause(), show(Number(event.target.value))));
  part("story").addEventListener("click", (event) => {
    const best = event.target.closest("[data-best]");
    if (best) {
      pause();
      show(Number(best.dataset.best) - 1, { best: data.best[best.dataset.best], link: false });
      part("sentence").textContent = best.textContent;
      const lit = table.element.querySelectorAll(".panel:has(.lit)");
      if (lit.length) lit[lit.length - 1].scrollIntoView({ block: "nearest" });
    }
  });

  let touch = null;
  table.element.addEventListener("touchstart", (event) => {
    touch = event.touches.length === 1 ? event.touches[0] : null;
  }, { passive: true });
  table.element.addEventListener("touchend", (event) => {
    if (!touch) return;
    const { clientX, clientY } = event.changedTouches[0];
    const [across, down] = [clientX - touch.clientX, clientY - touch.clientY];
    if (Math.abs(across) > 40 && Math.abs(across) > 2 * Math.abs(down)) go(across < 0 ? "forward" : "back");
    touch = null;
  }, { passive: true });

  // -- Graphs --

  const SIZE = { width: 400, height: 130, left: 36, right: 8, top: 10, bottom: 20 };

  function graph(svg, lines, low, high, unit) {
    const { width, height, left, right, top, bottom } = SIZE;
    const x = (event) => left + ((event - 1) / Math.max(1, last - 1)) * (width - left - right);
    const y = (value) => top + ((high - value) / (high - low || 1)) * (height - top - bottom);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const tick = [1, 2, 5, 10, 20, 25, 50, 100, 200].find((size) => (high - low) / size <= 4) || high - low;
    for (let value = Math.ceil(low / tick) * tick; value <= high; value += tick) {
      const kind = value ? "grid" : "grid zero";
      make(svg, "path", { class: kind, d: `M${left} ${y(value)}H${width - right}` });
      const label = { class: "scale", x: left - 5, y: y(value) + 4, "text-anchor": "end" };
      make(svg, "text", label, `${value}${unit}`);
    }
    data.rounds.forEach((event, index) => {
      make(svg, "path", { class: "grid", d: `M${x(event)} ${top}V${height - bottom}` });
      make(svg, "text", { class: "scale", x: x(event) + 3, y: height - 6 }, String(index + 1));
    });
    lines.forEach((points, seat) => {
      const path = points.map(([event, value], i) => `${i ? "L" : "M"}${x(event).toFixed(1)} ${y(value).toFixed(1)}`);
      make(svg, "path", { class: `curve p${seat + 1}`, d: path.join("") });
    });
    const hand = make(svg, "path", { class: "pointer" });
    const dots = lines.map((_, seat) => make(svg, "circle", { class: `dot p${seat + 1}`, r: 4 }));
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      const share = (((event.clientX - box.x) / box.width) * width - left) / (width - left - right);
      pause();
      show(Math.round(1 + share * (last - 1)));
    });
    const point = (event) => {
      hand.setAttribute("d", `M${x(event)} ${top - 4}V${height - bottom}`);
      dots.forEach((dot, seat) => {
        const passed = lines[seat].filter(([number]) => number <= event);
        const value = (passed[passed.length - 1] || lines[seat][0])[1];
        dot.setAttribute("cx", x(event));
        dot.setAttribute("cy", y(value));
      });
    };
    graphs.push({ point });
    return { x, y };
  }

  // Mark the turns that an analysis found better ones for, on the line of whoever took them.
  function flaws(svg, lines, { x, y }) {
    for (const event of Object.keys(data.best || {}).map(Number)) {
      const item = links[event - 1].closest("li");
      const mark = item.querySelector(".verdict b").textContent;
      const seat = Number(item.className.slice(1, 2));
      if (!lines[seat - 1]) continue;
      const [, value] = lines[seat - 1].find(([number]) => number >= event) || lines[seat - 1].at(-1);
      const look = { class: `flaw p${seat}`, cx: x(event), cy: y(value), r: mark === "??" ? 4 : 2.5 };
      make(make(svg, "circle", look), "title", {}, `${event}: ${mark} ${item.firstChild.textContent}`);
    }
  }

  function curves() {
    const seats = data.skeleton.panels.slice(1).map((_, seat) => texts.indexOf(`${seat + 1}/score`));
    const scores = seats.map((text) => written.flatMap((words, i) => {
      const value = Number(words[text]) || 0;
      const before = i ? Number(written[i - 1][text]) || 0 : value;
      return value === before ? (i === last - 1 || !i ? [[i + 1, value]] : []) : [[i, before], [i + 1, value]];
    }));
    const values = scores.flat().map(([, value]) => value);
    graph(part("points"), scores, Math.min(0, ...values), Math.max(5, ...values), "");
    if (!data.chances) return;
    const chances = seats.map((_, seat) => data.chances.map(([event, ...shares]) => [event, shares[seat]]));
    flaws(part("chances"), chances, graph(part("chances"), chances, 0, 100, "%"));
  }

  // -- The log, and the theme --

  async function log() {
    const packed = new Blob([Uint8Array.from(atob(data.log), (sign) => sign.charCodeAt(0))]);
    return new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).blob();
  }

  part("log").addEventListener("click", async () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await log());
    link.download = data.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  });

  const themes = ["auto", "dark", "light"];
  part("theme").addEventListener("click", () => {
    const root = document.documentElement;
    const next = themes[(themes.indexOf(root.dataset.theme || "auto") + 1) % themes.length];
    if (next === "auto") delete root.dataset.theme;
    else root.dataset.theme = next;
    part("theme").textContent = `Theme: ${next}`;
  });

  // -- Paper: what is folded on the screen is printed --

  let unfolded = [];
  addEventListener("beforeprint", () => {
    unfolded = [...document.querySelectorAll(".beside details:not([open])")];
    for (const one of unfolded) one.open = true;
  });
  addEventListener("afterprint", () => {
    for (const one of unfolded) one.open = false;
  });

  Sintra.replay = { show, scene, table, at: () => at, last };
  curves();
  show(address() ?? data.rounds[0] ?? 1, { link: false });
})();
