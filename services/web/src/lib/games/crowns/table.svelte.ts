/** A match of Crowns as it stands, with what is to be seen of how it came to that. */
import { fromBinary } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import {
  Board,
  CommonSchema,
  OwnSchema,
  type Event,
  type Formation,
  type SeatView,
  type View,
} from "$gen/arena/games/crowns/v1/crowns_pb";
import type { Update } from "$gen/arena/room/v1/room_service_pb";
import type { MatchSession } from "../../api/match.svelte";
import { flashesOf, type Flash } from "./flashes";
import { Arena, sixthsToBottom } from "./geometry";
import { PieceBox, type Piece } from "./pieces";
import { headingOf, lineOf, merged, type Cast, type Line } from "./story";

const LINES = 300;

/** A move to point out: the last one made. */
export interface Trace {
  readonly from: number;
  readonly to: number;
  readonly seat: number;
}

/** Follows a session's updates. Everything here is read by the pictures and changed by updates alone. */
export class Table {
  view = $state.raw<View | null>(null);
  hand = $state.raw<readonly number[]>([]);
  pieces = $state.raw<readonly Piece[]>([]);
  lines = $state.raw<readonly Line[]>([]);
  trace = $state.raw<Trace | null>(null);
  flashes = $state.raw<readonly Flash[]>([]);

  readonly arena = $derived.by(() => (this.view ? arenaFor(this.view, this.session.seat) : null));
  readonly formations = $derived(
    new Map<number, Formation>(this.view?.formations.map((each) => [each.triangle, each])),
  );
  readonly gates = $derived(
    new Map<number, number>(this.view?.seats.map((each, seat) => [each.gate, seat])),
  );

  /** Living seats at whose Gates rivals stand. */
  readonly blockaded = $derived.by(() => {
    const isBlocked = ({ gate, isAlive }: SeatView, seat: number) =>
      isAlive && (this.formations.get(gate)?.seat ?? seat) !== seat;
    return new Set(this.view?.seats.flatMap((each, seat) => (isBlocked(each, seat) ? [seat] : [])));
  });

  readonly #box = new PieceBox();
  #round = 0;
  #flash = 0;

  constructor(
    readonly session: MatchSession,
    readonly cast: Cast,
    /** What this browser has already seen of the match. */
    lines: readonly Line[] = [],
  ) {
    this.lines = lines;
  }

  /** Start following; answers how to stop. */
  open(): () => void {
    return this.session.onUpdate((update) => this.#take(update));
  }

  /** A flash has been seen. */
  endFlash(id: number): void {
    this.flashes = this.flashes.filter((flash) => flash.id !== id);
  }

  #take(update: Update): void {
    const common = update.common && fromBinary(CommonSchema, update.common.value);
    if (!common?.view) return;
    const own = ownOf(update.own);
    const events = update.reset ? [] : merged(common.events, own?.events ?? []);
    this.view = common.view;
    this.hand = own?.hand ?? [];
    this.pieces = this.#box.update(common.view, events);
    if (update.reset) this.#begin(common.view.round);
    for (const event of events) this.#tell(event);
    const flashes = flashesOf(events, () => ++this.#flash);
    if (flashes.length > 0) this.flashes = [...this.flashes, ...flashes];
  }

  #tell(event: Event): void {
    const trace = traceOf(event);
    if (trace) this.trace = trace;
    if (event.event.case === "turnBegan") this.#begin(event.event.value.round);
    const line = lineOf(event, this.cast);
    if (line) this.#write(line);
  }

  #begin(round: number): void {
    if (round === this.#round) return;
    this.#round = round;
    const heading = headingOf(round);
    const last = this.lines.findLast((line) => line.isHeading);
    if (last?.text !== heading.text) this.#write(heading);
  }

  #write(line: Line): void {
    this.lines = [...this.lines, line].slice(-LINES);
  }
}

function ownOf(own: Any | undefined) {
  return own && fromBinary(OwnSchema, own.value);
}

function arenaFor(view: View, seat: number | null): Arena {
  const side = view.board === Board.LARGE ? 5 : 4;
  const gate = seat === null ? undefined : view.seats[seat]?.gate;
  return cachedArena(side, gate === undefined ? 0 : sixthsToBottom(side, gate));
}

const arenas = new Map<string, Arena>();

function cachedArena(side: number, sixths: number): Arena {
  const key = `${side}/${sixths}`;
  const known = arenas.get(key) ?? new Arena(side, sixths);
  arenas.set(key, known);
  return known;
}

function traceOf({ event }: Event): Trace | null {
  switch (event.case) {
    case "moved": {
      const { fromTriangle: from, toTriangle: to, seat } = event.value;
      return { from, to, seat };
    }
    case "blocked": {
      const { fromTriangle: from, toTriangle: to, seat } = event.value;
      return { from, to, seat };
    }
    case "cardPlayed": {
      const { triangle: from, toTriangle: to, seat } = event.value;
      return from === undefined || to === undefined ? null : { from, to, seat };
    }
    default:
      return null;
  }
}
