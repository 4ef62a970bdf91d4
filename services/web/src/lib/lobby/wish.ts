/** What a player wants to play, kept for the next time. Pure but for storage. */

const KEY = "arena.wish";

/** A wish for a match. */
export interface MatchWish {
  readonly game: string;
  readonly players: number;
  /** Wait for people before bots fill the seats. */
  readonly withPeople: boolean;
  /** The game's own choices. */
  readonly chosen: Readonly<Record<string, number>>;
}

/** The wish of the last time, or `otherwise`. */
export function lastWish(otherwise: MatchWish): MatchWish {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "null");
    return isWish(stored) && stored.game === otherwise.game ? stored : otherwise;
  } catch {
    return otherwise;
  }
}

/** Keep a wish for the next time. */
export function keepWish(wish: MatchWish): void {
  localStorage.setItem(KEY, JSON.stringify(wish));
}

function isWish(value: unknown): value is MatchWish {
  if (typeof value !== "object" || value === null) return false;
  const { game, players, withPeople, chosen } = value as Record<string, unknown>;
  return (
    typeof game === "string" &&
    Number.isInteger(players) &&
    typeof withPeople === "boolean" &&
    typeof chosen === "object" &&
    chosen !== null &&
    Object.values(chosen).every(Number.isInteger)
  );
}
