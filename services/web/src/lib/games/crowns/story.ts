/** What happened, as lines to read. Pure. */
import type { Event } from "$gen/arena/games/crowns/v1/crowns_pb";
import { line, type Line } from "../../match/log.svelte";
import { relicName } from "./names";
import { words } from "./words";

/** What lines need to know beside the event. */
export interface Cast {
  name(seat: number): string;
  card(number: number): string;
}

type Body = Extract<Event["event"], { case: string }>;
type Tellers = {
  [B in Body as B["case"]]: (value: B["value"], cast: Cast) => Line | null;
};

const { log } = words;

/** How each kind of event is told; null where it is not worth a line. */
const tellers: Tellers = {
  turnBegan: () => null,
  turnEnded: () => null,
  moved: (moved, { name }) =>
    line(moved.seat, log.moved(name(moved.seat), moved), moved.toTriangle),
  captured: (captured, { name }) => ({
    ...line(
      captured.seat,
      log.captured(name(captured.seat), name(captured.rival), captured),
      captured.triangle,
    ),
    isBig: captured.king,
  }),
  blocked: ({ seat, rival, toTriangle }, { name }) =>
    line(seat, log.blocked(name(seat), name(rival)), toTriangle),
  relicCollected({ seat, relic, triangle }, { name }) {
    const what = relicName(relic);
    return what && line(seat, log.collected(name(seat), what), triangle);
  },
  relicAppeared({ relic, triangle }) {
    const what = relicName(relic);
    return what && line(null, log.appeared(what), triangle);
  },
  relicWasted({ seat, relic, reason }, { name }) {
    const what = relicName(relic);
    return what && line(seat, log.wasted(name(seat), what, reason));
  },
  crownsChanged: ({ seat, crowns, isBearer }, { name }) =>
    isBearer ? big(seat, log.bearer(name(seat))) : line(seat, log.crowns(name(seat), crowns)),
  movesGained: ({ seat, movesLeft }, { name }) =>
    line(seat, log.movesGained(name(seat), movesLeft)),
  gilded: ({ seat, triangle }, { name }) => line(seat, log.gilded(name(seat)), triangle),
  spawned: ({ seat, triangle }, { name }) => line(seat, log.spawned(name(seat)), triangle),
  blockadeStruck({ seat, rival, triangle, shieldBroken, kingDefeated }, { name }) {
    if (kingDefeated) return big(seat, log.kingStruck(name(seat), name(rival)), triangle);
    const say = shieldBroken ? log.shieldStruck : log.knightStruck;
    return line(seat, say(name(seat), name(rival)), triangle);
  },
  cardDrawn: ({ seat, card }, cast) =>
    line(seat, log.drew(cast.name(seat), card ? cast.card(card) : log.aCard)),
  cardPlayed: ({ seat, card, triangle }, cast) =>
    line(seat, log.played(cast.name(seat), cast.card(card)), triangle),
  deckReshuffled: () => line(null, log.reshuffled),
  snareChanged: ({ seat, triangle, isSnared }, { name }) =>
    line(seat, (isSnared ? log.snared : log.freed)(name(seat)), triangle),
  eliminated: ({ seat, bySeat, triangle }, { name }) =>
    bySeat === undefined
      ? big(seat, log.resigned(name(seat)), triangle)
      : big(bySeat, log.eliminated(name(seat), name(bySeat)), triangle),
  turnMissed: ({ seat }, { name }) => line(seat, log.missed(name(seat))),
  seatHandedOver: ({ seat, isBot }, { name }) =>
    line(seat, (isBot ? log.botTakes : log.personBack)(name(seat))),
  matchEnded: ({ winner }, { name }) =>
    winner === undefined ? big(null, log.level) : big(winner, log.won(name(winner))),
};

/** The line of an event; null for what is not worth one, or what this page does not know. */
export function lineOf({ event }: Event, cast: Cast): Line | null {
  if (event.case === undefined) return null;
  // The table above pairs each case with its own value; the pairing cannot be told to the compiler here.
  const tell = tellers[event.case] as (value: Body["value"], cast: Cast) => Line | null;
  return tell(event.value, cast);
}

/** An entry's events in order: those the seat sees whole replace the common ones of their index. */
export function merged(common: readonly Event[], own: readonly Event[]): Event[] {
  const byIndex = new Map([...common, ...own].map((event) => [event.index, event]));
  return [...byIndex.values()].sort((a, b) => a.index - b.index);
}

function big(seat: number | null, text: string, triangle: number | null = null): Line {
  return { ...line(seat, text, triangle), isBig: true };
}
