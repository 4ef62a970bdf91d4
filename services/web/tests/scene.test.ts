import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Relic, RelicViewSchema } from "$gen/arena/games/crowns/v1/crowns_pb";
import { Arena } from "$lib/games/crowns/geometry";
import type { Piece } from "$lib/games/crowns/pieces";
import { bannerOf, pieceAt, placesOf, relicsOf } from "$lib/games/crowns/scene";

const arena = new Arena(4);
const pieces: Piece[] = [
  { id: 1, seat: 0, kind: "knight", triangle: 50 },
  { id: 2, seat: 0, kind: "king", triangle: 50 },
];
const relic = (triangle: number, kind: Relic) => create(RelicViewSchema, { triangle, relic: kind });

describe("a tap", () => {
  const places = placesOf(arena, pieces);

  it("means the piece it hits, the nearest of two", () => {
    for (const { id } of pieces) expect(pieceAt(places.get(id)!, pieces, places)).toBe(id);
  });

  it("means the triangle where it hits no piece", () => {
    expect(pieceAt({ x: 10_000, y: 0 }, pieces, places)).toBeNull();
  });
});

describe("relics", () => {
  it("make room for pieces", () => {
    const [alone, under] = relicsOf(arena, [relic(10, Relic.BOAT), relic(50, Relic.CROWN)], pieces);
    expect(alone?.isSmall).toBe(false);
    expect(under?.isSmall).toBe(true);
  });

  it("of one triangle lie side by side under names of their own", () => {
    const both = relicsOf(arena, [relic(10, Relic.CROWN), relic(10, Relic.FALLEN_CROWN)], []);
    expect(new Set(both.map(({ key }) => key)).size).toBe(2);
    expect(both[0]?.at).not.toEqual(both[1]?.at);
  });
});

it("banners stand outside the arena", () => {
  for (const gate of [4, 31, 74, 91, 64, 21]) {
    expect(arena.triangleAt(bannerOf(arena, gate))).toBeNull();
  }
});
