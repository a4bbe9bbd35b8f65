// What the pages of `sintra serve` share: requests, messages, and elements with text that is never markup.
"use strict";

window.Sintra = window.Sintra || {};

(() => {
  // An element with attributes and children; strings become text.
  function element(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
      else if (value === true) made.setAttribute(key, "");
      else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
    }
    made.append(...children);
    return made;
  }

  // A name: whatever it is written in, it does not turn the words around it.
  const named = (name) => element("bdi", {}, name);

  // Show a message to the person, who can close it, or hide it; `actions` are buttons or links.
  function say(text, ...actions) {
    const place = document.getElementById("message");
    const close = element("button", { type: "button", class: "close", "aria-label": "Close", onclick: () => say("") }, "×");
    place.replaceChildren(close, text, ...actions);
    place.hidden = !text;
  }

  class Refused extends Error {
    constructor(status, details) {
      super(details.message || `the server answered ${status}`);
      this.status = status;
      this.details = details;
    }
  }

  async function answered(answer) {
    const value = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new Refused(answer.status, value);
    return value;
  }

  // Browsers say in words of their own, if at all, that nobody answers.
  async function fetched(path, options) {
    try {
      return await fetch(path, options);
    } catch {
      throw new Error("The server is not responding.");
    }
  }

  const ask = async (path, query) => {
    return answered(await fetched(query ? `${path}?${new URLSearchParams(query)}` : path));
  };

  const send = async (path, body) => {
    const headers = { "Content-Type": "application/json" };
    return answered(await fetched(path, { method: "POST", headers, body: JSON.stringify(body) }));
  };

  // A picture of a thing, by the symbols of the table on the page.
  function picture(thing, kind = "thing") {
    const svg = Sintra.make(null, "svg", { class: kind, viewBox: "0 0 40 40", "aria-hidden": "true" });
    Sintra.make(svg, "use", { href: Sintra.symbol(thing), width: 40, height: 40 });
    return svg;
  }

  // Open the replay of the game whose code is in the address; return whether there is one.
  function shared() {
    const code = Sintra.code();
    if (code) location.replace(`/replay?code=${code}`);
    return Boolean(code);
  }

  addEventListener("hashchange", shared);

  const minus = (points) => `${points}`.replace("-", "−");
  const signed = (points) => (points > 0 ? `+${points}` : minus(points));

  Object.assign(Sintra, { element, named, say, ask, send, picture, shared, minus, signed });
})();
