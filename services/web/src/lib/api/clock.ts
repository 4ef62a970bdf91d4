/** Clocks told by the server as milliseconds that remain, kept here on the browser's steady clock. */

/** When something runs out. */
export class Countdown {
  readonly #endMs: number;

  /** `remainingMs` as the server said, at `nowMs` on the steady clock (performance.now). */
  constructor(remainingMs: number, nowMs: number) {
    this.#endMs = nowMs + remainingMs;
  }

  /** Milliseconds that remain, never below 0. */
  remainingMs(nowMs: number): number {
    return Math.max(0, this.#endMs - nowMs);
  }
}

/** 65_000 -> "1:05". Counts whole seconds as people do: 0:00 only when nothing is left. */
export function clockText(remainingMs: number): string {
  const seconds = Math.ceil(remainingMs / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
