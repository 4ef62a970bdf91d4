/** What games are made of, as the services tell: asked once, since it is the same for every match. */
import type { Any } from "@bufbuild/protobuf/wkt";
import { persistently } from "./requests";
import type { Api } from "./transport";

let games: Promise<ReadonlyMap<string, Any>> | null = null;

/** The game's own catalogue message; undefined for a game that has none. Throws when the services cannot be reached. */
export async function catalogueOf(api: Api, game: string): Promise<Any | undefined> {
  games ??= ask(api);
  try {
    return (await games).get(game);
  } catch (error) {
    games = null;
    throw error;
  }
}

async function ask(api: Api): Promise<ReadonlyMap<string, Any>> {
  const answer = await persistently((signal) => api.matchmaking.listGames({}, { signal }));
  return new Map(
    answer.games.flatMap(({ name, catalogue }) => (catalogue ? [[name, catalogue]] : [])),
  );
}
