import { expect, it } from "vitest";
import { Arena, type Point } from "$lib/games/crowns/geometry";
import { placesFor } from "$lib/games/crowns/places";

const arena = new Arena(4);
const apart = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);

it.each([1, 2, 3])("places %i pieces within their triangle", (count) => {
  for (const triangle of arena.triangles) {
    const places = placesFor(triangle, count);
    expect(places).toHaveLength(count);
    for (const place of places) expect(arena.triangleAt(place)?.id).toBe(triangle.id);
  }
});

it.each([2, 3])("keeps %i pieces from covering each other", (count) => {
  const places = placesFor(arena.at(50), count);
  for (const [index, place] of places.entries()) {
    for (const other of places.slice(index + 1)) {
      expect(apart(place, other)).toBeGreaterThan(place.size + other.size - 1);
    }
  }
});
