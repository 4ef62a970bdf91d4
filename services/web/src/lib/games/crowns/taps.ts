/** What a tap on the board means. Pure: the table carries it out. */
import type { Target } from "$gen/arena/games/crowns/v1/crowns_pb";
import type { Picked } from "./selection";

/** All that a tap's meaning depends on. */
export interface TapContext {
  readonly picked: Picked;
  /** Targets of what is picked, by triangle. */
  readonly targets: ReadonlyMap<number, Target>;
  /** Triangles among which a Shield must be placed first. */
  readonly shieldChoices: ReadonlySet<number>;
  /** An own formation stands on that triangle. */
  isOwn(triangle: number): boolean;
}

/** What to do. */
export type Meaning =
  | { do: "gild"; triangle: number }
  | { do: "act"; target: Target }
  | { do: "lift"; triangle: number }
  | { do: "unit"; id: number }
  | { do: "pick"; triangle: number }
  | { do: "clear"; why: string; triangle: number }
  | { do: "describe"; triangle: number };

/** A lit target: it can be acted on, or a formation that a card may lift. */
export function isLit({ action, reason }: Target): boolean {
  return action !== undefined || reason === "";
}

/** The meaning of a tap on `triangle`, on the unit `id` where it hit one. */
export function meaningOf(triangle: number, id: number | null, context: TapContext): Meaning {
  const { picked, targets } = context;
  if (context.shieldChoices.size > 0) {
    if (context.shieldChoices.has(triangle)) return { do: "gild", triangle };
    return { do: "describe", triangle };
  }
  if (picked?.kind === "group" && picked.triangle === triangle) {
    return id === null ? { do: "pick", triangle } : { do: "unit", id };
  }
  const target = targets.get(triangle);
  if (target && isLit(target))
    return target.action ? { do: "act", target } : { do: "lift", triangle };
  if (context.isOwn(triangle)) return { do: "pick", triangle };
  if (picked) return { do: "clear", why: target?.reason ?? "", triangle };
  return { do: "describe", triangle };
}
