/** Short sights that point out what just happened on a triangle. Pure. */
import type { Event } from "$gen/arena/games/crowns/v1/crowns_pb";

/** What is seen. */
export type Sight = "clash" | "shield" | "gain" | "fall";

/** One sight. */
export interface Flash {
  readonly id: number;
  readonly triangle: number;
  readonly sight: Sight;
}

/** The sights of an entry's events. */
export function flashesOf(events: readonly Event[], nextId: () => number): Flash[] {
  const flashes: Flash[] = [];
  const add = (triangle: number, sight: Sight) => flashes.push({ id: nextId(), triangle, sight });
  for (const { event } of events) {
    switch (event.case) {
      case "captured":
        add(event.value.triangle, "clash");
        break;
      case "blockadeStruck":
        add(event.value.triangle, event.value.shieldBroken ? "shield" : "clash");
        break;
      case "blocked":
        add(event.value.toTriangle, "shield");
        break;
      case "relicCollected":
      case "spawned":
      case "gilded":
        add(event.value.triangle, "gain");
        break;
      case "eliminated":
        add(event.value.triangle, "fall");
        break;
    }
  }
  return flashes;
}
