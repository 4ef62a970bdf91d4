import { describe, expect, it } from "vitest";
import { Arena, sixthsToBottom } from "$lib/games/crowns/geometry";

const GATES = { 4: [4, 31, 74, 91, 64, 21], 5: [5, 38, 125, 144, 111, 24] } as const;

describe("an arena", () => {
  it.each([4, 5] as const)("of side %i has six triangles for each square of its side", (side) => {
    expect(new Arena(side).triangles).toHaveLength(6 * side * side);
  });

  it.each([4, 5] as const)("of side %i has its Gates clockwise from the top", (side) => {
    const arena = new Arena(side);
    const angles = GATES[side].map((gate) => {
      const { x, y } = arena.at(gate).centre;
      return Math.round((Math.atan2(x, -y) * 180) / Math.PI + 360) % 360;
    });
    const off = angles.map((angle, place) => Math.abs(angle - 60 * place));
    expect(Math.max(...off.map((each) => Math.min(each, 360 - each)))).toBeLessThan(12);
  });

  it.each([4, 5] as const)("of side %i can be turned to have any Gate at the bottom", (side) => {
    for (const gate of GATES[side]) {
      const { centre } = new Arena(side, sixthsToBottom(side, gate)).at(gate);
      expect(centre.y).toBeGreaterThan((side - 1) * 86);
      expect(Math.abs(centre.x)).toBeLessThan(1e-6);
    }
  });

  it("finds the triangle under a point, and none beside", () => {
    const arena = new Arena(5, 2);
    for (const { id, centre } of arena.triangles) expect(arena.triangleAt(centre)?.id).toBe(id);
    expect(arena.triangleAt({ x: arena.halfWidth + 1, y: 0 })).toBeNull();
  });

  it("draws triangles that point up or down only, however it is turned", () => {
    for (const { corners } of new Arena(4, 1).triangles) {
      const heights = new Set(corners.map((corner) => Math.round(corner.y)));
      expect(heights.size).toBe(2);
    }
  });

  it("lets arrow keys reach every triangle", () => {
    const arena = new Arena(4);
    const reached = new Set([0]);
    const open = [0];
    for (let from = open.pop(); from !== undefined; from = open.pop()) {
      for (const direction of ["up", "down", "left", "right"] as const) {
        const to = arena.step(from, direction);
        if (!reached.has(to)) open.push(to);
        reached.add(to);
      }
    }
    expect(reached.size).toBe(96);
  });

  it("steps to the neighbour in a row", () => {
    const arena = new Arena(4);
    expect(arena.step(40, "right")).toBe(41);
    expect(arena.step(40, "left")).toBe(39);
  });

  it("stays at the edge", () => {
    expect(new Arena(4).step(4, "up")).toBe(4);
  });
});
