/** The match that is being played in this browser, to find back to after a reload. */

const KEY = "arena.running";

/** What it takes to rejoin, and to start another like it. */
export interface Running {
  readonly matchId: string;
  readonly seat: number;
  /** Who plays it: another guest cannot rejoin. */
  readonly playerId: string;
}

class RunningStore {
  current = $state.raw<Running | null>(read());

  /** A match has begun. */
  set(running: Running): void {
    this.current = running;
    localStorage.setItem(KEY, JSON.stringify(running));
  }

  /** It is over, or given up. Other matches are left alone. */
  clear(matchId: string): void {
    if (this.current?.matchId !== matchId) return;
    this.current = null;
    localStorage.removeItem(KEY);
  }
}

function read(): Running | null {
  try {
    const { matchId, seat, playerId } = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    const isSound =
      typeof matchId === "string" && typeof playerId === "string" && Number.isInteger(seat);
    return isSound ? { matchId, seat, playerId } : null;
  } catch {
    return null;
  }
}

/** The one running match. */
export const running = new RunningStore();
