import { create } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  createRouterTransport,
  type HandlerContext,
} from "@connectrpc/connect";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  RoomService,
  WatchResponseSchema,
  type ActRequest,
  type WatchRequest,
} from "$gen/arena/room/v1/room_service_pb";
import { MatchSession } from "$lib/api/match.svelte";
import { apiOver } from "$lib/api/transport";

/** Longer than a viewer waits before it opens its stream anew for the first time. */
const LONGER_THAN_A_PAUSE_MS = 300;

/** A room that shows `sequences` on each new Watch, then ends it, holds it open, or fails it. */
interface Script {
  sequences: number[];
  /** Which of them is a whole position. The first entry always is. */
  reset?: number;
  then: "hold" | "end" | { detached: string } | ConnectError;
}

class FakeRoom {
  readonly watches: WatchRequest[] = [];
  readonly acts: ActRequest[] = [];
  actFailures: ConnectError[] = [];

  constructor(readonly scripts: Script[]) {}

  api() {
    const transport = createRouterTransport(({ service }) => {
      service(RoomService, {
        watch: (request, context) => this.#watch(request, context),
        act: (request) => {
          this.acts.push(request);
          const failure = this.actFailures.shift();
          if (failure) throw failure;
          return { acted: { sequence: 9n } };
        },
      });
    });
    return apiOver(transport);
  }

  async *#watch(request: WatchRequest, { signal }: HandlerContext) {
    this.watches.push(request);
    const script = this.scripts.shift() ?? { sequences: [], then: "hold" };
    for (const sequence of script.sequences) {
      const value = {
        sequence: BigInt(sequence),
        reset: sequence === (script.reset ?? 1),
        remainingMs: 5_000n,
      };
      yield create(WatchResponseSchema, { response: { case: "update", value } });
    }
    if (script.then === "hold") await new Promise((done) => signal.addEventListener("abort", done));
    if (script.then instanceof ConnectError) throw script.then;
    if (typeof script.then === "object") {
      const value = { reason: script.then.detached };
      yield create(WatchResponseSchema, { response: { case: "detached", value } });
    }
  }
}

const sessions: MatchSession[] = [];

function watch(room: FakeRoom, seat: number | null = 0) {
  const session = new MatchSession(room.api(), "m", seat);
  const seen: number[] = [];
  const parts: string[] = [];
  session.onUpdate(({ sequence }, part) => {
    seen.push(Number(sequence));
    parts.push(`${sequence} ${part}`);
  });
  sessions.push(session);
  session.start();
  return { session, seen, parts };
}

afterEach(() => {
  for (const session of sessions.splice(0)) session.close();
});

