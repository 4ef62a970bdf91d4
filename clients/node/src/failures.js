/** What a client hears when it does not get what it asked for, which failures may pass, and how long to wait then. */

import { setTimeout as sleep } from "node:timers/promises";
import { status } from "@grpc/grpc-js";
import { fromJSON } from "@grpc/proto-loader";

/** The platform said no. `reason` is for programs, the message for people. */
export class RefusedError extends Error {
  constructor(code, reason, message) {
    super(message);
    this.code = code;
    this.reason = reason;
  }
}

/** Nobody answered for as long as the client waits. What was asked may have been carried out or not. */
export class UnreachableError extends Error {}

const PASSING_CODES = new Set([status.UNAVAILABLE, status.DEADLINE_EXCEEDED, status.CANCELLED]);
const PASSING_REASONS = new Set(["TOO_BUSY", "TOO_MANY_REQUESTS", "LOG_FULL"]);
const BROKEN_CODES = new Set([status.UNKNOWN, status.INTERNAL, status.RESOURCE_EXHAUSTED]);

/** Whether the same request may succeed later. */
export function mayPass(code, reason) {
  // Without a reason of the platform's it was the connection that broke, or the edge that asks for patience.
  const isBroken = BROKEN_CODES.has(code) && !reason;
  return PASSING_CODES.has(code) || PASSING_REASONS.has(reason) || isBroken;
}

/** What went wrong with a call, in words, where another try may mend it; otherwise throws what tells the caller. */
export function troubleOf(error) {
  if (typeof error.code !== "number" || error instanceof RefusedError) throw error;
  const reason = reasonOf(error);
  if (!mayPass(error.code, reason)) throw new RefusedError(error.code, reason, error.details);
  return error.details;
}

// What failed calls carry in their trailers, as far as it is read here: google.rpc.Status with google.rpc.ErrorInfo.
const RPC = /** @type {any} */ (
  fromJSON({
    nested: {
      Status: { fields: { details: { type: "Any", id: 3, rule: "repeated" } } },
      Any: { fields: { typeUrl: { type: "string", id: 1 }, value: { type: "bytes", id: 2 } } },
      ErrorInfo: { fields: { reason: { type: "string", id: 1 } } },
    },
  })
);

/** The machine-readable reason of a failed call; empty where the failure is not the platform's. */
function reasonOf(error) {
  const [packed] = error.metadata?.get("grpc-status-details-bin") ?? [];
  const { details = [] } = packed ? RPC.Status.deserialize(packed) : {};
  const info = details.find(({ typeUrl }) => typeUrl.endsWith("/google.rpc.ErrorInfo"));
  return info ? RPC.ErrorInfo.deserialize(info.value).reason : "";
}

/** Pauses between repeats: growing, with jitter, so that many clients do not come back at once. */
export class Pauses {
  #nextMs = 50;

  /** Something worked: begin with short pauses again. */
  reset() {
    this.#nextMs = 50;
  }

  /** Wait before the next try. Rejects when the signal aborts. */
  async wait(signal) {
    const pause = this.#nextMs * (0.5 + Math.random() / 2);
    this.#nextMs = Math.min(2 * this.#nextMs, 1000);
    await sleep(pause, undefined, { signal });
  }
}
