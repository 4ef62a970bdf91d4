import { describe, expect, it } from "vitest";
import { FITTED, panned, revealing, zoomedAt } from "$lib/ui/viewport";

const frame = { width: 800, height: 600 };

describe("zooming", () => {
  it("keeps what is under the pointer where it is", () => {
    const at = { x: 100, y: -50 };
    const view = zoomedAt(FITTED, 2, at, frame);
    expect(view.scale).toBe(2);
    expect(at.x * 2 + view.x - at.x * 2).toBe(-100);
    expect((at.x - view.x) / view.scale).toBe(at.x);
  });

  it("never goes below the fitted picture", () => {
    expect(zoomedAt(FITTED, 0.2, { x: 0, y: 0 }, frame).scale).toBe(1);
  });
});

describe("panning", () => {
  it("keeps some of the picture in sight", () => {
    const view = panned({ scale: 2, x: 0, y: 0 }, 10_000, -10_000, frame);
    expect(view.x).toBeLessThan(frame.width);
    expect(view.y).toBeGreaterThan(-frame.height);
  });
});

describe("revealing", () => {
  it("brings what keys reach into the frame", () => {
    const view = revealing({ scale: 4, x: 0, y: 0 }, { x: 300, y: 0 }, frame);
    expect(Math.abs(300 * view.scale + view.x)).toBeLessThanOrEqual(frame.width / 2);
  });

  it("leaves the fitted picture alone", () => {
    expect(revealing(FITTED, { x: 390, y: 0 }, frame)).toBe(FITTED);
  });
});
