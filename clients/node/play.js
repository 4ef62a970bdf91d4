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
  const moves = await play(protos, seat, given.pace, stop);
  client.close();
  show(given.json, seat, { moves, reconnects: client.reconnects });
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

/** Play a seat until its match has ended, or leave it to a bot. Returns how many of its actions were stored. */
async function play(protos, seat, pace, stop) {
  stop.addEventListener("abort", () => seat.leave().finally(() => seat.fail(stop.reason)));
  let player = null;
  let moves = 0;
  for await (const update of seat.updates()) {
    player ??= new Player(protos, seat);
    if (update.given_back_ms) tell(`the clocks got ${update.given_back_ms} ms back`);
    // Only the newest position is worth a thought.
    if (!seat.isUpToDate || seat.outcome) continue;
    if (seat.hasBot) await unlessOvertaken(seat, seat.takeBack());
    else if (seat.decision !== undefined) {
      await sleep(Math.min(pace, seat.remainingMs / 2), undefined, { signal: stop });
      moves += (await unlessOvertaken(seat, move(player, seat))) ? 1 : 0;
    }
  }
  return moves;
}

async function move(player, seat) {
  const { action, text: promise } = await player.choose();
  const { sequence } = await seat.act(action);
  const clock = Number.isFinite(seat.remainingMs)
    ? `, ${Math.ceil(seat.remainingMs / 1000)} s left`
    : "";
  tell(`${sequence}: seat ${seat.number}${clock}: ${promise}`);
  return true;
}

/** What was asked; undefined where it came too late. */
async function unlessOvertaken(seat, asked) {
  try {
    return await asked;
  } catch (error) {
    // What a rival's resigning or leaving made illegal meanwhile was legal when it was offered.
    const hasMovedOn = error.reason?.startsWith("ILLEGAL_") && !seat.isUpToDate;
    if (!OVERTAKEN.has(error.reason) && !hasMovedOn) throw error;
  }
}

function show(asJson, seat, counts) {
  const { how, places, state_hash } = seat.outcome;
  const { matchId, game, number, sequence, givenBackMs } = seat;
  if (asJson) {
    const match = { match_id: matchId, game, seat: number, sequence, how, places };
    const rest = { state_hash, given_back_ms: givenBackMs, ...counts };
    process.stdout.write(`${JSON.stringify({ ...match, ...rest })}\n`);
  } else {
    const names = seat.holders.map(({ name }, index) => `${places[index] ?? "-"}. ${name}`);
    process.stdout.write(`${how}: ${names.sort().join(", ")}\n`);
  }
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
