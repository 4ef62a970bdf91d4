/** The platform's messages and services, read at the start from `proto/` or from the published bundle. */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadPackageDefinition } from "@grpc/grpc-js";
import { loadFileDescriptorSetFromBuffer, loadSync } from "@grpc/proto-loader";

/** Where the contracts lie in this repository. */
export const PROTO_FOLDER = fileURLToPath(new URL("../../../proto", import.meta.url));

// Fields go by their names in the contracts. No 64-bit number of the protocol exceeds 2^53, so plain numbers hold them.
const OPTIONS = { keepCase: true, longs: Number, enums: String, defaults: true, oneofs: true };

export class Protos {
  /** `path`: a folder of .proto files, or a bundle of them: a file descriptor set. */
  constructor(path = PROTO_FOLDER) {
    this.definitions = statSync(path).isDirectory()
      ? loadSync(protosIn(path), { ...OPTIONS, includeDirs: [path] })
      : loadFileDescriptorSetFromBuffer(readFileSync(path), OPTIONS);
    const { matchmaking, room } = /** @type {any} */ (loadPackageDefinition(this.definitions))
      .arena;
    this.MatchmakingService = matchmaking.v1.MatchmakingService;
    this.RoomService = room.v1.RoomService;
  }

  /** A message of this full name, packed into an Any. */
  pack(type, value) {
    return { type_url: `type.googleapis.com/${type}`, value: this.message(type).serialize(value) };
  }

  /** What an Any holds. Its type is what follows the last slash. */
  unpack({ type_url, value }) {
    return this.message(type_url.slice(type_url.lastIndexOf("/") + 1)).deserialize(value);
  }

  /** How messages of this full name are written and read. */
  message(type) {
    const definition = /** @type {any} */ (this.definitions[type]);
    if (!definition) throw new Error(`no message ${type} here`);
    return definition;
  }
}

function protosIn(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files.filter((file) => file.endsWith(".proto"));
}
