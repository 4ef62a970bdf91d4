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

/** The wish of the last time, if it was for this game. */
export function lastWish(game: string): MatchWish | null {
  const wish = stored();
  return wish?.game === game ? wish : null;
}

/** The game of the last wish, if it is one of `games`; the first of them otherwise. */
export function lastGame(games: readonly [Named, ...Named[]]): string {
  const last = stored()?.game;
  return (games.find(({ name }) => name === last) ?? games[0]).name;
}

/** Keep a wish for the next time. */
export function keepWish(wish: MatchWish): void {
  localStorage.setItem(KEY, JSON.stringify(wish));
}

interface Named {
  readonly name: string;
}

function stored(): MatchWish | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? "null");
    return isWish(value) ? value : null;
  } catch {
    return null;
  }
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
