/**
 * One Play stream for all of a player's seats, kept alive over whatever room answers.
 *
 * When a stream breaks, the next room is asked: seats attach again behind the last sequence they saw, and requests that
 * are still open go out again under their old keys, so that none is carried out twice.
 */

import { randomBytes } from "node:crypto";
import { callsTo } from "./channel.js";
import { mayPass, Pauses, RefusedError, troubleOf, UnreachableError } from "./failures.js";
import { bearer } from "./lobby.js";
import { Seat } from "./seat.js";

const PATIENCE_MS = 60_000;
/** Heartbeats come every 15 s: a stream that says nothing for so long is dead. */
const SILENCE_MS = 40_000;
/** Detached for these reasons, a seat attaches again. */
const PASSING_REASONS = new Set(["MOVED", "TOO_SLOW"]);

export class PlayClient {
  /** How often the stream had to be opened anew. */
  reconnects = 0;

  #protos;
  #rooms;
  #metadata;
  #session = randomBytes(16);
  #lastId = 0;
  #seats = new Map(); // by match and number
  #open = new Map(); // requests that wait for an answer, by id
  #stream = null;
  #ending = new AbortController();

  /** `rooms`: host:port each; any room answers for any match. */
  constructor(protos, rooms, token) {
    this.#protos = protos;
    this.#rooms = rooms;
    this.#metadata = bearer(token);
    this.#keepOpen().catch((error) => this.#failAll(error));
  }

  /** Follow a seat, and play it. */
  join(matchId, number) {
    const seat = new Seat(matchId, number, this.#session, (...asked) => this.#ask(...asked));
    this.#seats.set(keyOf(matchId, number), seat);
    if (this.#stream) this.#attach(seat);
    return seat;
  }

  close() {
    this.#ending.abort();
    this.#stream?.cancel();
  }

  /** Open one stream after another until that is hopeless. */
  async #keepOpen() {
    const { signal } = this.#ending;
    const pauses = new Pauses();
    let lastWord = Date.now();
    const heard = () => {
      lastWord = Date.now();
      pauses.reset();
    };
    for (let turn = 0; ; turn += 1) {
      const trouble = await this.#follow(this.#rooms[turn % this.#rooms.length], heard);
      signal.throwIfAborted();
      if (Date.now() - lastWord > PATIENCE_MS) {
        throw new UnreachableError(`No room answered for ${PATIENCE_MS / 1000} s (${trouble}).`);
      }
      this.reconnects += 1;
      await pauses.wait(signal);
    }
  }

  /** One stream to its end. Returns what ended it; throws where no other stream could do better. */
  async #follow(room, heard) {
    const calls = callsTo(this.#protos.RoomService, room);
    const stream = (this.#stream = calls.play(this.#metadata));
    const silence = setTimeout(() => stream.cancel(), SILENCE_MS);
    // All that is due goes out on the new stream before anything new is asked.
    const open = [...this.#open.values()];
    for (const seat of this.#seats.values()) this.#attach(seat);
    for (const { request } of open) if (!request.attach) stream.write(request);
    try {
      for await (const response of stream) {
        silence.refresh();
        heard();
        this.#take(response);
      }
      return "the stream ended";
    } catch (error) {
      return troubleOf(error);
    } finally {
      clearTimeout(silence);
      this.#stream = null;
      calls.close();
    }
  }

  #attach(seat) {
    for (const [id, { request }] of this.#open) {
      const isOlder = request.attach && request.match_id === seat.matchId;
      if (isOlder && request.seat === seat.number) this.#open.delete(id);
    }
    const refused = this.#ask(seat, { attach: { after_sequence: seat.sequence } });
    refused.catch((error) => this.#fail(seat, error));
  }

  /** Send a request until it is answered. A successful attach never is. */
  #ask(seat, asked) {
    this.#lastId += 1;
    const request = { id: this.#lastId, match_id: seat.matchId, seat: seat.number, ...asked };
    return new Promise((resolve, reject) => {
      const end = Date.now() + PATIENCE_MS;
      this.#open.set(request.id, { request, pauses: new Pauses(), end, resolve, reject });
      this.#stream?.write(request);
    });
  }

  #take(response) {
    const seat = this.#seats.get(keyOf(response.match_id, response.seat));
    switch (response.response) {
      case "update":
        return seat?.receive(response.update);
      case "acted":
      case "targets":
        this.#open.get(response.id)?.resolve(response);
        return this.#open.delete(response.id);
      case "error":
        return this.#refused(response.id, response.error);
      case "detached":
        return seat && this.#detached(seat, response.detached);
      default: // a heartbeat, or what only newer clients know
    }
  }

  async #refused(id, { code, reason, message }) {
    const open = this.#open.get(id);
    if (!open) return;
    if (mayPass(code, reason) && Date.now() < open.end) {
      await open.pauses.wait(this.#ending.signal).catch(() => {});
      if (this.#open.has(id)) this.#stream?.write(open.request);
    } else {
      this.#open.delete(id);
      open.reject(new RefusedError(code, reason, message));
    }
  }

  async #detached(seat, { reason, attach_id: attachId }) {
    if (attachId && !this.#open.has(attachId)) return; // an attachment that a newer one has replaced
    if (PASSING_REASONS.has(reason)) {
      await new Pauses().wait(this.#ending.signal).catch(() => {});
      if (this.#stream) this.#attach(seat);
    } else if (reason !== "FINISHED")
      this.#fail(seat, new RefusedError(0, reason, `Detached: ${reason}.`));
  }

  #fail(seat, error) {
    this.#seats.delete(keyOf(seat.matchId, seat.number));
    seat.fail(error);
  }

  #failAll(error) {
    for (const seat of this.#seats.values()) this.#fail(seat, error);
    for (const { reject } of this.#open.values()) reject(error);
    this.#open.clear();
  }
}

function keyOf(matchId, seat) {
  return `${matchId}/${seat}`;
}
