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
      return { id, centre, corners: turned, pointsUp };
    });
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

  /** The nearest triangle in a direction, for keys; the same one where there is none. */
  step(from: number, direction: Direction): number {
    const { centre } = this.at(from);
    let best = from;
    let bestCost = Infinity;
    for (const { id, centre: other } of this.triangles) {
      const [along, aside] = project(other.x - centre.x, other.y - centre.y, direction);
      if (along < EDGE / 10) continue;
      const cost = along + 2.5 * Math.abs(aside);
      if (cost < bestCost) [best, bestCost] = [id, cost];
    }
    return best;
  }
}

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

function project(dx: number, dy: number, direction: Direction): [number, number] {
  switch (direction) {
    case "right":
      return [dx, dy];
    case "left":
      return [-dx, dy];
    case "down":
      return [dy, dx];
    case "up":
      return [-dy, dx];
  }
}
