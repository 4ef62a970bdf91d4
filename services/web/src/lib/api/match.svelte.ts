/** One match as one viewer sees it: a Watch stream that heals itself, and unary calls beside it. Knows no game. */
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import {
  ActSchema,
  type Act,
  type Outcome,
  type SeatHolder,
  type Targets,
  type Update,
  type WatchResponse,
} from "$gen/arena/room/v1/room_service_pb";
import { Countdown } from "./clock";
import type { Failure } from "./errors";
import { persistently, RequestKeys } from "./requests";
import type { Api } from "./transport";
import { follow, type Link, type Verdict } from "./watch";

/** What a seat may wish for; actions are the game's own messages. */
export type Wish = NonNullable<MessageInitShape<typeof ActSchema>["wish"]>;

/** How many entries before its first position a viewer asks to be told of. Rooms keep somewhat more at hand. */
const PAST = 48n;

/** Detached for these reasons, a viewer attaches again by itself; after any other only when the person asks for it. */
const PASSING: ReadonlyMap<string, Verdict> = new Map([
  ["TOO_SLOW", "again"],
  ["MOVED", "later"],
]);

/**
 * What an update is to its viewer: the next thing that happened ("now"); a position whose past is told behind it
 * ("ahead"); or a part of that past, older than what is shown ("past").
 */
export type Part = "now" | "ahead" | "past";

type Listener = (update: Update, part: Part) => void;

/** A viewer's end of a match. `seat` is null for spectators. */
export class MatchSession {
  link = $state<Link>("connecting");
  /** The newest update; whole, so that what was missed needs no making up for. */
  update = $state.raw<Update | null>(null);
  holders = $state.raw<SeatHolder[]>([]);
  outcome = $state.raw<Outcome | null>(null);
  /** The clock of the open decisions; null while none runs. */
  countdown = $state.raw<Countdown | null>(null);
  /** Why the match is not followed here any more although it may go on, as the server put it; empty while it is. */
  detached = $state("");
  /** The match cannot be watched. */
  failure = $state.raw<Failure | null>(null);
  /** The game's name, once known. */
  game = $state("");
  options = $state.raw<Any | null>(null);
  /** How many requests are on their way. */
  pending = $state(0);

  readonly #api: Api;
  readonly #keys = new RequestKeys();
  readonly #end = new AbortController();
  #listener: Listener | null = null;
  /** What came before anybody listened. */
  #unheard: Parameters<Listener>[] = [];
  #sequence = 0n;
  #isCatchingUp = false;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(
    api: Api,
    readonly matchId: string,
    readonly seat: number | null,
  ) {
    this.#api = api;
  }

  /** Follow the match until it is over, the server detaches for good or `close` is called. */
  start(): void {
    this.detached = "";
    void follow<WatchResponse>(
      {
        open: (signal) =>
          this.#api.room.watch(
            {
              matchId: this.matchId,
              afterSequence: this.#resumeAfter(),
              ...(this.seat === null ? {} : { seat: this.seat }),
            },
            { signal },
          ),
        onMessage: (message) => this.#receive(message),
        onLink: (link) => (this.link = link),
        onFailure: (failure) => (this.failure = failure),
      },
      this.#end.signal,
    );
  }

  /** Stop following and forget requests that are on their way. */
  close(): void {
    this.#end.abort();
  }

  /** Call the one `listener` with every update since the start and from now on; answers how to stop that. */
  onUpdate(listener: Listener): () => void {
    this.#listener = listener;
    for (const each of this.#unheard.splice(0)) listener(...each);
    return () => (this.#listener = null);
  }

  /** The decision that waits for this viewer's seat, or null. */
  get decision(): bigint | null {
    const mine = this.update?.awaited.find((each) => each.seat === this.seat);
    return mine?.decision ?? null;
  }

  /** Whether a bot plays this viewer's seat. */
  get isBotPlaying(): boolean {
    return this.seat !== null && this.holders[this.seat]?.isBot === true;
  }

  /**
   * Ask for something; resolves when it is stored. One wish at a time, in order: the services take a seat's requests
   * by their count.
   */
  act(wish: Wish, decision: bigint): Promise<void> {
    const act = create(ActSchema, { key: this.#keys.next(), decision, wish });
    const turn = this.#queue.then(() => this.#send(act));
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  /** What can be done with a selection, the game's own message. */
  async targets(selection: Any): Promise<Targets | undefined> {
    const call = (signal: AbortSignal) =>
      this.#api.room.targets(
        { matchId: this.matchId, seat: this.#ownSeat(), select: { selection } },
        { signal },
      );
    const answer = await persistently(call, { signal: this.#end.signal, giveUpMs: 8_000 });
    return answer.targets;
  }

  async #send(act: Act): Promise<void> {
    this.pending += 1;
    try {
      const request = { matchId: this.matchId, seat: this.#ownSeat(), act };
      const call = (signal: AbortSignal) => this.#api.room.act(request, { signal });
      await persistently(call, { signal: this.#end.signal });
    } finally {
      this.pending -= 1;
    }
  }

  #ownSeat(): number {
    if (this.seat === null) throw new Error("a spectator has no seat to act for");
    return this.seat;
  }

  #receive({ response }: WatchResponse): Verdict | undefined {
    if (response.case === "update") return this.#takeOrRecall(response.value);
    if (response.case !== "detached") return undefined;
    const { reason } = response.value;
    const verdict = PASSING.get(reason) ?? "over";
    if (verdict === "over" && reason !== "FINISHED") this.detached = reason;
    return verdict;
  }

  /** Behind which entry to watch. */
  #resumeAfter(): bigint {
    if (this.#isCatchingUp) return this.#sequence > PAST ? this.#sequence - PAST : 1n;
    // One behind, so that the last update comes again: the sign that the line is open.
    return this.#sequence > 0n ? this.#sequence - 1n : 0n;
  }

  /** A position in mid-match is shown at once; then the match is watched again from further back. */
  #takeOrRecall(update: Update): "again" | undefined {
    if (this.#isCatchingUp && !update.reset && update.sequence <= this.#sequence) {
      this.#isCatchingUp = update.sequence < this.#sequence;
      this.#pass(update, "past");
      return undefined;
    }
    const isFirst = this.#sequence === 0n && update.sequence > 1n;
    this.#isCatchingUp = isFirst;
    this.#take(update, isFirst ? "ahead" : "now");
    return isFirst ? "again" : undefined;
  }

  #pass(update: Update, part: Part): void {
    if (this.#listener) this.#listener(update, part);
    else this.#unheard.push([update, part]);
  }

  #take(update: Update, part: Part): void {
    const isRepeat = !update.reset && update.sequence <= this.#sequence;
    if (isRepeat && update.sequence < this.#sequence) return;
    this.countdown =
      update.remainingMs === undefined
        ? null
        : new Countdown(Number(update.remainingMs), performance.now());
    if (isRepeat) return;
    this.#sequence = update.sequence;
    if (update.game) this.game = update.game;
    if (update.options) this.options = update.options;
    if (update.seats.length > 0) this.holders = update.seats;
    this.update = update;
    if (update.outcome) this.outcome = update.outcome;
    this.#pass(update, part);
  }
}
