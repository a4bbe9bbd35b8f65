// The table of a game in a browser: `Sintra.table` shows what lies where, and knows no rules.
"use strict";

window.Sintra = window.Sintra || {};

(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const QUIET = new Set(["turn", "won", "now"]); // things that are never marked as changed
  const MOST_MARKS = 30; // a deal changes so much that marks would say nothing
  const FLIGHT = 420; // milliseconds

  function make(parent, name, attributes, words) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
    if (words !== undefined) element.textContent = words;
    if (parent) parent.append(element);
    return element;
  }

  // The id of the symbol of a thing, as `thing_id` of view/svg.py makes it.
  function symbol(thing) {
    return "#s-" + thing.replace(/[^0-9A-Za-z]/gu, (sign) => "_" + sign.codePointAt(0).toString(16));
  }

  function rounded(layer, kind, name, [x, y, width, height = width, round = width / 5]) {
    const box = { x: x - 1, y: y - 1, width: width + 2, height: height + 2, rx: round };
    return make(layer, "rect", { class: kind, "data-place": name, ...box });
  }

  // Complete the panels that are like another one, but for the player's number in names.
  function completed(skeleton) {
    const kinds = ["slots", "zones", "texts"];
    for (const frame of skeleton.panels) for (const kind of kinds) frame[kind] ??= {};
    for (const frame of skeleton.panels.filter((frame) => frame.like)) {
      const first = skeleton.panels.find((other) => other.name === frame.like);
      const [from, to] = [first, frame].map((one) => one.name.slice(one.name.indexOf("/") + 1) + "/");
      const own = ([name, place]) => [to + name.slice(from.length), place];
      for (const kind of kinds) frame[kind] = Object.fromEntries(Object.entries(first[kind]).map(own));
      frame.art = first.art;
      delete frame.like;
    }
    return skeleton;
  }

  class Table {
    constructor(element, skeleton) {
      completed(skeleton);
      this.element = element;
      this.skeleton = skeleton;
      this.things = {};
      this.texts = {};
      this.places = {}; // by name: the panel, and the box of a slot or a zone
      this.shown = { things: {}, texts: {} }; // the elements that show them
      this.panels = skeleton.panels.map((frame) => this.#panel(frame));
      element.classList.add("table");
      document.documentElement.style.setProperty("--ratio", skeleton.ratio);
      element.dataset.columns = Math.max(...skeleton.panels.map((frame) => frame.cell[0]));
      const symbols = make(null, "svg", { class: "symbols", "aria-hidden": "true" });
      symbols.innerHTML = skeleton.symbols;
      element.replaceChildren(symbols, ...this.panels.map((panel) => panel.figure));
    }

    #panel(frame) {
      const figure = document.createElement("figure");
      figure.className = "panel";
      figure.dataset.panel = frame.name;
      ["column", "row", "rows"].forEach((name, at) => figure.style.setProperty(`--${name}`, frame.cell[at]));
      const size = `0 0 ${this.skeleton.width} ${frame.height}`;
      const svg = make(figure, "svg", { viewBox: size, role: "img", "aria-label": frame.label });
      make(svg, "rect", { class: "card", width: this.skeleton.width, height: frame.height, rx: 14 });
      make(svg, "g").innerHTML = frame.art;
      const panel = { frame, figure, svg };
      for (const name of ["zones", "things", "words", "marks", "lights"]) panel[name] = make(svg, "g");
      for (const [name, [label, box]] of Object.entries(frame.zones)) {
        const zone = rounded(panel.zones, "zone", name, box);
        zone.dataset.zone = name;
        this.places[name] = { panel, box, label, zone };
      }
      for (const [name, box] of Object.entries(frame.slots)) this.#slot(panel, name, box);
      for (const [name, [x, y, style, anchor]] of Object.entries(frame.texts)) {
        const look = { class: style, x, y, "text-anchor": anchor, "data-text": name };
        this.shown.texts[name] = make(panel.words, "text", look);
      }
      return panel;
    }

    #slot(panel, name, box) {
      const [x, y, size] = box;
      this.shown.things[name] = make(panel.things, "use", { "data-slot": name, x, y, width: size, height: size });
      this.places[name] = { ...this.places[name], panel, slot: box };
    }

    // Show a whole scene: the thing in each slot that has one, and the words of each text.
    show(things, texts) {
      this.#set("things", things, (element, thing) => {
        if (thing) element.setAttribute("href", symbol(thing));
        else element.removeAttribute("href");
      });
      this.#set("texts", texts, (element, words) => (element.textContent = words));
      this.mark([]);
      this.light([]);
      for (const panel of this.panels) panel.svg.setAttribute("aria-label", this.described(panel.frame));
    }

    #set(kind, wanted, put) {
      const before = this[kind];
      for (const [name, element] of Object.entries(this.shown[kind])) {
        const now = wanted[name] || "";
        if (now !== (before[name] || "")) put(element, now);
      }
      this[kind] = { ...wanted };
    }

    // Show a step from one scene to another: what is new in slots and texts, empty for nothing.
    apply(change) {
      const before = this.things;
      this.show({ ...this.things, ...change.things }, { ...this.texts, ...change.texts });
      this.changed(before);
    }

    // Mark what is new since an earlier scene, and what is gone from its slot. Pieces that only moved up in
    // their zone, to make room for others, are not new.
    changed(before) {
      const more = new Map(); // by zone and color: how many more there are
      const count = (name, thing, by) => {
        const key = `${name.slice(0, name.lastIndexOf("/"))} ${thing}`;
        more.set(key, (more.get(key) || 0) + by);
        return more.get(key);
      };
      const found = Object.keys(this.shown.things).filter((name) => {
        const [was, is] = [before[name] || "", this.things[name] || ""];
        if (was === is || QUIET.has(was) || QUIET.has(is)) return false;
        count(name, was, -1);
        count(name, is, 1);
        return true;
      });
      const places = found.reverse().filter((name) => {
        const is = this.things[name] || "";
        return !this.skeleton.colors.includes(is) || count(name, is, -1) >= 0;
      });
      if (places.length <= MOST_MARKS) this.mark(places);
    }

    // Put a mark around some slots or zones, instead of earlier marks.
    mark(names) {
      this.#boxes("marks", names, (name) => (this.#piece(name) ? "mark" : "mark gone"));
    }

    // Light some slots or zones up, instead of earlier ones; they get every click within them (`data-place`).
    light(names) {
      this.#boxes("lights", names, () => "lit");
    }

    #boxes(layer, names, kind) {
      for (const panel of this.panels) panel[layer].replaceChildren();
      for (const name of names) {
        const place = this.places[name];
        if (place) rounded(place.panel[layer], kind(name), name, place.slot || place.box);
      }
    }

    #piece(name) {
      const thing = this.things[name];
      return Boolean(thing) && thing !== "empty" && !thing.endsWith(" space");
    }

    // What lies on a panel in words, zone by zone, as `Scene.described` says it.
    described(frame) {
      const found = new Map();
      for (const name of Object.keys(frame.slots)) {
        const thing = this.things[name];
        const zone = name in frame.zones ? name : name.slice(0, Math.max(0, name.lastIndexOf("/")));
        if (!(zone in frame.zones) || !this.skeleton.colors.includes(thing)) continue;
        const label = frame.zones[zone][0];
        const counts = found.get(label) || new Map();
        found.set(label, counts.set(thing, (counts.get(thing) || 0) + 1));
      }
      const held = [...found].map(([zone, counts]) => {
        return `${zone}: ${[...counts].map(([color, count]) => `${count} ${color}`).join(", ")}`;
      });
      return [frame.label, ...held].join("; ");
    }

    // Let pieces fly to where they lie now from where they lay in an earlier scene.
    fly(before) {
      if (matchMedia("(prefers-reduced-motion: reduce)").matches || !this.element.animate) return;
      const left = new Map();
      const come = [];
      for (const name of Object.keys(this.shown.things)) {
        const [was, is] = [before[name] || "", this.things[name] || ""];
        if (was === is) continue;
        if (this.skeleton.colors.includes(was)) left.set(was, [...(left.get(was) || []), name]);
        if (this.skeleton.colors.includes(is)) come.push([is, name]);
      }
      if (come.length > MOST_MARKS) return;
      for (const [thing, name] of come) {
        const from = (left.get(thing) || []).shift();
        if (from) this.#flight(from, name);
      }
    }

    // Where a slot is on the page: its corner and its width.
    #spot(name) {
      const { panel, slot } = this.places[name];
      const box = panel.svg.getBoundingClientRect();
      const scale = box.width / this.skeleton.width;
      return { x: box.x + slot[0] * scale, y: box.y + slot[1] * scale, width: slot[2] * scale };
    }

    #flight(from, name) {
      const [start, end] = [this.#spot(from), this.#spot(name)];
      const to = this.shown.things[name];
      const svg = make(null, "svg", { class: "flight", viewBox: "0 0 40 40", "aria-hidden": "true" });
      make(svg, "use", { href: to.getAttribute("href"), width: 40, height: 40 });
      const home = this.element.getBoundingClientRect();
      const place = { left: end.x - home.x, top: end.y - home.y, width: end.width, height: end.width };
      for (const [key, value] of Object.entries(place)) svg.style[key] = `${value}px`;
      const shift = `translate(${start.x - end.x}px, ${start.y - end.y}px) scale(${start.width / end.width})`;
      this.element.append(svg);
      to.classList.add("awaited");
      const landed = () => (svg.remove(), to.classList.remove("awaited"));
      const timing = { duration: FLIGHT, easing: "cubic-bezier(.3,.7,.2,1)" };
      svg.animate([{ transform: shift }, { transform: "none" }], timing).finished.then(landed, landed);
    }
  }

  Sintra.table = (element, skeleton) => new Table(element, skeleton);
  Sintra.make = make;
  Sintra.symbol = symbol;
})();
