#!/usr/bin/env node
// A bot in JavaScript: draws one of the legal steps, with a generator of its own that begins at the seed.
const lines = require("readline").createInterface({ input: process.stdin });
let state = 1;

function below(n) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 4294967296) * n);
}

lines.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") state = message.seed % 4294967296; // a game begins
  if (message.type === "choose") {
    const legal = message.legal; // our turn: one line of words is the answer
    process.stdout.write(legal[below(legal.length)] + "\n");
  }
});
