import { describe, expect, it } from "vitest";
import type { Piece } from "$lib/games/crowns/pieces";
import { pickWhole, stillPicked, tapUnit } from "$lib/games/crowns/selection";

const pieces: Piece[] = [
  { id: 1, seat: 0, kind: "king", triangle: 4 },
  { id: 2, seat: 0, kind: "knight", triangle: 4 },
  { id: 3, seat: 0, kind: "golden", triangle: 4 },
];
const whole = pickWhole(4, pieces);
const idsAfter = (...taps: number[]) => [...taps.reduce(tapUnit, whole).ids].sort();

describe("picking up", () => {
  it("takes the whole formation first", () => {
    expect([...whole.ids]).toEqual([1, 2, 3]);
  });

  it("isolates the first unit tapped", () => {
    expect(idsAfter(2)).toEqual([2]);
  });

  it("adds and drops units with further taps", () => {
    expect(idsAfter(2, 3)).toEqual([2, 3]);
    expect(idsAfter(2, 3, 2)).toEqual([3]);
  });

  it("keeps at least one unit", () => {
    expect(idsAfter(2, 2)).toEqual([2]);
  });

  it("drops a unit of a formation that was put together again", () => {
    expect(idsAfter(1, 2, 3, 1)).toEqual([2, 3]);
  });
});

describe("what is picked up", () => {
  it("stays while its pieces stay", () => {
    expect(stillPicked(whole, pieces, [])).toBe(whole);
  });

  it("is dropped when one of its pieces is gone or elsewhere", () => {
    expect(stillPicked(whole, pieces.slice(1), [])).toBeNull();
    const moved = pieces.map((piece) => (piece.id === 1 ? { ...piece, triangle: 5 } : piece));
    expect(stillPicked(whole, moved, [])).toBeNull();
  });

  it("is dropped with the card that was played", () => {
    expect(stillPicked({ kind: "card", card: 7 }, [], [7])).not.toBeNull();
    expect(stillPicked({ kind: "card", card: 7 }, [], [])).toBeNull();
  });
});
