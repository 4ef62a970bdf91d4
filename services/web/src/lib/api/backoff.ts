/** Waiting between tries. */

const FIRST_MS = 200;
const LONGEST_MS = 4_000;

/** Milliseconds to wait before try `attempt` (from 0): doubling, spread by half so that clients do not march in step. */
export function backoffMs(attempt: number, random: () => number = Math.random): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 10));
  return Math.round(full * (0.5 + random() / 2));
}

/** Resolves after `ms`, or at once when `signal` aborts or the network comes back. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      globalThis.removeEventListener?.("online", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done);
    globalThis.addEventListener?.("online", done);
  });
}
