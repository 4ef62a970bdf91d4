/** Where everything is drawn on an arena. Pure. */
import type { RelicView } from "$gen/arena/games/crowns/v1/crowns_pb";
import type { Arena, Point } from "./geometry";
import { relicName, type RelicName } from "./names";
import { standingOn, type Piece } from "./pieces";
import { placesFor, type Place } from "./places";

/** A relic as drawn. */
export interface DrawnRelic {
  /** Stays the same while the relic lies there. */
  readonly key: string;
  readonly name: RelicName;
  readonly at: Point;
  readonly isSmall: boolean;
}

/** A finger is wider than a piece: what is hit may be this much bigger than what is drawn. */
const FINGER = 1.35;
/** How far the Gates' banners stand outside. */
const BANNER = 30;
const ASIDE = 33;

/** The corners of a triangle as an attribute of SVG. */
export function pointsOf(arena: Arena, triangle: number): string {
  return attributeOf(arena.at(triangle).corners);
}

/** Points as an attribute of SVG. */
export function attributeOf(points: readonly Point[]): string {
  return points.map(({ x, y }) => `${x},${y}`).join(" ");
}

/** Where each piece stands, by its id. */
export function placesOf(arena: Arena, pieces: readonly Piece[]): Map<number, Place> {
  const places = new Map<number, Place>();
  for (const triangle of new Set(pieces.map((piece) => piece.triangle))) {
    const standing = standingOn(pieces, triangle);
    const spots = placesFor(arena.at(triangle), standing.length);
    for (const [index, spot] of spots.entries()) {
      const piece = standing[index];
      if (piece) places.set(piece.id, spot);
    }
  }
  return places;
}

/** Relics in the middle of their triangles; small and near the tip under pieces, and one beside the other. */
export function relicsOf(
  arena: Arena,
  relics: readonly RelicView[],
  pieces: readonly Piece[],
): DrawnRelic[] {
  const occupied = new Set(pieces.map((piece) => piece.triangle));
  const counts = new Map<number, number>();
  return relics.flatMap(({ triangle, relic }) => {
    const name = relicName(relic);
    if (!name) return [];
    const place = counts.get(triangle) ?? 0;
    counts.set(triangle, place + 1);
    const { centre, pointsUp } = arena.at(triangle);
    const tip = pointsUp ? -1 : 1;
    const isSmall = occupied.has(triangle) || place > 0;
    const aside = { x: centre.x + place * 18, y: centre.y + tip * ASIDE };
    const at = isSmall ? aside : { x: centre.x, y: centre.y - tip * 2 };
    return [{ key: `${triangle}/${name}/${place}`, name, at, isSmall }];
  });
}

/** Where the banner of a Gate stands, outside the arena. */
export function bannerOf(arena: Arena, gate: number): Point {
  const { x, y } = arena.at(gate).centre;
  const part = (arena.halfHeight + BANNER) / Math.hypot(x, y);
  return { x: x * part, y: y * part };
}

/** The piece of a triangle that a tap at a point means; null where it means the triangle. */
export function pieceAt(
  point: Point,
  standing: readonly Piece[],
  places: ReadonlyMap<number, Place>,
): number | null {
  const hits = standing.flatMap(({ id }) => {
    const place = places.get(id);
    if (!place) return [];
    const distance = Math.hypot(place.x - point.x, place.y - point.y);
    return distance <= place.size * FINGER ? [{ id, distance }] : [];
  });
  return hits.sort((a, b) => a.distance - b.distance)[0]?.id ?? null;
}
