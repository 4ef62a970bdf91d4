#!/usr/bin/env node
/** Plays one match, from sign-in to its result. `node play.js --help` */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { RefusedError, UnreachableError } from "./src/failures.js";
import { Lobby } from "./src/lobby.js";
import { PlayClient } from "./src/play_client.js";
import { optionsOf, Player } from "./src/player.js";
import { PROTO_FOLDER, Protos } from "./src/protos.js";

const HELP = `Plays one match of a hosted game over gRPC and tells how it ended.

  node play.js [options]

  --address HOST:PORT  the platform's edge, or its matchmaking [127.0.0.1:7480]
  --direct             play at the rooms that the ticket names, not through --address
  --game NAME          what to play [crowns]
  --players N          how many the match has [2]
  --options JSON       the game's options, such as '{"turn_seconds": 30}' [its defaults]
  --table CODE         meet at a private table, 6-64 letters, digits and hyphens
  --people N           at a table: ask for bots once so many sit there [1]
  --bot-wait MS        in the queue: wait so long for people before bots come [0]
  --account FILE       keep the account there, and go on with its running match, if any; not with --direct
  --name NAME          name to show [Node]
  --pace MS            think so long before each move, but no longer than half of what the clock shows [0]
  --protos PATH        the contracts: a folder of .proto files, or the bundle [proto/]
  --json               print one JSON object at the end
  --help               show this

Exit codes: 0 played to the end, 1 refused, 2 wrong usage, 3 nobody answered, 130 Ctrl-C (the seat goes to a bot;
Ctrl-C again ends at once).
`;

const text = (value) => ({ type: /** @type {const} */ ("string"), default: value });
const flag = { type: /** @type {const} */ ("boolean"), default: false };
const OPTIONS = {
  ...{ address: text("127.0.0.1:7480"), direct: flag, game: text("crowns"), players: text("2") },
  ...{ table: text(""), people: text("1"), "bot-wait": text("0"), name: text("Node") },
  ...{ account: text("") },
  ...{ options: text("{}"), pace: text("0"), protos: text(PROTO_FOLDER), json: flag, help: flag },
};

/** Refusals that only say that the match has moved on: look at the next update and decide anew. */
const OVERTAKEN = new Set(["DECISION_CLOSED", "NOT_YOUR_TURN", "MATCH_FINISHED", "SEAT_HAS_BOT"]);
const ILLEGAL = new Set(["ILLEGAL_ACTION", "ILLEGAL_SELECTION"]);
const MOST_TRIES = 5;
const LOOK_AGAIN_MS = 100;

class UsageError extends Error {}

const tell = (line) => process.stderr.write(`${line}\n`);

async function main(stop) {
  const given = readOptions();
  if (given.help) return process.stdout.write(HELP);
  const protos = new Protos(given.protos);
  const lobby = new Lobby(protos, given.address, stop);
  const token = await signIn(lobby, given);
  const match =
    (given.account && (await lobby.runningMatch(token, given.game))) ||
    (await lobby.queue(token, wishFor(protos, given), given.people));
  lobby.close();
  const rooms = given.direct ? match.room_addresses : [given.address];
  tell(`match ${match.match_id}, seat ${match.seat}, through ${rooms.join(" or ")}`);
  const client = new PlayClient(protos, rooms, token);
  const seat = client.join(match.match_id, match.seat);
  await play(protos, seat, given.pace, stop);
  client.close();
  show(given.json, seat, client.reconnects);
}

/** The token of the account that is kept, or of a new one. Whoever can read the file can play for it. */
async function signIn(lobby, { account, name }) {
  if (account && existsSync(account)) return readFileSync(account, "utf8").trim();
  const { token } = await lobby.signIn(name);
  if (account) writeFileSync(account, `${token}\n`, { mode: 0o600 });
  return token;
}

/** The fields of a ticket. */
function wishFor(protos, { game, players, options, table, "bot-wait": wait }) {
  const packed = optionsOf(protos, game, options);
  return { game, players, options: packed, table, bot_wait_ms: table ? null : wait };
}

