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
import type { MatchSession, Part } from "../../api/match.svelte";
import { heading, type Line, type MatchLog } from "../../match/log.svelte";
import { flashesOf, type Flash } from "./flashes";
import { Arena, sixthsToBottom } from "./geometry";
import { PieceBox, type Piece } from "./pieces";
import { lineOf, merged, type Cast } from "./story";
import { words } from "./words";

/** The sequence of the first entry behind the one that makes the match. */
const FIRST_MOVE = 2n;

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
  #heading: string;
  #flash = 0;

  constructor(
    readonly session: MatchSession,
    readonly cast: Cast,
    readonly log: MatchLog,
  ) {
    const last = log.lines.findLast((line) => line.isHeading);
    this.#heading = last?.text ?? "";
  }

  /** Start following; answers how to stop. */
  open(): () => void {
    return this.session.onUpdate((update, part) => {
      if (part === "past") this.#tell(update.sequence, eventsOf(update));
      else this.#take(update, part);
    });
  }

  /** A flash has been seen. */
  endFlash(id: number): void {
    this.flashes = this.flashes.filter((flash) => flash.id !== id);
  }

  #take(update: Update, part: Part): void {
    const common = update.common && fromBinary(CommonSchema, update.common.value);
    if (!common?.view) return;
    const events = update.reset ? [] : eventsOf(update);
    this.view = common.view;
    this.hand = ownOf(update.own)?.hand ?? [];
    this.pieces = this.#box.update(common.view, events);
    if (!update.reset) this.#tell(update.sequence, events);
    else if (part === "now") this.#begin(update.sequence, common.view.round);
    const flashes = flashesOf(events, () => ++this.#flash);
    if (flashes.length > 0) this.flashes = [...this.flashes, ...flashes];
  }

  /** Nothing is told of what led to this position. */
  #begin(sequence: bigint, round: number): void {
    this.log.skipTo(sequence);
    this.log.head(this.#headingOf(round));
  }

  #tell(sequence: bigint, events: readonly Event[]): void {
    // A match that is told from its first move on begins with the heading that no event brings.
    const lines = sequence === FIRST_MOVE ? this.#headingOf(1) : [];
    for (const event of events) {
      this.trace = traceOf(event) ?? this.trace;
      if (event.event.case === "turnBegan") lines.push(...this.#headingOf(event.event.value.round));
      const line = lineOf(event, this.cast);
      if (line) lines.push(line);
    }
    this.log.tell(sequence, lines);
  }

  /** A new round's heading; nothing while it is still the same round. */
  #headingOf(round: number): Line[] {
    const text = words.log.round(round);
    if (text === this.#heading) return [];
    this.#heading = text;
    return [heading(text)];
  }
}

function eventsOf({ common, own }: Update): Event[] {
  const events = common ? fromBinary(CommonSchema, common.value).events : [];
  return merged(events, ownOf(own)?.events ?? []);
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
