/** What a failed call says: a canonical code, a reason for programs, a sentence for people. */
import { Code, ConnectError } from "@connectrpc/connect";
import { ErrorInfoSchema } from "$gen/google/rpc/error_details_pb";

/** A failed call in the page's terms. */
export interface Failure {
  code: Code;
  /** Upper snake case; empty when the failure did not come from a service of ours. */
  reason: string;
  message: string;
}

/** Reads whatever a call threw. */
export function failureOf(error: unknown): Failure {
  const failure = ConnectError.from(error, Code.Unavailable);
  const [info] = failure.findDetails(ErrorInfoSchema);
  return { code: failure.code, reason: info?.reason ?? "", message: failure.rawMessage };
}

/**
 * Whether the same request may succeed later: the service is away, or the network is.
 *
 * A proxy that cannot reach its service answers with an HTTP status, which arrives as Unavailable or Unknown without
 * a reason of ours.
 */
export function isPassing({ code, reason }: Failure): boolean {
  if (code === Code.Unavailable || code === Code.DeadlineExceeded) return true;
  return (
    reason === "" && (code === Code.Unknown || code === Code.Internal || code === Code.Canceled)
  );
}
