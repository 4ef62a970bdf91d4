/** How connections are opened: they come back quickly, and one that is dead is noticed within four seconds. */

import { credentials } from "@grpc/grpc-js";

const OPTIONS = {
  // A connection that vanished without a word is noticed by pings, while a call is under way. In this library the
  // keepalive's own timeout is the one that counts: there is no other for pings.
  "grpc.keepalive_time_ms": 2_000,
  "grpc.keepalive_timeout_ms": 2_000,
  "grpc.initial_reconnect_backoff_ms": 100,
  "grpc.max_reconnect_backoff_ms": 1_000,
};

/** A service's calls, at host:port. */
export function callsTo(Service, address) {
  return new Service(address, credentials.createInsecure(), OPTIONS);
}
