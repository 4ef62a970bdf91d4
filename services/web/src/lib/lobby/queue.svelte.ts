/** Waiting for a match: one ticket, followed until it is a match or is given up. */
import { Ticket_State, type Ticket } from "$gen/arena/matchmaking/v1/matchmaking_service_pb";
import type { Any } from "@bufbuild/protobuf/wkt";
import { Countdown } from "../api/clock";
import { pause } from "../api/backoff";
import { failureOf } from "../api/errors";
import { persistently, requestId } from "../api/requests";
import type { Api } from "../api/transport";
import { follow } from "../api/watch";
import { texts } from "../../texts";

const FORMER = "arena.ticket";

/** What to queue for: a match, those who sit at a table, or both when the table is new. */
export type QueueWish = MatchPart | TablePart | (MatchPart & TablePart);

interface MatchPart {
  readonly game: string;
  readonly players: number;
  readonly options: Any;
  /** Milliseconds until bots fill the match; absent for the platform's own. */
  readonly botWaitMs?: bigint;
}

interface TablePart {
  /** The table's code. */
  readonly table: string;
}

/** One wait in a queue. */
export class Queue {
  ticket = $state.raw<Ticket | null>(null);
  /** Until bots fill the match. */
  countdown = $state.raw<Countdown | null>(null);
  /** Why it came to nothing, in a sentence. */
  failure = $state("");

  readonly #api: Api;
  readonly #onmatch: (ticket: Ticket) => void;
  readonly #end = new AbortController();

  constructor(api: Api, onmatch: (ticket: Ticket) => void) {
    this.#api = api;
    this.#onmatch = onmatch;
  }

  /** Queue and wait. */
  async start(wish: QueueWish): Promise<void> {
    const request = { requestId: requestId(), ...wish };
    const { signal } = this.#end;
    const create = () =>
      persistently((each) => this.#api.matchmaking.createTicket(request, { signal: each }), {
        signal,
      });
    try {
      const { ticket } = await create().catch(async (error: unknown) => {
        if (failureOf(error).reason !== "ALREADY_QUEUED") throw error;
        await this.#giveUpFormer();
        return create();
      });
      if (ticket && this.#take(ticket) !== "over") await this.#follow(ticket.ticketId);
      await this.#begin(signal);
    } catch (error) {
      if (!signal.aborted) this.failure = failureOf(error).message;
    }
  }

  /** Stop following; a wait that nobody follows ends by itself. */
  forget(): void {
    this.#end.abort();
  }

  /** Have bots take the free seats now. */
  async fillWithBots(): Promise<void> {
    const ticketId = this.ticket?.ticketId;
    if (!ticketId) return;
    try {
      await persistently((signal) => this.#api.matchmaking.fillWithBots({ ticketId }, { signal }));
    } catch (error) {
      this.failure = failureOf(error).message;
    }
  }

  /** Leave the queue. */
  async cancel(): Promise<void> {
    this.#end.abort();
    const ticketId = this.ticket?.ticketId;
    if (!ticketId) return;
    try {
      await persistently((signal) => this.#api.matchmaking.cancelTicket({ ticketId }, { signal }));
    } catch (error) {
      // Too late: the match is there, and its people wait for us.
      if (failureOf(error).reason !== "ALREADY_MATCHED") throw error;
    }
  }

  /** This browser queued before and was reloaded meanwhile: that wait is over. */
  async #giveUpFormer(): Promise<void> {
    const ticketId = localStorage.getItem(FORMER);
    if (!ticketId) return;
    const call = (signal: AbortSignal) =>
      this.#api.matchmaking.cancelTicket({ ticketId }, { signal });
    await persistently(call, { signal: this.#end.signal });
  }

  async #begin(signal: AbortSignal): Promise<void> {
    // The browser closes the ticket's stream first: a tab holds one at a time.
    await pause(0, signal);
    const { ticket } = this;
    if (!signal.aborted && ticket?.state === Ticket_State.MATCHED) this.#onmatch(ticket);
  }

  #follow(ticketId: string): Promise<void> {
    return follow(
      {
        open: (signal) => this.#api.matchmaking.watchTicket({ ticketId }, { signal }),
        onMessage: ({ ticket }) => (ticket ? this.#take(ticket) : undefined),
        onLink: () => undefined,
        onFailure: ({ message }) => (this.failure = message),
      },
      this.#end.signal,
    );
  }

  #take(ticket: Ticket): "over" | undefined {
    this.ticket = ticket;
    localStorage.setItem(FORMER, ticket.ticketId);
    this.countdown = new Countdown(Number(ticket.botsInMs), performance.now());
    if (ticket.state === Ticket_State.WAITING) return undefined;
    if (ticket.reason) this.failure = texts.failure.noMatch(ticket.reason);
    return "over";
  }
}
