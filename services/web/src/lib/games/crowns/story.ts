/** What happened, as lines to read. Pure. */
import type { Event } from "$gen/arena/games/crowns/v1/crowns_pb";
import { texts } from "../../../texts";
import { relicName } from "./names";

/** One line of the log. */
export interface Line {
  /** Whose doing it was; null for the arena's own. */
  readonly seat: number | null;
  readonly text: string;
  /** Where it happened, if at one place. */
  readonly triangle: number | null;
  /** Worth seeing at a glance. */
  readonly isBig: boolean;
  /** A heading above what follows. */
  readonly isHeading: boolean;
}

/** What lines need to know beside the event. */
export interface Cast {
  name(seat: number): string;
  card(number: number): string;
}

/** The line of an event; null for what is not worth one. */
export function lineOf({ event }: Event, cast: Cast): Line | null {
  const log = texts.log;
  const line = (
    seat: number | null,
    text: string,
    triangle: number | null = null,
    isBig = false,
  ): Line => ({ seat, text, triangle, isBig, isHeading: false });
  switch (event.case) {
    case "moved": {
      const { seat, toTriangle } = event.value;
      return line(seat, log.moved(cast.name(seat), event.value), toTriangle);
    }
    case "captured": {
      const { seat, rival, triangle, king } = event.value;
      return line(
        seat,
        log.captured(cast.name(seat), cast.name(rival), event.value),
        triangle,
        king,
      );
    }
    case "blocked": {
      const { seat, rival, toTriangle } = event.value;
      return line(seat, log.blocked(cast.name(seat), cast.name(rival)), toTriangle);
    }
    case "relicCollected": {
      const { seat, relic, triangle } = event.value;
      const name = relicName(relic);
      return name && line(seat, log.collected(cast.name(seat), name), triangle);
    }
    case "relicAppeared": {
      const { relic, triangle } = event.value;
      const name = relicName(relic);
      return name && line(null, log.appeared(name), triangle);
    }
    case "relicWasted": {
      const { seat, relic, reason } = event.value;
      const name = relicName(relic);
      return name && line(seat, log.wasted(cast.name(seat), name, reason));
    }
    case "crownsChanged": {
      const { seat, crowns, isBearer } = event.value;
      const say = isBearer ? log.bearer(cast.name(seat)) : log.crowns(cast.name(seat), crowns);
      return line(seat, say, null, isBearer);
    }
    case "movesGained":
      return line(
        event.value.seat,
        log.movesGained(cast.name(event.value.seat), event.value.movesLeft),
      );
    case "gilded":
      return line(event.value.seat, log.gilded(cast.name(event.value.seat)), event.value.triangle);
    case "spawned":
      return line(event.value.seat, log.spawned(cast.name(event.value.seat)), event.value.triangle);
    case "blockadeStruck": {
      const { seat, rival, triangle, shieldBroken, kingDefeated } = event.value;
      const say = shieldBroken
        ? log.shieldStruck
        : kingDefeated
          ? log.kingStruck
          : log.knightStruck;
      return line(seat, say(cast.name(seat), cast.name(rival)), triangle, kingDefeated);
    }
    case "cardDrawn": {
      const { seat, card } = event.value;
      return line(seat, log.drew(cast.name(seat), card ? cast.card(card) : log.aCard));
    }
    case "cardPlayed": {
      const { seat, card, triangle } = event.value;
      return line(seat, log.played(cast.name(seat), cast.card(card)), triangle ?? null);
    }
    case "deckReshuffled":
      return line(null, log.reshuffled);
    case "snareChanged": {
      const { seat, triangle, isSnared } = event.value;
      return line(seat, (isSnared ? log.snared : log.freed)(cast.name(seat)), triangle);
    }
    case "eliminated": {
      const { seat, bySeat, triangle } = event.value;
      const say =
        bySeat === undefined
          ? log.resigned(cast.name(seat))
          : log.eliminated(cast.name(seat), cast.name(bySeat));
      return line(seat, say, triangle, true);
    }
    case "turnMissed":
      return line(event.value.seat, log.missed(cast.name(event.value.seat)));
    case "seatHandedOver": {
      const { seat, isBot } = event.value;
      return line(seat, (isBot ? log.botTakes : log.personBack)(cast.name(seat)));
    }
    case "matchEnded": {
      const { winner } = event.value;
      const say = winner === undefined ? log.level : log.won(cast.name(winner));
      return line(winner ?? null, say, null, true);
    }
    default:
      return null;
  }
}

/** The line above a round's events. */
export function headingOf(round: number): Line {
  return {
    seat: null,
    text: texts.log.round(round),
    triangle: null,
    isBig: false,
    isHeading: true,
  };
}

/** An entry's events in order: those the seat sees whole replace the common ones of their index. */
export function merged(common: readonly Event[], own: readonly Event[]): Event[] {
  const byIndex = new Map([...common, ...own].map((event) => [event.index, event]));
  return [...byIndex.values()].sort((a, b) => a.index - b.index);
}
