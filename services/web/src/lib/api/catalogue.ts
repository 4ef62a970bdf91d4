/** Which games the platform hosts and what they are made of: asked once, since it is the same for every match. */
import type { Any } from "@bufbuild/protobuf/wkt";
import { persistently } from "./requests";
import type { Api } from "./transport";

/** Hosted games by name, each with its own catalogue message; undefined for one that has none. */
export type Hosted = ReadonlyMap<string, Any | undefined>;

let games: Promise<Hosted> | null = null;

/** The games that can be played. Throws when the services cannot be reached. */
export async function hostedGames(api: Api): Promise<Hosted> {
  games ??= ask(api);
  try {
    return await games;
  } catch (error) {
    games = null;
    throw error;
  }
}

async function ask(api: Api): Promise<Hosted> {
  const answer = await persistently((signal) => api.matchmaking.listGames({}, { signal }));
  return new Map(answer.games.map(({ name, catalogue }) => [name, catalogue]));
}
