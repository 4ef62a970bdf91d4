/** A server's stream as one that does not break: it is opened again, behind what was seen, until it says that it is over. */
import { backoffMs, pause } from "./backoff";
import { failureOf, isPassing, type Failure } from "./errors";

/** The server sends a heartbeat every 15 s; two missing beats and a little mean that the line is dead. */
const SILENCE_MS = 32_000;

/** Whether messages can arrive. */
export type Link = "connecting" | "open" | "lost";

/**
 * What a message means for its stream: nothing more will come; open it anew at once; or open it anew after a pause.
 */
export type Verdict = "over" | "again" | "later";

/** What happens on a steady stream. */
export interface StreamHandlers<M> {
  /** Open the stream; called again for each new start, so that it can resume behind what was seen. */
  open(signal: AbortSignal): AsyncIterable<M>;
  /** A message. Answers what becomes of the stream, undefined where it goes on. */
  onMessage(message: M): Verdict | undefined;
  onLink(link: Link): void;
  /** It failed for good. */
  onFailure(failure: Failure): void;
}

/** Follows a stream until it is over, fails for good, or `signal` aborts. */
export async function follow<M>(handlers: StreamHandlers<M>, signal: AbortSignal): Promise<void> {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const outcome = await followOnce(handlers, signal, () => (attempt = 0));
    if (signal.aborted || outcome === "over") return;
    if (typeof outcome === "object" && !isPassing(outcome)) {
      handlers.onFailure(outcome);
      return;
    }
    if (outcome === "again") {
      // The browser closes the old stream first: a tab holds one at a time.
      await pause(0, signal);
    } else {
      handlers.onLink("lost");
      await pause(backoffMs(attempt), signal);
    }
  }
}

async function followOnce<M>(
  handlers: StreamHandlers<M>,
  signal: AbortSignal,
  onAlive: () => void,
): Promise<Verdict | Failure> {
  const line = new AbortController();
  let watchdog = 0;
  const rearm = () => {
    clearTimeout(watchdog);
    watchdog = Number(setTimeout(() => line.abort(), SILENCE_MS));
  };
  // What the network lost while the machine slept or was off-line is not waited for.
  const cut = () => line.abort();
  globalThis.addEventListener?.("offline", cut);
  rearm();
  try {
    for await (const message of handlers.open(AbortSignal.any([signal, line.signal]))) {
      rearm();
      onAlive();
      handlers.onLink("open");
      const verdict = handlers.onMessage(message);
      if (verdict) return verdict;
    }
    return "later";
  } catch (error) {
    return failureOf(error);
  } finally {
    clearTimeout(watchdog);
    globalThis.removeEventListener?.("offline", cut);
    line.abort();
  }
}
