// The index of many games: a code in the address leads to the page of its game.
"use strict";

(() => {
  function visit() {
    const code = Sintra.code();
    const page = code && document.querySelector(`[data-codes~="${code}"] a`);
    if (page) location.replace(page.href);
    else Sintra.foreign(code);
  }

  addEventListener("hashchange", visit);
  visit();
})();
