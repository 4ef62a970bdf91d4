/** The arena as it is drawn: a hexagon of triangles, turned so that one seat's Gate is at the bottom. Pure. */

/** Length of a triangle's edge in drawing units. */
export const EDGE = 100;
const HEIGHT = (EDGE * Math.sqrt(3)) / 2;

/** A place in drawing units; the arena's centre is the origin, y grows downwards. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** One triangle as drawn. */
export interface Triangle {
  readonly id: number;
  readonly centre: Point;
  readonly corners: readonly [Point, Point, Point];
  /** Which row it is drawn in, from 0 at the top. */
  readonly row: number;
  /** Its tip is above its base, as drawn. */
  readonly pointsUp: boolean;
}

/** Directions that a focus can be moved in. */
export type Direction = "up" | "down" | "left" | "right";

/** One arena as drawn. */
export class Arena {
  readonly triangles: readonly Triangle[];
  /** Half the drawn width and height, without margin. */
  readonly halfWidth: number;
  readonly halfHeight: number;

  /** `side`: 4 or 5 edges. `sixths`: how many sixths of a full turn it is turned clockwise. */
  constructor(
    readonly side: number,
    sixths = 0,
  ) {
    this.halfWidth = side * EDGE;
    this.halfHeight = side * HEIGHT;
    this.triangles = unturned(side).map((corners, id) => {
      const turned = corners.map((corner) => turn(corner, sixths)) as [Point, Point, Point];
      const centre = middle(turned);
      const pointsUp = turned.filter((corner) => corner.y > centre.y).length === 2;
      const row = Math.floor((centre.y + this.halfHeight) / HEIGHT);
      return { id, centre, corners: turned, row, pointsUp };
    });
  }

  /** The corners of the whole. */
  get outline(): Point[] {
    const reach = this.side * EDGE;
    return [0, 1, 2, 3, 4, 5].map((sixth) => turn({ x: reach, y: 0 }, sixth));
  }

  /** The triangle with this id. */
  at(id: number): Triangle {
    const triangle = this.triangles[id];
    if (!triangle) throw new RangeError(`triangle ${id} is not one of ${this.triangles.length}`);
    return triangle;
  }

  /** The triangle under a point, or null beside the arena. */
  triangleAt(point: Point): Triangle | null {
    return this.triangles.find((each) => contains(each.corners, point)) ?? null;
  }

  /** The next triangle in its row, or the nearest of the row above or below, for keys; the same one at the edge. */
  step(from: number, direction: Direction): number {
    const { row, centre } = this.at(from);
    const [rows, side] = STEPS[direction];
    const distance = ({ centre: other }: Triangle) => Math.abs(other.x - centre.x);
    const reachable = this.triangles.filter(
      (each) =>
        each.row === row + rows && (each.centre.x - centre.x) * side >= side && each.id !== from,
    );
    const [first, ...rest] = reachable;
    if (!first) return from;
    return rest.reduce((best, each) => (distance(each) < distance(best) - 1 ? each : best), first)
      .id;
  }
}

/** Rows down, and to which side, a key leads. */
const STEPS: Record<Direction, [number, -1 | 0 | 1]> = {
  up: [-1, 0],
  down: [1, 0],
  left: [0, -1],
  right: [0, 1],
};

/** How far to turn an arena of `side` so that triangle `gate` comes to lie at the bottom, in sixths. */
export function sixthsToBottom(side: number, gate: number): number {
  const { centre } = new Arena(side).at(gate);
  const angle = Math.atan2(centre.y, centre.x);
  const sixths = Math.round((Math.PI / 2 - angle) / (Math.PI / 3));
  return ((sixths % 6) + 6) % 6;
}

/** A point between two others; `part` 0 is `from`, 1 is `to`. */
export function between(from: Point, to: Point, part: number): Point {
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}

function unturned(side: number): [Point, Point, Point][] {
  const triangles: [Point, Point, Point][] = [];
  for (let row = 0; row < 2 * side; row += 1) {
    const top = (row - side) * HEIGHT;
    const count = 2 * side + 1 + 2 * Math.min(row, 2 * side - 1 - row);
    // The upper half's rows begin with a triangle that stands on its base, the lower half's with one on its tip.
    const firstIsUp = row < side;
    const left = (-(count + 1) * EDGE) / 4;
    for (let place = 0; place < count; place += 1) {
      const x = left + (place * EDGE) / 2;
      const isUp = (place % 2 === 0) === firstIsUp;
      const [base, tip] = isUp ? [top + HEIGHT, top] : [top, top + HEIGHT];
      triangles.push([
        { x, y: base },
        { x: x + EDGE, y: base },
        { x: x + EDGE / 2, y: tip },
      ]);
    }
  }
  return triangles;
}

function turn({ x, y }: Point, sixths: number): Point {
  const angle = (sixths * Math.PI) / 3;
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  return { x: x * cos - y * sin, y: x * sin + y * cos };
}

function middle(points: readonly Point[]): Point {
  const sum = points.reduce((a, b) => ({ x: a.x + b.x, y: a.y + b.y }), { x: 0, y: 0 });
  return { x: sum.x / points.length, y: sum.y / points.length };
}

function contains([a, b, c]: readonly [Point, Point, Point], p: Point): boolean {
  const sides = [cross(a, b, p), cross(b, c, p), cross(c, a, p)];
  return sides.every((side) => side >= 0) || sides.every((side) => side <= 0);
}

function cross(a: Point, b: Point, p: Point): number {
  return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}
