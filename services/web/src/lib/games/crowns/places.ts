/** Where pieces stand within their triangle. Pure. */
import { between, type Point, type Triangle } from "./geometry";

/** Where one piece stands, and how big it is drawn. */
export interface Place extends Point {
  /** Radius in drawing units. */
  readonly size: number;
}

const ALONE = 23;
const PAIR = 18.5;
const TRIO = 17.5;

/** Places for 1-3 pieces, in their order: a trio's first stands at the tip. */
export function placesFor(triangle: Triangle, count: number): Place[] {
  const { centre, corners, pointsUp } = triangle;
  if (count <= 1) return [{ ...centre, size: ALONE }];
  const down = pointsUp ? 1 : -1;
  if (count === 2) {
    return [-1, 1].map((side) => ({
      x: centre.x + side * 20,
      y: centre.y + down * 8,
      size: PAIR,
    }));
  }
  const tip = corners.reduce((a, b) => ((pointsUp ? a.y < b.y : a.y > b.y) ? a : b));
  const base = corners.filter((corner) => corner !== tip).sort((a, b) => a.x - b.x);
  return [tip, ...base].map((corner) => ({ ...between(centre, corner, 0.41), size: TRIO }));
}
