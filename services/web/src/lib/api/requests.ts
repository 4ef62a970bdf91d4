/** Requests that are carried out once however often they are sent. */
import { create } from "@bufbuild/protobuf";
import { RequestKeySchema, type RequestKey } from "$gen/arena/log/v1/entry_pb";
import { backoffMs, pause } from "./backoff";
import { failureOf, isPassing } from "./errors";

const SESSION_BYTES = 16;
const TRY_MS = 6_000;
const GIVE_UP_MS = 30_000;

/** Names requests: one random session for each start of a seat, counted upwards from 1. */
export class RequestKeys {
  readonly #session = crypto.getRandomValues(new Uint8Array(SESSION_BYTES));
  #counter = 0n;

  /** The key of a new wish. Send the same one again with each repeat of it. */
  next(): RequestKey {
    this.#counter += 1n;
    return create(RequestKeySchema, { session: this.#session, counter: this.#counter });
  }
}

/** A random name for a wish that has no seat yet. */
export function requestId(): string {
  return crypto.randomUUID();
}

/**
 * Calls until there is an answer, for as long as the failure may pass.
 *
 * `call` must be idempotent: it is repeated as it is. Each try has a time limit of its own. Throws what the last try
 * threw.
 */
export async function persistently<T>(
  call: (signal: AbortSignal) => Promise<T>,
  options: { signal?: AbortSignal; giveUpMs?: number } = {},
): Promise<T> {
  const giveUp = performance.now() + (options.giveUpMs ?? GIVE_UP_MS);
  for (let attempt = 0; ; attempt += 1) {
    const limit = AbortSignal.timeout(TRY_MS);
    try {
      return await call(options.signal ? AbortSignal.any([limit, options.signal]) : limit);
    } catch (error) {
      const waitMs = backoffMs(attempt);
      const isOver = options.signal?.aborted || performance.now() + waitMs > giveUp;
      if (isOver || !isPassing(failureOf(error))) throw error;
      await pause(waitMs, options.signal);
    }
  }
}
