/** From the door to a seat: sign-in, the queue, private tables. */

import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { Metadata } from "@grpc/grpc-js";
import { callsTo } from "./channel.js";
import { Pauses, RefusedError, troubleOf, UnreachableError } from "./failures.js";

const CALL_MS = 10_000;
const PATIENCE_MS = 30_000;

/** The metadata that every call but signing in carries. */
export function bearer(token) {
  const metadata = new Metadata();
  metadata.set("authorization", `Bearer ${token}`);
  return metadata;
}

export class Lobby {
  #address;
  #calls;
  #rooms;
  #signal;

  /** `address`: host:port. `signal`: aborts everything that is under way. */
  constructor(protos, address, signal) {
    this.#address = address;
    this.#calls = callsTo(protos.MatchmakingService, address);
    // Behind the edge one address is both: matchmaking, and some room.
    this.#rooms = callsTo(protos.RoomService, address);
    this.#signal = signal;
  }

  close() {
    this.#calls.close();
    this.#rooms.close();
  }

  /** A new guest account: `player_id` and `token`. Whoever has the token has the account. */
  async signIn(name) {
    return this.#call(this.#calls, "signIn", { name }, new Metadata());
  }

  /** The caller's seat in a match that still runs: `match_id`, `seat`; undefined where there is none. Edge only. */
  async runningMatch(token, game) {
    const { matches } = await this.#call(this.#rooms, "listMyMatches", {}, bearer(token));
    return matches.find((match) => match.game === game && !match.outcome);
  }

  /**
   * Queue until there is a match: `match_id`, `seat`, `room_addresses`. `wish` holds the fields of CreateTicketRequest
   * but its id. At a table bots are asked for once `people` sit there.
   */
  async queue(token, wish, people = Infinity) {
    // The same request id for every repeat: one wish makes one ticket.
    const request = { ...wish, request_id: randomBytes(16).toString("hex") };
    const metadata = bearer(token);
    const { ticket } = await this.#call(this.#calls, "createTicket", request, metadata);
    const wanted = { ticket_id: ticket.ticket_id };
    try {
      return await this.#patiently(() => this.#watch(wanted, metadata, people));
    } catch (error) {
      // In order; a ticket that nobody watches is cancelled after a while all the same.
      const deadline = { deadline: Date.now() + 1000 };
      await new Promise((done) => this.#calls.cancelTicket(wanted, metadata, deadline, done));
      throw error;
    }
  }

  async #watch(wanted, metadata, people) {
    const stream = this.#calls.watchTicket(wanted, metadata);
    const cancel = () => stream.cancel();
    this.#signal.addEventListener("abort", cancel);
    try {
      for await (const { ticket } of stream) {
        if (ticket.state === "STATE_MATCHED") return ticket;
        if (ticket.state !== "STATE_WAITING") {
          const reason = ticket.reason || ticket.state;
          throw new RefusedError(0, reason, `No match was made: ${reason}.`);
        }
        if (ticket.people.length >= people) {
          await this.#call(this.#calls, "fillWithBots", wanted, metadata);
        }
      }
    } finally {
      this.#signal.removeEventListener("abort", cancel);
      stream.cancel();
    }
    throw new EndedEarly("the ticket's stream ended");
  }

  #call(calls, method, request, metadata) {
    const call = promisify(calls[method]).bind(calls);
    return this.#patiently(() => call(request, metadata, { deadline: Date.now() + CALL_MS }));
  }

  /** Call again while matchmaking cannot be reached. No call here does harm when it is carried out twice. */
  async #patiently(call) {
    const pauses = new Pauses();
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      this.#signal.throwIfAborted();
      try {
        return await call();
      } catch (error) {
        this.#signal.throwIfAborted();
        const trouble = error instanceof EndedEarly ? error.message : troubleOf(error);
        if (Date.now() > end) {
          throw new UnreachableError(
            `Matchmaking at ${this.#address} did not answer for ${PATIENCE_MS / 1000} s (${trouble}).`,
          );
        }
      }
      await pauses.wait(this.#signal);
    }
  }
}

class EndedEarly extends Error {}
