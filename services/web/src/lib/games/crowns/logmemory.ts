/** Keeps a match's log over a reload: the services send a fresh position, not how it came about. */
import type { Line } from "./story";

/** The log of one match in this tab's storage. */
export class LogMemory {
  readonly #key: string;

  constructor(matchId: string) {
    this.#key = `arena.log.${matchId}`;
  }

  /** What was kept, if anything. */
  recall(): readonly Line[] {
    try {
      const stored: unknown = JSON.parse(sessionStorage.getItem(this.#key) ?? "[]");
      return Array.isArray(stored) ? stored.filter(isLine) : [];
    } catch {
      return [];
    }
  }

  /** Keep these lines until the tab is closed. */
  keep(lines: readonly Line[]): void {
    sessionStorage.setItem(this.#key, JSON.stringify(lines));
  }
}

function isLine(value: unknown): value is Line {
  if (typeof value !== "object" || value === null) return false;
  const { text, isBig, isHeading } = value as Record<string, unknown>;
  return typeof text === "string" && typeof isBig === "boolean" && typeof isHeading === "boolean";
}
