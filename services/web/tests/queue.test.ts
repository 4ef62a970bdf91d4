import { Code, ConnectError, createRouterTransport } from "@connectrpc/connect";
import { create } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ErrorInfoSchema } from "$gen/google/rpc/error_details_pb";
import {
  MatchmakingService,
  Ticket_State,
  type CreateTicketRequest,
  type Ticket,
} from "$gen/arena/matchmaking/v1/matchmaking_service_pb";
import { apiOver } from "$lib/api/transport";
import { Queue } from "$lib/lobby/queue.svelte";

type TicketInit = Partial<Pick<Ticket, "state" | "matchId" | "seat" | "reason">>;

const wish = { game: "crowns", players: 4, options: create(AnySchema) };
let created: CreateTicketRequest[];
let cancelled: string[];
let watched: AbortSignal | undefined;

beforeEach(() => {
  created = [];
  cancelled = [];
  const stored = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
});

function desk(states: TicketInit[], refusals: ConnectError[] = []) {
  const ticketOf = (state: TicketInit) => ({
    ticket: { ticketId: `t${created.length}`, ...state },
  });
  const transport = createRouterTransport(({ service }) => {
    service(MatchmakingService, {
      createTicket(request) {
        created.push(request);
        const refusal = refusals.shift();
        if (refusal) throw refusal;
        return ticketOf({ state: Ticket_State.WAITING });
      },
      async *watchTicket(_, { signal }) {
        watched = signal;
        for (const state of states) yield ticketOf(state);
      },
      cancelTicket({ ticketId }) {
        cancelled.push(ticketId);
        return {};
      },
    });
  });
  return apiOver(transport);
}

function refusal(reason: string): ConnectError {
  const details = [{ desc: ErrorInfoSchema, value: { reason } }];
  return new ConnectError(reason, Code.FailedPrecondition, undefined, details);
}

describe("a queue", () => {
  it("ends in a match", async () => {
    const matched = { state: Ticket_State.MATCHED, matchId: "m", seat: 2 };
    const found: Ticket[] = [];
    const queue = new Queue(desk([{ state: Ticket_State.WAITING }, matched]), (ticket) =>
      found.push(ticket),
    );
    await queue.start({ ...wish, botWaitMs: 0n });
    expect(found.map(({ matchId, seat }) => [matchId, seat])).toEqual([["m", 2]]);
    expect(created[0]?.botWaitMs).toBe(0n);
  });

  it("has let go of its stream when the match begins", async () => {
    const ends: (boolean | undefined)[] = [];
    const matched = { state: Ticket_State.MATCHED, matchId: "m" };
    const queue = new Queue(desk([matched, matched]), () => ends.push(watched?.aborted));
    await queue.start(wish);
    expect(ends).toEqual([true]);
  });

  it("says so when no match came of it", async () => {
    const failed = { state: Ticket_State.FAILED, reason: "NO_ROOM" };
    const queue = new Queue(desk([failed]), () => undefined);
    await queue.start(wish);
    expect(queue.failure).toContain("NO_ROOM");
  });

  it("gives up the wait that this browser forgot", async () => {
    localStorage.setItem("arena.ticket", "old");
    const cancelledState = { state: Ticket_State.CANCELLED };
    const queue = new Queue(desk([cancelledState], [refusal("ALREADY_QUEUED")]), () => undefined);
    await queue.start(wish);
    expect(cancelled).toEqual(["old"]);
    expect(created).toHaveLength(2);
    expect(created[0]?.requestId).toBe(created[1]?.requestId);
  });

  it("joins a table by its code alone", async () => {
    const queue = new Queue(desk([{ state: Ticket_State.CANCELLED }]), () => undefined);
    await queue.start({ table: "k7q2mnab" });
    expect(created[0]).toMatchObject({ table: "k7q2mnab", game: "", players: 0 });
  });
});
