/** From a wish to a queue, and from a queue to a match. */
import { api, identity } from "../app.svelte";
import { router } from "../router.svelte";
import { running } from "../running.svelte";
import { Queue, type QueueWish } from "./queue.svelte";

/** Sign in as `name` and queue; when there is a match, the page moves on to it by itself. */
export async function startQueue(name: string, wish: QueueWish): Promise<Queue> {
  const { playerId } = await identity.signIn(api, name, Date.now());
  const queue = new Queue(api, ({ matchId, seat }) => {
    running.set({ matchId, seat, playerId });
    router.go({ page: "match", matchId, seat });
  });
  void queue.start(wish);
  return queue;
}
