/** Numbers of the protos in the words that pictures and texts go by. */
import { Relic } from "$gen/arena/games/crowns/v1/crowns_pb";

/** A relic, as pictures and texts are named. */
export type RelicName = "crown" | "horse" | "shield" | "boat" | "loot" | "fallen";

const RELICS: Record<Relic, RelicName | null> = {
  [Relic.UNSPECIFIED]: null,
  [Relic.CROWN]: "crown",
  [Relic.HORSE]: "horse",
  [Relic.SHIELD]: "shield",
  [Relic.BOAT]: "boat",
  [Relic.LOOT]: "loot",
  [Relic.FALLEN_CROWN]: "fallen",
};

/** The name of a relic; null for one that this page does not know. */
export function relicName(relic: Relic): RelicName | null {
  return RELICS[relic] ?? null;
}