describe("a session", () => {
  it("resumes behind what it saw and shows nothing twice", async () => {
    const room = new FakeRoom([
      { sequences: [1, 2, 3], then: "end" },
      { sequences: [3, 4], then: "hold" },
    ]);
    const { session, seen } = watch(room);
    await vi.waitFor(() => expect(seen).toEqual([1, 2, 3, 4]));
    expect(room.watches.map((each) => Number(each.afterSequence))).toEqual([0, 2]);
    expect(session.link).toBe("open");
  });

  it("shows the position in mid-match at once, then tells what led to it", async () => {
    const room = new FakeRoom([
      { sequences: [60], reset: 60, then: "hold" },
      { sequences: [59, 60, 61], then: "hold" },
    ]);
    const { session, parts } = watch(room);
    const told = ["60 ahead", "59 past", "60 past", "61 now"];
    await vi.waitFor(() => expect(parts).toEqual(told));
    expect(room.watches.map((each) => Number(each.afterSequence))).toEqual([0, 12]);
    expect(session.update?.sequence).toBe(61n);
  });

  it("goes on from the position where the past is not at hand", async () => {
    const room = new FakeRoom([
      { sequences: [60], reset: 60, then: "hold" },
      { sequences: [61, 62], reset: 61, then: "hold" },
    ]);
    const { parts } = watch(room);
    await vi.waitFor(() => expect(parts).toEqual(["60 ahead", "61 now", "62 now"]));
  });

  it("keeps what comes before anybody listens", async () => {
    const session = new MatchSession(
      new FakeRoom([{ sequences: [1, 2], then: "hold" }]).api(),
      "m",
      0,
    );
    sessions.push(session);
    session.start();
    await vi.waitFor(() => expect(session.update?.sequence).toBe(2n));
    const seen: bigint[] = [];
    session.onUpdate((update) => seen.push(update.sequence));
    expect(seen).toEqual([1n, 2n]);
  });

  it("comes back after the room went away", async () => {
    const away = new ConnectError("gone", Code.Unavailable);
    const room = new FakeRoom([
      { sequences: [1], then: away },
      { sequences: [], then: away },
      { sequences: [1, 2], then: "hold" },
    ]);
    const { seen } = watch(room);
    await vi.waitFor(() => expect(seen.at(-1)).toBe(2), 3_000);
  });

  it("gives up where no retry helps, and says why", async () => {
    const failure = new ConnectError("no such match", Code.NotFound);
    const { session } = watch(new FakeRoom([{ sequences: [], then: failure }]));
    await vi.waitFor(() => expect(session.failure?.code).toBe(Code.NotFound));
  });

  it("leaves its seat to a newer window until it is asked to take it back", async () => {
    const room = new FakeRoom([
      { sequences: [1, 2], then: { detached: "SEAT_TAKEN_ELSEWHERE" } },
      { sequences: [2, 3], then: "hold" },
    ]);
    const { session, seen } = watch(room);
    await vi.waitFor(() => expect(session.detached).toBe("SEAT_TAKEN_ELSEWHERE"));
    expect(room.watches).toHaveLength(1);
    session.start();
    await vi.waitFor(() => expect(seen).toEqual([1, 2, 3]));
    expect(session.detached).toBe("");
  });

  it.each(["MOVED", "TOO_SLOW"])("attaches again by itself after %s", async (reason) => {
    const room = new FakeRoom([
      { sequences: [1, 2], then: { detached: reason } },
      { sequences: [2, 3], then: "hold" },
    ]);
    const { session, seen } = watch(room);
    await vi.waitFor(() => expect(seen).toEqual([1, 2, 3]));
    expect(session.detached).toBe("");
  });

  it("takes a reason that it does not know as final, until it is asked to go on", async () => {
    const room = new FakeRoom([
      { sequences: [1, 2], then: { detached: "OF_A_NEWER_SERVER" } },
      { sequences: [2, 3], then: "hold" },
    ]);
    const { session, seen } = watch(room);
    await vi.waitFor(() => expect(session.detached).toBe("OF_A_NEWER_SERVER"));
    await new Promise((done) => setTimeout(done, LONGER_THAN_A_PAUSE_MS));
    expect(room.watches).toHaveLength(1);
    session.start();
    await vi.waitFor(() => expect(seen).toEqual([1, 2, 3]));
    expect(session.detached).toBe("");
  });

  it("has nothing to tell of its stream's end when the match is over", async () => {
    const room = new FakeRoom([{ sequences: [1, 2], then: { detached: "FINISHED" } }]);
    const { session, seen } = watch(room);
    await vi.waitFor(() => expect(seen).toEqual([1, 2]));
    await new Promise((done) => setTimeout(done, LONGER_THAN_A_PAUSE_MS));
    expect(room.watches).toHaveLength(1);
    expect(session.detached).toBe("");
  });

  it("watches without a seat as a spectator", async () => {
    const room = new FakeRoom([]);
    watch(room, null);
    await vi.waitFor(() => expect(room.watches).toHaveLength(1));
    expect(room.watches[0]?.seat).toBeUndefined();
  });

  it("keeps the clock that the server told", async () => {
    const { session } = watch(new FakeRoom([{ sequences: [1], then: "hold" }]));
    await vi.waitFor(() => expect(session.countdown).not.toBeNull());
    const left = session.countdown?.remainingMs(performance.now()) ?? 0;
    expect(left).toBeGreaterThan(4_000);
    expect(left).toBeLessThanOrEqual(5_000);
  });
});

describe("an act", () => {
  it("is sent again under the same key while the room is away", async () => {
    const room = new FakeRoom([]);
    room.actFailures = [new ConnectError("away", Code.Unavailable)];
    const { session } = watch(room);
    await session.act({ case: "leave", value: {} }, 0n);
    const keys = room.acts.map((request) => request.act?.key);
    expect(keys).toHaveLength(2);
    expect(keys[0]).toEqual(keys[1]);
  });

  it("has a key of its own, counted upwards", async () => {
    const room = new FakeRoom([]);
    const { session } = watch(room);
    await session.act({ case: "leave", value: {} }, 0n);
    await session.act({ case: "takeBack", value: {} }, 0n);
    expect(room.acts.map((request) => request.act?.key?.counter)).toEqual([1n, 2n]);
  });

  it("that is refused is not repeated and does not stop the next", async () => {
    const room = new FakeRoom([]);
    room.actFailures = [new ConnectError("against the rules", Code.FailedPrecondition)];
    const { session } = watch(room);
    const refused = session.act({ case: "leave", value: {} }, 0n);
    const next = session.act({ case: "takeBack", value: {} }, 0n);
    await expect(refused).rejects.toThrow("against the rules");
    await next;
    expect(room.acts).toHaveLength(2);
  });
});
