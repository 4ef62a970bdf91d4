/** What happened in a match, as lines to read, whatever its game; kept over a reload of the page. */
import { texts } from "../../texts";

const LONGEST = 300;
/** The entry that makes the match: nothing of it is told. */
const MADE = 1n;

/** One line of the log. */
export interface Line {
  /** Whose doing it was; null for the arena's own. */
  readonly seat: number | null;
  readonly text: string;
  /** Where on the board it happened, by the game's own number, if at one place. */
  readonly place: number | null;
  /** Worth seeing at a glance. */
  readonly isBig: boolean;
  /** A heading above what follows. */
  readonly isHeading: boolean;
}

/** An ordinary line. */
export function line(seat: number | null, text: string, place: number | null = null): Line {
  return { seat, text, place, isBig: false, isHeading: false };
}

/** A line above others. */
export function heading(text: string): Line {
  return { ...line(null, text), isHeading: true };
}

/** The log of one match. Entries are told once each, in order, however often they come. */
export class MatchLog {
  lines = $state.raw<readonly Line[]>([]);
  #told: bigint = MADE;
  readonly #key: string;

  constructor(matchId: string) {
    this.#key = `arena.log.${matchId}`;
    this.#recall();
  }

  /** Tell of the entry with this sequence, unless that was told before. */
  tell(sequence: bigint, lines: readonly Line[]): void {
    if (sequence <= this.#told) return;
    this.skipTo(sequence - 1n);
    this.#told = sequence;
    this.lines = [...this.lines, ...lines].slice(-LONGEST);
  }

  /** What happened up to this entry cannot be told any more, as far as it was not. */
  skipTo(sequence: bigint): void {
    if (sequence <= this.#told) return;
    this.#told = sequence;
    this.lines = [...this.lines, line(null, texts.log.gap)];
  }

  /** Write lines that belong to no entry. */
  head(lines: readonly Line[]): void {
    if (lines.length > 0) this.lines = [...this.lines, ...lines];
  }

  /** Keep the log until the tab is closed. */
  keep(): void {
    const kept = { told: String(this.#told), lines: this.lines };
    sessionStorage.setItem(this.#key, JSON.stringify(kept));
  }

  #recall(): void {
    try {
      const { told, lines } = JSON.parse(sessionStorage.getItem(this.#key) ?? "{}");
      if (!Array.isArray(lines) || !lines.every(isLine)) return;
      this.#told = BigInt(told);
      this.lines = lines;
    } catch {
      // Nothing of use was kept.
    }
  }
}

function isLine(value: unknown): value is Line {
  if (typeof value !== "object" || value === null) return false;
  const { text, isBig, isHeading } = value as Record<string, unknown>;
  return typeof text === "string" && typeof isBig === "boolean" && typeof isHeading === "boolean";
}
