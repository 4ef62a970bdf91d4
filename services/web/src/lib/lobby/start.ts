/** From a wish to a queue. */
import { api, identity } from "../app.svelte";
import { findGame } from "../games/registry";
import { router } from "../router.svelte";
import { running } from "../running.svelte";
import { Queue } from "./queue.svelte";
import { keepWish, type MatchWish } from "./wish";

/** Sign in as `name` and queue for a match; the page moves on to it by itself. */
export async function startQueue(name: string, wish: MatchWish): Promise<Queue> {
  const game = await findGame(wish.game);
  if (!game) throw new Error(`this page does not know the game ${wish.game}`);
  const { playerId } = await identity.signIn(api, name, Date.now());
  keepWish(wish);
  const queue = new Queue(api, ({ matchId, seat }) => {
    running.set({ matchId, seat, playerId });
    router.go({ page: "match", matchId, seat });
  });
  void queue.start({
    game: wish.game,
    players: wish.players,
    options: game.options(wish.chosen),
    botsAtOnce: !wish.withPeople,
  });
  return queue;
}
