/** Many players in one process, each an account with a connection and a Play stream of its own, and what they measure. */

import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { chooseMove } from "./crowns_moves.js";
import { packAction, readResponse, viewOf, writeRequest } from "./messages.js";
import { openPlay } from "./stream.js";

/** Matches that take their seats at a time. */
const SEATING = 32;

/** What was measured, while the window was open. */
export class Window {
  isOpen = false;
  /** Milliseconds from sending a move to seeing its effect. */
  latencies = [];
  bytes = 0;
  ended = 0;

  open() {
    this.isOpen = true;
    this.start = performance.now();
    this.cpu = process.cpuUsage();
  }

  /** Close it and tell. */
  close() {
    this.isOpen = false;
    const seconds = (performance.now() - this.start) / 1000;
    const { user, system } = process.cpuUsage(this.cpu);
    const sorted = Float64Array.from(this.latencies).sort();
    const share = (part) =>
      sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
    return {
      seconds,
      moves: sorted.length,
      moves_per_s: sorted.length / seconds,
      p50_ms: share(0.5),
      p99_ms: share(0.99),
      megabytes: this.bytes / 1e6,
      matches_ended: this.ended,
      cpu_share: (user + system) / 1e6 / seconds,
    };
  }
}

export class Crowd {
  window = new Window();
  /** Ids of matches in which somebody has moved. */
  begun = new Set();
  #lobby;
  #wish;
  #room;
  #fail;
  /**
   * Moves that wait until all have their seats: those that play on at once would leave the server no time for it.
   * Null from then on.
   * @type {(() => void)[] | null}
   */
  #held = [];

  /**
   * `players`: in each match. `every`: pause before each move of a match, in milliseconds. `forwarded`: through the last
   * room of a ticket, which forwards to the first.
   */
  constructor(lobby, { players, every, forwarded }) {
    this.#lobby = lobby;
    this.#wish = { game: "crowns", players };
    this.#room = forwarded ? -1 : 0;
    /** Milliseconds before each move. */
    this.everyMs = every;
    this.failed = new Promise((_, reject) => (this.#fail = reject));
    this.failed.catch(() => {}); // whoever waits hears of it; nobody has to
  }

  /** Seat this many matches; returns once each has seen a move. */
  async seat(matches) {
    const tables = Array.from({ length: matches }, () => randomBytes(8).toString("hex"));
    const work = async () => {
      for (let table; (table = tables.pop());) await this.#seatMatch(table);
    };
    await Promise.race([this.failed, Promise.all(Array.from({ length: SEATING }, work))]);
    while (this.begun.size < matches) await Promise.race([this.failed, sleep(50)]);
    const held = this.#held ?? [];
    this.#held = null;
    for (const move of held) move();
  }

  /** For players without a pause: move now, or, in a match that has begun, when all are seated. */
  move(match, move) {
    if (this.#held && this.begun.has(match)) this.#held.push(move);
    else move();
  }

  async #seatMatch(table) {
    const seats = Array.from({ length: this.#wish.players }, async (_, number) => {
      const { token } = await this.#lobby.signIn(`${table}-${number}`);
      const ticket = await this.#queue(token, table);
      const player = new Player(this, token, table, ticket.room_addresses.at(this.#room));
      player.sit(ticket);
    });
    await Promise.all(seats);
  }

  #queue(token, table) {
    return this.#lobby.queue(token, { ...this.#wish, table });
  }

  /** For players: their match has ended; they go on to the next at the same table. */
  async goOn(player, token, table) {
    try {
      player.sit(await this.#queue(token, table));
    } catch (error) {
      this.fail(error);
    }
  }

  /** For players: something went wrong that nothing under load should. */
  fail(error) {
    this.#fail(error);
  }
}

/** One player; a match ended leads to the next. */
class Player {
  #crowd;
  #token;
  #table;
  #stream;
  #session = randomBytes(16);
  #counter = 0;
  #round = 0;
  #match = "";
  #seat = 0;
  #sequence = 0;
  #sentAt = 0;

  constructor(crowd, token, table, address) {
    this.#crowd = crowd;
    this.#token = token;
    this.#table = table;
    const end = (why) => crowd.fail(new Error(`a player's stream ended: ${why}`));
    this.#stream = openPlay(address, token, (bytes) => this.#take(bytes), end);
  }

  /** Take the seat of a ticket. */
  sit({ match_id, seat }) {
    [this.#match, this.#seat, this.#sequence, this.#counter] = [match_id, seat, 0, 0];
    this.#stream.send(writeRequest({ match_id, seat, attach: { after_sequence: 0 } }));
  }

  #take(bytes) {
    const { window } = this.#crowd;
    if (window.isOpen) window.bytes += bytes.length;
    const response = readResponse(bytes);
    if (response.error) this.#crowd.fail(new Error(response.error.message));
    else if (response.update && response.match_id === this.#match) this.#update(response.update);
  }

  #update(update) {
    const sequence = Number(update.sequence);
    if (sequence !== this.#sequence + 1 && !update.reset) {
      this.#crowd.fail(new Error(`sequence ${sequence} follows ${this.#sequence}`));
    }
    const isFirst = this.#sequence === 0;
    this.#sequence = sequence;
    if (this.#sentAt) this.#seen();
    if (update.outcome) return this.#nextMatch();
    const awaited = update.awaited.find((each) => each.seat === this.#seat);
    if (!awaited) return;
    const { everyMs } = this.#crowd;
    const move = () => this.#move(update, awaited.decision);
    if (!everyMs) return this.#crowd.move(this.#match, move);
    // At random around the pace, as people move: with a fixed pause, whoever once waited together would do so for ever.
    const pause = (isFirst ? 0 : everyMs / 2) + Math.random() * everyMs;
    setTimeout(move, pause);
  }

  #move(update, decision) {
    const action = packAction(chooseMove(viewOf(update), this.#seat));
    this.#counter += 1;
    const key = { session: this.#session, counter: this.#counter };
    const [match_id, seat, id] = [this.#match, this.#seat, this.#counter];
    this.#sentAt = performance.now();
    this.#stream.send(writeRequest({ id, match_id, seat, act: { key, decision, action } }));
  }

  #seen() {
    const { window, begun } = this.#crowd;
    if (window.isOpen) window.latencies.push(performance.now() - this.#sentAt);
    this.#sentAt = 0;
    begun.add(this.#match);
  }

  #nextMatch() {
    if (this.#crowd.window.isOpen && this.#seat === 0) this.#crowd.window.ended += 1;
    this.#round += 1;
    this.#crowd.goOn(this, this.#token, `${this.#table}-${this.#round}`);
  }
}
