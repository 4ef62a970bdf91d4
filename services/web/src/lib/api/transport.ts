/** The way to the services: gRPC-Web to the address that served the page. */
import { createClient, type Client, type Interceptor, type Transport } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { MatchmakingService } from "$gen/arena/matchmaking/v1/matchmaking_service_pb";
import { RoomService } from "$gen/arena/room/v1/room_service_pb";

/** The services as the page sees them. */
export interface Api {
  matchmaking: Client<typeof MatchmakingService>;
  room: Client<typeof RoomService>;
}

/** An interceptor that sends the token, once there is one. */
export function withToken(token: () => string | null): Interceptor {
  return (next) => (request) => {
    const value = token();
    if (value) request.header.set("authorization", `Bearer ${value}`);
    return next(request);
  };
}

/** gRPC-Web over fetch, to the page's own origin. */
export function pageTransport(token: () => string | null): Transport {
  return createGrpcWebTransport({
    baseUrl: location.origin,
    useBinaryFormat: true,
    interceptors: [withToken(token)],
  });
}

/** Clients of all services over one transport. */
export function apiOver(transport: Transport): Api {
  return {
    matchmaking: createClient(MatchmakingService, transport),
    room: createClient(RoomService, transport),
  };
}
