/** The messages of playing Crowns, written and read without conversion to plain objects. */

import protobuf from "protobufjs";
import { PROTO_FOLDER } from "../protos.js";

const root = new protobuf.Root();
root.resolvePath = (_, file) => (file.startsWith("google/") ? file : `${PROTO_FOLDER}/${file}`);
root.loadSync(["arena/room/v1/room_service.proto", "arena/games/crowns/v1/crowns.proto"], {
  keepCase: true,
});

const PlayRequest = root.lookupType("arena.room.v1.PlayRequest");
const PlayResponse = root.lookupType("arena.room.v1.PlayResponse");
const Common = root.lookupType("arena.games.crowns.v1.Common");
const Action = root.lookupType("arena.games.crowns.v1.Action");
const ACTION_URL = "type.googleapis.com/arena.games.crowns.v1.Action";

/** A PlayRequest as bytes. */
export function writeRequest(fields) {
  return PlayRequest.encode(fields).finish();
}

/** The fields of a PlayResponse. 64-bit numbers are Long. */
export function readResponse(bytes) {
  return /** @type {any} */ (PlayResponse.decode(bytes));
}

/** The public position in an update. */
export function viewOf(update) {
  return /** @type {any} */ (Common.decode(update.common.value)).view;
}

/** An action as the Any that travels. */
export function packAction(action) {
  return { type_url: ACTION_URL, value: Action.encode(action).finish() };
}