/** Play a seat until its match has ended, or leave it to a bot. */
async function play(protos, seat, pace, stop) {
  const leaving = new Promise((resolve) =>
    stop.addEventListener("abort", () => resolve(seat.leave())),
  );
  leaving.catch(() => {}).then(() => seat.fail(stop.reason));
  try {
    await follow(protos, seat, pace, stop);
  } finally {
    if (stop.aborted) await leaving;
  }
}

/** Act on every update that asks for it, until the match has ended. */
async function follow(protos, seat, pace, stop) {
  let player = null;
  let stored = 0;
  for await (const update of seat.updates()) {
    player ??= new Player(protos, seat);
    if (update.given_back_ms) tell(`the clocks got ${update.given_back_ms} ms back`);
    // Only the newest position is worth a thought, and not before it shows what was done last.
    if (stop.aborted || seat.outcome || !seat.isUpToDate || update.sequence < stored) continue;
    if (seat.hasBot) stored = await unlessOvertaken(seat.takeBack());
    else if (seat.decision !== undefined) {
      await sleep(Math.min(pace, seat.remainingMs / 2), undefined, { signal: stop });
      stored = await unlessOvertaken(move(player, seat));
    }
  }
}

/** Decide, and act. */
async function move(player, seat, tries = MOST_TRIES) {
  try {
    const { action, text: promise } = await player.choose();
    const acted = await seat.act(action);
    const left = seat.remainingMs / 1000;
    const clock = Number.isFinite(left) ? `, ${Math.ceil(left)} s left` : "";
    tell(`${acted.sequence}: seat ${seat.number}${clock}: ${promise}`);
    return acted;
  } catch (error) {
    // Others may change the position while a decision stays open: what was legal when it was chosen need not be now.
    if (!ILLEGAL.has(error.reason) || tries === 1) throw error;
    await sleep(LOOK_AGAIN_MS);
    return move(player, seat, tries - 1);
  }
}

/** The sequence at which something is stored; 0 where it came too late. */
async function unlessOvertaken(asked) {
  try {
    return (await asked).sequence;
  } catch (error) {
    if (!OVERTAKEN.has(error.reason)) throw error;
    return 0;
  }
}

function show(asJson, seat, reconnects) {
  const { how, places, state_hash } = seat.outcome;
  const { matchId: match_id, game, number, sequence, moves, givenBackMs: given_back_ms } = seat;
  const names = seat.holders.map(({ name }, index) => `${places[index] ?? "-"}. ${name}`);
  const match = { match_id, game, seat: number, sequence, how, places, state_hash };
  const result = { ...match, moves, reconnects, given_back_ms };
  const line = asJson ? JSON.stringify(result) : `${how}: ${names.sort().join(", ")}`;
  process.stdout.write(`${line}\n`);
}

function readOptions() {
  try {
    const { values } = parseArgs({ options: OPTIONS, strict: true });
    const numbers = {};
    for (const name of ["players", "people", "bot-wait", "pace"]) {
      const given = /** @type {string} */ (values[name]);
      if (!/^\d{1,9}$/.test(given))
        throw new Error(`--${name} takes a whole number, not '${given}'`);
      numbers[name] = Number(given);
    }
    if (values.account && values.direct) throw new Error("--account needs the edge, not --direct");
    const options = JSON.parse(/** @type {string} */ (values.options));
    return /** @type {any} */ ({ ...values, ...numbers, options });
  } catch (error) {
    throw new UsageError(`${error.message}; see --help`);
  }
}

const stopping = new AbortController();
process.on("SIGINT", () => {
  if (stopping.signal.aborted) process.exit(130);
  stopping.abort(new Error("stopped"));
});
main(stopping.signal).then(
  () => process.exit(0),
  (error) => {
    if (stopping.signal.aborted) process.exit(130);
    tell(`play: ${error.message}`);
    const kinds = [RefusedError, UsageError, UnreachableError];
    process.exit(kinds.findIndex((kind) => error instanceof kind) + 1 || 70);
  },
);
