#!/usr/bin/env node
/** Puts a platform under load and measures moves. `node load.js --help` */

import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Lobby } from "./src/lobby.js";
import { Crowd } from "./src/load/crowd.js";
import { Protos } from "./src/protos.js";

const HELP = `Plays many matches of Crowns at once and measures moves, from sending one to seeing its effect.

  node load.js [options]

  --address HOST:PORT  the platform's matchmaking; play goes straight to the rooms [127.0.0.1:7400]
  --matches N          at once [10]
  --players N          in each, every one with a connection and a Play stream of its own [4]
  --forwarded          play through the last room that a ticket names, which forwards to the first
  --every MS           pause before each move of a match; 0: none [0]
  --warm-up SECONDS    between the first moves and the window [2]
  --seconds N          how long to measure [6]
  --help               show this

Prints a line of JSON when the window opens and one with the figures when it closes. cpu_share is this process's own:
from 0.95 the players wait for themselves, and the window does not count. Players move by single steps and attack only
where nothing else is left. Exit codes: 0, 1 for any refusal, gap or broken stream, 2 wrong usage.
`;

const DEFAULTS = { matches: "10", players: "4", every: "0", "warm-up": "2", seconds: "6" };

function readOptions() {
  const text = (value) => ({ type: /** @type {const} */ ("string"), default: value });
  const names = Object.entries(DEFAULTS).map(([name, value]) => [name, text(value)]);
  const flag = { type: /** @type {const} */ ("boolean"), default: false };
  const flags = { forwarded: flag, help: flag };
  const options = { ...Object.fromEntries(names), address: text("127.0.0.1:7400"), ...flags };
  try {
    const values = /** @type {any} */ (parseArgs({ options, strict: true }).values);
    for (const name of Object.keys(DEFAULTS)) {
      if (!/^\d{1,9}$/.test(values[name])) throw new Error(`--${name} takes a whole number`);
      values[name] = Number(values[name]);
    }
    return values;
  } catch (error) {
    process.stderr.write(`load: ${error.message}; see --help\n`);
    process.exit(2);
  }
}

async function main(given) {
  const lobby = new Lobby(new Protos(), given.address, new AbortController().signal);
  const crowd = new Crowd(lobby, given);
  const during = (seconds) => Promise.race([crowd.failed, sleep(1000 * seconds)]);
  await crowd.seat(given.matches);
  await during(given["warm-up"]);
  crowd.window.open();
  tell({ event: "opened" });
  await during(given.seconds);
  tell({
    event: "closed",
    matches: given.matches,
    players: given.players,
    ...crowd.window.close(),
  });
}

function tell(event) {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

const given = readOptions();
if (given.help) process.stdout.write(HELP);
else {
  main(given).then(
    () => process.exit(0),
    (error) => {
      process.stderr.write(`load: ${error.message}\n`);
      process.exit(1);
    },
  );
}
