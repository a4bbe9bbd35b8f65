// A code in the address (`#code=...`), which stands for a whole game. Only the engine can decode it.
"use strict";

window.Sintra = window.Sintra || {};

(() => {
  // The code in the address, if there is one.
  Sintra.code = () => /^#code=([0-9A-Za-z]+)$/.exec(location.hash)?.[1];

  // Say that a code leads to no game of this page, and what opens it; without a code, say nothing.
  Sintra.foreign = (code) => {
    document.getElementById("foreign")?.remove();
    if (!code) return;
    const note = document.createElement("p");
    note.id = "foreign";
    note.className = "warning";
    note.setAttribute("role", "alert");
    const command = document.createElement("code");
    command.textContent = `sintra decode ${code} | sintra replay - --html game.html`;
    note.append("This link has the code of a game that is not here. To make a page of that game, run: ", command);
    document.querySelector("main").before(note);
  };
})();
