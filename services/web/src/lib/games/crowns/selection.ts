/** What the player has picked up. Pure. */
import type { Piece } from "./pieces";

/** Pieces of one own triangle. */
export interface PickedGroup {
  readonly kind: "group";
  readonly triangle: number;
  /** Ids of the picked pieces, at least one. */
  readonly ids: ReadonlySet<number>;
  /** The whole formation was picked and no unit singled out yet: the next tap on a unit isolates it. */
  readonly isWhole: boolean;
}

/** A card of the own hand; for one that lifts a formation, that formation once chosen. */
export interface PickedCard {
  readonly kind: "card";
  readonly card: number;
  readonly triangle?: number;
}

/** What is picked up, if anything. */
export type Picked = PickedGroup | PickedCard | null;

/** The whole formation on a triangle. */
export function pickWhole(triangle: number, standing: readonly Piece[]): PickedGroup {
  return {
    kind: "group",
    triangle,
    ids: new Set(standing.map((piece) => piece.id)),
    isWhole: true,
  };
}

/** A tap on a unit: the first one isolates it, further ones add or drop, and one is always kept. */
export function tapUnit(picked: PickedGroup, id: number): PickedGroup {
  if (picked.isWhole) return { ...picked, ids: new Set([id]), isWhole: false };
  const ids = new Set(picked.ids);
  if (!ids.has(id)) ids.add(id);
  else if (ids.size > 1) ids.delete(id);
  return { ...picked, ids };
}

/** What is left of a selection after the pieces changed: null when any of its pieces has gone. */
export function stillPicked(
  picked: Picked,
  pieces: readonly Piece[],
  hand: readonly number[],
): Picked {
  if (picked === null) return null;
  if (picked.kind === "card") return hand.includes(picked.card) ? picked : null;
  const there = pieces.filter((piece) => picked.ids.has(piece.id));
  const isThere = there.length === picked.ids.size;
  return isThere && there.every((piece) => piece.triangle === picked.triangle) ? picked : null;
}
